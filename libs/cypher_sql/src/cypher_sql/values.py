"""Types of the language, and an SQL expression together with its type."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

# What an SQL expression yields is known from its ValueType, at run time.
type Sql = sa.ColumnElement[Any]
type SqlType = sa.types.TypeEngine[Any]


class Kind(StrEnum):
    """The families of values. ANY is a value whose family only the row knows; it is JSON in SQL, as maps are."""

    ANY = "any"
    NULL = "null"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    STRING = "string"
    DATE = "date"
    LIST = "list"
    MAP = "map"
    NODE = "node"
    RELATIONSHIP = "relationship"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class ValueType:
    """A family; with the type of the elements for a list, and with the labels a node may have when they are known."""

    kind: Kind
    element: "ValueType | None" = None
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"list of {self.element}" if self.element else self.kind.value


ANY = ValueType(Kind.ANY)
NULL = ValueType(Kind.NULL)
BOOLEAN = ValueType(Kind.BOOLEAN)
INTEGER = ValueType(Kind.INTEGER)
FLOAT = ValueType(Kind.FLOAT)
STRING = ValueType(Kind.STRING)
DATE = ValueType(Kind.DATE)
MAP = ValueType(Kind.MAP)
NODE = ValueType(Kind.NODE)
RELATIONSHIP = ValueType(Kind.RELATIONSHIP)
PATH = ValueType(Kind.PATH)

# Named once: SQLAlchemy leaves the Python type of a double open.
DOUBLE: SqlType = sa.Double()

NUMBERS = frozenset({Kind.INTEGER, Kind.FLOAT})
# What a PostgreSQL array can hold as it is; other elements become JSON.
_ELEMENTS = frozenset(
    {Kind.NULL, Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE, Kind.NODE, Kind.RELATIONSHIP}
)

_SQL_TYPES: dict[Kind, SqlType] = {
    Kind.BOOLEAN: sa.Boolean(),
    Kind.INTEGER: sa.BigInteger(),
    Kind.FLOAT: DOUBLE,
    Kind.STRING: sa.Text(),
    Kind.NULL: sa.Text(),
    Kind.DATE: sa.Date(),
}


def list_of(element: ValueType) -> ValueType:
    """The type of a list; elements that an array can't hold are JSON."""
    return ValueType(Kind.LIST, element if element.kind in _ELEMENTS else ANY)


def sql_type(of: ValueType, node_id: SqlType) -> SqlType:
    """How values of a type are held in SQL; nodes by their id."""
    if of.kind is Kind.LIST:
        return pg.ARRAY(sql_type(of.element or ANY, node_id))
    if of.kind is Kind.NODE:
        return node_id
    return _SQL_TYPES.get(of.kind, pg.JSONB())


def common_type(types: Iterable[ValueType]) -> ValueType:
    """The narrowest type that holds values of all of them; NULL fits into every one.

    Whole numbers beside floats are ANY, so that they stay whole.
    """
    result = NULL
    for each in types:
        result = _common(result, each)
    return result


def _common(left: ValueType, right: ValueType) -> ValueType:
    if left == right or right.kind is Kind.NULL:
        return left
    if left.kind is Kind.NULL:
        return right
    if left.kind is right.kind is Kind.LIST:
        return list_of(_common(left.element or ANY, right.element or ANY))
    if left.kind is right.kind is Kind.NODE:
        known = left.labels and right.labels
        return ValueType(Kind.NODE, labels=tuple(sorted({*left.labels, *right.labels})) if known else ())
    return ANY
