"""Later proof that two stored entities are one: what moves, what leads where, and what keeps entities apart."""

from typing import Any

import pytest
import sqlalchemy as sa
from datastore.identity import entity_id
from datastore.postgres.catalogue import (
    anime,
    appearances,
    entities,
    episodes,
    external_ids,
    names,
    redirects,
    source_records,
    studio_credits,
    voices,
    work_relations,
)
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_reads import locate
from datastore.postgres.outbox import outbox
from datastore.postgres.projection import rebuild_edges
from fixtures.catalogue_imports import (
    changed_rows,
    count,
    dump_tables,
    entity,
    fetch,
    import_records,
    record,
    refusals,
)
from ingestion.records import AnyEntity, AnyLink
from ingestion.report import ImportReport

OUTBOX = sa.select(outbox.c.entity_id, outbox.c.version, outbox.c.operation).order_by(outbox.c.id)
KEPT, GONE = entity_id("one", "anime", "1"), entity_id("two", "anime", "1")


def first() -> list[AnyEntity | AnyLink]:
    """A work as one source tells it."""
    return [
        entity("anime", "one:anime:1", "Moon Gate", episodes=12),
        entity("anime", "one:anime:2", "Sun Gate"),
        entity("character", "one:character:1", "Ann"),
        entity("person", "one:person:1", "Aoi"),
        entity("studio", "one:studio:1", "Mad"),
        entity("episode", "one:episode:1", "Pilot", anime="one:anime:1", number=1),
        record("appearance", character="one:character:1", work="one:anime:1", role="main"),
        record("relation", from_="one:anime:1", to="one:anime:2", relation="sequel"),
        record("studio_credit", studio="one:studio:1", work="one:anime:1"),
    ]


def second() -> list[AnyEntity | AnyLink]:
    """The same work as another source tells it: characters and studio are known to be the same, the works are not."""
    return [
        entity("anime", "two:anime:1", "Gate of the Moon", episodes=13, season="fall"),
        entity("anime", "two:anime:2", "Gate of the Sun", external_ids=["one:anime:2"]),
        entity("character", "two:character:1", "Ann", external_ids=["one:character:1"]),
        entity("character", "two:character:2", "Ben"),
        entity("person", "two:person:1", "Aoi", external_ids=["one:person:1"]),
        entity("episode", "two:episode:1", "The Pilot", anime="two:anime:1", number=1, air_date="2004-10-05"),
        entity("episode", "two:episode:2", "The Second", anime="two:anime:1", number=2),
        record("appearance", character="two:character:1", work="two:anime:1", role="supporting"),
        record("appearance", character="two:character:2", work="two:anime:1", role="supporting"),
        record("relation", from_="two:anime:2", to="two:anime:1", relation="prequel"),
        record("relation", from_="two:anime:1", to="one:anime:1", relation="alternative"),
        record("studio_credit", studio="one:studio:1", work="two:anime:1", is_main=False),
        record("voice", person="two:person:1", character="two:character:1", work="two:anime:1"),
    ]


def proof(**fields: Any) -> AnyEntity | AnyLink:
    """The record that says that both mean one work."""
    return entity("anime", "three:anime:1", "Moongate", **{"external_ids": ["one:anime:1", "two:anime:1"], **fields})


async def prove(engine: ReadWriteEngine) -> ImportReport:
    await import_records(engine, *first(), source="one")
    await import_records(engine, *second(), source="two")
    return await import_records(engine, proof(), source="three")


async def test_the_younger_entity_merges_into_the_older(read_write: ReadWriteEngine) -> None:
    report = await prove(read_write)
    assert (report.merged, report.refused_count, report.created, report.changed) == (1, 0, 0, 1)
    works = sa.select(entities.c.name, anime.c.episodes, anime.c.season).join(anime, anime.c.id == entities.c.id)
    assert sorted(await fetch(read_write, works)) == [("Moon Gate", 12, "fall"), ("Sun Gate", None, None)]
    assert await fetch(read_write, sa.select(redirects.c.from_id, redirects.c.to_id, redirects.c.reason)) == [
        (entity_id("two", "episode", "1"), entity_id("one", "episode", "1"), "three: three:anime:1"),
        (GONE, KEPT, "three: three:anime:1"),
    ]
    refs = sa.select(external_ids.c.source).where(external_ids.c.entity_id == KEPT)
    assert sorted(await fetch(read_write, refs)) == [("one",), ("three",), ("two",)]
    sources = sa.select(source_records.c.source).where(source_records.c.entity_id == KEPT)
    assert sorted(await fetch(read_write, sources)) == [("one",), ("three",), ("two",)]
    known = sa.select(names.c.name, names.c.kind).where(names.c.entity_id == KEPT)
    assert sorted(await fetch(read_write, known)) == [
        ("Gate of the Moon", "alias"),
        ("Moon Gate", "main"),
        ("Moongate", "alias"),
    ]


