"""The functions of the language and the SQL they become; there are no others."""

from collections.abc import Callable
from difflib import get_close_matches

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql.conversion import Held, as_json, coerce, path_nodes, path_relationships, stored
from cypher_sql.entities import count_value, json_text, node_labels, node_value, type_name
from cypher_sql.errors import Fault
from cypher_sql.failing import failing
from cypher_sql.mixed import checked_number, checked_scalar, float_number, listed
from cypher_sql.operators import written
from cypher_sql.scope import Compilation, EdgeRow, Unsuitable, Value
from cypher_sql.values import (
    ANY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INTEGER,
    MAP,
    NUMBERS,
    STRING,
    Kind,
    Sql,
    SqlType,
    common_type,
    list_of,
)

# More than any question needs; beyond, one function could fill the memory.
_LONGEST_RANGE = 10_000
_LONGEST_TEXT = 1_000_000

type Implementation = Callable[[Compilation, list[Value]], Value]

AGGREGATES = frozenset({"count", "collect", "min", "max", "avg", "sum"})

# Functions that openCypher has and this language doesn't.
_ELSEWHERE = frozenset(
    [
        "acos",
        "asin",
        "atan",
        "atan2",
        "cos",
        "cot",
        "degrees",
        "duration",
        "e",
        "haversin",
        "localdatetime",
        "localtime",
        "datetime",
        "percentilecont",
        "percentiledisc",
        "pi",
        "point",
        "distance",
        "radians",
        "rand",
        "reduce",
        "sin",
        "stdev",
        "stdevp",
        "tan",
        "time",
        "timestamp",
    ]
)


def apply_function(compilation: Compilation, name: str, arguments: list[Value]) -> Value:
    """The value of a call. Raises Unsuitable for unknown names, wrong numbers of arguments and wrong types."""
    if name not in _FUNCTIONS:
        near = get_close_matches(name, [*_FUNCTIONS, *AGGREGATES], n=3)
        hint = f"Did you mean {', '.join(near)}?" if near else ""
        raise Unsuitable(f"There is no function {name}().", hint, Fault.BEYOND if name in _ELSEWHERE else Fault.SYNTAX)
    implementation, fewest, most = _FUNCTIONS[name]
    if not fewest <= len(arguments) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise Unsuitable(f"{name}() takes {wanted} arguments, not {len(arguments)}.")
    return implementation(compilation, arguments)


def _null_or(value: Value, kinds: frozenset[Kind], what: str) -> Sql:
    if value.type.kind not in kinds | {Kind.NULL}:
        fault = Fault.BEYOND if value.type.kind is Kind.ANY else Fault.SYNTAX
        raise Unsuitable(f"A {what} is needed, this is a {value.type}.", fault=fault)
    return value.sql


def _text(value: Value) -> Sql:
    if value.type.kind is Kind.ANY:
        return json_text(value.sql)
    return sa.cast(_null_or(value, frozenset({Kind.STRING}), "string"), sa.Text())


def _number(compilation: Compilation, value: Value) -> Sql:
    return float_number(compilation, value) if value.type.kind is Kind.ANY else _null_or(value, NUMBERS, "number")


def _whole(value: Value) -> Sql:
    return sa.cast(_null_or(value, frozenset({Kind.INTEGER}), "whole number"), sa.Integer())


def _of_text(name: str) -> Implementation:
    return lambda _, arguments: Value(sa.Function[str](name, _text(arguments[0]), type_=sa.Text()), STRING)


def _of_number(name: str) -> Implementation:
    return lambda compilation, arguments: Value(
        sa.Function[float](name, sa.cast(_number(compilation, arguments[0]), DOUBLE), type_=DOUBLE), FLOAT
    )


