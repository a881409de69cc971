"""Shortest ways between two nodes in one statement: neighbourhoods of both ends grow until they meet.

A level is computed only when no shorter way was found: each hangs on an EXISTS that PostgreSQL tests once, first. The
third and fourth level are sifted as they are read and stop at `meetings` hits, those over the most specific first hop
first. What is of use for hits only, as what their edges are worth, is left to whoever asked.
"""

from functools import lru_cache
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

# As an offset it keeps the planner from pulling a neighbourhood up and reading the whole table for it.
_ZERO, _ONE = number(0), number(1)

type _Mask = sa.ColumnElement[int] | None
"""The edge types to follow; None for all."""


@lru_cache(maxsize=2)
def shortest_ways(*, every_edge: bool) -> HotStatement:
    """At most `meetings` of the shortest ways of at most `max_hops` hops from `start_node` to `end_node`, in no order.

    Edges are those of the bits `forth`, read backward by the bits `back`; with `every_edge` there are no such bits.
    Columns: way (all nodes on it, both ends included), rels (an edge's code for each hop, as it is read from either
    end; of a direct way none), popularity (of what lies between) and is_narrow (whether an end has too many neighbours
    to look at all). A way comes once for each choice of edges.
    """
    forth, back = (None, None) if every_edge else (_FORTH, _BACK)
    left, right = _neighbours(START, forth, "left_side"), _neighbours(_END, back, "right_side")
    one = _direct(forth)
    two = _two(left, right, one)
    sizes = _sizes(left, right)
    side = _smaller_side(sizes, one, two)
    near, far = _one_side(side, left, right, "near"), _one_side(side, right, left, "far")
    beyond = materialized(_beyond(near, _turned(side, forth, back)), "near_beyond")
    three = materialized(sa.select(beyond).where(_is_in(beyond.c.dst, far)).limit(_MEETINGS), "three")
    four = _four(far, _turned(side, back, forth), beyond, three)
    found = sa.union_all(
        sa.select(_way().label("way"), _rels().label("rels"), sa.cast(_ZERO, sa.Float).label("popularity")).select_from(
            one
        ),
        sa.select(_way(two.c.dst), _rels(two.c.rel, two.c.other_rel), two.c.popularity),
        _three_ways(side, three, far),
        _four_ways(side, four, beyond),
    ).subquery("found")
    larger = sa.select(sa.func.greatest(sizes.c.left_size, sizes.c.right_size)).scalar_subquery()
    is_narrow = sa.and_(_is_empty(one), larger >= number(MOST_NEIGHBOURS))
    return HotStatement(
        sa.select(found.c.way, found.c.rels, found.c.popularity, is_narrow.label("is_narrow")).limit(_MEETINGS)
    )


def _is_empty(found: sa.CTE) -> sa.ColumnElement[bool]:
    return ~sa.exists(sa.select(_ONE).select_from(found))


def _is_in(node: sa.ColumnElement[Any], level: sa.CTE) -> sa.ColumnElement[bool]:
    """A test against a hash of the level; bare it would be planned as a join, over estimates that mean nothing here."""
    return node.in_(sa.select(level.c.dst)).is_(sa.true())


def _followed(rel: sa.ColumnElement[Any], mask: _Mask) -> list[sa.ColumnElement[bool]]:
    return [] if mask is None else [is_followed(rel, mask)]


def _neighbours(node: sa.BindParameter[int], mask: _Mask, name: str) -> sa.CTE:
    edge = edges.alias(f"{name}_edges")
    return materialized(
        sa.select(edge.c.dst, edge.c.rel, edge.c.dst_popularity.label("popularity"))
        .where(edge.c.src == node, *_followed(edge.c.rel, mask))
        .limit(number(MOST_NEIGHBOURS)),
        name,
    )


def _direct(forth: _Mask) -> sa.CTE:
    edge = edges.alias("direct_edges")
    there = sa.select(_ONE.label("found")).where(edge.c.src == START, edge.c.dst == _END)
    return materialized(there.where(*_followed(edge.c.rel, forth)).limit(_ONE), "direct")


def _two(left: sa.CTE, right: sa.CTE, one: sa.CTE) -> sa.CTE:
    joined, both = _met(left, right)
    met = sa.select(left.c.dst, left.c.rel, right.c.rel.label("other_rel"), left.c.popularity).select_from(joined)
    met = met.where(both, number(2) <= _HOPS, _is_empty(one))
    ranked = met.order_by(edge_rank(left.c.rel) + edge_rank(right.c.rel), left.c.popularity.desc(), left.c.dst)
    return materialized(ranked.limit(_MEETINGS), "two")


