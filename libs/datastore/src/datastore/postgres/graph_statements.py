"""The statements that read the covering `edges` table; each fixed in shape, with bound parameters and a total order.

A node here is the small integer key of an entity, which never leaves the database layer. `rels` is always bound in
order of preference, the most specific edge first.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import anime, edges, entities, episodes, manga, redirects
from datastore.postgres.graph_masks import edge_rank, is_followed, number
from datastore.postgres.hot import HotStatement
from datastore.vocabulary import EntityType

Statement = sa.Select[*tuple[Any, ...]]

_NODES = sa.bindparam("nodes", type_=pg.ARRAY(sa.Integer))
_OTHER_NODES = sa.bindparam("other_nodes", type_=pg.ARRAY(sa.Integer))
_SEEN = sa.bindparam("seen", type_=pg.ARRAY(sa.Integer))
_RELS = sa.bindparam("rels", type_=pg.ARRAY(sa.SmallInteger))
_FORWARD_RELS = sa.bindparam("forward_rels", type_=pg.ARRAY(sa.SmallInteger))
_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))
_TYPES = sa.bindparam("types", type_=pg.ARRAY(sa.Text))
_QUALIFIERS = sa.bindparam("qualifiers", type_=pg.ARRAY(sa.Text))
_FIRST_YEAR = sa.bindparam("first_year", type_=sa.Integer)
_LAST_YEAR = sa.bindparam("last_year", type_=sa.Integer)
_DATED_TYPES = sa.literal([str(t) for t in (EntityType.ANIME, EntityType.MANGA, EntityType.EPISODE)], pg.ARRAY(sa.Text))
_MASK = sa.bindparam("forth", type_=sa.BigInteger)
_LIMIT = sa.bindparam("row_limit", type_=sa.Integer)
_OFFSET = sa.bindparam("row_offset", type_=sa.Integer)
_FAR_END = (entities.c.id, entities.c.entity_type, entities.c.name, entities.c.version, entities.c.popularity)


@dataclass(frozen=True, slots=True)
class EdgeConditions:
    """Which conditions a statement holds edges to; the values themselves are bound.

    `qualified`: the edge carries one of `qualifiers`. `typed`: its far end is of `types`. `dated`: its far end, where
    it is a work or an episode, is of a known year from `first_year` to `last_year`. `mirrors`: edges are read from
    their far end, and the edge that runs the other way must be one of `forward_rels` (and carry such a qualifier).
    """

    qualified: bool = False
    typed: bool = False
    dated: bool = False
    mirrors: bool = False


def _int_rows(parameter: sa.BindParameter[Any], column: str, name: str) -> sa.TableValuedAlias:
    return sa.func.unnest(parameter).table_valued(sa.column(column, sa.Integer)).render_derived(name=name)


def _rel_rows() -> sa.TableValuedAlias:
    """The bound edge codes with their place in the order of preference, from 1."""
    return (
        sa.func.unnest(_RELS)
        .table_valued(sa.column("rel", sa.SmallInteger), with_ordinality="preference")
        .render_derived(name="asked_rels")
    )


def _edge_conditions(conditions: EdgeConditions, edge: sa.FromClause) -> list[sa.ColumnElement[bool]]:
    held: list[sa.ColumnElement[bool]] = []
    if conditions.mirrors:
        forward = edges.alias("forward")
        real = [
            forward.c.src == edge.c.dst,
            forward.c.rel == sa.any_(_FORWARD_RELS),
            forward.c.dst == edge.c.src,
            *([forward.c.qualifier == sa.any_(_QUALIFIERS)] if conditions.qualified else []),
        ]
        held.append(sa.exists().where(*real))
    elif conditions.qualified:
        held.append(edge.c.qualifier == sa.any_(_QUALIFIERS))
    if conditions.typed or conditions.dated:
        held.append(_far_end(conditions, edge.c.dst))
    return held


def _far_end(conditions: EdgeConditions, node: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    far = entities.alias("far")
    held: list[sa.ColumnElement[bool]] = [far.c.node == node]
    if conditions.typed:
        held.append(far.c.entity_type == sa.any_(_TYPES))
    if conditions.dated:
        years = ((anime, anime.c.year), (manga, manga.c.year), (episodes, episodes.c.air_year))
        with_year = [
            sa.exists().where(table.c.id == far.c.id, year.between(_FIRST_YEAR, _LAST_YEAR)) for table, year in years
        ]
        undated = far.c.entity_type != sa.all_(_DATED_TYPES)
        held.append(sa.or_(undated, *with_year))
    return sa.exists().where(*held)


@lru_cache(maxsize=64)
def expansion(conditions: EdgeConditions) -> Statement:
    """The far ends of edges `rels` of many `nodes`, each node's most popular first, `seen` ones left out.

    At most `row_limit` distinct far ends for each node, each with the most preferred edge that leads to it. Reads at
    most `row_limit` of a hub's edges of one type. Columns: src, dst, rel, popularity.
    """
    from_nodes, rels = _int_rows(_NODES, "node", "asked_nodes"), _rel_rows()
    of_one_rel = (
        sa.select(edges.c.dst, edges.c.rel, edges.c.dst_popularity)
        .ext(pg.distinct_on(edges.c.dst_popularity, edges.c.dst))
        .where(
            edges.c.src == from_nodes.c.node,
            edges.c.rel == rels.c.rel,
            edges.c.dst != sa.all_(_SEEN),
            *_edge_conditions(conditions, edges),
        )
        .order_by(edges.c.dst_popularity.desc(), edges.c.dst)
        .limit(_LIMIT)
        .correlate(from_nodes, rels)
        .lateral("of_one_rel")
    )
    of_one_node = (
        sa.select(of_one_rel.c.dst, of_one_rel.c.rel, of_one_rel.c.dst_popularity)
        .ext(pg.distinct_on(of_one_rel.c.dst_popularity, of_one_rel.c.dst))
        .select_from(rels)
        .join(of_one_rel, sa.true())
        .order_by(of_one_rel.c.dst_popularity.desc(), of_one_rel.c.dst, rels.c.preference)
        .limit(_LIMIT)
        .lateral("of_one_node")
    )
    return (
        sa.select(
            from_nodes.c.node.label("src"),
            of_one_node.c.dst,
            of_one_node.c.rel,
            of_one_node.c.dst_popularity.label("popularity"),
        )
        .select_from(from_nodes)
        .join(of_one_node, sa.true())
        .order_by(from_nodes.c.node, of_one_node.c.dst_popularity.desc(), of_one_node.c.dst)
    )


@lru_cache(maxsize=8)
def joining_edges(*, qualified: bool) -> Statement:
    """Edges `rels` that lead from one of `nodes` to one of `other_nodes`, whatever their number: no fan-out cap.

    One row for each pair with its most preferred edge, preferred edges and popular far ends first, at most `row_limit`.
    Columns: src, dst, rel, popularity.
    """
    preference = sa.func.array_position(_RELS, edges.c.rel)
    best = (
        sa.select(edges.c.src, edges.c.dst, edges.c.rel, edges.c.dst_popularity, preference.label("preference"))
        .ext(pg.distinct_on(edges.c.src, edges.c.dst))
        .where(
            edges.c.src == sa.any_(_NODES),
            edges.c.rel == sa.any_(_RELS),
            edges.c.dst == sa.any_(_OTHER_NODES),
            *([edges.c.qualifier == sa.any_(_QUALIFIERS)] if qualified else []),
        )
        .order_by(edges.c.src, edges.c.dst, preference)
        .subquery("best")
    )
    return (
        sa.select(best.c.src, best.c.dst, best.c.rel, best.c.dst_popularity.label("popularity"))
        .order_by(best.c.preference, best.c.dst_popularity.desc(), best.c.src, best.c.dst)
        .limit(_LIMIT)
    )


@lru_cache(maxsize=8)
def edges_between(*, qualified: bool) -> Statement:
    """All edges `rels` of the pairs (`nodes[i]`, `other_nodes[i]`), preferred edges first.

    Columns: src, dst, rel, origin, origin_id, qualifier.
    """
    pairs = (
        sa.func.unnest(_NODES, _OTHER_NODES)
        .table_valued(sa.column("src", sa.Integer), sa.column("dst", sa.Integer))
        .render_derived(name="pairs")
    )
    return (
        sa.select(edges.c.src, edges.c.dst, edges.c.rel, edges.c.origin, edges.c.origin_id, edges.c.qualifier)
        .select_from(pairs)
        .join(edges, sa.and_(edges.c.src == pairs.c.src, edges.c.dst == pairs.c.dst, edges.c.rel == sa.any_(_RELS)))
        .where(*([edges.c.qualifier == sa.any_(_QUALIFIERS)] if qualified else []))
        .order_by(
            edges.c.src,
            edges.c.dst,
            sa.func.array_position(_RELS, edges.c.rel),
            edges.c.origin,
            edges.c.origin_id,
        )
    )


def _steps() -> Statement:
    pairs = (
        sa.func.unnest(_NODES, _OTHER_NODES)
        .table_valued(sa.column("src", sa.Integer), sa.column("dst", sa.Integer))
        .render_derived(name="pairs")
    )
    step = (
        sa.select(edges.c.src, edges.c.dst, edges.c.rel, edges.c.origin, edges.c.origin_id, edges.c.qualifier)
        .where(edges.c.src == pairs.c.src, edges.c.dst == pairs.c.dst, is_followed(edges.c.rel, _MASK))
        # Edges carry their far end's popularity: with it a hub's edge is found in one descent of its index.
        .where(edges.c.dst_popularity == entities.c.popularity)
        .offset(number(0))
        .correlate(pairs, entities)
        .lateral("step")
    )
    return (
        sa.select(*step.c, *_FAR_END)
        .select_from(pairs.join(entities, entities.c.node == pairs.c.dst).join(step, sa.true()))
        .order_by(step.c.src, step.c.dst, edge_rank(step.c.rel), step.c.rel, step.c.origin, step.c.origin_id)
    )


STEPS: Statement = _steps()
"""All edges of the bits `forth` of the pairs (`nodes[i]`, `other_nodes[i]`), the most specific first, with the far end.

