"""Comparison, arithmetic and string operators over typed values, with openCypher's null logic."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql.conversion import Held, as_json, coerce, unnested
from cypher_sql.entities import float_json, json_text, text
from cypher_sql.equality import PLAIN, equal, only_of
from cypher_sql.errors import Fault
from cypher_sql.failing import failing
from cypher_sql.mixed import float_number, is_family, listed, mixed_arithmetic, of_floats, of_integers
from cypher_sql.scope import Compilation, Unsuitable, Value
from cypher_sql.values import (
    ANY,
    FLOAT,
    INTEGER,
    NUMBERS,
    STRING,
    Kind,
    Sql,
    ValueType,
    common_type,
    list_of,
)

# The order of families in ORDER BY, smallest first: what JSON calls them. Objects are maps unless they have these keys.
_JSON_RANKS = {"array": 4, "string": 6, "boolean": 7, "number": 8, "null": 9}
_MAP_RANK = 1
_ENTITY_RANKS = {("id", "labels", "properties"): 2, ("id", "type", "start", "end"): 3, ("nodes", "relationships"): 5}
_COMPARISONS: dict[str, Callable[[Any, Any], Sql]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def boolean(value: Value) -> Sql:
    """The value as a condition. Raises Unsuitable for what is never true or false."""
    match value.type.kind:
        case Kind.BOOLEAN:
            return value.sql
        case Kind.NULL:
            return sa.cast(sa.null(), sa.Boolean())
        case Kind.ANY:
            typed = sa.func.jsonb_typeof(value.sql) == sa.literal("boolean", sa.Text())
            return sa.case((typed, sa.cast(json_text(value.sql), sa.Boolean())))
        case _:
            raise Unsuitable(f"A condition is needed, this is a {value.type}.", "Compare it with something.")


def ordered(compilation: Compilation, operator: str, left: Value, right: Value) -> Sql:
    """`<`, `<=`, `>` or `>=`; null for values of different families."""
    compare = _COMPARISONS[operator]
    kinds = {left.type.kind, right.type.kind}
    if Kind.NULL in kinds:
        return sa.cast(sa.null(), sa.Boolean())
    if kinds <= NUMBERS or kinds == {Kind.BOOLEAN} or kinds == {Kind.DATE}:
        return compare(left.sql, right.sql)
    if kinds == {Kind.STRING}:
        return compare(by_code_point(left.sql), right.sql)
    if kinds == {Kind.LIST}:
        return _ordered_lists(compilation, operator, left, right)
    if Kind.ANY in kinds:
        return _ordered_json(compare, as_json(compilation, left), as_json(compilation, right))
    return sa.cast(sa.null(), sa.Boolean())


def _ordered_lists(compilation: Compilation, operator: str, left: Value, right: Value) -> Sql:
    """By the first members that aren't the same, null where that can't be known; by size where there are none."""
    wanted = list_of(common_type([left.type.element or STRING, right.type.element or STRING]))
    held = Held(compilation, *(coerce(compilation, each, wanted).sql for each in (left, right)))
    one, other = held.parts
    of_element = compilation.sql_type(wanted.element or ANY)
    pairs = sa.func.unnest(one, other).table_valued(
        sa.column("first", of_element), sa.column("second", of_element), with_ordinality="place"
    )
    rows = pairs.render_derived(compilation.name("pairs"))
    first, second = (Value(column, wanted.element or ANY) for column in (rows.c.first, rows.c.second))
    sizes = [sa.func.cardinality(each) for each in (one, other)]
    is_same = equal(compilation, first, second)
    strictly = ordered(compilation, operator[0], first, second)
    by_place = pg.aggregate_order_by(sa.cast(strictly, sa.Boolean()), rows.c.place.asc())
    decided = Grouping(sa.func.array_agg(by_place, type_=pg.ARRAY(sa.Boolean())))[1]
    verdict = sa.case((sa.func.count() == 0, _COMPARISONS[operator](*sizes)), else_=decided)
    statement = sa.select(verdict).select_from(rows).where(rows.c.place <= sa.func.least(*sizes), is_same.is_not(True))
    found = statement.correlate_except(rows).scalar_subquery()
    return held.computing(sa.case((sa.and_(one.is_not(None), other.is_not(None)), found)))


def _ordered_json(compare: Callable[[Any, Any], Sql], left: Sql, right: Sql) -> Sql:
    families = sa.func.jsonb_typeof(left), sa.func.jsonb_typeof(right)

    def both(family: str) -> Sql:
        return sa.and_(*(each == sa.literal(family, sa.Text()) for each in families))

    return sa.case(
        (sa.or_(both("number"), both("boolean")), compare(left, right)),
        (both("string"), compare(by_code_point(json_text(left)), json_text(right))),
        (
            both("array"),
            failing(Fault.BEYOND, "lists inside values of mixed type aren't compared: ", left, sa.Boolean()),
        ),
    )


def by_code_point(written: Sql) -> Sql:
    """A text that compares by code point, whatever the database's collation."""
    return sa.collate(written, "C")


