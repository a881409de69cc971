"""The graph in memory, as compressed rows: the floor for traversals, and the truth about distances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Nodes = NDArray[np.int64]

UNREACHED = -1


@dataclass(frozen=True, slots=True)
class Reached:
    """Nodes in the order of their level, most popular first, and the level of each."""

    nodes: tuple[int, ...]
    levels: tuple[int, ...]


class MemoryGraph:
    """Undirected adjacency by position; each node's neighbours once, the most popular first."""

    def __init__(self, pairs: NDArray[np.int64], popularity: Nodes) -> None:
        size = len(popularity)
        both = np.concatenate([pairs, pairs[:, ::-1]])
        unique = np.unique(both[:, 0] * size + both[:, 1])
        sources, targets = unique // size, unique % size
        order = np.lexsort((targets, -popularity[targets], sources))
        self._targets: Nodes = targets[order]
        self._offsets: Nodes = np.searchsorted(sources, np.arange(size + 1))
        self._popularity = popularity
        # The number of the traversal that saw a node last, so that none has to clear what another marked.
        self._seen_by: Nodes = np.zeros(size, dtype=np.int64)
        self._asked = 0

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self._popularity)

    def neighbours(self, node: int) -> Nodes:
        """Most popular first, then in order of position."""
        return self._targets[self._offsets[node] : self._offsets[node + 1]]

    def k_hop(self, start: int, hops: int, *, fanout: int, limit: int) -> Reached:
        """Breadth first: a node passes on its `fanout` most popular neighbours that no earlier level has.

        A level keeps what the limit leaves, the most popular first; the same rules as the product's.
        """
        self._asked += 1
        asked, seen_by = self._asked, self._seen_by
        seen_by[start] = asked
        frontier: list[int] = [start]
        nodes: list[int] = []
        levels: list[int] = []
        for level in range(1, hops + 1):
            parts: list[Nodes] = []
            for node in frontier:
                targets = self._targets[self._offsets[node] : self._offsets[node + 1]]
                parts.append(targets[seen_by[targets] != asked][:fanout])
            found = np.unique(np.concatenate(parts))
            order = np.argsort(-self._popularity[found], kind="stable")
            kept = found[order][: limit - len(nodes)]
            seen_by[kept] = asked
            frontier = kept.tolist()
            nodes += frontier
            levels += [level] * len(frontier)
            if len(nodes) >= limit or not frontier:
                break
        return Reached(tuple(nodes), tuple(levels))

    def distance(self, start: int, end: int, *, most: int) -> int:
        """How many hops apart two nodes are; UNREACHED when more than `most`."""
        if start == end:
            return 0
        sides = (np.zeros(self.size, dtype=np.bool_), np.zeros(self.size, dtype=np.bool_))
        fronts = [np.array([start], dtype=np.int64), np.array([end], dtype=np.int64)]
        sides[0][start] = sides[1][end] = True
        for length in range(1, most + 1):
            side = 0 if len(fronts[0]) <= len(fronts[1]) else 1
            reached = self._beyond(fronts[side])
            if sides[1 - side][reached].any():
                return length
            fronts[side] = reached[~sides[side][reached]]
            sides[side][fronts[side]] = True
            if not len(fronts[side]):
                break
        return UNREACHED

    def are_linked(self, one: int, other: int) -> bool:
        """Whether an edge joins them."""
        return bool((self.neighbours(one) == other).any())

    def popularity_of(self, nodes: tuple[int, ...]) -> list[int]:
        """Millionths, in the order given."""
        return [int(self._popularity[node]) for node in nodes]

    def _beyond(self, nodes: Nodes) -> Nodes:
        starts, counts = self._offsets[nodes], self._offsets[nodes + 1] - self._offsets[nodes]
        total = int(counts.sum())
        shifts = np.repeat(starts - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
        return np.unique(self._targets[np.arange(total) + shifts])
