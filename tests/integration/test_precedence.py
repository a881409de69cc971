"""What several sources say is kept, one of them is shown, and the order of their imports decides nothing."""

import itertools
from collections.abc import Sequence
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, appearances, entities, external_ids, names, value_conflicts
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.entity_cards import CardConflict
from datastore.postgres.entity_reads import read_cards
from fixtures.catalogue_imports import changed_rows, dump_tables, entity, fetch, import_records, record
from ingestion.records import AnyEntity, AnyLink

Import = tuple[str, list[AnyEntity | AnyLink]]

CONFLICTS = sa.select(
    value_conflicts.c.field, value_conflicts.c.source, value_conflicts.c.value, value_conflicts.c.is_shown
)


def moon(ref: str, *external: str, **fields: Any) -> AnyEntity | AnyLink:
    return entity("anime", ref, f"Moon Gate of {ref.partition(':')[0]}", external_ids=list(external), **fields)


def imports() -> list[Import]:
    """Three sources that contradict each other; only the last one knows that the first two mean one work."""
    return [
        (
            "anilist",
            [
                moon("anilist:anime:1", episodes=26, start="2004-10", season="fall", popularity=5),
                entity("character", "anilist:character:1", "Ann"),
                record("appearance", character="anilist:character:1", work="anilist:anime:1", role="main"),
            ],
        ),
        (
            "bangumi",
            [
                moon("bangumi:subject:7", episodes=25, start="2004-10-05", status="finished"),
                entity("character", "bangumi:character:9", "Ann", external_ids=["anilist:character:1"]),
                record("appearance", character="bangumi:character:9", work="bangumi:subject:7", role="supporting"),
            ],
        ),
        ("manami", [moon("manami:anime:x", "anilist:anime:1", "bangumi:subject:7", episodes=26, start="2005")]),
    ]


async def shown(engine: ReadWriteEngine) -> Sequence[tuple[Any, ...]]:
    """All that readers see of the catalogue, without the ids that were minted."""
    work = sa.select(
        entities.c.name,
        entities.c.popularity_count,
        anime.c.episodes,
        anime.c.season,
        anime.c.status,
        anime.c.start_raw,
    ).join(anime, anime.c.id == entities.c.id)
    statements: list[sa.Select[*tuple[Any, ...]]] = [
        work,
        sa.select(names.c.name, names.c.kind),
        sa.select(external_ids.c.source, external_ids.c.kind, external_ids.c.external_id),
        sa.select(appearances.c.role),
        CONFLICTS,
    ]
    return [tuple(sorted(await fetch(engine, statement))) for statement in statements]


async def empty(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("TRUNCATE entities, outbox, pending_links CASCADE")
    await connection.close()


async def test_every_order_of_imports_shows_the_same(read_write: ReadWriteEngine, database_url: str) -> None:
    seen: list[Sequence[tuple[Any, ...]]] = []
    for order in itertools.permutations(imports()):
        await empty(database_url)
        for source, records in order:
            await import_records(read_write, *records, source=source)
        seen.append(await shown(read_write))
        before = await dump_tables(read_write)
        for source, records in order:
            await import_records(read_write, *records, source=source)
        assert changed_rows(before, await dump_tables(read_write)) == {}
    work, known_names, refs, roles, conflicts = seen[0]
    assert work == (("Moon Gate of anilist", 5, 26, "fall", "finished", "2004-10-05"),)
    assert {name for name, _ in known_names} == {
        "Ann",
        "Moon Gate of anilist",
        "Moon Gate of bangumi",
        "Moon Gate of manami",
    }
    assert len(refs) == 5
    assert roles == (("main",),)
    assert conflicts == (
        ("episodes", "anilist", "26", True),
        ("episodes", "bangumi", "25", False),
        ("start", "bangumi", "2004-10-05", True),
        ("start", "manami", "2005", False),
    )
    assert all(each == seen[0] for each in seen)


async def test_a_report_names_both_sources_and_a_card_carries_them(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    await import_records(read_write, moon("demo:anime:1", episodes=26), source="demo")
    second = moon("anilist:anime:1", "demo:anime:1", episodes=25)
    report = await import_records(read_write, second, source="anilist")
    assert [(each.kept, each.kept_source, each.other, each.source) for each in report.conflicts] == [
        ("26", "demo", "25", "anilist")
    ]
    [[work]] = await fetch(read_write, sa.select(entities.c.id))
    async with read_only.connect(30) as connection:
        card = (await read_cards(connection, [work]))[work]
    assert card.conflicts == (
        CardConflict("episodes", "demo", "26", is_shown=True),
        CardConflict("episodes", "anilist", "25", is_shown=False),
    )


@pytest.mark.parametrize("episodes", [26, None])
async def test_a_contradiction_ends_when_a_source_agrees_or_falls_silent(
    read_write: ReadWriteEngine, episodes: int | None
) -> None:
    await import_records(read_write, moon("demo:anime:1", episodes=26), source="demo")
    for said in (25, episodes):
        await import_records(read_write, moon("anilist:anime:1", "demo:anime:1", episodes=said), source="anilist")
    assert await fetch(read_write, CONFLICTS) == []


async def test_a_loop_of_sequels_is_a_contradiction_of_each_of_its_works(read_write: ReadWriteEngine) -> None:
    works = [entity("anime", f"first:anime:{letter}", letter.upper()) for letter in "abcd"]
    steps = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    links = [
        record("relation", from_=f"first:anime:{one}", to=f"first:anime:{other}", relation="sequel")
        for one, other in steps
    ]
    await import_records(read_write, *works, *links)
    statement = (
        sa.select(entities.c.name, value_conflicts.c.field, value_conflicts.c.value, value_conflicts.c.source)
        .join(entities, entities.c.id == value_conflicts.c.entity_id)
        .order_by(entities.c.name)
    )
    assert await fetch(read_write, statement) == [
        (name, "sequel", "A -> B -> C -> A", "first") for name in ("A", "B", "C")
    ]
    before = await dump_tables(read_write)
    await import_records(read_write, *works, *links)
    assert changed_rows(before, await dump_tables(read_write)) == {}