def sort_columns(compilation: Compilation, value: Value) -> list[Sql]:
    """What to order by, in ascending order, so that nulls come last (and first in descending order)."""
    element = value.type.element
    if value.type.kind is Kind.NULL:
        # Nothing to sort by, and SQL takes a bare null here for a mistake.
        return []
    if value.type.kind is Kind.STRING or (element is not None and element.kind is Kind.STRING):
        return [by_code_point(value.sql)]
    if value.type.kind is Kind.ANY or (element is not None and element.kind is Kind.ANY):
        return _json_sort_columns(compilation, as_json(compilation, value))
    return [value.sql]


def _json_sort_columns(compilation: Compilation, value: Sql) -> list[Sql]:
    members = sa.func.jsonb_array_elements(only_of(value, "array")).table_valued(
        sa.column("member", pg.JSONB()), with_ordinality="place"
    )
    rows = members.render_derived(compilation.name("members"))
    key = pg.aggregate_order_by(sa.func.row(*_json_sort_key(rows.c.member)), rows.c.place.asc())
    by_members = sa.select(sa.func.array_agg(key)).select_from(rows).correlate_except(rows).scalar_subquery()
    size = sa.func.jsonb_array_length(only_of(value, "array"))
    rank, *rest = _json_sort_key(value)
    # An empty list has no members to compare by and comes before all others.
    return [rank, sa.func.coalesce(size > 0, sa.false()), by_members, *rest]


def _json_sort_key(value: Sql) -> tuple[Sql, Sql, Sql]:
    """The family's rank, the text if it is one, and the value itself for the other families."""
    family = sa.func.jsonb_typeof(value)
    of_entity = (
        (value.op("?&", return_type=sa.Boolean())(pg.array([text(key) for key in keys])), rank)
        for keys, rank in _ENTITY_RANKS.items()
    )
    of_family = ((family == text(name), rank) for name, rank in _JSON_RANKS.items())
    rank = sa.case(*of_family, *of_entity, (family == text("object"), _MAP_RANK))
    return rank, by_code_point(json_text(only_of(value, "string"))), value


def contained(compilation: Compilation, member: Value, members: Value) -> Sql:
    """`IN`: true when found, null when it can't be known, else false."""
    if members.type.kind is Kind.NULL:
        return sa.cast(sa.null(), sa.Boolean())
    if members.type.kind is Kind.ANY:
        members = listed(compilation, members)
    if members.type.kind is not Kind.LIST:
        raise Unsuitable(f"IN needs a list, this is a {members.type}.", "Write x IN [1, 2] or x IN $list.")
    element = members.type.element or STRING
    same = member.type.kind is element.kind or {member.type.kind, element.kind} <= NUMBERS
    if same and element.kind in PLAIN | NUMBERS | {Kind.NODE}:
        # A bare SELECT after ANY would be read as rows of arrays.
        array = members.sql
        if isinstance(array, sa.ScalarSelect):
            array = sa.cast(array, compilation.sql_type(members.type))
        return member.sql == sa.any_(array)
    rows, each = unnested(compilation, members)
    found = equal(compilation, member, each)
    verdict = sa.case(
        (sa.func.bool_or(found), sa.true()), (sa.func.bool_or(found.is_(None)), sa.null()), else_=sa.false()
    )
    looked_up = sa.select(verdict).select_from(rows).correlate_except(rows).scalar_subquery()
    return sa.case((members.sql.is_not(None), looked_up))


def text_test(operator: str, left: Value, right: Value) -> Sql:
    """`STARTS WITH`, `ENDS WITH` or `CONTAINS`; null unless both are strings."""
    if not {left.type.kind, right.type.kind} <= {Kind.STRING, Kind.ANY}:
        return sa.cast(sa.null(), sa.Boolean())
    whole, part = _as_text(left), _as_text(right)
    match operator:
        case "STARTS WITH":
            return sa.func.starts_with(whole, part, type_=sa.Boolean())
        case "ENDS WITH":
            return sa.func.right(whole, sa.func.length(part)) == part
        case _:
            return sa.func.strpos(whole, part) > 0


def _as_text(value: Value) -> Sql:
    if value.type.kind is Kind.STRING:
        return value.sql
    is_text = sa.func.jsonb_typeof(value.sql) == sa.literal("string", sa.Text())
    return sa.case((is_text, json_text(value.sql)))


def arithmetic(compilation: Compilation, operator: str, left: Value, right: Value) -> Value:
    """`+ - * / % ^`; `+` also joins strings and lists. Raises Unsuitable for other operands."""
    kinds = left.type.kind, right.type.kind
    if operator == "+" and Kind.LIST in kinds:
        return _joined_lists(compilation, left, right)
    if operator == "+" and Kind.STRING in kinds:
        return _joined_texts(compilation, left, right)
    if not set(kinds) <= NUMBERS | {Kind.NULL, Kind.ANY}:
        raise Unsuitable(f"{operator} can't take a {left.type} and a {right.type}.")
    if operator == "^" or (Kind.FLOAT in kinds and (Kind.ANY not in kinds or operator != "+")):
        return Value(of_floats(operator, *(float_number(compilation, each) for each in (left, right))), FLOAT)
    if Kind.ANY in kinds:
        return mixed_arithmetic(compilation, operator, left, right)
    return Value(of_integers(operator, *(sa.cast(each.sql, sa.BigInteger()) for each in (left, right))), INTEGER)