def _met(left: sa.FromClause, right: sa.FromClause) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
    """A join on equal far ends that can only be hashed: how large the sides are is beyond any plan's estimate."""
    joined = left.join(right, left.c.dst == right.c.dst, full=True)
    return joined, sa.func.num_nonnulls(left.c.dst, right.c.dst) == number(2)


def _sizes(left: sa.CTE, right: sa.CTE) -> sa.CTE:
    counts = [sa.select(sa.func.count()).select_from(each).scalar_subquery() for each in (left, right)]
    return materialized(sa.select(counts[0].label("left_size"), counts[1].label("right_size")), "sizes")


def _smaller_side(sizes: sa.CTE, *shorter: sa.CTE) -> sa.CTE:
    is_left = (sizes.c.left_size <= sizes.c.right_size).label("is_left")
    return materialized(sa.select(is_left).where(number(3) <= _HOPS, *(_is_empty(each) for each in shorter)), "side")


def _is_left(side: sa.CTE) -> sa.ColumnElement[bool]:
    """Once for the statement; NULL when no side was taken, which is neither."""
    return sa.select(side.c.is_left).scalar_subquery()


def _turned(side: sa.CTE, when_left: _Mask, otherwise: _Mask) -> _Mask:
    if when_left is None or otherwise is None:
        return None
    return sa.case((_is_left(side), when_left), else_=otherwise)


def _one_side(side: sa.CTE, when_left: sa.CTE, otherwise: sa.CTE, name: str) -> sa.CTE:
    """All of one of two neighbourhoods, the most specific first."""
    both = sa.select(when_left).where(_is_left(side)).union_all(sa.select(otherwise).where(~_is_left(side)))
    found = both.subquery(f"{name}_side").c
    return materialized(sa.select(*found).order_by(edge_rank(found.rel), found.popularity.desc(), found.dst), name)


def _beyond(level: sa.CTE, mask: _Mask, *, into: sa.CTE | None = None) -> sa.Select[*tuple[Any, ...]]:
    """The edges that leave a level, or only those that lead `into` another."""
    edge = edges.alias("onward")
    onward = (
        sa.select(edge.c.dst, edge.c.rel, edge.c.dst_popularity)
        .where(edge.c.src == level.c.dst, *_followed(edge.c.rel, mask))
        .where(*([] if into is None else [_is_in(edge.c.dst, into)]))
        .offset(_ZERO)
        .correlate(level)
        .lateral("onward")
    )
    return sa.select(
        level.c.dst.label("mid"),
        level.c.rel.label("mid_rel"),
        level.c.popularity,
        onward.c.dst,
        onward.c.rel,
        onward.c.dst_popularity,
    ).select_from(level.join(onward, sa.true()))


def _four(far: sa.CTE, mask: _Mask, beyond: sa.CTE, three: sa.CTE) -> sa.CTE:
    met = _beyond(far, mask, into=beyond).where(number(4) <= _HOPS, _is_empty(three))
    return materialized(met.limit(_MEETINGS), "four")


def _way(*stops: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    ends_and_stops: list[Any] = [START, *stops, _END]
    return pg.array(ends_and_stops, type_=sa.Integer)


def _rels(*rels: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return pg.array(list(rels), type_=sa.SmallInteger) if rels else sa.cast(pg.array([]), pg.ARRAY(sa.SmallInteger))


def _way_from(side: sa.CTE, *stops: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return sa.case((_is_left(side), _way(*stops)), else_=_way(*stops[::-1]))


def _three_ways(side: sa.CTE, three: sa.CTE, far: sa.CTE) -> sa.Select[*tuple[Any, ...]]:
    joined, both = _met(three, far)
    way, rels = _way_from(side, three.c.mid, three.c.dst), _rels(three.c.mid_rel, three.c.rel, far.c.rel)
    return sa.select(way, rels, three.c.popularity + far.c.popularity).select_from(joined).where(both)


def _four_ways(side: sa.CTE, four: sa.CTE, beyond: sa.CTE) -> sa.Select[*tuple[Any, ...]]:
    """Each hit of the far side with all that leads to it on the near one."""
    joined, both = _met(four, beyond)
    way = _way_from(side, beyond.c.mid, beyond.c.dst, four.c.mid)
    rels = _rels(beyond.c.mid_rel, beyond.c.rel, four.c.rel, four.c.mid_rel)
    popularity = beyond.c.popularity + four.c.dst_popularity + four.c.popularity
    return sa.select(way, rels, popularity).select_from(joined).where(both)
