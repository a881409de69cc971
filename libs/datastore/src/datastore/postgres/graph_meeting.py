"""Shortest ways between two nodes in one statement: neighbourhoods of both ends grow until they meet.

A level is computed only when no shorter way was found: each hangs on an EXISTS that PostgreSQL tests once, first. The
third and fourth level stream, so that they stop at `meetings` of them, those over the most specific first hop first.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import edges
from datastore.postgres.graph_masks import START, edge_rank, is_followed, materialized, number
from datastore.postgres.hot import HotStatement

MOST_HOPS = 4
"""The longest way that the statement finds."""

MOST_NEIGHBOURS = 10_000
"""How many neighbours of an end are looked at; of more, any."""

_END = sa.bindparam("end_node", type_=sa.Integer)
_FORTH = sa.bindparam("forth", type_=sa.BigInteger)
_BACK = sa.bindparam("back", type_=sa.BigInteger)
_HOPS = sa.bindparam("max_hops", type_=sa.Integer)
_MEETINGS = sa.bindparam("meetings", type_=sa.Integer)
_LIMIT = sa.bindparam("row_limit", type_=sa.Integer)
_WAY = pg.ARRAY(sa.Integer)


# As an offset it keeps the planner from pulling a neighbourhood up and reading the whole table for it.
_ZERO, _ONE = number(0), number(1)


def _is_empty(found: sa.CTE) -> sa.ColumnElement[bool]:
    return ~sa.exists(sa.select(_ONE).select_from(found))


def _neighbours(node: sa.BindParameter[int], mask: sa.BindParameter[int], name: str) -> sa.CTE:
    edge = edges.alias(f"{name}_edges")
    rank = sa.func.min(edge_rank(edge.c.rel), type_=sa.Integer)
    return materialized(
        sa.select(edge.c.dst, edge.c.dst_popularity.label("popularity"), rank.label("rank"))
        .where(edge.c.src == node, is_followed(edge.c.rel, mask))
        .group_by(edge.c.dst_popularity, edge.c.dst)
        .limit(number(MOST_NEIGHBOURS)),
        name,
    )


def _one_side(side: sa.CTE, when_left: sa.CTE, otherwise: sa.CTE, name: str) -> sa.CTE:
    """All of one of two neighbourhoods, the most specific first."""
    left = sa.select(when_left).select_from(side.join(when_left, side.c.is_left))
    right = sa.select(otherwise).select_from(side.join(otherwise, ~side.c.is_left))
    both = left.union_all(right)
    found = both.selected_columns
    return materialized(both.order_by(found["rank"], found["popularity"].desc(), found["dst"]), name)


def _beyond(
    side: sa.CTE, level: sa.CTE, left: sa.BindParameter[int], right: sa.BindParameter[int]
) -> sa.Select[*tuple[Any, ...]]:
    """The edges that leave a level."""
    edge = edges.alias("onward")
    onward = (
        sa.select(edge.c.dst, edge.c.rel, edge.c.dst_popularity)
        .where(edge.c.src == level.c.dst, is_followed(edge.c.rel, sa.case((side.c.is_left, left), else_=right)))
        .offset(_ZERO)
        .correlate(side, level)
        .lateral("onward")
    )
    return sa.select(
        level.c.dst.label("mid"),
        (level.c.rank + edge_rank(onward.c.rel)).label("rank"),
        level.c.popularity,
        onward.c.dst,
        onward.c.dst_popularity,
    ).select_from(side.join(level, sa.true()).join(onward, sa.true()))


def _met(left: sa.FromClause, right: sa.FromClause) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
    """A join on equal far ends that can only be hashed: how large the sides are is beyond any plan's estimate."""
    joined = left.join(right, left.c.dst == right.c.dst, full=True)
    return joined, sa.func.num_nonnulls(left.c.dst, right.c.dst) == number(2)


def _direct() -> sa.CTE:
    edge = edges.alias("direct_edges")
    there = sa.select(edge_rank(edge.c.rel).label("rank")).where(edge.c.src == START, edge.c.dst == _END)
    return materialized(there.where(is_followed(edge.c.rel, _FORTH)).limit(_ONE), "direct")


def _smaller_side(left: sa.CTE, right: sa.CTE, *shorter: sa.CTE) -> sa.CTE:
    counts = [sa.select(sa.func.count()).select_from(each).scalar_subquery() for each in (left, right)]
    is_left = (counts[0] <= counts[1]).label("is_left")
    return materialized(sa.select(is_left).where(number(3) <= _HOPS, *(_is_empty(each) for each in shorter)), "side")


