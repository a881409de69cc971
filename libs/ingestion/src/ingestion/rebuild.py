"""Builds a new index beside the old one from the catalogue, then lets searches go to the new one in one step."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from datastore.postgres.chunk_reads import read_chunk_stamps, read_chunks
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.index_reads import read_index_cards, read_stamps
from datastore.postgres.pictures import count_pictures
from datastore.vectors.collections import (
    COLLECTION_TYPES,
    CollectionName,
    alias_of,
    collection_spec,
)
from datastore.vectors.protocol import Point, VectorStore
from datastore.vocabulary import EntityType
from embeddings.protocol import Embedder, ModelIdentity

from ingestion.index_points import ChunkPointMaker, PointMaker
from ingestion.verify import verify_type

_PAGE = 64
_OPTIMIZE_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class RebuiltCollection:
    """One type's new collection. `repaired` counts changes that happened during the build and are in the outbox now."""

    entity_type: EntityType
    collection: str
    points: int
    repaired: int
    dropped: tuple[str, ...]


async def rebuild_index(
    engine: ReadWriteEngine,
    store: VectorStore,
    embedder: Embedder,
    *,
    images: ModelIdentity | None = None,
    entity_types: Sequence[EntityType] = COLLECTION_TYPES,
    call_seconds: float = 60.0,
    grace_seconds: float = 5.0,
    on_points: Callable[[EntityType, int], None] | None = None,
) -> tuple[RebuiltCollection, ...]:
    """Rebuild the collections of these types, one after the other; searches and relays go on meanwhile.

    The old collection answers until the new one is complete. What changes during the build reaches the old one through
    the relay, and the new one through outbox rows that a comparison writes after the switch. The old collections are
    dropped `grace_seconds` after it, when no search can still be on them. `on_points` is told of each page.

    A type of which the catalogue has pictures that the model `images` has seen gets room for them.

    Raises:
        DatabaseUnavailable, VectorStoreUnavailable, EmbedderUnavailable: the old index is still in use, the unfinished
            collection is removed by the next rebuild.
    """
    builder = _Builder(engine, store, embedder, images, call_seconds, on_points)
    return tuple([await builder.rebuild(each, grace_seconds) for each in entity_types])


class _Builder:
    def __init__(
        self,
        engine: ReadWriteEngine,
        store: VectorStore,
        embedder: Embedder,
        images: ModelIdentity | None,
        call_seconds: float,
        on_points: Callable[[EntityType, int], None] | None,
    ) -> None:
        self._engine = engine
        self._store = store
        self._identity = embedder.identity
        self._images = images
        self._maker = PointMaker(embedder)
        self._chunk_maker = ChunkPointMaker(embedder)
        self._seconds = call_seconds
        self._on_points = on_points

    async def rebuild(self, entity_type: EntityType, grace_seconds: float) -> RebuiltCollection:
        existing = [
            name
            for each in await self._store.collections(timeout=self._seconds)
            if (name := CollectionName.parse(each)) is not None and name.entity_type is entity_type
        ]
        number = max((name.number for name in existing), default=0) + 1
        image_model, image_dimensions = await self._room_for_pictures(entity_type)
        fresh = CollectionName(entity_type, self._identity.short_hash, number, image_model)
        spec = collection_spec(
            fresh, self._identity.dimensions, description=str(self._identity), image_dimensions=image_dimensions
        )
        await self._store.ensure_collection(spec, timeout=self._seconds)
        points = await self._fill(entity_type, fresh)
        await self._store.optimize(str(fresh), timeout=_OPTIMIZE_SECONDS)
        await self._store.switch_alias(alias_of(entity_type), str(fresh), timeout=self._seconds)
        verdict = await verify_type(self._engine, self._store, entity_type, repair=True, call_seconds=self._seconds)
        if existing:
            await asyncio.sleep(grace_seconds)
        for name in existing:
            await self._store.drop_collection(str(name), timeout=self._seconds)
        return RebuiltCollection(
            entity_type, str(fresh), points, verdict.repaired, tuple(str(name) for name in existing)
        )

    async def _room_for_pictures(self, entity_type: EntityType) -> tuple[str, int]:
        """The short hash and dimensions of the image model; empty where there is nothing to make room for."""
        if self._images is None:
            return "", 0
        async with self._engine.begin(timeout=self._seconds) as conn:
            counts = await count_pictures(conn, model=self._images.short_hash)
        return (self._images.short_hash, self._images.dimensions) if entity_type in counts else ("", 0)

    async def _fill(self, entity_type: EntityType, name: CollectionName) -> int:
        written, after = 0, None
        # Without a sequence: a relay that already writes into this collection knows better.
        next_page = self._chunk_page if entity_type is EntityType.DOCUMENT else self._entity_page
        while True:
            points, last = await next_page(name, after)
            if last is None:
                return written
            await self._store.upsert(str(name), points, timeout=self._seconds)
            written, after = written + len(points), last
            if self._on_points is not None:
                self._on_points(entity_type, written)

    async def _entity_page(self, name: CollectionName, after: UUID | None) -> tuple[list[Point], UUID | None]:
        """The points from behind `after` on, and the last id that was looked at; None behind the last page."""
        async with self._engine.begin(timeout=self._seconds) as conn:
            stamps = await read_stamps(conn, name.entity_type, after=after, limit=_PAGE)
            ids = [stamp.id for stamp in stamps]
            cards = await read_index_cards(conn, name.entity_type, ids, image_model=name.image)
        points = await self._maker.make(list(cards.values()), timeout=self._seconds)
        return points, ids[-1] if ids else None

    async def _chunk_page(self, name: CollectionName, after: UUID | None) -> tuple[list[Point], UUID | None]:
        """The same of chunks."""
        async with self._engine.begin(timeout=self._seconds) as conn:
            ids = [stamp.id for stamp in await read_chunk_stamps(conn, after=after, limit=_PAGE)]
            chunks = await read_chunks(conn, ids)
        points = await self._chunk_maker.make(list(chunks.values()), timeout=self._seconds)
        return points, ids[-1] if ids else None
