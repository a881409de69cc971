"""networkx: the whole graph as Python dictionaries, bidirectional breadth first search."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent_evals.bench.peers.packages import peer_package

NAME = "networkx"


class NetworkxPeer:
    """All links as one undirected graph in memory."""

    def __init__(self, pairs: NDArray[np.int64]) -> None:
        """Raises PeerMissing."""
        self._package = peer_package("networkx")
        self._graph: Any = self._package.Graph()
        self._graph.add_edges_from(pairs.tolist())

    def neighbours(self, node: int) -> list[int]:
        """In no order."""
        return list(self._graph.adj[node])

    def path(self, ends: tuple[int, int]) -> list[int]:
        """The nodes along one shortest path, however long; empty when there is none."""
        try:
            return self._package.bidirectional_shortest_path(self._graph, *ends)
        except self._package.NetworkXNoPath:
            return []