def _way(*stops: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    ends_and_stops: list[Any] = [START, *stops, _END]
    return pg.array(ends_and_stops, type_=sa.Integer)


def _statement() -> sa.Select[*tuple[Any, ...]]:
    left, right = _neighbours(START, _FORTH, "left_side"), _neighbours(_END, _BACK, "right_side")
    one = _direct()
    joined, both = _met(left, right)
    rank, popularity = (left.c.rank + right.c.rank).label("rank"), left.c.popularity
    two = materialized(
        sa.select(left.c.dst, rank, popularity).select_from(joined).where(both, number(2) <= _HOPS, _is_empty(one)),
        "two",
    )
    side = _smaller_side(left, right, one, two)
    near, far = _one_side(side, left, right, "near"), _one_side(side, right, left, "far")
    near_beyond = materialized(_beyond(side, near, _FORTH, _BACK), "near_beyond")
    joined, both = _met(near_beyond, far)
    three = materialized(
        sa.select(
            near_beyond.c.mid,
            near_beyond.c.dst,
            (near_beyond.c.rank + far.c.rank).label("rank"),
            (near_beyond.c.popularity + far.c.popularity).label("popularity"),
        )
        .select_from(joined)
        .where(both)
        .limit(_MEETINGS),
        "three",
    )
    four = _four(side, far, near_beyond, three)
    return _ways(side, one, two, three, four, left, right)


def _four(side: sa.CTE, far: sa.CTE, near_beyond: sa.CTE, three: sa.CTE) -> sa.CTE:
    far_beyond = _beyond(side, far, _BACK, _FORTH).where(number(4) <= _HOPS, _is_empty(three)).subquery("far_beyond")
    unmet = sa.select(near_beyond).where(_is_empty(three)).subquery("unmet")
    joined, both = _met(far_beyond, unmet)
    return materialized(
        sa.select(
            unmet.c.mid,
            unmet.c.dst,
            far_beyond.c.mid.label("far_mid"),
            (unmet.c.rank + far_beyond.c.rank).label("rank"),
            (unmet.c.popularity + unmet.c.dst_popularity + far_beyond.c.popularity).label("popularity"),
        )
        .select_from(joined)
        .where(both)
        .limit(_MEETINGS),
        "four",
    )


def _ways(
    side: sa.CTE, one: sa.CTE, two: sa.CTE, three: sa.CTE, four: sa.CTE, left: sa.CTE, right: sa.CTE
) -> sa.Select[*tuple[Any, ...]]:
    a, b, c = four.c.mid, four.c.dst, four.c.far_mid
    three_way = sa.case((side.c.is_left, _way(three.c.mid, three.c.dst)), else_=_way(three.c.dst, three.c.mid))
    four_way = sa.case((side.c.is_left, _way(a, b, c)), else_=_way(c, b, a))
    found = sa.union_all(
        sa.select(_way().label("way"), one.c.rank, sa.cast(_ZERO, sa.Float).label("popularity")),
        sa.select(_way(two.c.dst), two.c.rank, two.c.popularity),
        sa.select(three_way, three.c.rank, three.c.popularity).select_from(three.join(side, sa.true())),
        sa.select(four_way, four.c.rank, four.c.popularity).select_from(four.join(side, sa.true())),
    ).subquery("found")
    way = sa.type_coerce(found.c.way, _WAY)
    rank, popularity = sa.func.min(found.c.rank), sa.func.max(found.c.popularity)
    met = sa.func.sum(sa.func.count()).over()
    sizes = [sa.select(sa.func.count()).select_from(each).scalar_subquery() for each in (left, right)]
    is_cut = sa.or_(
        met >= _MEETINGS, sa.and_(_is_empty(one), sa.or_(*(size >= number(MOST_NEIGHBOURS) for size in sizes)))
    )
    return (
        sa.select(way.label("way"), is_cut.label("is_cut"))
        .group_by(found.c.way)
        .order_by(rank, popularity.desc(), found.c.way)
        .limit(_LIMIT)
    )


SHORTEST_WAYS = HotStatement(_statement())
"""At most `row_limit` of the shortest ways of at most `max_hops` hops from `start_node` to `end_node`.

Edges are those of the bits `forth`, read backward by the bits `back`; `rank_by_code` says how specific an edge is, by
its code. Columns: way (all nodes on it, both ends included) and is_cut (whether there may be more or better ones). Ways
of the least sum of ranks come first, then those over the most popular nodes.
"""
