"""Random catalogues, and a plain search over their edges to compare the graph reads with."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from datastore.edges import EDGE_BY_CODE, EdgeType
from datastore.identity import entity_id
from datastore.postgres.catalogue import (
    anime,
    appearances,
    character_relations,
    characters,
    edges,
    entities,
    manga,
    people,
    staff_credits,
    studio_credits,
    studios,
    voices,
    work_relations,
)
from datastore.postgres.graph_values import DERIVED_RULES, EdgeScope
from datastore.postgres.projection import rebuild_edges
from datastore.vocabulary import AppearanceRole, CharacterRelationKind, EntityType, StaffRole
from sqlalchemy.ext.asyncio import AsyncConnection

Stop = tuple[UUID, EdgeType | None]
"""An entity of a chain, or the hub of a derived edge."""

_DETAILS = {
    EntityType.ANIME: anime,
    EntityType.MANGA: manga,
    EntityType.CHARACTER: characters,
    EntityType.PERSON: people,
    EntityType.STUDIO: studios,
}
_RELATIONS = (EdgeType.SEQUEL, EdgeType.SPIN_OFF, EdgeType.SIDE_STORY, EdgeType.ADAPTATION_OF, EdgeType.ALTERNATIVE)


@dataclass(frozen=True)
class StoredEdge:
    """One row of `edges`."""

    rel: EdgeType
    to: UUID
    qualifier: str


@dataclass(frozen=True)
class Graph:
    """All edges by their near end, and what is known of each entity."""

    types: Mapping[UUID, EntityType]
    years: Mapping[UUID, int | None]
    edges: Mapping[UUID, list[StoredEdge]]

    def steps(self, stop: Stop, scope: EdgeScope) -> set[Stop]:
        """Where one hop, or half a derived one, leads."""
        entity, half = stop
        followed = [e for e in self.edges.get(entity, []) if not scope.qualifiers or e.qualifier in scope.qualifiers]
        if half is not None:
            return {(e.to, None) for e in followed if e.rel in DERIVED_RULES[half].from_hub}
        found: set[Stop] = {(e.to, None) for e in followed if e.rel in scope.stored}
        for derived in scope.derived:
            found |= {(e.to, derived) for e in followed if e.rel in DERIVED_RULES[derived].to_hub}
        return found

    def distances(self, start: UUID, scope: EdgeScope, hops: int, allowed: set[UUID] | None = None) -> dict[Stop, int]:
        """Every stop within `hops`, through `allowed` entities only where given; hubs are always allowed."""
        found: dict[Stop, int] = {(start, None): 0}
        level: set[Stop] = {(start, None)}
        for distance in range(1, hops + 1):
            reached = {there for here in level for there in self.steps(here, scope)}
            level = {
                stop for stop in reached if stop not in found and (allowed is None or stop[1] or stop[0] in allowed)
            }
            found |= dict.fromkeys(level, distance)
        return found

    def shortest(
        self, start: UUID, end: UUID, scope: EdgeScope, hops: int, allowed: set[UUID] | None = None
    ) -> set[tuple[Stop, ...]]:
        """Every chain of stops of the least length from `start` to `end`."""
        through = None if allowed is None else allowed | {end}
        chains: list[tuple[Stop, ...]] = [((start, None),)]
        seen = {(start, None)}
        for _ in range(hops):
            longer = [(*chain, there) for chain in chains for there in self.steps(chain[-1], scope)]
            chains = [
                chain
                for chain in longer
                if chain[-1] not in seen and (through is None or chain[-1][1] or chain[-1][0] in through)
            ]
            arrived = {chain for chain in chains if chain[-1] == (end, None)}
            if arrived:
                return arrived
            seen |= {chain[-1] for chain in chains}
        return set()


async def read_graph(conn: AsyncConnection) -> Graph:
    """The graph as it is stored."""
    rows = (
        await conn.execute(
            sa.select(
                entities.c.node,
                entities.c.id,
                entities.c.entity_type,
                sa.func.coalesce(anime.c.year, manga.c.year).label("year"),
            )
            .outerjoin(anime, anime.c.id == entities.c.id)
            .outerjoin(manga, manga.c.id == entities.c.id)
        )
    ).all()
    ids = {row.node: row.id for row in rows}
    stored = await conn.execute(sa.select(edges.c.src, edges.c.rel, edges.c.dst, edges.c.qualifier))
    by_source: dict[UUID, list[StoredEdge]] = {}
    for row in stored:
        by_source.setdefault(ids[row.src], []).append(StoredEdge(EDGE_BY_CODE[row.rel], ids[row.dst], row.qualifier))
    return Graph(
        types={row.id: EntityType(row.entity_type) for row in rows},
        years={row.id: row.year for row in rows},
        edges=by_source,
    )


async def write_random_catalogue(conn: AsyncConnection, rng: random.Random, *, size: int, links: int) -> None:
    """`size` entities of all types, and about `links` truth rows between them."""
    types = rng.choices(
        [EntityType.ANIME, EntityType.MANGA, EntityType.CHARACTER, EntityType.PERSON, EntityType.STUDIO],
        weights=[4, 2, 6, 3, 1],
        k=size,
    )
    ids = [entity_id("random", entity_type, str(n)) for n, entity_type in enumerate(types)]
    await conn.execute(
        sa.insert(entities),
        [
            {
                "id": i,
                "entity_type": t,
                "name": f"{t} {n}",
                "popularity": rng.choice([0, 0.25, 0.5, 1]),
                "content_hash": "",
            }
            for n, (i, t) in enumerate(zip(ids, types, strict=True))
        ],
    )
    of_type = {t: [i for i, kind in zip(ids, types, strict=True) if kind is t] for t in EntityType}
    for entity_type, table in _DETAILS.items():
        rows = [{"id": i} | _year(rng, entity_type) for i in of_type[entity_type]]
        if rows:
            await conn.execute(sa.insert(table), rows)
    await _write_links(conn, rng, of_type, links)
    await rebuild_edges(conn)


def _year(rng: random.Random, entity_type: EntityType) -> dict[str, int | None]:
    is_work = entity_type in (EntityType.ANIME, EntityType.MANGA)
    return {"start_year": rng.choice([None, 1999, 2005, 2011, 2020])} if is_work else {}


async def _write_links(
    conn: AsyncConnection, rng: random.Random, of_type: Mapping[EntityType, list[UUID]], links: int
) -> None:
    works = of_type[EntityType.ANIME] + of_type[EntityType.MANGA]
    cast, crew, houses = of_type[EntityType.CHARACTER], of_type[EntityType.PERSON], of_type[EntityType.STUDIO]
    ends: dict[sa.Table, tuple[list[UUID], list[UUID], list[object]]] = {
        work_relations: (works, works, list(_RELATIONS)),
        character_relations: (cast, cast, list(CharacterRelationKind)),
        voices: (crew, cast, ["ja", "en"]),
        staff_credits: (crew, works, [StaffRole.DIRECTOR, StaffRole.AUTHOR]),
        appearances: (cast, works, [None, *AppearanceRole]),
        studio_credits: (houses, works, [True, False]),
    }
    rows: dict[sa.Table, dict[tuple[UUID, UUID], object]] = {table: {} for table in ends}
    for _ in range(links):
        table = rng.choice(list(ends))
        firsts, seconds, labels = ends[table]
        first, second = rng.choice(firsts), rng.choice(seconds)
        # Two studios on every work would make one hub of all works.
        is_kept = first != second and not (table is studio_credits and rng.random() < 0.5)
        if is_kept:
            rows[table][(first, second)] = rng.choice(labels)
    for table, columns in _LINK_COLUMNS.items():
        values = [dict(zip(columns, (*pair, label), strict=True)) for pair, label in rows[table].items()]
        if values:
            await conn.execute(sa.insert(table).values(source="random"), values)


_LINK_COLUMNS: dict[sa.Table, tuple[str, ...]] = {
    work_relations: ("work_id", "related_work_id", "relation"),
    character_relations: ("character_id", "related_character_id", "kind"),
    voices: ("person_id", "character_id", "language"),
    staff_credits: ("person_id", "work_id", "role"),
    appearances: ("character_id", "work_id", "role"),
    studio_credits: ("studio_id", "work_id", "is_main"),
}
