"""Functions that make one kind of scalar from another."""

import sqlalchemy as sa

from cypher_sql.conversion import Held
from cypher_sql.entities import json_text
from cypher_sql.errors import Fault
from cypher_sql.failing import failing
from cypher_sql.mixed import checked_scalar
from cypher_sql.operands import of_kinds, text_of
from cypher_sql.operators import written
from cypher_sql.scope import Compilation, Unsuitable, Value
from cypher_sql.values import BOOLEAN, DATE, DOUBLE, FLOAT, INTEGER, NUMBERS, STRING, Kind, Sql


def to_string(compilation: Compilation, arguments: list[Value]) -> Value:
    """A scalar as text."""
    (value,) = arguments
    if value.type.kind is Kind.ANY:
        return Value(json_text(checked_scalar(compilation, value, "number", "boolean", "string")), STRING)
    of_kinds(value, NUMBERS | {Kind.BOOLEAN, Kind.STRING, Kind.DATE}, "number, boolean, string or date")
    return Value(written(value), STRING)


_NUMERAL = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?\s*$"


def _spelled(compilation: Compilation, value: Value, family: str) -> Sql:
    """A text as it is; of what only the row knows, a text or the text of a member of the family."""
    if value.type.kind is Kind.ANY:
        return json_text(checked_scalar(compilation, value, family, "string"))
    return text_of(compilation, value)


def _parsed_number(compilation: Compilation, value: Value) -> Sql:
    if value.type.kind in NUMBERS | {Kind.NULL}:
        return sa.cast(value.sql, DOUBLE)
    held = Held(compilation, _spelled(compilation, value, "number"))
    (numeral,) = held.parts
    return held.computing(sa.case((numeral.regexp_match(_NUMERAL), sa.cast(numeral, sa.Numeric()))))


def to_float(compilation: Compilation, arguments: list[Value]) -> Value:
    """A number, or a text that spells one; null for other texts."""
    return Value(sa.cast(_parsed_number(compilation, arguments[0]), DOUBLE), FLOAT)


def to_integer(compilation: Compilation, arguments: list[Value]) -> Value:
    """The same without what stands after the point."""
    (value,) = arguments
    if value.type.kind is Kind.INTEGER:
        return value
    return Value(sa.cast(sa.func.trunc(_parsed_number(compilation, value)), sa.BigInteger()), INTEGER)


def to_boolean(compilation: Compilation, arguments: list[Value]) -> Value:
    """A boolean, or a text that spells one; null for other texts."""
    (value,) = arguments
    if value.type.kind is Kind.BOOLEAN:
        return value
    spelled = _spelled(compilation, value, "boolean")
    known = ((sa.func.lower(spelled) == sa.literal(name, sa.Text()), result) for name, result in _TRUTHS.items())
    return Value(sa.case(*known), BOOLEAN)


_TRUTHS = {"true": sa.true(), "false": sa.false()}


# PostgreSQL reads many more, some of them otherwise than openCypher.
_CALENDAR_DATE = r"^\d{4}-\d{2}-\d{2}$|^\d{8}$"


def to_date(compilation: Compilation, arguments: list[Value]) -> Value:
    """Today, or the day that a text names."""
    if not arguments:
        return Value(sa.func.current_date(type_=sa.Date()), DATE)
    (value,) = arguments
    if value.type.kind is Kind.DATE:
        return value
    if value.type.kind not in (Kind.STRING, Kind.ANY, Kind.NULL):
        raise Unsuitable(f"A date can't be made from a {value.type}.", "Write date('1998-10-23').", Fault.BEYOND)
    held = Held(compilation, text_of(compilation, value))
    (spelled,) = held.parts
    complaint = failing(Fault.BEYOND, "a date is written 1998-10-23, not ", spelled, sa.Date())
    suits = sa.or_(spelled.is_(None), spelled.regexp_match(_CALENDAR_DATE))
    return Value(held.computing(sa.case((suits, sa.cast(spelled, sa.Date())), else_=complaint)), DATE)