Columns: src, dst, rel, origin, origin_id, qualifier, id, entity_type, name, version, popularity.
"""


def _chosen_edges(source: sa.FromClause, conditions: EdgeConditions, *, fair: bool) -> sa.Lateral:
    """`row_limit` edges `rels` of the column `node` of `source` from the `row_offset`-th on, popular far ends first.

    `fair` picks in turn from each edge type, so that a type with a thousand popular far ends doesn't push out others.
    """
    rels = _rel_rows()
    columns = (edges.c.dst, edges.c.rel, edges.c.origin, edges.c.origin_id, edges.c.qualifier, edges.c.dst_popularity)
    of_one_rel = (
        sa.select(*columns)
        .where(edges.c.src == source.c.node, edges.c.rel == rels.c.rel, *_edge_conditions(conditions, edges))
        .order_by(edges.c.dst_popularity.desc(), edges.c.dst, edges.c.origin, edges.c.origin_id)
        .limit(_LIMIT + _OFFSET)
        .correlate(source, rels)
        .lateral("of_one_rel")
    )
    found = of_one_rel.c
    within_rel = (found.dst_popularity.desc(), found.dst, found.origin, found.origin_id)
    turn = sa.func.row_number().over(partition_by=rels.c.preference, order_by=within_rel)
    return (
        sa.select(*found, rels.c.preference, *([turn.label("turn")] if fair else []))
        .select_from(rels)
        .join(of_one_rel, sa.true())
        .order_by(*([turn] if fair else []), found.dst_popularity.desc(), found.dst)
        .order_by(rels.c.preference, found.origin, found.origin_id)
        .limit(_LIMIT)
        .offset(_OFFSET)
        .lateral("chosen")
    )


@lru_cache(maxsize=64)
def links_of_node(conditions: EdgeConditions) -> HotStatement:
    """The edges `rels` of each of `nodes`, at most `row_limit`, in turn from each edge type, with their far ends.

    Columns: src, dst, rel, origin, origin_id, qualifier, id, entity_type, name, version, popularity.
    """
    from_nodes = _int_rows(_NODES, "node", "asked_nodes")
    chosen = _chosen_edges(from_nodes, conditions, fair=True)
    found = chosen.c
    return HotStatement(
        sa.select(
            from_nodes.c.node.label("src"),
            found.dst,
            found.rel,
            found.origin,
            found.origin_id,
            found.qualifier,
            *_FAR_END,
        )
        .select_from(from_nodes)
        .join(chosen, sa.true())
        .join(entities, entities.c.node == found.dst)
        .order_by(from_nodes.c.node, found.turn, found.dst_popularity.desc(), found.dst)
        .order_by(found.preference, found.origin, found.origin_id)
    )


@lru_cache(maxsize=64)
def links_of_entities(conditions: EdgeConditions) -> Statement:
    """The edges `rels` of each of the entities `ids`, redirects followed, with what is shown of the far ends.

    `row_limit` for each entity from its `row_offset`-th on, popular far ends first. Columns: asked, rel, qualifier, id,
    entity_type, name, version, popularity.
    """
    asked = sa.func.unnest(_IDS).table_valued(sa.column("id", pg.UUID(as_uuid=True))).render_derived(name="asked")
    source, target = entities.alias("source"), entities.alias("target")
    chosen = _chosen_edges(source, conditions, fair=False)
    return (
        sa.select(
            asked.c.id.label("asked"),
            chosen.c.rel,
            chosen.c.qualifier,
            target.c.id,
            target.c.entity_type,
            target.c.name,
            target.c.version,
            target.c.popularity,
        )
        .select_from(asked)
        .outerjoin(redirects, redirects.c.from_id == asked.c.id)
        .join(source, source.c.id == sa.func.coalesce(redirects.c.to_id, asked.c.id))
        .join(chosen, sa.true())
        .join(target, target.c.node == chosen.c.dst)
        .order_by(asked.c.id, chosen.c.dst_popularity.desc(), chosen.c.dst)
        .order_by(chosen.c.preference, chosen.c.origin, chosen.c.origin_id)
    )


NODES_BY_KEY: Statement = (
    sa.select(
        entities.c.node,
        entities.c.id,
        entities.c.entity_type,
        entities.c.name,
        entities.c.version,
        entities.c.popularity,
    )
    .where(entities.c.node == sa.any_(_NODES))
    .order_by(entities.c.node)
)
"""What the answer shows of `nodes`."""


def _nodes_by_id() -> Statement:
    asked = sa.func.unnest(_IDS).table_valued(sa.column("id", pg.UUID(as_uuid=True))).render_derived(name="asked")
    return (
        sa.select(
            asked.c.id.label("asked"),
            entities.c.node,
            entities.c.id,
            entities.c.entity_type,
            entities.c.name,
            entities.c.version,
            entities.c.popularity,
        )
        .select_from(asked)
        .outerjoin(redirects, redirects.c.from_id == asked.c.id)
        .join(entities, entities.c.id == sa.func.coalesce(redirects.c.to_id, asked.c.id))
        .order_by(asked.c.id)
    )


NODES_BY_ID: Statement = _nodes_by_id()
"""The same of entity `ids`, redirects followed."""
