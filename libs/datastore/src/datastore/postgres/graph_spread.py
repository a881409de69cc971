"""Everything within some hops of a node in one statement, with the edge by which each node was reached.

Level by level, each no larger than what the earlier ones left of the budget; a level without room is never read.
"""

from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import edges, entities
from datastore.postgres.graph_masks import START, edge_rank, is_followed, materialized, number
from datastore.postgres.hot import HotStatement

MOST_HOPS = 4
"""The most hops that one statement goes."""

_MASK = sa.bindparam("forth", type_=sa.BigInteger)
_FANOUT = sa.bindparam("fanout", type_=sa.Integer)
_BUDGET = sa.bindparam("budget", type_=sa.Integer)
_COLUMNS = ("dst", "src", "rel", "origin", "origin_id", "qualifier", "popularity", "rank")


@lru_cache(maxsize=8)
def spread(hops: int) -> HotStatement:
    """What lies within `hops` of `start_node`: at most `budget` nodes, nearest first, then the most popular.

    A node passes on its `fanout` most popular far ends that no earlier level has. Edges are those of the bits `forth`;
    of several that lead to a node the most specific by `rank_by_code` stands. Columns: depth, node, src, rel, origin,
    origin_id, qualifier, id, entity_type, name, version, popularity, and is_cut: whether a node had more than `fanout`.
    """
    onward = [_onward(None, [], 1)]
    levels = [_level(onward[0], [], 1)]
    for depth in range(2, hops + 1):
        onward.append(_onward(levels[-1], levels, depth))
        levels.append(_level(onward[-1], levels, depth))
    reached = sa.union_all(
        *(sa.select(number(depth).label("depth"), level) for depth, level in enumerate(levels, 1))
    ).subquery("reached")
    found = reached.c
    was_cut = [sa.exists(sa.select(number(1)).where(each.c.place > _FANOUT)) for each in onward]
    # A level without room is no reason to read it either.
    is_cut = sa.or_(*(sa.and_(_room(levels[:place]) > number(0), cut) for place, cut in enumerate(was_cut)))
    return HotStatement(
        sa.select(
            found.depth,
            found.dst.label("node"),
            *(found[name] for name in ("src", "rel", "origin", "origin_id", "qualifier")),
            entities.c.id,
            entities.c.entity_type,
            entities.c.name,
            entities.c.version,
            entities.c.popularity,
            is_cut.label("is_cut"),
        )
        .select_from(reached.join(entities, entities.c.node == found.dst))
        .order_by(found.depth, found.popularity.desc(), found.dst)
    )


def _onward(level: sa.CTE | None, seen: list[sa.CTE], depth: int) -> sa.CTE:
    """The edges that leave a level, or the start: of each node those to its most popular far ends, and one more."""
    edge = edges.alias(f"edge_{depth}")
    source = START if level is None else level.c.dst
    new = [edge.c.dst.not_in(sa.select(each.c.dst)) for each in seen]
    best = (
        sa.select(
            edge.c.dst,
            edge.c.src,
            edge.c.rel,
            edge.c.origin,
            edge.c.origin_id,
            edge.c.qualifier,
            edge.c.dst_popularity.label("popularity"),
            edge_rank(edge.c.rel).label("rank"),
        )
        .ext(pg.distinct_on(edge.c.dst_popularity, edge.c.dst))
        .where(edge.c.src == source, is_followed(edge.c.rel, _MASK), edge.c.dst != START, *new)
        .order_by(edge.c.dst_popularity.desc(), edge.c.dst, edge_rank(edge.c.rel), edge.c.rel)
        .order_by(edge.c.origin, edge.c.origin_id)
        .limit(sa.func.least(_FANOUT, _room(seen)) + number(1))
    )
    if level is not None:
        best = best.correlate(level)
    passed_on = best.lateral(f"best_{depth}") if level is not None else best.subquery(f"best_{depth}")
    place = sa.func.row_number().over(
        partition_by=passed_on.c.src, order_by=(passed_on.c.popularity.desc(), passed_on.c.dst)
    )
    rows = sa.select(*(passed_on.c[name] for name in _COLUMNS), place.label("place"))
    rows = rows.select_from(passed_on if level is None else level.join(passed_on, sa.true()))
    return materialized(rows, f"onward_{depth}")


def _level(onward: sa.CTE, earlier: list[sa.CTE], depth: int) -> sa.CTE:
    """The nodes that a level adds, each by its most specific edge."""
    best = (
        sa.select(*(onward.c[name] for name in _COLUMNS))
        .ext(pg.distinct_on(onward.c.dst))
        .where(onward.c.place <= _FANOUT)
        .order_by(onward.c.dst, onward.c.rank, onward.c.src)
        .subquery(f"new_{depth}")
    )
    ordered = sa.select(best).order_by(best.c.popularity.desc(), best.c.dst)
    return materialized(ordered.limit(_room(earlier)), f"level_{depth}")


def _room(levels: list[sa.CTE]) -> sa.ColumnElement[Any]:
    """What these levels leave of the budget."""
    room: sa.ColumnElement[Any] = _BUDGET
    for each in levels:
        room = room - sa.select(sa.func.count()).select_from(each).scalar_subquery()
    return room
