"""Documents into the index: the points of their chunks, and none of chunks that are no more."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from datastore.postgres.chunk_reads import read_chunk_stamps, read_chunks
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.index_reads import EntityStamp
from datastore.vectors.chunk_points import of_document
from datastore.vectors.collections import alias_of
from datastore.vectors.protocol import Tombstone, VectorStore
from datastore.vocabulary import EntityType
from embeddings.protocol import Embedder

from ingestion.index_points import ChunkPointMaker

_PAGE = 64
_STAMPS = 500
_ALIAS = alias_of(EntityType.DOCUMENT)


@dataclass(frozen=True, slots=True)
class CarriedChunks:
    """Points written, and points replaced with tombstones."""

    upserted: int
    deleted: int


class ChunkCarrier:
    """Carries one document at a time. Every call is bounded by `call_seconds`."""

    def __init__(self, engine: ReadWriteEngine, store: VectorStore, embedder: Embedder, *, call_seconds: float) -> None:
        self._engine = engine
        self._store = store
        self._maker = ChunkPointMaker(embedder)
        self._seconds = call_seconds

    async def carry(self, document_id: UUID, sequence: int, *, on_page: Callable[[], Awaitable[None]]) -> CarriedChunks:
        """Write what the document says now, then remove what it no longer says; `on_page` is awaited before each page.

        What is removed is read only after all was written: chunks of an older state that this call, or one that was
        overtaken by a newer change, wrote meanwhile are seen and removed by whoever looks last.
        """
        upserted = 0
        async with aclosing(self._pages(document_id)) as pages:
            async for page in pages:
                await on_page()
                async with self._engine.begin(timeout=self._seconds) as conn:
                    chunks = await read_chunks(conn, [stamp.id for stamp in page])
                points = await self._maker.make(list(chunks.values()), sequence=sequence, timeout=self._seconds)
                await self._store.upsert(_ALIAS, points, timeout=self._seconds)
                upserted += len(points)
        stale = await self._stale(document_id)
        await self._store.delete(
            _ALIAS, [Tombstone(each, version, sequence) for each, version in stale.items()], timeout=self._seconds
        )
        return CarriedChunks(upserted, len(stale))

    async def _pages(self, document_id: UUID) -> AsyncGenerator[list[EntityStamp]]:
        after: UUID | None = None
        while True:
            async with self._engine.begin(timeout=self._seconds) as conn:
                stamps = await read_chunk_stamps(conn, after=after, limit=_PAGE, document_id=document_id)
            if stamps:
                yield stamps
            if len(stamps) < _PAGE:
                return
            after = stamps[-1].id

    async def _stale(self, document_id: UUID) -> dict[UUID, int]:
        """Indexed chunks that the document no longer has, with the versions that they are stored under."""
        standing: set[UUID] = set()
        async with aclosing(self._pages(document_id)) as pages:
            async for page in pages:
                standing.update(stamp.id for stamp in page)
        # A point that says of no document whose it is goes by the id that a comparison gave for one.
        stale = {} if standing else {document_id: 0}
        start: UUID | None = None
        while True:
            page = await self._store.scroll(
                _ALIAS, start=start, limit=_STAMPS, timeout=self._seconds, filter=of_document(document_id)
            )
            stale |= {stamp.id: stamp.version for stamp in page.stamps if stamp.id not in standing}
            if page.next_id is None:
                return stale
            start = page.next_id
