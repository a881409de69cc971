"""A spread through the graph, level by level: the nodes that some nodes lead to, and from which of them each comes.

Three statements for one question, because two of them leave out what is dear: a single node needs nobody told apart,
and where the budget is the narrower cap, no edges have to be counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import edges
from datastore.postgres.graph_masks import START, is_followed
from datastore.postgres.hot import HotStatement, NameSource, Row, fetch_rows

_NODES = sa.bindparam("nodes", type_=pg.ARRAY(sa.Integer))
_SEEN = sa.bindparam("seen", type_=pg.ARRAY(sa.Integer))
_MASK = sa.bindparam("forth", type_=sa.BigInteger)
_FANOUT = sa.bindparam("fanout", type_=sa.Integer)
_ROOM = sa.bindparam("room", type_=sa.Integer)


@dataclass(slots=True)
class Spread:
    """What was reached, nearest first and then the most popular: each node with the one that led to it."""

    came_from: dict[int, int] = field(default_factory=dict[int, int])
    is_cut: bool = False


async def spread_from(
    source: NameSource, start: int, *, mask: int | None, max_hops: int, fanout: int, budget: int
) -> Spread:
    """At most `budget` nodes within `max_hops` of a node, in a statement for each level that there is room for.

    A node passes on its `fanout` most popular far ends that no earlier level has. Of several nodes that lead to one,
    the most popular stands. `mask` holds the edge types to follow; None follows all.
    """
    spread = Spread()
    frontier = [start]
    for _ in range(max_hops):
        room = budget - len(spread.came_from)
        if not frontier or room <= 0:
            break
        rows, was_cut = await _level(source, frontier, [start, *spread.came_from], (mask, fanout, room))
        frontier = [row["dst"] for row in rows]
        spread.came_from |= {row["dst"]: row["src"] for row in rows}
        spread.is_cut = spread.is_cut or was_cut
    return spread


async def _level(
    source: NameSource, frontier: Sequence[int], seen: Sequence[int], bounds: tuple[int | None, int, int]
) -> tuple[Sequence[Row], bool]:
    mask, fanout, room = bounds
    values: dict[str, object] = {"seen": seen, "room": room}
    if mask is not None:
        values["forth"] = mask
    if len(frontier) == 1:
        values |= {"start_node": frontier[0], "room": min(fanout + 1, room)}
        rows = await fetch_rows(source, onward_from_one(every_edge=mask is None), values)
        return rows[:fanout], len(rows) > fanout
    values["nodes"] = frontier
    if room <= fanout:
        return await fetch_rows(source, onward(every_edge=mask is None), values), False
    rows = await fetch_rows(source, counted_onward(every_edge=mask is None), values | {"fanout": fanout})
    return rows, any(row["is_cut"] for row in rows[:1])


@lru_cache(maxsize=2)
def onward_from_one(*, every_edge: bool) -> HotStatement:
    """The far ends of `start_node` that are not `seen`, the most popular first, at most `room`. Columns: dst, src.

    Edges are those of the bits `forth`; with `every_edge` there are no such bits.
    """
    far = _far_ends(START, every_edge=every_edge).limit(_ROOM).subquery("far")
    return HotStatement(sa.select(far.c.dst, START.label("src")).order_by(far.c.dst_popularity.desc(), far.c.dst))


@lru_cache(maxsize=2)
def onward(*, every_edge: bool) -> HotStatement:
    """The same of several `nodes`, each far end from the first of them that leads to it."""
    source = _sources()
    far = _far_ends(source.c.node, every_edge=every_edge).correlate(source).limit(_ROOM).lateral("far")
    found = (
        sa.select(far.c.dst, source.c.node.label("src"), far.c.dst_popularity)
        .ext(pg.distinct_on(far.c.dst))
        .select_from(source.join(far, sa.true()))
        .order_by(far.c.dst, source.c.place)
        .subquery("found")
    )
    ordered = sa.select(found.c.dst, found.c.src).order_by(found.c.dst_popularity.desc(), found.c.dst)
    return HotStatement(ordered.limit(_ROOM))


@lru_cache(maxsize=2)
def counted_onward(*, every_edge: bool) -> HotStatement:
    """The same where no node passes on more than `fanout`; the column is_cut says whether one had more."""
    source = _sources()
    first = _far_ends(source.c.node, every_edge=every_edge).correlate(source).limit(_FANOUT + sa.literal_column("1"))
    far = first.lateral("far")
    count = sa.func.count().over(partition_by=source.c.place, order_by=(far.c.dst_popularity.desc(), far.c.dst))
    counted = (
        sa.select(far.c.dst, source.c.node.label("src"), far.c.dst_popularity, source.c.place, count.label("count"))
        .select_from(source.join(far, sa.true()))
        .cte("counted")
        .prefix_with("MATERIALIZED")
    )
    is_cut = sa.exists(sa.select(counted.c.dst).where(counted.c.count > _FANOUT))
    found = (
        sa.select(counted.c.dst, counted.c.src, counted.c.dst_popularity)
        .ext(pg.distinct_on(counted.c.dst))
        .where(counted.c.count <= _FANOUT)
        .order_by(counted.c.dst, counted.c.place)
        .subquery("found")
    )
    ordered = sa.select(found.c.dst, found.c.src, is_cut.label("is_cut"))
    return HotStatement(ordered.order_by(found.c.dst_popularity.desc(), found.c.dst).limit(_ROOM))


def _sources() -> sa.TableValuedAlias:
    nodes = sa.func.unnest(_NODES).table_valued(sa.column("node", sa.Integer), with_ordinality="place")
    return nodes.render_derived(name="source")


def _far_ends(node: sa.ColumnElement[Any], *, every_edge: bool) -> sa.Select[*tuple[Any, ...]]:
    """In the order of the index, so that the top of a hub costs no more than it shows."""
    seen = sa.func.unnest(_SEEN).table_valued(sa.column("node", sa.Integer)).render_derived(name="seen")
    return (
        sa.select(edges.c.dst_popularity, edges.c.dst)
        .distinct()
        .where(edges.c.src == node, edges.c.dst.not_in(sa.select(seen.c.node)))
        .where(*([] if every_edge else [is_followed(edges.c.rel, _MASK)]))
        .order_by(edges.c.dst_popularity.desc(), edges.c.dst)
    )
