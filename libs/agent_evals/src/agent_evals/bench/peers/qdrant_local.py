"""qdrant-client's local mode: the engine's interface in Python and NumPy, which reads every vector."""

import warnings
from typing import Any

from agent_evals.bench.invented_vectors import DIMENSIONS, FIRST_YEAR, NEIGHBOURS, WANTED_TYPE, InventedVectors
from agent_evals.bench.peers.packages import peer_package

NAME = "qdrant-client local"

_COLLECTION = "bench"


class QdrantLocalPeer:
    """A collection in memory."""

    def __init__(self, invented: InventedVectors) -> None:
        """Raises PeerMissing."""
        package = peer_package("qdrant_client")
        models: Any = package.models
        self._client: Any = package.QdrantClient(location=":memory:")
        self._client.create_collection(
            _COLLECTION, vectors_config=models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)
        )
        count = len(invented.vectors)
        payloads = [
            {"entity_type": kind, "year": year} for kind, year in zip(invented.types, invented.years, strict=True)
        ]
        with warnings.catch_warnings():
            # It advises against local mode for so many points, which is what is measured here.
            warnings.simplefilter("ignore", UserWarning)
            self._client.upload_collection(_COLLECTION, invented.vectors, payload=payloads, ids=range(count))
        self._filter: Any = models.Filter(
            must=[
                models.FieldCondition(key="entity_type", match=models.MatchValue(value=WANTED_TYPE)),
                models.FieldCondition(key="year", range=models.Range(gte=FIRST_YEAR)),
            ]
        )

    def search(self, vector: list[float]) -> list[int]:
        """The nearest vectors."""
        return self._places(vector, None)

    def search_filtered(self, vector: list[float]) -> list[int]:
        """The nearest of the wanted type and years."""
        return self._places(vector, self._filter)

    def close(self) -> None:
        """Give the memory back."""
        self._client.close()

    def _places(self, vector: list[float], condition: Any) -> list[int]:
        found = self._client.query_points(_COLLECTION, query=vector, limit=NEIGHBOURS, query_filter=condition)
        return [int(point.id) for point in found.points]