def _absolute(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.ANY:
        number = sa.cast(json_text(checked_number(compilation, value)), sa.Numeric())
        return Value(sa.func.to_jsonb(sa.func.abs(number), type_=pg.JSONB()), ANY)
    return Value(sa.func.abs(_number(compilation, value)), value.type)


def _round(compilation: Compilation, arguments: list[Value]) -> Value:
    number = sa.cast(_number(compilation, arguments[0]), sa.Numeric())
    digits = _whole(arguments[1]) if len(arguments) > 1 else sa.literal(0, sa.Integer())
    return Value(sa.cast(sa.func.round(number, digits), DOUBLE), FLOAT)


def _sign(compilation: Compilation, arguments: list[Value]) -> Value:
    return count_value(sa.func.sign(_number(compilation, arguments[0])))


def _substring(_: Compilation, arguments: list[Value]) -> Value:
    start = _whole(arguments[1]) + 1
    rest = (_whole(arguments[2]),) if len(arguments) > 2 else ()
    return Value(sa.func.substr(_text(arguments[0]), start, *rest, type_=sa.Text()), STRING)


def _side(name: str) -> Implementation:
    return lambda _, arguments: Value(
        sa.Function[str](name, _text(arguments[0]), sa.func.greatest(_whole(arguments[1]), 0), type_=sa.Text()), STRING
    )


def _replace(compilation: Compilation, arguments: list[Value]) -> Value:
    held = Held(compilation, *map(_text, arguments))
    whole, old, new = held.parts
    largest = sa.cast(sa.func.length(whole), sa.BigInteger()) * sa.func.greatest(sa.func.length(new), 1)
    replaced = sa.func.replace(whole, old, new, type_=sa.Text())
    return Value(held.computing(_unless_beyond(_LONGEST_TEXT, largest, replaced, sa.Text())), STRING)


def _split(_: Compilation, arguments: list[Value]) -> Value:
    return Value(sa.func.string_to_array(*map(_text, arguments), type_=pg.ARRAY(sa.Text())), list_of(STRING))


def _reverse(_: Compilation, arguments: list[Value]) -> Value:
    return Value(sa.func.reverse(_text(arguments[0]), type_=sa.Text()), STRING)


def _size(_: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    match value.type.kind:
        case Kind.LIST:
            return count_value(sa.func.cardinality(value.sql))
        case Kind.ANY:
            is_list = sa.func.jsonb_typeof(value.sql) == sa.literal("array", sa.Text())
            listed = sa.func.jsonb_array_length(sa.case((is_list, value.sql)))
            return count_value(sa.case((is_list, listed), else_=sa.func.length(json_text(value.sql))))
        case _:
            return count_value(sa.func.length(_text(value)))


def _length(_: Compilation, arguments: list[Value]) -> Value:
    path = _null_or(arguments[0], frozenset({Kind.PATH}), "path")
    listed = sa.cast(path, pg.JSONB()).op("->", return_type=pg.JSONB())(sa.literal("relationships", sa.Text()))
    return count_value(sa.func.jsonb_array_length(listed))


def _nodes(compilation: Compilation, arguments: list[Value]) -> Value:
    return path_nodes(compilation, sa.cast(_null_or(arguments[0], frozenset({Kind.PATH}), "path"), pg.JSONB()))


def _relationships(compilation: Compilation, arguments: list[Value]) -> Value:
    return path_relationships(compilation, sa.cast(_null_or(arguments[0], frozenset({Kind.PATH}), "path"), pg.JSONB()))


def _labels(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), pg.ARRAY(sa.Text())), list_of(STRING))
    return node_labels(compilation, _null_or(value, frozenset({Kind.NODE}), "node"))


def relationship_member(value: Value, member: str) -> Sql:
    """`id`, `type`, `start` or `end` of a relationship, as JSON."""
    return stored_relationship(value).op("->", return_type=pg.JSONB())(sa.literal(member, sa.Text()))


def stored_relationship(value: Value) -> Sql:
    """A relationship as JSON. Raises Unsuitable for anything else."""
    if value.type.kind not in (Kind.RELATIONSHIP, Kind.NULL):
        fault = Fault.BEYOND if value.type.kind is Kind.ANY else Fault.SYNTAX
        raise Unsuitable(f"A relationship is needed, this is a {value.type}.", fault=fault)
    return sa.cast(stored(value).sql, pg.JSONB())


