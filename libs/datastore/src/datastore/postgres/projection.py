"""Keeps what is derived in PostgreSQL equal to its source: `edges` from truth tables, popularity from counts."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.edges import EDGES, REFERENCE_EDGES, WORK_RELATIONS, EdgeType
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
from datastore.postgres.documents import document_references
from datastore.postgres.metadata import METADATA
from datastore.postgres.name_tops_upkeep import follow_popularity, keeping_tops
from datastore.vocabulary import INVERSE_CHARACTER_RELATION, EntityType

ORIGIN_CODES: dict[str, int] = {
    "work_relations": 1,
    "appearances": 2,
    "character_relations": 3,
    "voices": 4,
    "staff_credits": 5,
    "studio_credits": 6,
    "episodes": 7,
    "document_references": 8,
}
"""`edges.origin` by truth table. A code never changes meaning. `origin_id` is the row's id, or an episode's node."""

_COLUMNS = ("src", "rel", "dst", "origin", "origin_id", "qualifier", "dst_popularity")


@dataclass(frozen=True, slots=True)
class _Rule:
    """How one truth table's rows read as edges, from `tail` to `head` and back."""

    table: sa.Table
    tail: str
    head: str
    rel: sa.ColumnElement[int]
    inverse_rel: sa.ColumnElement[int]
    qualifier: sa.ColumnElement[str]
    inverse_qualifier: sa.ColumnElement[str]
    # Which rows are edges.
    holds: sa.ColumnElement[bool] = field(default_factory=sa.true)


@dataclass(frozen=True, slots=True)
class DeletedEntity:
    """An entity as it was when it was removed."""

    id: UUID
    entity_type: EntityType
    version: int


async def project_edges(
    connection: AsyncConnection, table: sa.Table, row_ids: Collection[int] | Collection[UUID]
) -> None:
    """Make the edges of these truth rows anew, both directions; rows that are gone lose theirs.

    `row_ids` are ids of `table`: UUIDs for `episodes`, numbers for the others. Belongs in the writer's transaction.
    """
    rule = _RULES[table.name]
    ids = sa.cast(list(row_ids), pg.ARRAY(table.c.id.type))
    wanted = table.c.id == sa.any_(ids)
    await connection.execute(
        sa.delete(edges).where(
            edges.c.origin == ORIGIN_CODES[table.name], edges.c.origin_id == sa.any_(_origins(rule, ids))
        )
    )
    await connection.execute(sa.insert(edges).from_select(_COLUMNS, _edges_of(rule, wanted)))


async def delete_entities(connection: AsyncConnection, ids: Collection[UUID]) -> list[DeletedEntity]:
    """Remove entities with all that belongs to them, edges included. The caller writes the outbox rows.

    A voice role goes with its work, while its edge joins a character and a person who stay: a plain DELETE leaves it.
    """
    wanted = sa.any_(sa.cast(list(ids), pg.ARRAY(voices.c.work_id.type)))
    roles = (await connection.execute(sa.select(voices.c.id).where(voices.c.work_id == wanted))).scalars().all()
    async with keeping_tops(connection, ids):
        removed = await connection.execute(
            sa.delete(entities)
            .where(entities.c.id == wanted)
            .returning(entities.c.id, entities.c.entity_type, entities.c.version)
        )
    deleted = [DeletedEntity(row.id, EntityType(row.entity_type), row.version) for row in removed]
    await project_edges(connection, voices, roles)
    return deleted


async def rebuild_edges(connection: AsyncConnection) -> int:
    """Make the whole projection anew from the truth tables; returns how many edges there are. Run it alone."""
    await connection.execute(sa.delete(edges))
    total = 0
    for rule in _RULES.values():
        added = await connection.execute(sa.insert(edges).from_select(_COLUMNS, _edges_of(rule, sa.true())))
        total += added.rowcount
    return total


async def refresh_popularity(connection: AsyncConnection) -> int:
    """Set every entity's popularity to its count's percentile within its type; returns how many changed.

    The share of the type's entities counted by the same source that have at most this count: 1 for the most popular, 0
    without a count. Versions stay: popularity orders results, it is no content. Edges and lists of names follow.
    """
    share = sa.func.cume_dist().over(
        partition_by=[entities.c.entity_type, entities.c.popularity_source], order_by=entities.c.popularity_count
    )
    counted = (
        sa.select(entities.c.id, sa.cast(sa.func.round(sa.cast(share, sa.Numeric), 6), sa.Float).label("popularity"))
        .where(entities.c.popularity_count.is_not(None))
        .subquery()
    )
    target = (
        sa.select(entities.c.id, sa.func.coalesce(counted.c.popularity, 0.0).label("popularity"))
        .outerjoin_from(entities, counted, counted.c.id == entities.c.id)
        .subquery()
    )
    changed = (
        await connection.scalars(
            sa.update(entities)
            .values(popularity=target.c.popularity)
            .where(entities.c.id == target.c.id, entities.c.popularity != target.c.popularity)
            .returning(entities.c.id)
        )
    ).all()
    await connection.execute(
        sa.update(edges)
        .values(dst_popularity=entities.c.popularity)
        .where(edges.c.dst == entities.c.node, edges.c.dst_popularity != entities.c.popularity)
    )
    await follow_popularity(connection, changed)
    return len(changed)


async def refresh_statistics(connection: AsyncConnection) -> None:
    """Let the planner know what a large import has written, not only when autovacuum comes round."""
    tables = ", ".join(sorted(METADATA.tables))
    await connection.exec_driver_sql(f"ANALYZE {tables}")


