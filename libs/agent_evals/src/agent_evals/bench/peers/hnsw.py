"""hnswlib: the index alone, without payloads, filters or a log."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from agent_evals.bench.invented_vectors import DIMENSIONS, NEIGHBOURS, InventedVectors
from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers.packages import peer_package

NAME = "hnswlib"
EFFORTS = (16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512)
"""Values of `ef` to choose from: the smallest that finds as much as the product."""

_FILE = "index.bin"


class HnswPeer:
    """One index over all vectors; `effort` says how far a search looks."""

    def __init__(self, keep: Keep, invented: InventedVectors) -> None:
        """Raises PeerMissing."""
        self._package = peer_package("hnswlib")
        made_with = (version("hnswlib"), source(__file__), invented.vectors.tobytes())
        folder = keep.folder("hnswlib", made_with, lambda path: self._fill(path, invented))
        self._index = self._empty()
        self._index.load_index(str(folder / _FILE))
        self._index.set_num_threads(1)

    def set_effort(self, effort: int) -> None:
        """For the searches to come."""
        self._index.set_ef(effort)

    def search(self, vector: list[float]) -> list[int]:
        """The nearest vectors."""
        found = self._index.knn_query(np.array(vector, dtype=np.float32), NEIGHBOURS)[0][0]
        return [int(place) for place in found]

    def _empty(self) -> Any:
        return self._package.Index(space="ip", dim=DIMENSIONS)

    def _fill(self, folder: Path, invented: InventedVectors) -> None:
        index = self._empty()
        index.init_index(max_elements=len(invented.vectors), M=16, ef_construction=100)
        index.add_items(invented.vectors)
        index.save_index(str(folder / _FILE))
