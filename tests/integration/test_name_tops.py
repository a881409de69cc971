"""The lists of common prefixes follow every write: after it they are what a rebuild would make."""

import random
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import entities, name_pages
from datastore.postgres.catalogue import name_tops as tops_table
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.name_tops_rebuild import rebuild_tops
from datastore.postgres.projection import delete_entities, refresh_popularity
from datastore.top_lists import LISTED
from fixtures.catalogue_imports import entity, import_records
from ingestion.records import AnyEntity, AnyLink
from sqlalchemy.ext.asyncio import AsyncConnection

_SYLLABLES = ("ka", "ki", "shi", "na", "no", "mo", "ru", "to")
_KINDS = ("anime", "manga", "character")

type Lists = dict[tuple[int, str, str], tuple[list[int], list[int], list[int]]]
type Pages = dict[tuple[int, str], str]


def _name(chance: random.Random) -> str:
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 3))) for _ in range(chance.randint(1, 3))]
    return chance.choice([" ", " ", "%"]).join(words).title()


def _record(chance: random.Random, number: int) -> AnyEntity | AnyLink:
    names = list(dict.fromkeys(_name(chance) for _ in range(chance.randint(1, 3))))
    named = [{"name": name, "kind": "alias" if place else "main"} for place, name in enumerate(names)]
    popularity = {"popularity": chance.randint(1, 50)} if chance.random() < 0.7 else {}
    kind = _KINDS[number % len(_KINDS)]
    return entity(kind, f"first:{kind}:{number}", "", names=named, **popularity)


async def _lists(connection: AsyncConnection) -> Lists:
    rows = await connection.execute(sa.select(tops_table))
    return {(row.shelf, row.prefix, row.entity_type): (row.nodes, row.name_ids, row.preferences) for row in rows}


async def _pages(connection: AsyncConnection) -> Pages:
    rows = await connection.execute(sa.select(name_pages))
    return {(row.shelf, row.prefix): row.entries for row in rows}


async def _assert_as_rebuilt(engine: ReadWriteEngine) -> int:
    async with engine.begin(60) as connection:
        kept, pages = await _lists(connection), await _pages(connection)
        await rebuild_tops(connection)
        assert kept == await _lists(connection)
        assert pages == await _pages(connection)
        assert pages
    return len(kept)


async def test_lists_after_random_writes_are_those_of_a_rebuild(read_write: ReadWriteEngine) -> None:
    chance = random.Random(5)
    sizes: list[int] = []
    for round_ in range(5):
        numbers = chance.sample(range(400), 120)
        await import_records(read_write, *(_record(chance, number) for number in numbers), batch_size=50)
        sizes.append(await _assert_as_rebuilt(read_write))
        if round_ % 2:
            async with read_write.begin(60) as connection:
                ids: list[UUID] = list(await connection.scalars(sa.select(entities.c.id)))
                await delete_entities(connection, chance.sample(sorted(ids), 40))
            sizes.append(await _assert_as_rebuilt(read_write))
    assert sizes[0] > 0
    assert len(set(sizes)) > 4


async def test_lists_follow_the_popularity_of_a_few(read_write: ReadWriteEngine) -> None:
    chance = random.Random(6)
    await import_records(read_write, *(_record(chance, number) for number in range(300)))
    async with read_write.begin(60) as connection:
        some = chance.sample(sorted(await connection.scalars(sa.select(entities.c.id))), 12)
        for of, count in zip(some, range(60, 72), strict=True):
            await connection.execute(
                sa.update(entities).where(entities.c.id == of).values(popularity_count=count, popularity_source="first")
            )
        assert 0 < await refresh_popularity(connection) <= 500
    assert await _assert_as_rebuilt(read_write) > 0


async def test_a_few_entities_have_no_lists(read_write: ReadWriteEngine) -> None:
    chance = random.Random(7)
    await import_records(read_write, *(_record(chance, number) for number in range(LISTED)))
    assert await _assert_as_rebuilt(read_write) == 0


async def test_a_large_import_leaves_statistics(read_write: ReadWriteEngine) -> None:
    chance = random.Random(8)
    await import_records(read_write, *(_record(chance, number) for number in range(1_000)), batch_size=1_000)
    async with read_write.begin(60) as connection:
        pages = sa.table("pg_class", sa.column("relname"), sa.column("reltuples", sa.Float))
        known = sa.select(pages.c.reltuples).where(pages.c.relname == "entities")
        assert await connection.scalar(known) == 1_000