def _origins(rule: _Rule, ids: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """The rows' `origin_id`s, of deleted rows too; a deleted episode took its edges along with its node."""
    if rule.table is episodes:
        return sa.select(entities.c.node).where(entities.c.id == sa.any_(ids)).scalar_subquery()
    return ids


def _edges_of(rule: _Rule, wanted: sa.ColumnElement[bool]) -> sa.SelectBase:
    forth = _edge_rows(rule, wanted, rule.tail, rule.head, rule.rel, rule.qualifier)
    back = _edge_rows(rule, wanted, rule.head, rule.tail, rule.inverse_rel, rule.inverse_qualifier)
    return sa.union_all(forth, back)


def _edge_rows(
    rule: _Rule,
    wanted: sa.ColumnElement[bool],
    source: str,
    target: str,
    rel: sa.ColumnElement[int],
    qualifier: sa.ColumnElement[str],
) -> sa.Select[*tuple[Any, ...]]:
    src, dst = entities.alias("src"), entities.alias("dst")
    return (
        sa.select(
            src.c.node,
            sa.cast(rel, sa.SmallInteger),
            dst.c.node,
            sa.cast(ORIGIN_CODES[rule.table.name], sa.SmallInteger),
            sa.cast(_origin_id(rule), sa.BigInteger),
            qualifier,
            dst.c.popularity,
        )
        .select_from(_with_origin(rule))
        .join(src, src.c.id == rule.table.c[source])
        .join(dst, dst.c.id == rule.table.c[target])
        .where(wanted, rule.holds)
    )


_episode_entities = entities.alias("episode_entities")


def _origin_id(rule: _Rule) -> sa.ColumnElement[int]:
    return _episode_entities.c.node if rule.table is episodes else rule.table.c.id


def _with_origin(rule: _Rule) -> sa.FromClause:
    if rule.table is episodes:
        return episodes.join(_episode_entities, _episode_entities.c.id == episodes.c.id)
    return rule.table


def _code(edge: EdgeType) -> sa.ColumnElement[int]:
    return sa.literal(EDGES[edge].code, sa.SmallInteger)


def _named_code(
    column: sa.Column[str], relations: Collection[EdgeType], *, inverse: bool = False
) -> sa.ColumnElement[int]:
    """The code of the edge type that a column names."""
    ordered = sorted(relations, key=lambda relation: EDGES[relation].code)
    codes = {relation.value: EDGES[EDGES[relation].inverse if inverse else relation].code for relation in ordered}
    return sa.case(codes, value=column)


def _is_first_of_its_kind() -> sa.ColumnElement[bool]:
    """Of a document's references to another one, the first of each edge type; the others say the same again."""
    earlier = document_references.alias("earlier")
    same = (earlier.c[name] == document_references.c[name] for name in ("document_id", "edge", "target_id"))
    return sa.and_(
        document_references.c.edge.is_not(None),
        document_references.c.document_id != document_references.c.target_id,
        ~sa.exists().where(*same, earlier.c.id < document_references.c.id),
    )


def _fixed(
    table: sa.Table, tail: str, head: str, edge: EdgeType, qualifier: sa.ColumnElement[str]
) -> tuple[str, _Rule]:
    rule = _Rule(table, tail, head, _code(edge), _code(EDGES[edge].inverse), qualifier, qualifier)
    return table.name, rule


_inverse_kind = sa.case(
    {kind.value: inverse.value for kind, inverse in INVERSE_CHARACTER_RELATION.items()},
    value=character_relations.c.kind,
    else_=character_relations.c.kind,
)

_RULES: dict[str, _Rule] = dict(
    (
        (
            "work_relations",
            _Rule(
                work_relations,
                "work_id",
                "related_work_id",
                _named_code(work_relations.c.relation, WORK_RELATIONS),
                _named_code(work_relations.c.relation, WORK_RELATIONS, inverse=True),
                sa.literal(""),
                sa.literal(""),
            ),
        ),
        _fixed(appearances, "character_id", "work_id", EdgeType.APPEARS_IN, sa.func.coalesce(appearances.c.role, "")),
        (
            "character_relations",
            _Rule(
                character_relations,
                "character_id",
                "related_character_id",
                _code(EdgeType.CHARACTER_RELATION),
                _code(EdgeType.CHARACTER_RELATION),
                character_relations.c.kind,
                _inverse_kind,
            ),
        ),
        _fixed(voices, "character_id", "person_id", EdgeType.VOICED_BY, voices.c.language),
        _fixed(staff_credits, "person_id", "work_id", EdgeType.STAFF_OF, staff_credits.c.role),
        _fixed(
            studio_credits,
            "work_id",
            "studio_id",
            EdgeType.PRODUCED_BY,
            sa.case((studio_credits.c.is_main, "main"), else_=""),
        ),
        _fixed(episodes, "id", "anime_id", EdgeType.EPISODE_OF, sa.cast(episodes.c.number, sa.Text)),
        (
            "document_references",
            _Rule(
                document_references,
                "document_id",
                "target_id",
                _named_code(document_references.c.edge, REFERENCE_EDGES),
                _named_code(document_references.c.edge, REFERENCE_EDGES, inverse=True),
                sa.literal(""),
                sa.literal(""),
                _is_first_of_its_kind(),
            ),
        ),
    )
)
