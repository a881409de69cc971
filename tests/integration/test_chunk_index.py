"""Documents in the index: every chunk a point, changed and deleted ones without a trace, drift found and repaired."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import outbox
from datastore.vectors.chunk_points import of_document
from datastore.vectors.collections import alias_of
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.protocol import Point, Tombstone, VectorStore
from datastore.vocabulary import EntityType
from embeddings.bundled import BundledEmbedder
from embeddings.protocol import ModelIdentity
from fixtures.documents import Article, delete_document, write_document
from ingestion.index_sync import IndexRelay, RelayReport
from ingestion.rebuild import rebuild_index
from ingestion.verify import DriftKind, verify_index

SECONDS = 20.0
ALIAS = alias_of(EntityType.DOCUMENT)
ONLY_DOCUMENTS = (EntityType.DOCUMENT,)

FESTIVAL = Article(
    "A festival by the sea",
    [(None, "Drummers opened the festival."), ("Prizes", "The jury gave its prize to a short film about tides.")],
)
SHORTER = Article(FESTIVAL.title, [(None, "Drummers opened the festival, and rain ended it.")])


@pytest.fixture
async def relay(read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder) -> IndexRelay:
    made = IndexRelay(read_write, edge_store, embedder)
    await made.prepare()
    return made


async def put(engine: ReadWriteEngine, *articles: Article, version: int = 1) -> None:
    async with engine.begin() as conn:
        for article in articles:
            await write_document(conn, article, version=version)


async def ids_of(store: VectorStore, document: UUID) -> list[UUID]:
    page = await store.scroll(ALIAS, start=None, limit=100, timeout=SECONDS, filter=of_document(document))
    return [stamp.id for stamp in page.stamps]


async def test_every_chunk_is_a_point_that_says_where_it_stands(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    await put(read_write, FESTIVAL)
    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=1, upserted=2)
    points = await edge_store.retrieve(ALIAS, [FESTIVAL.chunk_id(1)], timeout=SECONDS)
    assert [dict(each.payload) for each in points] == [
        {"document_id": str(FESTIVAL.id), "collection": "press", "position": 1}
    ]
    assert (await verify_index(read_write, edge_store, entity_types=ONLY_DOCUMENTS)).is_sound


async def test_chunks_that_a_document_no_longer_has_are_gone(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    await put(read_write, FESTIVAL)
    await relay.drain(timeout=SECONDS)
    await put(read_write, SHORTER, version=2)
    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=1, upserted=1, deleted=1)
    assert await ids_of(edge_store, FESTIVAL.id) == [FESTIVAL.chunk_id(0)]
    async with read_write.begin() as conn:
        await delete_document(conn, FESTIVAL)
    await relay.drain(timeout=SECONDS)
    assert await ids_of(edge_store, FESTIVAL.id) == []
    assert await edge_store.count(ALIAS, timeout=SECONDS) == 0


class SlowEmbedder:
    """Lets something else happen between a relay's reading of a page of chunks and its writing of it."""

    def __init__(self, embedder: BundledEmbedder, *meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._embedder = embedder
        self._meanwhile = list(meanwhile)

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        if self._meanwhile:
            await self._meanwhile.pop(0)()
        return await self._embedder.embed(texts, timeout=timeout)

    async def close(self) -> None:
        await self._embedder.close()


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_a_relay_that_is_overtaken_brings_no_old_chunk_back(
    read_write: ReadWriteEngine,
    relay: IndexRelay,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    is_deleted: bool,
) -> None:
    async def overtake() -> None:
        async with read_write.begin() as conn:
            await (delete_document(conn, FESTIVAL) if is_deleted else write_document(conn, SHORTER, version=2))
        await relay.run_once()

    await put(read_write, FESTIVAL)
    await IndexRelay(read_write, edge_store, SlowEmbedder(embedder, overtake)).drain(timeout=SECONDS)
    assert await ids_of(edge_store, FESTIVAL.id) == ([] if is_deleted else [FESTIVAL.chunk_id(0)])
    assert (await verify_index(read_write, edge_store, entity_types=ONLY_DOCUMENTS)).is_sound


async def test_a_long_document_is_held_until_it_is_done(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    taken: list[int] = []

    async def wait_long() -> None:
        async with read_write.begin() as conn:
            await conn.execute(sa.update(outbox).values(claimed_at=datetime.now(UTC) - timedelta(minutes=5)))

    async def look() -> None:
        taken.append((await relay.run_once()).claimed)

    await put(read_write, Article("A long list", [(None, f"Entry {number} of the list.") for number in range(70)]))
    slow = IndexRelay(read_write, edge_store, SlowEmbedder(embedder, wait_long, look))
    assert await slow.drain(timeout=SECONDS) == RelayReport(claimed=1, upserted=70)
    assert taken == [0]


async def test_drift_of_chunks_is_found_and_repaired_by_their_documents(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    other = Article("A quiet year", [(None, "Nothing happened.")])
    await put(read_write, FESTIVAL, other)
    await relay.drain(timeout=SECONDS)
    lost, stray, nobody_s = FESTIVAL.chunk_id(0), uuid4(), uuid4()
    await edge_store.delete(ALIAS, [Tombstone(lost, 1, 1_000)], timeout=SECONDS)
    await edge_store.upsert(
        ALIAS,
        [
            stray_point(stray, {"document_id": str(other.id)}),
            stray_point(nobody_s, {}),
            stray_point(other.chunk_id(0), {"document_id": str(other.id)}),
        ],
        timeout=SECONDS,
    )
    (verdict,) = (await verify_index(read_write, edge_store, entity_types=ONLY_DOCUMENTS)).verdicts
    assert (verdict.entities, verdict.points) == (3, 4)
    assert {(drift.kind, drift.entity_id) for drift in verdict.named} == {
        (DriftKind.MISSING, lost),
        (DriftKind.EXTRA, stray),
        (DriftKind.EXTRA, nobody_s),
        (DriftKind.OTHER_CONTENT, other.chunk_id(0)),
    }
    async with read_write.begin() as conn:
        await conn.execute(sa.text("alter table outbox alter column id restart with 2000"))
    repaired = await verify_index(read_write, edge_store, repair=True, entity_types=ONLY_DOCUMENTS)
    assert repaired.verdicts[0].repaired == 3
    await relay.drain(timeout=SECONDS)
    after = await verify_index(read_write, edge_store, entity_types=ONLY_DOCUMENTS)
    assert after.is_sound
    assert (after.verdicts[0].points, after.verdicts[0].waiting) == (3, 0)


async def test_a_rebuild_brings_every_chunk(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    await put(read_write, FESTIVAL, Article("A long list", [(None, f"Entry {number}.") for number in range(70)]))
    (rebuilt,) = await rebuild_index(read_write, edge_store, embedder, entity_types=ONLY_DOCUMENTS, grace_seconds=0.01)
    assert (rebuilt.collection, rebuilt.points, rebuilt.repaired) == ("enishi_document_6413f1f0_v2", 72, 0)
    assert (await verify_index(read_write, edge_store, entity_types=ONLY_DOCUMENTS)).is_sound


def stray_point(chunk: UUID, payload: dict[str, str]) -> Point:
    # A place in the outbox beyond all others: as if somebody wrote behind the relay's back.
    return Point(chunk, 1, "other", payload, {"text": [1.0] + [0.0] * 383}, {}, sequence=1_000)
