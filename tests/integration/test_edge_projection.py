"""The edge projection against its truth tables, and popularity against its counts."""

import random
from collections.abc import Sequence
from uuid import UUID

import sqlalchemy as sa
from datastore.edges import EDGES, WORK_RELATIONS, EdgeType
from datastore.postgres.catalogue import (
    appearances,
    character_relations,
    edges,
    entities,
    episodes,
    staff_credits,
    studio_credits,
    voices,
    work_relations,
)
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.projection import (
    ORIGIN_CODES,
    delete_entities,
    project_edges,
    rebuild_edges,
    refresh_popularity,
)
from datastore.vocabulary import AppearanceRole, CharacterRelationKind, EntityType, StaffRole
from fixtures.catalogue_rows import add_entity, add_episode
from sqlalchemy.ext.asyncio import AsyncConnection

type EdgeRow = tuple[UUID, str, UUID, str, str]


async def _edges(connection: AsyncConnection) -> list[EdgeRow]:
    """Every edge, readable and in one order."""
    src, dst = entities.alias(), entities.alias()
    tables = {code: table for table, code in ORIGIN_CODES.items()}
    names = {edge.code: edge.type.value for edge in EDGES.values()}
    rows = await connection.execute(
        sa.select(src.c.id, edges.c.rel, dst.c.id, edges.c.origin, edges.c.qualifier)
        .join_from(edges, src, src.c.node == edges.c.src)
        .join(dst, dst.c.node == edges.c.dst)
    )
    return sorted((one, names[rel], other, tables[origin], qualifier) for one, rel, other, origin, qualifier in rows)


async def _full_rows(connection: AsyncConnection) -> Sequence[Sequence[object]]:
    return sorted(tuple(row) for row in await connection.execute(sa.select(edges)))


async def _insert(connection: AsyncConnection, table: sa.Table, **values: object) -> int:
    row_id = (
        await connection.execute(sa.insert(table).values(source="test", **values).returning(table.c.id))
    ).scalar_one()
    await project_edges(connection, table, [row_id])
    return row_id


