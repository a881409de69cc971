"""Constants and parameters as bound values; nothing that a query says becomes SQL text."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import cast
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.conversion import as_json, coerce, stored
from cypher_sql.entities import text
from cypher_sql.errors import Fault
from cypher_sql.scope import Compilation, Unsuitable, Value
from cypher_sql.values import BOOLEAN, DATE, DOUBLE, FLOAT, INTEGER, MAP, NULL, STRING, common_type, list_of

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_DEEPEST_PARAMETER = 8


def bound(compilation: Compilation, value: object, depth: int = 0) -> Value:
    """A Python value as a bound one. Raises Unsuitable for what the language has no type for."""
    match value:
        case None:
            return Value(sa.null(), NULL)
        case bool():
            return Value(sa.literal(value, sa.Boolean()), BOOLEAN)
        case int():
            return _integer(value)
        case float():
            return _float(value)
        case str():
            return Value(text(_checked(value)), STRING)
        case UUID():
            return Value(text(str(value)), STRING)
        case date():
            return Value(sa.literal(value, sa.Date()), DATE)
        case _ if depth >= _DEEPEST_PARAMETER:
            raise Unsuitable("The parameter is nested too deeply.", fault=Fault.BEYOND)
        case _:
            return _collection(compilation, value, depth)


def _collection(compilation: Compilation, value: object, depth: int) -> Value:
    if isinstance(value, Mapping):
        return _map(compilation, cast("Mapping[object, object]", value), depth)
    if isinstance(value, list | tuple):
        members = cast("Sequence[object]", value)
        return list_value(compilation, [bound(compilation, each, depth + 1) for each in members])
    raise Unsuitable(f"A parameter can't be a {type(value).__name__}.")


def _integer(value: int) -> Value:
    if not _SMALLEST <= value <= _LARGEST:
        raise Unsuitable("The integer is too large.", "Integers have 64 bits.")
    return Value(sa.literal(value, sa.BigInteger()), INTEGER)


def _float(value: float) -> Value:
    if not math.isfinite(value):
        raise Unsuitable("A number must be finite.", fault=Fault.BEYOND)
    return Value(sa.literal(value, DOUBLE), FLOAT)


def _checked(value: str) -> str:
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise Unsuitable(
            "The text has a character that can't be stored.", "Leave NUL and half characters out.", Fault.BEYOND
        )
    return value


def _map(compilation: Compilation, value: Mapping[object, object], depth: int) -> Value:
    members: dict[str, Value] = {}
    for key, member in value.items():
        if not isinstance(key, str):
            raise Unsuitable("The keys of a map are strings.")
        members[_checked(key)] = bound(compilation, member, depth + 1)
    return map_value(compilation, members)


def map_value(compilation: Compilation, members: Mapping[str, Value]) -> Value:
    """A map of values."""
    if len(members) > 50:
        raise Unsuitable("A map has at most 50 entries.", fault=Fault.BEYOND)
    arguments = [part for key, member in members.items() for part in (text(key), as_json(compilation, member))]
    return Value(sa.func.jsonb_build_object(*arguments, type_=pg.JSONB()), MAP)


def list_value(compilation: Compilation, members: Sequence[Value]) -> Value:
    """A list of values, as narrow as they allow."""
    wanted = list_of(common_type(member.type for member in members))
    element = wanted.element or NULL
    as_sql = compilation.sql_type(wanted)
    parts = [coerce(compilation, stored(member), element).sql for member in members]
    return Value(sa.cast(pg.array(parts, type_=compilation.sql_type(element)), as_sql), wanted)
