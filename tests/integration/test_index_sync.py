"""The relay: what the outbox says reaches the index, once or often, by one relay or many, whatever breaks between."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from datastore.errors import CollectionMissing, VectorStoreRefused, VectorStoreUnavailable
from datastore.postgres.catalogue import anime, entities
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation, outbox
from datastore.vectors.collections import CollectionName, alias_of, collection_spec
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.protocol import Point, StoredPoint, VectorStore
from datastore.vocabulary import EntityType, Season, WorkFormat
from embeddings.bundled import BundledEmbedder
from embeddings.protocol import ModelIdentity
from factories import CatalogueFactory
from ingestion.index_sync import IndexRelay, RelayOptions, RelayReport
from ingestion.outbox_claims import IndexTask, append_tasks, claim
from ingestion.verify import verify_index

SECONDS = 20.0


@pytest.fixture
async def relay(read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder) -> IndexRelay:
    made = IndexRelay(read_write, edge_store, embedder)
    await made.prepare()
    return made


async def add_anime(engine: ReadWriteEngine, *names: str, synopsis: str | None = None) -> list[UUID]:
    async with engine.begin() as conn:
        factory = CatalogueFactory(conn, searchable=False)
        made = [await factory.make_anime(name, synopsis=synopsis, genres=("Sci-Fi",)) for name in names]
        await append_tasks(conn, [task(each, 1) for each in made])
    return made


def task(entity: UUID, version: int, operation: OutboxOperation = OutboxOperation.UPSERT) -> IndexTask:
    return IndexTask(entity, EntityType.ANIME, version, operation)


async def bump(engine: ReadWriteEngine, entity: UUID, name: str) -> None:
    async with engine.begin() as conn:
        version = (
            await conn.execute(
                sa.update(entities)
                .where(entities.c.id == entity)
                .values(name=name, version=entities.c.version + 1, content_hash=name)
                .returning(entities.c.version)
            )
        ).scalar_one()
        await append_tasks(conn, [task(entity, version)])


async def remove(engine: ReadWriteEngine, entity: UUID) -> None:
    async with engine.begin() as conn:
        await conn.execute(sa.delete(entities).where(entities.c.id == entity))
        await append_tasks(conn, [task(entity, 99, OutboxOperation.DELETE)])


async def indexed(store: VectorStore, ids: Sequence[UUID]) -> list[StoredPoint]:
    return await store.retrieve(alias_of(EntityType.ANIME), ids, timeout=SECONDS)


async def states(engine: ReadWriteEngine) -> dict[str, int]:
    async with engine.begin() as conn:
        rows = await conn.execute(sa.select(outbox.c.state, sa.func.count()).group_by(outbox.c.state))
        return {row[0]: row[1] for row in rows}


async def test_a_point_says_what_the_catalogue_says(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    async with read_write.begin() as conn:
        factory = CatalogueFactory(conn, searchable=False)
        work = await factory.make_anime(
            "Cowboy Bebop", start="1998-04", season=Season.SPRING, genres=("Sci-Fi",), score=86.0, form=WorkFormat.TV
        )
        studio = await factory.make_studio("Studio Sunrise")
        await factory.produced(studio, work)
        hero = await factory.make_character("Spike Spiegel")
        await factory.appears(hero, work)
        episode = await factory.make_episode(work, 1, "Asteroid Blues", aired="1998-10-24")
        types = {work: "anime", studio: "studio", hero: "character", episode: "episode"}
        await append_tasks(conn, [IndexTask(each, kind, 1, OutboxOperation.UPSERT) for each, kind in types.items()])

    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=4, upserted=4)
    read = {
        each: (await edge_store.retrieve(alias_of(EntityType(kind)), [each], timeout=SECONDS))[0]
        for each, kind in types.items()
    }
    assert read[work].version == 1
    assert read[work].content_hash == "test"
    assert dict(read[work].payload) == {
        "entity_type": "anime",
        "name": "Cowboy Bebop",
        "names": ("Cowboy Bebop",),
        "studios": ("studio sunrise",),
        "year": 1998,
        "season": "spring",
        "format": "tv",
        "genres": ("sci fi",),
        "score": 86.0,
    }
    assert read[hero].payload["anime_id"] == (str(work),)
    assert (read[episode].payload["anime_id"], read[episode].payload["year"]) == ((str(work),), 1998)
    assert await states(read_write) == {"done": 4}


async def test_several_rows_of_one_entity_are_one_write(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    (work,) = await add_anime(read_write, "Monster")
    await bump(read_write, work, "Monster 2")
    await bump(read_write, work, "Monster 3")
    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=3, upserted=1)
    (point,) = await indexed(edge_store, [work])
    assert (point.version, point.payload["name"]) == (3, "Monster 3")
    assert await relay.drain(timeout=SECONDS) == RelayReport()


async def test_a_deleted_entity_leaves_the_index_and_may_come_back(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    (work,) = await add_anime(read_write, "Akira")
    await bump(read_write, work, "Akira!")
    await relay.drain(timeout=SECONDS)
    await remove(read_write, work)
    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=1, deleted=1)
    assert await indexed(edge_store, [work]) == []
    # The same id begins again at version 1: older than the tombstone by version, newer by its place in the outbox.
    assert await add_anime(read_write, "Akira") == [work]
    await relay.drain(timeout=SECONDS)
    assert [each.version for each in await indexed(edge_store, [work])] == [1]


async def test_a_relay_that_was_overtaken_changes_nothing(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    (work,) = await add_anime(read_write, "Akira")
    await relay.drain(timeout=SECONDS)
    (before,) = await edge_store.retrieve(alias_of(EntityType.ANIME), [work], with_vectors=("text",), timeout=SECONDS)
    await remove(read_write, work)
    await relay.drain(timeout=SECONDS)
    # What a slower relay would still write: the state it read before the deletion, with its own row's place.
    late = Point(work, 1, "test", before.payload, before.dense, {}, sequence=1)
    await edge_store.upsert(alias_of(EntityType.ANIME), [late], timeout=SECONDS)
    assert await indexed(edge_store, [work]) == []


async def test_a_poison_row_is_set_aside_with_its_reason_and_delays_no_other(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    async with read_write.begin() as conn:
        await append_tasks(conn, [IndexTask(uuid4(), "starship", 1, OutboxOperation.UPSERT)])
    made = await add_anime(read_write, "Trigun", "Texhnolyze")
    report = await relay.drain(timeout=SECONDS)
    assert (report.upserted, report.failed, report.dead) == (2, 5, 1)
    assert len(await indexed(edge_store, made)) == 2
    assert await states(read_write) == {"dead": 1, "done": 2}
    async with read_write.begin() as conn:
        dead = (await conn.execute(sa.select(outbox).where(outbox.c.state == "dead"))).mappings().one()
    assert dead["attempts"] == 5
    assert dead["error"] == "ValueError: 'starship' is not a valid EntityType"


async def test_one_bad_entity_of_a_type_does_not_take_its_neighbours_along(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    good, bad = await add_anime(read_write, "Mushishi", "Broken")
    async with read_write.begin() as conn:
        # A score that is no number can be stored, and can't be indexed.
        await conn.execute(sa.update(anime).where(anime.c.id == bad).values(score=float("nan")))
    assert await relay.drain(timeout=SECONDS) == RelayReport(claimed=6, upserted=1, failed=5, dead=1)
    assert [each.id for each in await indexed(edge_store, [good, bad])] == [good]


async def test_a_failed_row_waits_before_it_is_tried_again(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    relay = IndexRelay(read_write, edge_store, embedder, RelayOptions(retry_seconds=30, max_attempts=3))
    await relay.prepare()
    async with read_write.begin() as conn:
        await append_tasks(conn, [IndexTask(uuid4(), "starship", 1, OutboxOperation.UPSERT)])
    assert (await relay.run_once()).failed == 1
    assert await relay.run_once() == RelayReport()
    assert (await relay.run_once(retry_seconds=0)).failed == 1


async def test_a_dead_worker_s_rows_are_taken_over_after_its_lease(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    made = await add_anime(read_write, "Claymore")
    async with read_write.begin() as conn:
        assert len(await claim(conn, worker="dead", limit=10, retry_seconds=1)) == 1
    assert await relay.run_once() == RelayReport()
    async with read_write.begin() as conn:
        long_ago = datetime.now(UTC) - timedelta(minutes=5)
        await conn.execute(sa.update(outbox).values(claimed_at=long_ago))
    assert (await relay.run_once()).upserted == 1
    assert len(await indexed(edge_store, made)) == 1


async def test_an_absent_store_costs_no_attempt(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    await add_anime(read_write, "Claymore")
    await edge_store.close()
    with pytest.raises(VectorStoreUnavailable):
        await relay.run_once()
    async with read_write.begin() as conn:
        row = (await conn.execute(sa.select(outbox))).mappings().one()
    assert (row["state"], row["attempts"], row["claimed_by"]) == ("pending", 0, None)


async def test_an_emptied_store_gets_its_collections_back(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    relay = IndexRelay(read_write, edge_store, embedder)
    made = await add_anime(read_write, "Claymore")
    assert await relay.run_once() == RelayReport()
    assert (await relay.run_once()).upserted == 1
    assert len(await indexed(edge_store, made)) == 1


async def test_an_index_of_another_model_is_refused(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    await add_anime(read_write, "Claymore")
    other = CollectionName(EntityType.ANIME, ModelIdentity("other", "1", 384).short_hash, 2)
    await edge_store.ensure_collection(collection_spec(other, 384), timeout=SECONDS)
    await edge_store.switch_alias(alias_of(EntityType.ANIME), str(other), timeout=SECONDS)
    with pytest.raises(VectorStoreRefused, match="another model"):
        await relay.run_once()
    with pytest.raises(VectorStoreRefused, match="another model"):
        await relay.prepare()
    assert await states(read_write) == {"pending": 1}


async def test_many_relays_share_the_work(
    read_write: ReadWriteEngine, owned_store: OwnedVectorStore, embedder: BundledEmbedder
) -> None:
    options = RelayOptions(batch_size=5)
    relays = [IndexRelay(read_write, owned_store, embedder, options) for _ in range(3)]
    await relays[0].prepare()
    made = await add_anime(read_write, *[f"Show {number}" for number in range(40)])
    reports = await asyncio.gather(*(relay.drain(timeout=SECONDS) for relay in relays))
    assert sum(report.claimed for report in reports) == 40
    assert sum(report.upserted for report in reports) == 40
    assert len(await indexed(owned_store, made)) == 40


async def test_running_until_stopped_follows_changes(
    read_write: ReadWriteEngine, relay: IndexRelay, edge_store: EdgeVectorStore
) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(relay.run_forever(stop))
    made = await add_anime(read_write, "Claymore")
    async with asyncio.timeout(SECONDS):
        while not await indexed(edge_store, made):
            await asyncio.sleep(0.05)
    stop.set()
    assert await running == RelayReport(claimed=1, upserted=1)


async def test_kills_lose_and_resurrect_nothing(
    read_write: ReadWriteEngine, owned_store: OwnedVectorStore, embedder: BundledEmbedder
) -> None:
    options = RelayOptions(batch_size=3, lease_seconds=0.05, retry_seconds=0)
    await IndexRelay(read_write, owned_store, embedder).prepare()
    made = await add_anime(read_write, *[f"Show {number}" for number in range(12)])
    for number in range(12):
        victim = IndexRelay(read_write, owned_store, embedder, options)
        killed = asyncio.create_task(victim.run_once())
        await asyncio.sleep(0.004 * number)
        killed.cancel()
        with suppress(asyncio.CancelledError):
            await killed
        if number % 3 == 0:
            await remove(read_write, made[number])
        else:
            await bump(read_write, made[number], f"Changed {number}")
    await asyncio.sleep(0.1)
    await IndexRelay(read_write, owned_store, embedder, options).drain(timeout=SECONDS)
    report = await verify_index(read_write, owned_store)
    assert report.is_sound
    assert report.verdicts[0].points == 8


async def test_a_missing_collection_is_named(edge_store: EdgeVectorStore, read_write: ReadWriteEngine) -> None:
    with pytest.raises(CollectionMissing):
        await verify_index(read_write, edge_store)
