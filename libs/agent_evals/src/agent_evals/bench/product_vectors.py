"""The product's vector store as a process that owns it uses it, filled and optimised as the indexer does."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from datastore.vectors.edge import EdgeVectorStore, open_edge_store
from datastore.vectors.filters import AllOf, AnyValue, PayloadFilter, Within
from datastore.vectors.protocol import (
    CollectionSpec,
    DensePrefetch,
    DenseVector,
    FieldKind,
    PayloadIndex,
    Point,
    Query,
    ScoredPoint,
)

from agent_evals.bench.invented_vectors import DIMENSIONS, FIRST_YEAR, NEIGHBOURS, WANTED_TYPE, InventedVectors

_COLLECTION, _VECTOR = "bench", "text"
_BATCH = 512
_CALL_SECONDS, _BUILD_SECONDS = 60.0, 1_800.0
_FILTER = AllOf((AnyValue("entity_type", (WANTED_TYPE,)), Within("year", at_least=FIRST_YEAR)))


class ProductVectors:
    """Made by `open_product_vectors`. Vectors are named by their place."""

    def __init__(self, store: EdgeVectorStore) -> None:
        self._store = store

    async def search(self, vector: list[float]) -> list[ScoredPoint]:
        """The nearest points of all."""
        return await self._search(vector, None)

    async def search_filtered(self, vector: list[float]) -> list[ScoredPoint]:
        """The nearest points of the wanted type and years."""
        return await self._search(vector, _FILTER)

    async def _search(self, vector: list[float], condition: PayloadFilter | None) -> list[ScoredPoint]:
        prefetch = DensePrefetch(_VECTOR, vector, NEIGHBOURS)
        query = Query((prefetch,), NEIGHBOURS, condition)
        return await self._store.query(_COLLECTION, query, timeout=_CALL_SECONDS)


def place_of(point: ScoredPoint) -> int:
    """Which invented vector this is."""
    return point.point.id.int


@asynccontextmanager
async def open_product_vectors(folder: Path, invented: InventedVectors) -> AsyncGenerator[ProductVectors]:
    """A store of its own with all vectors in it, indexed."""
    store = await open_edge_store(folder)
    try:
        spec = CollectionSpec(
            _COLLECTION,
            dense=(DenseVector(_VECTOR, DIMENSIONS),),
            indexes=(PayloadIndex("entity_type", FieldKind.KEYWORD), PayloadIndex("year", FieldKind.INTEGER)),
        )
        await store.ensure_collection(spec, timeout=_CALL_SECONDS)
        for start in range(0, len(invented.vectors), _BATCH):
            await store.upsert(_COLLECTION, _points(invented, start), timeout=_BUILD_SECONDS)
        await store.optimize(_COLLECTION, timeout=_BUILD_SECONDS)
        yield ProductVectors(store)
    finally:
        await store.close()


def _points(invented: InventedVectors, start: int) -> list[Point]:
    rows: list[list[float]] = invented.vectors[start : start + _BATCH].tolist()
    return [
        Point(
            id=UUID(int=place),
            version=1,
            content_hash="",
            payload={"entity_type": invented.types[place], "year": invented.years[place]},
            dense={_VECTOR: vector},
            sparse={},
        )
        for place, vector in enumerate(rows, start=start)
    ]
