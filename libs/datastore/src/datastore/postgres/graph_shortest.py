"""One shortest way between two nodes, or the proof that there is none, in one statement.

The neighbours of both ends are read as arrays of keys. Every longer way is then a look into one narrow index for pairs
of such keys: pages of other neighbours are passed over inside the index, and the first hit ends the search.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import edges
from datastore.postgres.graph_masks import BACK, END, FORTH, START, is_followed, number
from datastore.postgres.hot import HotStatement

MOST_HOPS = 4
"""The longest way that is looked for."""

MOST_NEIGHBOURS = 10_000
"""How many neighbours of an end are looked at; of more, any."""

_KEYS = pg.ARRAY(sa.Integer)

type _Column = sa.ColumnElement[Any]
type _Select = sa.Select[*tuple[Any, ...]]
type Mask = _Column | None
"""The edge types to follow; None for all."""


@lru_cache(maxsize=2 * MOST_HOPS)
def shortest_way(*, max_hops: int, every_edge: bool) -> HotStatement:
    """One of the shortest ways of at most `max_hops` hops, up to MOST_HOPS, from `start_node` to `end_node`; one row.

    Edges are those of the bits `forth`, read backward by the bits `back`; with `every_edge` there are no such bits.
    Columns: stops (what lies between, NULL without a way), is_forth (whether the stops run from start to end), and
    is_narrow (whether an end has too many neighbours to look at all).
    """
    ends = _ends(every_edge=every_edge)
    near_mask, far_mask = (None, None) if every_edge else (ends.c.near_mask, ends.c.far_mask)
    lengths = (
        _direct(ends),
        _two(ends, far_mask),
        _three(ends, near_mask),
        _four(ends, near_mask, far_mask),
    )
    found = sa.union_all(*lengths[:max_hops]).limit(number(1)).lateral("found")
    return HotStatement(
        sa.select(found.c.stops, ends.c.is_forth, ends.c.is_narrow).select_from(ends.outerjoin(found, sa.true()))
    )


def _ends(*, every_edge: bool) -> sa.Subquery:
    """The neighbours of the end that has fewer, `near`, and those of the other, `far`, with what leads to them."""
    left, right = (None, None) if every_edge else (BACK, FORTH)
    # An offset keeps the planner from working out a column anew wherever it is mentioned.
    read = sa.select(_neighbours(START, left).label("left"), _neighbours(END, right).label("right")).offset(number(0))
    sides = read.subquery("sides").c
    sizes = sa.func.cardinality(sides.left), sa.func.cardinality(sides.right)
    is_forth = sizes[0] <= sizes[1]

    def turned(when_left: _Column, otherwise: _Column, name: str) -> _Column:
        return sa.case((is_forth, when_left), else_=otherwise).label(name)

    masks = [] if every_edge else [turned(BACK, FORTH, "near_mask"), turned(FORTH, BACK, "far_mask")]
    chosen = sa.select(
        turned(sides.left, sides.right, "near"),
        turned(sides.right, sides.left, "far"),
        turned(END, START, "far_end"),
        is_forth.label("is_forth"),
        (sa.func.greatest(*sizes) >= number(MOST_NEIGHBOURS)).label("is_narrow"),
        *masks,
    )
    return chosen.offset(number(0)).subquery("ends")


def _neighbours(node: _Column, mask: Mask) -> _Column:
    edge = edges.alias("beside")
    return keys_of(edges_to(edge, [edge.c.src], edge.c.dst == node, mask=mask).limit(number(MOST_NEIGHBOURS)))


def _direct(ends: sa.Subquery) -> _Select:
    return sa.select(_stops()).where(ends.c.far_end == sa.any_(ends.c.near)).correlate(ends)


def _two(ends: sa.Subquery, far_mask: Mask) -> _Select:
    edge = edges.alias("second")
    met = (edge.c.dst == ends.c.far_end, begin_of(edge) == sa.any_(ends.c.near))
    return edges_to(edge, [_stops(edge.c.src)], *met, mask=far_mask).limit(number(1)).correlate(ends)


def _three(ends: sa.Subquery, near_mask: Mask) -> _Select:
    edge = edges.alias("third")
    met = (edge.c.dst == sa.any_(ends.c.near), begin_of(edge) == sa.any_(ends.c.far))
    return edges_to(edge, [_stops(edge.c.dst, edge.c.src)], *met, mask=near_mask).limit(number(1)).correlate(ends)


def _four(ends: sa.Subquery, near_mask: Mask, far_mask: Mask) -> _Select:
    """What is two hops from either end; by which of the near ones is asked of the one hit."""
    beyond, edge, led = edges.alias("beyond"), edges.alias("fourth"), edges.alias("led")
    two_away = edges_to(beyond, [beyond.c.src], beyond.c.dst == sa.any_(ends.c.near), mask=near_mask)
    met = (edge.c.dst == sa.any_(ends.c.far), begin_of(edge) == sa.any_(keys_of(two_away.correlate(ends))))
    near = edges_to(led, [led.c.src], led.c.dst == edge.c.src, begin_of(led) == sa.any_(ends.c.near), mask=far_mask)
    stops = _stops(near.limit(number(1)).correlate(ends, edge).scalar_subquery(), edge.c.src, edge.c.dst)
    return edges_to(edge, [stops], *met, mask=far_mask).limit(number(1)).correlate(ends)


def _stops(*stops: _Column) -> _Column:
    return sa.cast(pg.array(list(stops)), _KEYS).label("stops")


def edges_to(edge: sa.FromClause, columns: Sequence[_Column], *to: sa.ColumnElement[bool], mask: Mask) -> _Select:
    """Edges by where they lead. Each stands in the table both ways, so that where they begin are neighbours, too."""
    return sa.select(*columns).where(*to, *([] if mask is None else [is_followed(edge.c.rel, mask)]))


def begin_of(edge: sa.FromClause) -> _Column:
    """Where the edge begins, as the index `ix_edges_ends` has it."""
    return edge.c.src + number(0)


def keys_of(keys: _Select) -> _Column:
    """The rows of one column as an array, read once."""
    return sa.func.array(keys.scalar_subquery(), type_=_KEYS)
