"""The functions of the language and the SQL they become; there are no others."""

from collections.abc import Callable
from difflib import get_close_matches

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql.casts import to_boolean, to_date, to_float, to_integer, to_string
from cypher_sql.conversion import Held, as_json, coerce, path_nodes, path_relationships, stored
from cypher_sql.entities import count_value, json_text, node_labels, node_value, type_name
from cypher_sql.equality import only_of
from cypher_sql.errors import Fault
from cypher_sql.failing import failing
from cypher_sql.mixed import checked_number, checked_scalar, listed
from cypher_sql.operands import number_of, of_kinds, text_of, whole_of
from cypher_sql.scope import Compilation, EdgeRow, Unsuitable, Value
from cypher_sql.values import (
    ANY,
    DOUBLE,
    FLOAT,
    INTEGER,
    MAP,
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


def _of_text(name: str) -> Implementation:
    return lambda compilation, arguments: Value(
        sa.Function[str](name, text_of(compilation, arguments[0]), type_=sa.Text()), STRING
    )


def _of_number(name: str) -> Implementation:
    return lambda compilation, arguments: Value(
        sa.Function[float](name, sa.cast(number_of(compilation, arguments[0]), DOUBLE), type_=DOUBLE), FLOAT
    )


def _absolute(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.ANY:
        number = sa.cast(json_text(checked_number(compilation, value)), sa.Numeric())
        return Value(sa.func.to_jsonb(sa.func.abs(number), type_=pg.JSONB()), ANY)
    return Value(sa.func.abs(number_of(compilation, value)), value.type)


def _round(compilation: Compilation, arguments: list[Value]) -> Value:
    number = sa.cast(number_of(compilation, arguments[0]), sa.Numeric())
    digits = whole_of(arguments[1]) if len(arguments) > 1 else sa.literal(0, sa.Integer())
    return Value(sa.cast(sa.func.round(number, digits), DOUBLE), FLOAT)


def _sign(compilation: Compilation, arguments: list[Value]) -> Value:
    return count_value(sa.func.sign(number_of(compilation, arguments[0])))


def _substring(compilation: Compilation, arguments: list[Value]) -> Value:
    start = whole_of(arguments[1]) + 1
    rest = (whole_of(arguments[2]),) if len(arguments) > 2 else ()
    return Value(sa.func.substr(text_of(compilation, arguments[0]), start, *rest, type_=sa.Text()), STRING)


def _side(name: str) -> Implementation:
    def implementation(compilation: Compilation, arguments: list[Value]) -> Value:
        size = sa.func.greatest(whole_of(arguments[1]), 0)
        return Value(sa.Function[str](name, text_of(compilation, arguments[0]), size, type_=sa.Text()), STRING)

    return implementation


def _replace(compilation: Compilation, arguments: list[Value]) -> Value:
    held = Held(compilation, *(text_of(compilation, each) for each in arguments))
    whole, old, new = held.parts
    largest = sa.cast(sa.func.length(whole), sa.BigInteger()) * sa.func.greatest(sa.func.length(new), 1)
    replaced = sa.func.replace(whole, old, new, type_=sa.Text())
    return Value(held.computing(_unless_beyond(_LONGEST_TEXT, largest, replaced, sa.Text())), STRING)


def _split(compilation: Compilation, arguments: list[Value]) -> Value:
    whole, separator = (text_of(compilation, each) for each in arguments)
    return Value(sa.func.string_to_array(whole, separator, type_=pg.ARRAY(sa.Text())), list_of(STRING))


def _reverse(compilation: Compilation, arguments: list[Value]) -> Value:
    return Value(sa.func.reverse(text_of(compilation, arguments[0]), type_=sa.Text()), STRING)


def _size(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    match value.type.kind:
        case Kind.LIST:
            return count_value(sa.func.cardinality(value.sql))
        case Kind.ANY:
            held = Held(compilation, checked_scalar(compilation, value, "array", "string"))
            (whole,) = held.parts
            length = sa.func.coalesce(
                sa.func.jsonb_array_length(only_of(whole, "array")),
                sa.func.length(json_text(only_of(whole, "string"))),
            )
            return count_value(held.computing(length))
        case _:
            return count_value(sa.func.length(text_of(compilation, value)))


def _length(_: Compilation, arguments: list[Value]) -> Value:
    path = of_kinds(arguments[0], frozenset({Kind.PATH}), "path")
    listed = sa.cast(path, pg.JSONB()).op("->", return_type=pg.JSONB())(sa.literal("relationships", sa.Text()))
    return count_value(sa.func.jsonb_array_length(listed))


def _nodes(compilation: Compilation, arguments: list[Value]) -> Value:
    return path_nodes(compilation, sa.cast(of_kinds(arguments[0], frozenset({Kind.PATH}), "path"), pg.JSONB()))


def _relationships(compilation: Compilation, arguments: list[Value]) -> Value:
    return path_relationships(compilation, sa.cast(of_kinds(arguments[0], frozenset({Kind.PATH}), "path"), pg.JSONB()))


def _labels(compilation: Compilation, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), pg.ARRAY(sa.Text())), list_of(STRING))
    return node_labels(compilation, of_kinds(value, frozenset({Kind.NODE}), "node"))


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
    given = [sa.cast(whole_of(value), sa.BigInteger()) for value in arguments]
    held = Held(compilation, *given, *([] if len(given) > 2 else [sa.literal(1, sa.BigInteger())]))
    start, stop, step = held.parts
    last = _unless_beyond(_LONGEST_RANGE, sa.func.abs(stop - start) / sa.func.abs(step), stop, sa.BigInteger())
    series = sa.select(sa.func.generate_series(start, last, step)).correlate_except().scalar_subquery()
    return Value(held.computing(sa.func.array(series, type_=pg.ARRAY(sa.BigInteger()))), list_of(INTEGER))


def _unless_beyond(bound: int, size: Sql, result: Sql, of: SqlType) -> Sql:
    """The result, or a failure when a size is beyond a bound."""
    complaint = failing(Fault.BEYOND, f"more than {bound} members or characters are too many: ", size, of)
    return sa.case((size > bound, complaint), else_=result)


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
    "tostring": (to_string, 1, 1),
    "tointeger": (to_integer, 1, 1),
    "tofloat": (to_float, 1, 1),
    "toboolean": (to_boolean, 1, 1),
    "head": (_head, 1, 1),
    "last": (_last, 1, 1),
    "tail": (_tail, 1, 1),
    "range": (_range, 2, 3),
    "date": (to_date, 0, 1),
}