def _type(_: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if isinstance(value.row, EdgeRow):
        return Value(type_name(value.row), STRING)
    return Value(json_text(relationship_member(value, "type")), STRING)


def _id(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.NODE:
        is_number = isinstance(compilation.schema.node_id_type, sa.Integer)
        return Value(value.sql, INTEGER) if is_number else Value(sa.cast(value.sql, sa.Text()), STRING)
    if isinstance(value.row, EdgeRow):
        return Value(sa.cast(value.row.element.c.id, sa.Text()), STRING)
    return Value(json_text(relationship_member(value, "id")), STRING)


def _end_node(member: str, column: str) -> Implementation:
    def implementation(compilation: Compilation, arguments: list[Value]) -> Value:
        (value,) = arguments
        if isinstance(value.row, EdgeRow):
            return node_value(value.row.element.c[column])
        found = json_text(relationship_member(value, member))
        return node_value(sa.cast(found, compilation.schema.node_id_type))

    return implementation


def _coalesce(compilation: Compilation, arguments: list[Value]) -> Value:
    wanted = common_type(value.type for value in arguments)
    plain = [coerce(compilation, stored(value), wanted) for value in arguments]
    return Value(sa.func.coalesce(*(value.sql for value in plain), type_=compilation.sql_type(wanted)), wanted)


def _to_string(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.ANY:
        return Value(json_text(checked_scalar(compilation, value, "number", "boolean", "string")), STRING)
    _null_or(value, NUMBERS | {Kind.BOOLEAN, Kind.STRING, Kind.DATE}, "number, boolean, string or date")
    return Value(written(value), STRING)


_NUMERAL = r"^\s*[+-]?(\d{1,15}(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?\s*$"


def _parsed_number(compilation: Compilation, value: Value) -> Sql:
    if value.type.kind in NUMBERS | {Kind.NULL}:
        return sa.cast(value.sql, DOUBLE)
    is_open = value.type.kind is Kind.ANY
    spelled = json_text(checked_scalar(compilation, value, "number", "string")) if is_open else _text(value)
    held = Held(compilation, spelled)
    (numeral,) = held.parts
    return held.computing(sa.case((numeral.regexp_match(_NUMERAL), sa.cast(numeral, DOUBLE))))


def _to_float(compilation: Compilation, arguments: list[Value]) -> Value:
    return Value(_parsed_number(compilation, arguments[0]), FLOAT)


def _to_integer(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.INTEGER:
        return value
    return Value(sa.cast(sa.func.trunc(_parsed_number(compilation, value)), sa.BigInteger()), INTEGER)


def _to_boolean(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.BOOLEAN:
        return value
    is_open = value.type.kind is Kind.ANY
    spelled = json_text(checked_scalar(compilation, value, "boolean", "string")) if is_open else _text(value)
    known = ((sa.func.lower(spelled) == sa.literal(name, sa.Text()), result) for name, result in _TRUTHS.items())
    return Value(sa.case(*known), BOOLEAN)


_TRUTHS = {"true": sa.true(), "false": sa.false()}


def _head(compilation: Compilation, arguments: list[Value]) -> Value:
    members = _list(compilation, arguments[0])
    return Value(Grouping(members.sql)[1], members.type.element or STRING)


def _last(compilation: Compilation, arguments: list[Value]) -> Value:
    members = _list(compilation, arguments[0])
    return Value(Grouping(members.sql)[sa.func.cardinality(members.sql)], members.type.element or STRING)


def _tail(compilation: Compilation, arguments: list[Value]) -> Value:
    members = _list(compilation, arguments[0])
    return Value(Grouping(members.sql)[2 : sa.func.cardinality(members.sql)], members.type)


def _list(compilation: Compilation, value: Value) -> Value:
    if value.type.kind is Kind.ANY:
        return listed(compilation, value)
    if value.type.kind is not Kind.LIST:
        raise Unsuitable(f"A list is needed, this is a {value.type}.")
    return value


def _range(compilation: Compilation, arguments: list[Value]) -> Value:
    given = [sa.cast(_whole(value), sa.BigInteger()) for value in arguments]
    held = Held(compilation, *given, *([] if len(given) > 2 else [sa.literal(1, sa.BigInteger())]))
    start, stop, step = held.parts
    last = _unless_beyond(_LONGEST_RANGE, sa.func.abs(stop - start) / sa.func.abs(step), stop, sa.BigInteger())
    series = sa.select(sa.func.generate_series(start, last, step)).correlate_except().scalar_subquery()
    return Value(held.computing(sa.func.array(series, type_=pg.ARRAY(sa.BigInteger()))), list_of(INTEGER))


def _unless_beyond(bound: int, size: Sql, result: Sql, of: SqlType) -> Sql:
    """The result, or a failure when a size is beyond a bound."""
    complaint = failing(Fault.BEYOND, f"more than {bound} members or characters are too many: ", size, of)
    return sa.case((size > bound, complaint), else_=result)


# PostgreSQL reads many more, some of them otherwise than openCypher.
_CALENDAR_DATE = r"^\d{4}-\d{2}-\d{2}$|^\d{8}$"


def _date(compilation: Compilation, arguments: list[Value]) -> Value:
    if not arguments:
        return Value(sa.func.current_date(type_=sa.Date()), DATE)
    (value,) = arguments
    if value.type.kind is Kind.DATE:
        return value
    if value.type.kind not in (Kind.STRING, Kind.ANY, Kind.NULL):
        raise Unsuitable(f"A date can't be made from a {value.type}.", "Write date('1998-10-23').", Fault.BEYOND)
    held = Held(compilation, _text(value))
    (spelled,) = held.parts
    complaint = failing(Fault.BEYOND, "a date is written 1998-10-23, not ", spelled, sa.Date())
    suits = sa.or_(spelled.is_(None), spelled.regexp_match(_CALENDAR_DATE))
    return Value(held.computing(sa.case((suits, sa.cast(spelled, sa.Date())), else_=complaint)), DATE)


def properties_of(compilation: Compilation, value: Value) -> Value:
    """The properties of a node or relationship as a map; a map is its own. Raises Unsuitable for anything else."""
    described = as_json(compilation, value)
    match value.type.kind:
        case Kind.NODE | Kind.RELATIONSHIP:
            return Value(described.op("->", return_type=pg.JSONB())(sa.literal("properties", sa.Text())), MAP)
        case Kind.MAP | Kind.NULL:
            return Value(described, MAP)
        case Kind.ANY:
            raise Unsuitable("What this is shows only as the query runs.", fault=Fault.BEYOND)
        case _:
            raise Unsuitable(f"A {value.type} has no properties.")


def _properties(compilation: Compilation, arguments: list[Value]) -> Value:
    return properties_of(compilation, arguments[0])


def _keys(compilation: Compilation, arguments: list[Value]) -> Value:
    names = sa.select(sa.func.jsonb_object_keys(properties_of(compilation, arguments[0]).sql)).scalar_subquery()
    listed = sa.func.array(names, type_=pg.ARRAY(sa.Text()))
    return Value(sa.case((arguments[0].sql.is_not(None), listed)), list_of(STRING))


_FUNCTIONS: dict[str, tuple[Implementation, int, int]] = {
    "abs": (_absolute, 1, 1),
    "ceil": (_of_number("ceil"), 1, 1),
    "floor": (_of_number("floor"), 1, 1),
    "round": (_round, 1, 2),
    "sqrt": (_of_number("sqrt"), 1, 1),
    "exp": (_of_number("exp"), 1, 1),
    "log": (_of_number("ln"), 1, 1),
    "log10": (_of_number("log10"), 1, 1),
    "sign": (_sign, 1, 1),
    "tolower": (_of_text("lower"), 1, 1),
    "toupper": (_of_text("upper"), 1, 1),
    "lower": (_of_text("lower"), 1, 1),
    "upper": (_of_text("upper"), 1, 1),
    "trim": (_of_text("btrim"), 1, 1),
    "ltrim": (_of_text("ltrim"), 1, 1),
    "rtrim": (_of_text("rtrim"), 1, 1),
    "reverse": (_reverse, 1, 1),
    "replace": (_replace, 3, 3),
    "split": (_split, 2, 2),
    "substring": (_substring, 2, 3),
    "left": (_side("left"), 2, 2),
    "right": (_side("right"), 2, 2),
    "size": (_size, 1, 1),
    "length": (_length, 1, 1),
    "nodes": (_nodes, 1, 1),
    "relationships": (_relationships, 1, 1),
    "labels": (_labels, 1, 1),
    "type": (_type, 1, 1),
    "id": (_id, 1, 1),
    "startnode": (_end_node("start", "source"), 1, 1),
    "endnode": (_end_node("end", "target"), 1, 1),
    "keys": (_keys, 1, 1),
    "properties": (_properties, 1, 1),
    "coalesce": (_coalesce, 1, 20),
    "tostring": (_to_string, 1, 1),
    "tointeger": (_to_integer, 1, 1),
    "tofloat": (_to_float, 1, 1),
    "toboolean": (_to_boolean, 1, 1),
    "head": (_head, 1, 1),
    "last": (_last, 1, 1),
    "tail": (_tail, 1, 1),
    "range": (_range, 2, 3),
    "date": (_date, 0, 1),
}
