"""What statements over many edges share: ends of a path, sets of edge types as bits, how specific an edge is."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from datastore.edges import EDGES, EdgeType
from datastore.postgres.graph_values import EDGE_RANKS

START = sa.bindparam("start_node", type_=sa.Integer)
END = sa.bindparam("end_node", type_=sa.Integer)
FORTH = sa.bindparam("forth", type_=sa.BigInteger)
BACK = sa.bindparam("back", type_=sa.BigInteger)

_RANK_OF = {EDGES[edge].code: rank for edge, rank in EDGE_RANKS.items()}

RANK_BY_CODE = tuple(_RANK_OF.get(code, 0) for code in range(max(_RANK_OF) + 1))
"""How specific an edge is, 0 first, by its code."""
# A constant of the text: bound, it would be sent anew with every call.
_RANKS = sa.literal_column(f"'{{{','.join(map(str, RANK_BY_CODE))}}}'::integer[]", pg.ARRAY(sa.Integer))


def mask_of(edge_types: Iterable[EdgeType]) -> int:
    """A bit for each stored edge's code."""
    return sum({1 << EDGES[edge].code for edge in edge_types})


def number(value: int) -> sa.ColumnElement[int]:
    """A constant of the text, not a parameter of it."""
    return sa.literal_column(str(value), sa.Integer)


def materialized(statement: sa.SelectBase, name: str) -> sa.CTE:
    """A part of a statement that is computed at most once, as far as it is read."""
    return statement.cte(name).prefix_with("MATERIALIZED")


def is_followed(rel: sa.ColumnElement[Any], mask: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    """Whether the edge code's bit is set. An array of codes costs ten times as much where many edges are read."""
    return mask.bitwise_rshift(sa.cast(rel, sa.Integer)).bitwise_and(number(1)) == number(1)


def edge_rank(rel: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """How specific the edge is, 0 first."""
    return Grouping(_RANKS)[rel + number(1)]