async def test_every_truth_table_reads_both_ways(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as connection:
        show = await add_entity(connection, EntityType.ANIME, "Show")
        spin_off = await add_entity(connection, EntityType.ANIME, "Spin-off")
        hero = await add_entity(connection, EntityType.CHARACTER, "Hero")
        teacher = await add_entity(connection, EntityType.CHARACTER, "Teacher")
        actor = await add_entity(connection, EntityType.PERSON, "Actor")
        studio = await add_entity(connection, EntityType.STUDIO, "Studio")
        opening = await add_episode(connection, show, 1, "Opening")
        await project_edges(connection, episodes, [opening])
        await _insert(connection, work_relations, work_id=show, related_work_id=spin_off, relation="spin_off")
        await _insert(connection, appearances, character_id=hero, work_id=show, role="main")
        await _insert(connection, appearances, character_id=teacher, work_id=show, role=None)
        await _insert(connection, character_relations, character_id=hero, related_character_id=teacher, kind="mentor")
        await _insert(connection, voices, person_id=actor, character_id=hero, work_id=show, language="ja")
        await _insert(connection, staff_credits, person_id=actor, work_id=show, role="director")
        await _insert(connection, studio_credits, studio_id=studio, work_id=show, is_main=True)
        await _insert(connection, studio_credits, studio_id=studio, work_id=spin_off, is_main=False)
        assert await _edges(connection) == sorted(
            [
                (show, "spin_off", spin_off, "work_relations", ""),
                (spin_off, "parent_story", show, "work_relations", ""),
                (hero, "appears_in", show, "appearances", "main"),
                (show, "features", hero, "appearances", "main"),
                (teacher, "appears_in", show, "appearances", ""),
                (show, "features", teacher, "appearances", ""),
                (hero, "character_relation", teacher, "character_relations", "mentor"),
                (teacher, "character_relation", hero, "character_relations", "student"),
                (hero, "voiced_by", actor, "voices", "ja"),
                (actor, "voices", hero, "voices", "ja"),
                (actor, "staff_of", show, "staff_credits", "director"),
                (show, "has_staff", actor, "staff_credits", "director"),
                (show, "produced_by", studio, "studio_credits", "main"),
                (studio, "produced", show, "studio_credits", "main"),
                (spin_off, "produced_by", studio, "studio_credits", ""),
                (studio, "produced", spin_off, "studio_credits", ""),
                (opening, "episode_of", show, "episodes", "1"),
                (show, "has_episode", opening, "episodes", "1"),
            ]
        )


async def test_a_changed_row_changes_its_edges_and_a_deleted_row_loses_them(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as connection:
        first = await add_entity(connection, EntityType.ANIME, "First")
        second = await add_entity(connection, EntityType.ANIME, "Second")
        row = await _insert(connection, work_relations, work_id=first, related_work_id=second, relation="sequel")
        await connection.execute(sa.update(work_relations).values(relation="side_story"))
        await project_edges(connection, work_relations, [row])
        assert await _edges(connection) == sorted(
            [
                (first, "side_story", second, "work_relations", ""),
                (second, "parent_story", first, "work_relations", ""),
            ]
        )
        await connection.execute(sa.delete(work_relations))
        await project_edges(connection, work_relations, [row])
        assert await _edges(connection) == []


async def test_incremental_projection_equals_the_rebuild_after_random_writes(read_write: ReadWriteEngine) -> None:
    chance = random.Random(20261201)
    async with read_write.begin() as connection:
        works = [await add_entity(connection, EntityType.ANIME, f"Work {n}", count=n) for n in range(8)]
        heroes = [await add_entity(connection, EntityType.CHARACTER, f"Hero {n}") for n in range(8)]
        actors = [await add_entity(connection, EntityType.PERSON, f"Actor {n}") for n in range(4)]
        houses = [await add_entity(connection, EntityType.STUDIO, f"House {n}") for n in range(3)]
        for step in range(300):
            await _random_write(connection, chance, works, heroes, actors, houses)
            if step % 60 == 0:
                await refresh_popularity(connection)
        await delete_entities(connection, [works[0], heroes[0], actors[0]])
        await refresh_popularity(connection)
        incremental = await _full_rows(connection)
        assert len(incremental) > 60
        assert await rebuild_edges(connection) == len(incremental)
        assert await _full_rows(connection) == incremental


async def _random_write(
    connection: AsyncConnection,
    chance: random.Random,
    works: list[UUID],
    heroes: list[UUID],
    actors: list[UUID],
    houses: list[UUID],
) -> None:
    one, other = chance.sample(works, 2)
    left, right = chance.sample(heroes, 2)
    actor = chance.choice(actors)
    table, values = chance.choice(
        [
            (
                work_relations,
                {"work_id": one, "related_work_id": other, "relation": chance.choice(sorted(WORK_RELATIONS))},
            ),
            (appearances, {"character_id": left, "work_id": one, "role": chance.choice(list(AppearanceRole))}),
            (
                character_relations,
                {
                    "character_id": left,
                    "related_character_id": right,
                    "kind": chance.choice(list(CharacterRelationKind)),
                },
            ),
            (voices, {"person_id": actor, "character_id": left, "work_id": one, "language": "ja"}),
            (staff_credits, {"person_id": actor, "work_id": one, "role": chance.choice(list(StaffRole))}),
            (studio_credits, {"studio_id": chance.choice(houses), "work_id": one, "is_main": chance.random() < 0.5}),
        ]
    )
    fixed = {name: value for name, value in values.items() if name.endswith("_id")}
    known = (
        (
            await connection.execute(
                sa.select(table.c.id).where(*(table.c[name] == value for name, value in fixed.items()))
            )
        )
        .scalars()
        .first()
    )
    if known is None:
        await _insert(connection, table, **values)
        return
    if chance.random() < 0.4:
        await connection.execute(sa.delete(table).where(table.c.id == known))
    else:
        changed = {name: value for name, value in values.items() if name not in fixed} or {"version": 2}
        await connection.execute(sa.update(table).values(**changed).where(table.c.id == known))
    await project_edges(connection, table, [known])


def test_every_stored_work_relation_has_a_code_of_its_own() -> None:
    codes = [EDGES[relation].code for relation in WORK_RELATIONS]
    assert len(set(codes)) == len(codes)
    assert EDGES[EdgeType.SPIN_OFF].inverse is EdgeType.PARENT_STORY


async def test_popularity_is_the_percentile_of_the_count_within_the_type(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as connection:
        for name, count in (("a", 10), ("b", 40), ("c", 40), ("d", None), ("e", 5)):
            await add_entity(connection, EntityType.ANIME, name, count=count)
        await add_entity(connection, EntityType.STUDIO, "s", count=1)
        assert await refresh_popularity(connection) == 5
        rows = await connection.execute(sa.select(entities.c.name, entities.c.popularity))
        assert {row.name: row.popularity for row in rows} == {"a": 0.5, "b": 1, "c": 1, "d": 0, "e": 0.25, "s": 1}
        assert await refresh_popularity(connection) == 0


async def test_popularity_reaches_the_edges_and_leaves_versions_alone(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as connection:
        show = await add_entity(connection, EntityType.ANIME, "Show", count=9)
        hero = await add_entity(connection, EntityType.CHARACTER, "Hero")
        await _insert(connection, appearances, character_id=hero, work_id=show, role="main")
        await refresh_popularity(connection)
        popularity = await connection.execute(sa.select(edges.c.rel, edges.c.dst_popularity).order_by(edges.c.rel))
        assert [tuple(row) for row in popularity] == [(20, 1.0), (21, 0.0)]
        assert (await connection.execute(sa.select(entities.c.version).distinct())).scalars().all() == [1]
