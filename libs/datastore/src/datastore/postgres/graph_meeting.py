"""The best ways of a known least length between two nodes: where the neighbourhoods of both ends meet, ranked.

What meets is found among arrays of keys, in the narrow index that finds one shortest way. What edges are worth comes
from the neighbourhoods, and is asked of the hits only.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import edges
from datastore.postgres.graph_masks import BACK, END, FORTH, START, edge_rank, is_followed, materialized, number
from datastore.postgres.graph_shortest import MOST_NEIGHBOURS, Mask, begin_of, edges_to, keys_of
from datastore.postgres.hot import HotStatement

_MOST = sa.bindparam("most", type_=sa.Integer)
# For each way of four hops that is wanted, so many halves of one are kept, the best, for the best half need not be of
# the best way; and so many meetings in the middle are ranked; of more, any.
_HALVES = _MOST * number(20)
_MEETINGS = _MOST * number(100)

type _Column = sa.ColumnElement[Any]
type _Select = sa.Select[*tuple[Any, ...]]


@lru_cache(maxsize=6)
def ways_between(*, length: int, every_edge: bool) -> HotStatement:
    """The `most` best of the ways of `length` hops, 2 to 4, from `start_node` to `end_node`, the best first.

    Those of the most specific edges are best, then those over the most popular neighbours of the ends. Only for nodes
    that no shorter way connects; it costs least from the end with fewer neighbours. Edges are those of the bits
    `forth`, read backward by the bits `back`; with `every_edge` there are no such bits.
    Each way comes once, however many edges link two of its nodes. Columns: stops (the nodes between the ends), and
    is_cut (whether there are more meetings than were ranked, so that ways may be missing).
    """
    forth, back = (None, None) if every_edge else (FORTH, BACK)
    near = _neighbours(START, forth, "near")
    if length == 2:
        return HotStatement(_two_hops(near, forth))
    far = _neighbours(END, back, "far")
    return HotStatement(_three_hops(near, far, back) if length == 3 else _four_hops(near, far, forth, back))


def _neighbours(node: sa.BindParameter[int], mask: Mask, name: str) -> sa.CTE:
    edge = edges.alias(f"{name}_edges")
    held = [] if mask is None else [is_followed(edge.c.rel, mask)]
    links = sa.select(edge.c.dst, edge.c.rel, edge.c.dst_popularity).where(edge.c.src == node, *held)
    link = links.limit(number(MOST_NEIGHBOURS)).subquery(f"{name}_links").c
    columns = (link.dst.label("node"), link.dst_popularity.label("popularity"))
    return materialized(sa.select(*columns, _best_rank(link.rel)).group_by(*columns), name)


def _two_hops(near: sa.CTE, forth: Mask) -> _Select:
    met = _met(END, _any_of(near.c.node), forth, "met")
    rank = near.c.rank + met.c.rank
    return _best(_matched(near, "node", met, "begin"), [near.c.node], rank, near.c.popularity)


def _three_hops(near: sa.CTE, far: sa.CTE, back: Mask) -> _Select:
    met = _met(_any_of(near.c.node), _any_of(far.c.node), back, "met")
    led = materialized(_led_to(near, met), "led")
    rank, popularity = led.c.rank + far.c.rank, led.c.popularity + far.c.popularity
    return _best(_matched(far, "node", led, "beyond"), [led.c.node, far.c.node], rank, popularity)


def _four_hops(near: sa.CTE, far: sa.CTE, forth: Mask, back: Mask) -> _Select:
    """The best of what is two hops from either end, and then all that leads there from the near one."""
    beyond = edges.alias("beyond")
    two_away = keys_of(edges_to(beyond, [beyond.c.src], beyond.c.dst == _any_of(near.c.node), mask=back))
    meetings = _meeting(_any_of(far.c.node), sa.any_(two_away), forth, "met").limit(_MEETINGS + number(1))
    ranked = materialized(meetings, "ranked")
    is_cut = sa.select(sa.func.count() > _MEETINGS).select_from(ranked).scalar_subquery()
    best = _led_to(far, _distinct(ranked, "met")).order_by("rank", sa.desc("popularity"), "node", "beyond")
    middle = materialized(best.limit(_HALVES), "middle")
    onward = _met(_any_of(middle.c.beyond), _any_of(near.c.node), forth, "onward")
    last = _matched(middle, "beyond", onward, "node")
    columns = (middle.c.node, middle.c.beyond, middle.c.popularity, onward.c.begin)
    rank = middle.c.rank + onward.c.rank
    whole = materialized(last.with_only_columns(*columns, rank.label("rank")), "whole")
    stops, popularity = [near.c.node, whole.c.beyond, whole.c.node], near.c.popularity + whole.c.popularity
    return _best(_matched(near, "node", whole, "begin"), stops, whole.c.rank + near.c.rank, popularity, is_cut=is_cut)


def _any_of(node: _Column) -> _Column:
    return sa.any_(keys_of(sa.select(node)))


def _met(node: _Column, begin: _Column, mask: Mask, name: str) -> sa.CTE:
    """The pairs of `node` and `begin`, either may be any of an array, that edges lead to and from."""
    return _distinct(_meeting(node, begin, mask, name).subquery(f"{name}_links"), name)


def _meeting(node: _Column, begin: _Column, mask: Mask, name: str) -> _Select:
    edge = edges.alias(f"{name}_edges")
    columns = [edge.c.dst.label("node"), edge.c.src.label("begin"), edge.c.rel]
    return edges_to(edge, columns, edge.c.dst == node, begin_of(edge) == begin, mask=mask)


def _distinct(links: sa.FromClause, name: str) -> sa.CTE:
    """The pairs that edges link, each once with the rank of the most specific."""
    pair = (links.c.node, links.c.begin)
    return materialized(sa.select(*pair, _best_rank(links.c.rel)).group_by(*pair), name)


def _best_rank(rel: _Column) -> sa.Label[int]:
    return sa.func.min(edge_rank(rel)).label("rank")


def _led_to(side: sa.CTE, met: sa.CTE) -> _Select:
    """What lies beyond a neighbourhood, each with the neighbour that leads there."""
    rank = (side.c.rank + met.c.rank).label("rank")
    columns = (side.c.node, side.c.popularity, met.c.begin.label("beyond"), rank)
    return _matched(side, "node", met, "node").with_only_columns(*columns)


def _matched(left: sa.CTE, on: str, right: sa.CTE, other: str) -> _Select:
    """All pairs, by a join that can't be a nested loop: how large the sides are is beyond any plan's estimate."""
    one, two = left.c[on], right.c[other]
    joined = left.join(right, one == two, full=True)
    return sa.select(number(1)).select_from(joined).where(sa.func.num_nonnulls(one, two) == number(2))


def _best(
    pairs: _Select, stops: Sequence[_Column], rank: _Column, popularity: _Column, *, is_cut: _Column | None = None
) -> _Select:
    nodes: list[Any] = list(stops)
    cut = sa.false() if is_cut is None else is_cut
    ways = pairs.with_only_columns(pg.array(nodes, type_=sa.Integer).label("stops"), cut.label("is_cut"))
    return ways.order_by(rank, popularity.desc(), *stops).limit(_MOST)