async def test_links_move_and_none_is_doubled(read_write: ReadWriteEngine) -> None:
    await prove(read_write)
    sun, ann, ben = (
        entity_id(*parts)
        for parts in (
            ("one", "anime", "2"),
            ("one", "character", "1"),
            ("two", "character", "2"),
        )
    )
    cast = sa.select(appearances.c.character_id, appearances.c.work_id, appearances.c.role)
    assert set(await fetch(read_write, cast)) == {(ann, KEPT, "main"), (ben, KEPT, "supporting")}
    relations = sa.select(work_relations.c.work_id, work_relations.c.related_work_id, work_relations.c.relation)
    assert await fetch(read_write, relations) == [(KEPT, sun, "sequel")]
    credits = sa.select(studio_credits.c.work_id, studio_credits.c.is_main)
    assert await fetch(read_write, credits) == [(KEPT, True)]
    assert await fetch(read_write, sa.select(voices.c.work_id)) == [(KEPT,)]
    before = await dump_tables(read_write)
    async with read_write.begin(30) as connection:
        await rebuild_edges(connection)
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_episodes_move_and_those_of_one_number_become_one(read_write: ReadWriteEngine) -> None:
    await prove(read_write)
    shown = (
        sa.select(episodes.c.anime_id, episodes.c.number, entities.c.name, episodes.c.air_raw)
        .join(entities, entities.c.id == episodes.c.id)
        .order_by(episodes.c.number)
    )
    assert await fetch(read_write, shown) == [(KEPT, 1, "Pilot", "2004-10-05"), (KEPT, 2, "The Second", None)]


async def test_the_outbox_tells_the_index(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *first(), source="one")
    await import_records(read_write, *second(), source="two")
    before = await fetch(read_write, OUTBOX)
    await import_records(read_write, proof(), source="three")
    told = (await fetch(read_write, OUTBOX))[len(before) :]
    assert {(each, operation) for each, _, operation in told} == {
        (GONE, "delete"),
        (entity_id("two", "episode", "1"), "delete"),
        (KEPT, "upsert"),
        (entity_id("one", "episode", "1"), "upsert"),
        (entity_id("two", "episode", "2"), "upsert"),
        (entity_id("one", "character", "1"), "upsert"),
        (entity_id("two", "character", "2"), "upsert"),
    }
    known = {each: version for each, version, _ in before}
    assert all(version > known[each] for each, version, _ in told)
    assert len(told) == 7


