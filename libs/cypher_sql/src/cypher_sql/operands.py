"""Arguments of functions, as SQL of the family that the function takes; null for null.

What shows only as the query runs fails then, everything else raises Unsuitable.
"""

import sqlalchemy as sa

from cypher_sql.entities import json_text
from cypher_sql.errors import Fault
from cypher_sql.mixed import checked_scalar, float_number
from cypher_sql.scope import Compilation, Unsuitable, Value
from cypher_sql.values import NUMBERS, Kind, Sql


def of_kinds(value: Value, kinds: frozenset[Kind], what: str) -> Sql:
    """A value of one of some families."""
    if value.type.kind not in kinds | {Kind.NULL}:
        fault = Fault.BEYOND if value.type.kind is Kind.ANY else Fault.SYNTAX
        raise Unsuitable(f"A {what} is needed, this is a {value.type}.", fault=fault)
    return value.sql


def text_of(compilation: Compilation, value: Value) -> Sql:
    """A string."""
    if value.type.kind is Kind.ANY:
        return json_text(checked_scalar(compilation, value, "string"))
    return sa.cast(of_kinds(value, frozenset({Kind.STRING}), "string"), sa.Text())


def number_of(compilation: Compilation, value: Value) -> Sql:
    """A number."""
    return float_number(compilation, value) if value.type.kind is Kind.ANY else of_kinds(value, NUMBERS, "number")


def whole_of(value: Value) -> Sql:
    """A whole number of a size that counts and places have."""
    return sa.cast(of_kinds(value, frozenset({Kind.INTEGER}), "whole number"), sa.Integer())
