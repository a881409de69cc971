"""What a graph looks like to the language, and which rows stand behind it; nothing here knows a particular table."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from cypher_sql.values import SqlType, ValueType

type Rows = sa.Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Property:
    """A property's name, the type of its values, and the column that holds it (the name itself when not given).

    The column's SQL type must be the type's: boolean, bigint-like, float, text, date, or an array of these; JSONB for
    ANY and MAP.
    """

    name: str
    type: ValueType
    column: str = ""

    @property
    def source_column(self) -> str:
        """The column of the rows that holds it."""
        return self.column or self.name


@dataclass(frozen=True, eq=False)
class NodeSource:
    """A SELECT that yields nodes: a column `id`, unique and the same for a node in every source, and the properties'.

    `bag` names a JSONB column with further properties, for graphs whose properties aren't known beforehand.
    """

    rows: Rows
    properties: tuple[Property, ...] = ()
    bag: str | None = None

    def property(self, name: str) -> Property | None:
        """The declared property of this name."""
        return next((each for each in self.properties if each.name == name), None)


@dataclass(frozen=True, eq=False)
class NodeLabel:
    """A label and the nodes that have it. `description` is for people and models that write queries."""

    name: str
    source: NodeSource
    description: str = ""


@dataclass(frozen=True, eq=False)
class EdgeSource:
    """A SELECT that yields relationships of one or several types.

    Columns: `id` (unique among all relationships of the graph), `source` and `target` (node ids), `type` (a code that
    relationship types name), and those of the properties. One table of edges with a type code is one source.
    """

    rows: Rows
    bag: str | None = None


@dataclass(frozen=True, eq=False)
class RelationshipType:
    """A relationship type: the rows of `edges` whose `type` is `code`.

    `starts` and `ends` are the labels found at its ends; they narrow nodes that a query gives no label, so they must
    be complete. Empty means any.
    """

    name: str
    edges: EdgeSource
    code: int | str
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    description: str = ""

    def property(self, name: str) -> Property | None:
        """The declared property of this name."""
        return next((each for each in self.properties if each.name == name), None)


@dataclass(frozen=True, eq=False)
class GraphSchema:
    """A whole graph. `nodes` yields every node and has a column `labels` (an array of text) besides `id`.

    With `open_edges`, whose type codes are the type names, labels and types that aren't declared are merely empty;
    without it they are refused, so that a misspelt query is repaired instead of answered with nothing.
    """

    nodes: NodeSource
    labels: tuple[NodeLabel, ...] = ()
    relationships: tuple[RelationshipType, ...] = ()
    open_edges: EdgeSource | None = None

    @cached_property
    def node_id_type(self) -> SqlType:
        """The SQL type of node ids."""
        return self.nodes.rows.selected_columns["id"].type

    @property
    def is_open(self) -> bool:
        """Whether labels, types and properties beyond the declared ones may exist."""
        return self.open_edges is not None

    def label(self, name: str) -> NodeLabel | None:
        """The declared label of this name."""
        return next((each for each in self.labels if each.name == name), None)

    def relationship(self, name: str) -> RelationshipType | None:
        """The declared relationship type of this name."""
        return next((each for each in self.relationships if each.name == name), None)
