"""What a place in a query sees: names with their values, and the SELECT that is being put together around it."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import sqlalchemy as sa

from cypher_sql import syntax
from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.limits import Limits
from cypher_sql.schema import GraphSchema, NodeSource, RelationshipType
from cypher_sql.values import Sql, SqlType, ValueType, sql_type

# Stands for every relationship type of an open graph.
ANY_TYPE = "*"

type Element = sa.FromClause
type Names = Mapping[str, "Value"]


@dataclass(frozen=True, slots=True, eq=False)
class NodeRow:
    """The row of a source that a node comes from, while it is at hand."""

    element: Element
    source: NodeSource


@dataclass(frozen=True, slots=True, eq=False)
class EdgeRow:
    """The row that a relationship comes from, and the types it may be of."""

    element: Element
    types: tuple[RelationshipType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An SQL expression and its type.

    A node is its id and a relationship its id too as long as its row is at hand; a relationship without a row is JSON.
    `weight` is that of the expression which a name stands for, see `cypher_sql.weights`.
    """

    sql: Sql
    type: ValueType
    row: NodeRow | EdgeRow | None = None
    weight: int = 1


class Frame:
    """The FROM and WHERE of one SELECT under construction; it can refer to the rows of those around it."""

    def __init__(self) -> None:
        self._tree: Element | None = None
        self._elements: list[Element] = []
        self._conditions: list[Sql] = []

    def add(self, element: Element, on: Sql | None = None, *, optional: bool = False) -> None:
        """Join an element; an optional one leaves rows that it has no match for, with nulls."""
        condition = sa.true() if on is None else on
        if self._tree is not None:
            self._tree = self._tree.join(element, condition, isouter=optional)
        elif optional:
            one = sa.select(sa.true().label("one")).subquery("one_row")
            self._tree = one.join(element, condition, isouter=True)
        else:
            self._tree = element
            self.require(*(() if on is None else (on,)))
        self._elements.append(element)

    def require(self, *conditions: Sql) -> None:
        """Keep only rows for which the conditions hold."""
        self._conditions.extend(conditions)

    def select(self, *columns: Sql) -> sa.Select[Any]:
        """The SELECT as it stands."""
        statement = sa.select(*columns)
        if self._tree is not None:
            statement = statement.select_from(self._tree)
        return statement.where(*self._conditions).correlate_except(*self._elements)

    @property
    def is_empty(self) -> bool:
        """Whether it stands for one row without columns."""
        return self._tree is None and not self._conditions


@dataclass(frozen=True, slots=True)
class Compilation:
    """What stays the same over one whole query."""

    schema: GraphSchema
    parameters: Mapping[str, object]
    limits: Limits
    # Patterns hold expressions and expressions hold patterns; this is how the latter reach the former.
    match: Callable[["Place", tuple[syntax.PathPattern, ...], syntax.Expression | None], Names]
    # Expressions that need a SELECT over a list or a pattern of their own.
    over_rows: Callable[["Place", syntax.OverRows], "Value"]
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def name(self, prefix: str) -> str:
        """A name that nothing else in the statement has."""
        return f"{prefix}_{next(self._numbers)}"

    def sql_type(self, of: ValueType) -> SqlType:
        """How values of a type are held in SQL."""
        return sql_type(of, self.schema.node_id_type)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression or a pattern stands.

    `computed` are expressions that already exist as columns: the groups and aggregates of a projection. Where only
    those may be used, `is_grouped` is set.
    """

    compilation: Compilation
    frame: Frame
    names: Names
    computed: Mapping[syntax.Expression, Value] = field(default_factory=dict[syntax.Expression, Value])
    is_grouped: bool = False

    def inside(self) -> "Place":
        """A place in a new SELECT within this one, which sees what this one sees."""
        return Place(self.compilation, Frame(), self.names, self.computed, self.is_grouped)

    def seeing(self, names: Names) -> "Place":
        """The same place with other names."""
        return Place(self.compilation, self.frame, names, self.computed, self.is_grouped)


def refused(node: syntax.Node, message: str, hint: str = "", fault: Fault = Fault.SYNTAX) -> QueryRefused:
    """A refusal that points at a part of the query."""
    return QueryRefused(line=node.at.line, column=node.at.column, message=message, hint=hint, fault=fault)


@contextmanager
def pointing_at(node: syntax.Node) -> Generator[None]:
    """Give refusals from places that know no position this one's."""
    try:
        yield
    except Unsuitable as error:
        raise refused(node, error.message, error.hint, error.fault) from error


class Unsuitable(Exception):
    """An operation got operands it can't take; said by code that knows no positions, see `pointing_at`."""

    def __init__(self, message: str, hint: str = "", fault: Fault = Fault.SYNTAX) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.fault = fault
