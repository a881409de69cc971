"""What two entities have in common: far ends of the same edge, and the voice actors of two works."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.edges import EDGE_BY_CODE, EDGES, EdgeType
from datastore.postgres.catalogue import appearances, edges, entities, voices
from datastore.postgres.graph_values import EDGE_RANKS, EdgeScope, GraphNode
from datastore.postgres.hot import HotStatement, NameSource, Row, fetch_rows
from datastore.vocabulary import EntityType


@dataclass(frozen=True, slots=True)
class SharedLink:
    """An entity that both sides have the same edge to, and the qualifiers that each side's edges carry."""

    edge: EdgeType
    node: GraphNode
    left_qualifiers: tuple[str, ...]
    right_qualifiers: tuple[str, ...]

    @property
    def common_qualifiers(self) -> tuple[str, ...]:
        """The qualifiers that both sides carry."""
        return tuple(q for q in self.left_qualifiers if q in self.right_qualifiers)


@dataclass(frozen=True, slots=True)
class OwnLinks:
    """What only one of two entities has an edge to: how many of an edge type, and the most popular of them."""

    of_left: bool
    edge: EdgeType
    count: int
    nodes: tuple[GraphNode, ...]


async def own_links(
    source: NameSource, left: UUID, right: UUID, edge_types: tuple[EdgeType, ...], *, shown: int
) -> tuple[OwnLinks, ...]:
    """What each of two entities is linked to by one of `edge_types` and the other is not; `shown` of each type.

    The left one's first, then by edge in the order given. Derived edges have no far ends of their own.
    """
    stored = [EDGES[edge].code for edge in edge_types if not EDGES[edge].derived]
    values = {"left_id": left, "right_id": right, "rels": stored, "row_limit": shown}
    found: dict[tuple[bool, EdgeType, int], list[GraphNode]] = {}
    for row in await fetch_rows(source, OWN_FAR_ENDS, values) if stored else ():
        key = (row["of_left"], EDGE_BY_CODE[row["rel"]], row["count"])
        found.setdefault(key, []).append(_node(row))
    return tuple(OwnLinks(*key, nodes=tuple(nodes)) for key, nodes in found.items())


async def shared_links(
    source: NameSource, left: UUID, right: UUID, scope: EdgeScope, *, limit: int
) -> tuple[tuple[SharedLink, ...], bool]:
    """What both entities are linked to by one of the scope's edges, and whether there is more than `limit`.

    Specific edges first, then the popular. `shared_voice_actor` among the edges adds the people who voice a character
    in both of two works. The scope's entity types hold what is shared, and one of its qualifiers must be on both sides.
    """
    found: list[SharedLink] = []
    stored = [EDGES[edge].code for edge in scope.edges if not EDGES[edge].derived]
    values: dict[str, Any] = {
        "left_id": left,
        "right_id": right,
        "types": [str(entity_type) for entity_type in scope.entity_types],
        "qualifiers": list(scope.qualifiers),
        "row_limit": limit + 1,
    }
    if stored:
        rows = await fetch_rows(source, SHARED_FAR_ENDS, values | {"rels": stored})
        found += [_shared(EDGE_BY_CODE[row["rel"]], row) for row in rows]
    if EdgeType.SHARED_VOICE_ACTOR in scope.edges:
        rows = await fetch_rows(source, SHARED_CAST, values)
        found += [_shared(EdgeType.SHARED_VOICE_ACTOR, row) for row in rows]
    found.sort(key=lambda link: (EDGE_RANKS[link.edge], -link.node.popularity, link.node.name, str(link.node.id)))
    return tuple(found[:limit]), len(found) > limit


_LEFT = sa.bindparam("left_id", type_=pg.UUID(as_uuid=True))
_RIGHT = sa.bindparam("right_id", type_=pg.UUID(as_uuid=True))
_RELS = sa.bindparam("rels", type_=pg.ARRAY(sa.SmallInteger))
_TYPES = sa.bindparam("types", type_=pg.ARRAY(sa.Text))
_QUALIFIERS = sa.bindparam("qualifiers", type_=pg.ARRAY(sa.Text))
_LIMIT = sa.bindparam("row_limit", type_=sa.Integer)
_NODE_COLUMNS = (entities.c.id, entities.c.entity_type, entities.c.name, entities.c.version, entities.c.popularity)


def _side(entity_id: sa.BindParameter[Any], name: str) -> sa.Select[*tuple[Any, ...]]:
    """The far ends of one side's edges, each with the qualifiers that lead there."""
    source = entities.alias(f"{name}_source")
    qualifiers = sa.func.array_agg(sa.distinct(edges.c.qualifier), type_=pg.ARRAY(sa.Text))
    return (
        sa.select(
            edges.c.rel,
            edges.c.dst,
            qualifiers.label("qualifiers"),
            sa.func.max(edges.c.dst_popularity).label("popularity"),
        )
        .join_from(source, edges, edges.c.src == source.c.node)
        .where(source.c.id == entity_id, edges.c.rel == sa.any_(_RELS))
        .group_by(edges.c.rel, edges.c.dst)
    )