async def test_reads_by_the_old_id_lead_to_the_living_entity(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    await prove(read_write)
    async with read_only.connect(30) as connection:
        cards = await read_cards(connection, [GONE, KEPT])
        places = await locate(connection, [GONE, KEPT])
    assert cards[GONE] == cards[KEPT]
    assert places[GONE].key == places[KEPT].key


async def test_everything_again_changes_nothing(read_write: ReadWriteEngine) -> None:
    await prove(read_write)
    before = await dump_tables(read_write)
    reports = [
        await import_records(read_write, *first(), source="one"),
        # A link that turned out to join an entity with itself is refused by name from then on.
        await import_records(read_write, *second(), source="two"),
        await import_records(read_write, proof(), source="three"),
    ]
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert [(each.created, each.changed, each.merged) for each in reports] == [(0, 0, 0)] * 3
    assert [refusals(each) for each in reports] == [
        [],
        [("two:anime:1 - one:anime:1", "to: one:anime:1 names the entity of the other end")],
        [],
    ]


async def test_redirects_never_form_a_chain(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, entity("anime", "one:anime:1", "A"), source="one")
    for ref in ("two:anime:1", "four:anime:1"):
        await import_records(read_write, entity("anime", ref, "A"), source=ref[:3])
    both = proof(external_ids=["two:anime:1", "four:anime:1"])
    await import_records(read_write, both, source="three")
    all_three = entity("anime", "five:anime:1", "A", external_ids=["one:anime:1", "two:anime:1"])
    await import_records(read_write, all_three, source="five")
    assert set(await fetch(read_write, sa.select(redirects.c.from_id, redirects.c.to_id))) == {
        (GONE, KEPT),
        (entity_id("four", "anime", "1"), KEPT),
    }
    assert await count(read_write, entities) == 1


async def test_the_own_reference_is_proof_too(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, entity("anime", "one:anime:1", "A"), source="one")
    await import_records(read_write, entity("anime", "two:anime:1", "A"), source="two")
    again = entity("anime", "two:anime:1", "A", external_ids=["one:anime:1"])
    report = await import_records(read_write, again, source="two")
    assert (report.merged, report.conflict_count) == (1, 0)
    assert await fetch(read_write, sa.select(redirects.c.from_id, redirects.c.to_id)) == [(GONE, KEPT)]


@pytest.mark.parametrize(
    ("kind", "external_ids_of_second", "merged"),
    [("anime", ["mal:anime:6"], 0), ("manga", [], 0), ("anime", ["anidb:anime:6"], 1)],
    ids=["two ids of one source", "another type", "nothing against it"],
)
async def test_contradictions_stay_apart_and_are_reported(
    read_write: ReadWriteEngine, kind: str, external_ids_of_second: list[str], merged: int
) -> None:
    one = entity("anime", "one:anime:1", "Gate", external_ids=["mal:anime:5"])
    two = entity(kind, "two:anime:1", "Gate", external_ids=external_ids_of_second)
    await import_records(read_write, one, source="one")
    await import_records(read_write, two, source="two")
    report = await import_records(read_write, proof(), source="three")
    assert await count(read_write, entities) == 2 - merged
    assert await count(read_write, redirects) == report.merged == merged
    assert bool(report.refused_count or report.conflict_count) == (not merged)


async def test_one_import_that_describes_both_says_that_they_are_two(read_write: ReadWriteEngine) -> None:
    works = [entity("anime", "one:anime:1", "A"), entity("anime", "two:anime:1", "A"), proof()]
    report = await import_records(read_write, *works)
    assert refusals(report) == [("three:anime:1", "ref: an earlier record of this import describes the same entity")]
    assert await count(read_write, entities) == 2


async def test_equal_titles_are_no_proof(read_write: ReadWriteEngine) -> None:
    for source in ("one", "two", "three"):
        works = [entity(kind, f"{source}:{kind}:1", "Monster") for kind in ("anime", "manga", "character")]
        await import_records(read_write, *works, source=source)
    assert await count(read_write, entities) == 9
    assert await count(read_write, redirects) == 0


async def test_merged_studios_are_read_again_with_their_works(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, entity("studio", "one:studio:1", "Mad"), source="one")
    credited = [
        entity("studio", "two:studio:1", "Madder"),
        entity("anime", "two:anime:1", "A"),
        record("studio_credit", studio="two:studio:1", work="two:anime:1"),
    ]
    await import_records(read_write, *credited, source="two")
    seen = len(await fetch(read_write, OUTBOX))
    joined = entity("studio", "three:studio:1", "Mad", external_ids=["one:studio:1", "two:studio:1"])
    await import_records(read_write, joined, source="three")
    told = (await fetch(read_write, OUTBOX))[seen:]
    assert {(each, operation) for each, _, operation in told} == {
        (entity_id("two", "studio", "1"), "delete"),
        (entity_id("one", "studio", "1"), "upsert"),
        (GONE, "upsert"),
    }


async def test_episodes_are_known_by_anime_and_number(read_write: ReadWriteEngine) -> None:
    works = [
        entity("anime", "one:anime:1", "A", external_ids=["mal:anime:1"]),
        entity("episode", "one:episode:1", "Pilot", anime="one:anime:1", number=1),
    ]
    await import_records(read_write, *works, source="one")
    other = entity("episode", "two:episode:77", "Der Pilot", anime="mal:anime:1", number=1, air_date="2004-10-05")
    report = await import_records(read_write, other, source="two")
    assert (report.created, report.changed, report.refused_count) == (0, 1, 0)
    rows = sa.select(episodes.c.number, episodes.c.air_raw)
    assert await fetch(read_write, rows) == [(1, "2004-10-05")]
    before = await dump_tables(read_write)
    await import_records(read_write, other, source="two")
    await import_records(read_write, *works, source="one")
    assert changed_rows(before, await dump_tables(read_write)) == {}
