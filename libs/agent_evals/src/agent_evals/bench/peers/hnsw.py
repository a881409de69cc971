"""hnswlib: the index alone, without payloads, filters or a log."""

from typing import Any

import numpy as np

from agent_evals.bench.invented_vectors import DIMENSIONS, NEIGHBOURS, InventedVectors
from agent_evals.bench.peers.packages import peer_package

NAME = "hnswlib"
EFFORTS = (16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512)
"""Values of `ef` to choose from: the smallest that finds as much as the product."""


class HnswPeer:
    """One index over all vectors; `effort` says how far a search looks."""

    def __init__(self, invented: InventedVectors) -> None:
        """Raises PeerMissing."""
        self._index: Any = peer_package("hnswlib").Index(space="ip", dim=DIMENSIONS)
        self._index.init_index(max_elements=len(invented.vectors), M=16, ef_construction=100)
        self._index.add_items(invented.vectors)
        self._index.set_num_threads(1)

    def set_effort(self, effort: int) -> None:
        """For the searches to come."""
        self._index.set_ef(effort)

    def search(self, vector: list[float]) -> list[int]:
        """The nearest vectors."""
        found = self._index.knn_query(np.array(vector, dtype=np.float32), NEIGHBOURS)[0][0]
        return [int(place) for place in found]