def _joined_texts(compilation: Compilation, left: Value, right: Value) -> Value:
    kinds = {left.type.kind, right.type.kind}
    if not kinds <= NUMBERS | {Kind.STRING, Kind.NULL, Kind.ANY, Kind.DATE}:
        raise Unsuitable(f"+ can't take a {left.type} and a {right.type}.", "Convert with toString().")
    if Kind.ANY in kinds:
        return mixed_arithmetic(compilation, "+", left, right)
    first, second = (written(each) for each in (left, right))
    return Value(first.op("||", return_type=sa.Text())(second), STRING)


def written(value: Value) -> Sql:
    """A scalar as text; a float always has a point."""
    return json_text(float_json(value.sql)) if value.type.kind is Kind.FLOAT else sa.cast(value.sql, sa.Text())


def _joined_lists(compilation: Compilation, left: Value, right: Value) -> Value:
    sides = [left, right]
    elements = [each.type.element if each.type.kind is Kind.LIST else each.type for each in sides]
    wanted = list_of(common_type(each for each in elements if each is not None))
    as_sql = compilation.sql_type(wanted)
    parts: list[Sql] = []
    for side in sides:
        if side.type.kind in (Kind.LIST, Kind.NULL):
            parts.append(sa.cast(coerce(compilation, side, wanted).sql, as_sql))
        elif side.type.kind is Kind.ANY:
            parts.append(_members_or_itself(compilation, side.sql))
        else:
            member = coerce(compilation, side, wanted.element or STRING).sql
            parts.append(sa.cast(pg.array([member]), as_sql))
    return Value(_strictly_joined(compilation, *parts), wanted)


def _members_or_itself(compilation: Compilation, value: Sql) -> Sql:
    held = Held(compilation, value)
    (whole,) = held.parts
    members = sa.select(sa.func.jsonb_array_elements(only_of(whole, "array"))).correlate_except().scalar_subquery()
    as_sql = pg.ARRAY(pg.JSONB())
    return held.computing(
        sa.case(
            (whole.is_(None), sa.cast(sa.null(), as_sql)),
            (is_family(whole, "array"), sa.func.array(members, type_=as_sql)),
            else_=sa.cast(pg.array([whole]), as_sql),
        )
    )


def _strictly_joined(compilation: Compilation, left: Sql, right: Sql) -> Sql:
    """Two arrays as one; null with null, which PostgreSQL would take for an empty array."""
    held = Held(compilation, left, right)
    first, second = held.parts
    joined = first.op("||", return_type=left.type)(second)
    return held.computing(sa.case((sa.and_(first.is_not(None), second.is_not(None)), joined)))


def member_at(compilation: Compilation, value: Value, index: Value) -> Value:
    """`list[index]`, from 0, from the end when negative; null outside."""
    if value.type.kind is Kind.ANY:
        value = listed(compilation, value)
    if value.type.kind is not Kind.LIST or index.type.kind not in (Kind.INTEGER, Kind.NULL):
        fault = Fault.BEYOND if index.type.kind is Kind.ANY else Fault.TYPE
        raise Unsuitable(f"A {value.type} has no member at a {index.type}.", "Write list[0].", fault)
    place = sa.cast(index.sql, sa.Integer())
    size = sa.func.cardinality(value.sql)
    element: ValueType = value.type.element or STRING
    return Value(Grouping(value.sql)[sa.case((place < 0, place + size), else_=place) + 1], element)


def slice_of(compilation: Compilation, value: Value, start: Value | None, stop: Value | None) -> Value:
    """`list[start..stop]`, `stop` excluded; ends outside are moved to the list's."""
    if value.type.kind is Kind.ANY:
        value = listed(compilation, value)
    if value.type.kind is not Kind.LIST:
        raise Unsuitable(f"A {value.type} can't be sliced.", "Only lists have [start..stop].")
    size = sa.func.cardinality(value.sql)
    lower = sa.literal(0, sa.Integer()) if start is None else _end(start, size)
    upper: Sql = size if stop is None else _end(stop, size)
    return Value(
        sa.case((sa.and_(lower.is_not(None), upper.is_not(None)), Grouping(value.sql)[lower + 1 : upper])), value.type
    )


def _end(value: Value, size: Sql) -> Sql:
    if value.type.kind not in (Kind.INTEGER, Kind.NULL):
        raise Unsuitable(f"A list can't be sliced at a {value.type}.", "Ends of a slice are whole numbers.")
    place = sa.cast(value.sql, sa.Integer())
    return sa.case((place < 0, sa.func.greatest(place + size, 0)), else_=place)