def _cast(work_id: sa.BindParameter[Any], name: str) -> sa.Subquery:
    """Who voices in a work: credited for it, or for no work in particular with a character that appears in it."""
    credited = sa.select(voices.c.person_id, voices.c.language).where(voices.c.work_id == work_id)
    of_its_characters = (
        sa.select(voices.c.person_id, voices.c.language)
        .join_from(appearances, voices, voices.c.character_id == appearances.c.character_id)
        .where(appearances.c.work_id == work_id, voices.c.work_id.is_(None))
    )
    both = sa.union(credited, of_its_characters).subquery(f"{name}_voices")
    languages = sa.func.array_agg(sa.distinct(both.c.language), type_=pg.ARRAY(sa.Text))
    return sa.select(both.c.person_id, languages.label("qualifiers")).group_by(both.c.person_id).subquery(name)


def _is_asked(left: sa.Subquery, right: sa.Subquery) -> tuple[sa.ColumnElement[bool], ...]:
    """That what is shared is of the types and carries a qualifier on both sides; either may be left open, empty."""
    common = sa.func.unnest(left.c.qualifiers).table_valued(sa.column("word", sa.Text)).render_derived(name="common")
    is_common = sa.exists().where(common.c.word == sa.any_(_QUALIFIERS), common.c.word == sa.any_(right.c.qualifiers))
    return (
        sa.or_(sa.func.cardinality(_TYPES) == 0, entities.c.entity_type == sa.any_(_TYPES)),
        sa.or_(sa.func.cardinality(_QUALIFIERS) == 0, is_common.correlate(left, right)),
    )


def _shared_far_ends() -> sa.Select[*tuple[Any, ...]]:
    left, right = _side(_LEFT, "left").subquery("left_side"), _side(_RIGHT, "right").subquery("right_side")
    return (
        sa.select(
            left.c.rel,
            left.c.qualifiers.label("left_qualifiers"),
            right.c.qualifiers.label("right_qualifiers"),
            *_NODE_COLUMNS,
        )
        .join_from(left, right, sa.and_(right.c.rel == left.c.rel, right.c.dst == left.c.dst))
        .join(entities, entities.c.node == left.c.dst)
        .where(*_is_asked(left, right))
        .order_by(sa.func.array_position(_RELS, left.c.rel), entities.c.popularity.desc(), entities.c.name)
        .order_by(entities.c.id)
        .limit(_LIMIT)
    )


def _shared_cast() -> sa.Select[*tuple[Any, ...]]:
    left, right = _cast(_LEFT, "left_side"), _cast(_RIGHT, "right_side")
    return (
        sa.select(
            left.c.qualifiers.label("left_qualifiers"), right.c.qualifiers.label("right_qualifiers"), *_NODE_COLUMNS
        )
        .join_from(left, right, right.c.person_id == left.c.person_id)
        .join(entities, entities.c.id == left.c.person_id)
        .where(*_is_asked(left, right))
        .order_by(entities.c.popularity.desc(), entities.c.name, entities.c.id)
        .limit(_LIMIT)
    )


def _own_far_ends() -> sa.Select[*tuple[Any, ...]]:
    left, right = _side(_LEFT, "left").cte("left_ends"), _side(_RIGHT, "right").cte("right_ends")
    own = sa.union_all(_without(left, right, of_left=True), _without(right, left, of_left=False)).subquery("own")
    of_one_kind = [own.c.of_left, own.c.rel]
    place = sa.func.row_number().over(partition_by=of_one_kind, order_by=(own.c.popularity.desc(), own.c.dst))
    counted = sa.select(
        own.c.of_left,
        own.c.rel,
        own.c.dst,
        place.label("place"),
        sa.func.count().over(partition_by=of_one_kind).label("count"),
    ).subquery("counted")
    return (
        sa.select(counted.c.of_left, counted.c.rel, counted.c["count"], *_NODE_COLUMNS)
        .join_from(counted, entities, entities.c.node == counted.c.dst)
        .where(counted.c.place <= _LIMIT)
        .order_by(counted.c.of_left.desc(), sa.func.array_position(_RELS, counted.c.rel), counted.c.place)
    )


def _without(ends: sa.CTE, others: sa.CTE, *, of_left: bool) -> sa.Select[*tuple[Any, ...]]:
    is_shared = sa.exists().where(others.c.rel == ends.c.rel, others.c.dst == ends.c.dst)
    columns = (ends.c.rel, ends.c.dst, ends.c.popularity)
    return sa.select(sa.literal_column(str(of_left), sa.Boolean).label("of_left"), *columns).where(~is_shared)


SHARED_FAR_ENDS = HotStatement(_shared_far_ends())
SHARED_CAST = HotStatement(_shared_cast())
OWN_FAR_ENDS = HotStatement(_own_far_ends())


def _node(row: Row) -> GraphNode:
    return GraphNode(row["id"], EntityType(row["entity_type"]), row["name"], row["version"], row["popularity"])


def _shared(edge: EdgeType, row: Row) -> SharedLink:
    left, right = row["left_qualifiers"], row["right_qualifiers"]
    return SharedLink(edge, _node(row), tuple(sorted(left)), tuple(sorted(right)))
