"""Verify finds every difference of catalogue and index, repair removes it, rebuild starts afresh beside the old."""

import asyncio
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.vectors.collections import alias_of, check_collections
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.protocol import DensePrefetch, Point, Query, Tombstone
from datastore.vocabulary import EntityType
from embeddings.bundled import BundledEmbedder
from embeddings.protocol import ModelIdentity
from factories import CatalogueFactory
from ingestion.index_sync import IndexRelay
from ingestion.outbox_claims import IndexTask, append_tasks
from ingestion.rebuild import rebuild_index
from ingestion.verify import DriftKind, verify_index

SECONDS = 30.0
ALIAS = alias_of(EntityType.ANIME)
ONLY_ANIME = (EntityType.ANIME,)


@pytest.fixture
async def relay(read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder) -> IndexRelay:
    made = IndexRelay(read_write, edge_store, embedder)
    await made.prepare()
    return made


@pytest.fixture
async def works(read_write: ReadWriteEngine, relay: IndexRelay) -> list[UUID]:
    async with read_write.begin() as conn:
        factory = CatalogueFactory(conn, searchable=False)
        made = [await factory.make_anime(f"Show {number}") for number in range(10)]
        await append_tasks(conn, [IndexTask(each, "anime", 1, OutboxOperation.UPSERT) for each in made])
    await relay.drain(timeout=SECONDS)
    return made


def point(entity: UUID, *, version: int, content_hash: str) -> Point:
    # A place in the outbox beyond all others: as if somebody wrote behind the relay's back.
    return Point(entity, version, content_hash, {"name": "?"}, {"text": [1.0] + [0.0] * 383}, {}, sequence=1_000)


async def test_every_kind_of_drift_is_found_and_repaired(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, relay: IndexRelay, works: list[UUID]
) -> None:
    assert (await verify_index(read_write, edge_store)).is_sound
    stray = uuid4()
    await edge_store.upsert(
        ALIAS,
        [
            point(works[0], version=7, content_hash="test"),
            point(works[1], version=1, content_hash="other"),
            point(stray, version=3, content_hash="test"),
        ],
        timeout=SECONDS,
    )
    await edge_store.delete(ALIAS, [Tombstone(works[2], 1, 1_000)], timeout=SECONDS)

    report = await verify_index(read_write, edge_store, entity_types=ONLY_ANIME)
    (verdict,) = report.verdicts
    assert not report.is_sound
    assert (verdict.entities, verdict.points, verdict.waiting, verdict.repaired) == (10, 10, 0, 0)
    assert {(drift.kind, drift.entity_id) for drift in verdict.named} == {
        (DriftKind.OTHER_VERSION, works[0]),
        (DriftKind.OTHER_CONTENT, works[1]),
        (DriftKind.EXTRA, stray),
        (DriftKind.MISSING, works[2]),
    }
    assert report.drift_count == 4

    # The outbox goes on counting from where the strays stand.
    async with read_write.begin() as conn:
        await conn.execute(sa.text("alter table outbox alter column id restart with 2000"))
    repaired = await verify_index(read_write, edge_store, repair=True)
    assert sum(each.repaired for each in repaired.verdicts) == 4
    waiting = await verify_index(read_write, edge_store)
    assert waiting.is_sound
    assert waiting.verdicts[0].waiting == 4
    await relay.drain(timeout=SECONDS)
    after = await verify_index(read_write, edge_store)
    assert after.is_sound
    assert (after.verdicts[0].points, after.verdicts[0].waiting) == (10, 0)


async def test_a_rebuild_replaces_the_collection_while_searches_go_on(
    read_write: ReadWriteEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    relay: IndexRelay,
    works: list[UUID],
) -> None:
    await edge_store.delete(ALIAS, [Tombstone(works[2], 1, 1_000)], timeout=SECONDS)
    (vector,) = await embedder.embed(["Show 3"], timeout=SECONDS)
    query = Query((DensePrefetch("text", vector, 20),), 20)
    over, seen = asyncio.Event(), set[int]()

    async def search() -> None:
        while not over.is_set():
            seen.add(len(await edge_store.query(ALIAS, query, timeout=SECONDS)))
            await asyncio.sleep(0.005)

    searching = asyncio.create_task(search())
    (rebuilt,) = await rebuild_index(read_write, edge_store, embedder, entity_types=ONLY_ANIME, grace_seconds=0.05)
    over.set()
    await searching
    assert seen <= {9, 10}
    assert 10 in seen
    assert (rebuilt.collection, rebuilt.points, rebuilt.repaired) == ("enishi_anime_6413f1f0_v2", 10, 0)
    assert rebuilt.dropped == ("enishi_anime_6413f1f0_v1",)
    assert (await edge_store.aliases(timeout=SECONDS))[ALIAS] == "enishi_anime_6413f1f0_v2"
    assert rebuilt.dropped[0] not in await edge_store.collections(timeout=SECONDS)
    assert (await verify_index(read_write, edge_store)).is_sound


async def test_what_changes_during_a_rebuild_is_not_lost(
    read_write: ReadWriteEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    relay: IndexRelay,
    works: list[UUID],
) -> None:
    changed = asyncio.Event()

    def on_points(entity_type: EntityType, written: int) -> None:
        changed.set()

    async def change() -> None:
        await changed.wait()
        async with read_write.begin() as conn:
            await conn.execute(
                sa.update(entities).where(entities.c.id == works[0]).values(version=2, content_hash="new")
            )
            await conn.execute(sa.delete(entities).where(entities.c.id == works[1]))
            await append_tasks(
                conn,
                [
                    IndexTask(works[0], "anime", 2, OutboxOperation.UPSERT),
                    IndexTask(works[1], "anime", 2, OutboxOperation.DELETE),
                ],
            )
        await relay.drain(timeout=SECONDS)

    changing = asyncio.create_task(change())
    await rebuild_index(read_write, edge_store, embedder, entity_types=ONLY_ANIME, grace_seconds=0, on_points=on_points)
    await changing
    await relay.drain(timeout=SECONDS)
    report = await verify_index(read_write, edge_store)
    assert report.is_sound
    assert report.verdicts[0].points == 9


async def test_a_check_names_what_is_wrong(
    edge_store: EdgeVectorStore, embedder: BundledEmbedder, works: list[UUID]
) -> None:
    model = embedder.identity.short_hash
    assert await check_collections(edge_store, model=model, timeout=SECONDS) == ()
    other = ModelIdentity("other", "1", 384).short_hash
    problems = await check_collections(edge_store, model=other, timeout=SECONDS)
    assert len(problems) == 7
    assert problems[0] == "'enishi_anime' was built with another model"


async def test_a_check_of_an_empty_store_says_so(edge_store: EdgeVectorStore) -> None:
    problems = await check_collections(edge_store, model="0" * 8, timeout=SECONDS)
    assert problems[0] == "'enishi_anime' does not exist yet"
