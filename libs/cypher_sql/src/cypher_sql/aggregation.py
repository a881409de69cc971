"""Groups and aggregates: one SELECT computes keys and arguments, the one around it groups them."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql import syntax
from cypher_sql.conversion import as_json, coerce, stored
from cypher_sql.entities import float_json, json_text
from cypher_sql.errors import Fault
from cypher_sql.expressions import compile_expression
from cypher_sql.mixed import checked_number, float_number, is_whole
from cypher_sql.operators import by_code_point, sort_columns
from cypher_sql.scope import Compilation, Frame, Place, Unsuitable, Value, pointing_at, refused
from cypher_sql.syntax import Expression, Item
from cypher_sql.values import ANY, DOUBLE, FLOAT, INTEGER, NUMBERS, Kind, Sql, list_of
from cypher_sql.walking import aggregates, is_aggregate


def aggregate(place: Place, items: Sequence[Item], order_by: Sequence[syntax.SortKey]) -> Place:
    """A place in which the groups and the aggregates of some items and sort keys are computed, and nothing else is."""
    keys = _unique([item.expression for item in items if not aggregates(item.expression)])
    calls = _unique([call for item in items for call in aggregates(item.expression)])
    for call in (call for key in order_by for call in aggregates(key.expression)):
        if call not in calls:
            raise refused(call, f"{call.function}() is sorted by but not returned.", "Return it too.")
    key_values = [stored(compile_expression(place, key)) for key in keys]
    argument_values = [_argument(place, call) for call in calls]
    labelled = [value.sql.label(f"input_{number}") for number, value in enumerate([*key_values, *argument_values], 1)]
    rows = place.frame.select(*labelled).subquery(place.compilation.name("inputs"))
    columns = list(rows.c)
    grouped = _Grouped(rows, columns[: len(keys)])
    computed: dict[Expression, Value] = {}
    for key, value, column in zip(keys, key_values, columns, strict=False):
        computed[key] = Value(column, value.type)
    for call, value, column in zip(calls, argument_values, columns[len(keys) :], strict=True):
        with pointing_at(call):
            computed[call] = _aggregated(place.compilation, call, Value(column, value.type))
    return Place(place.compilation, grouped, {}, computed, is_grouped=True)


def beside_aggregates(place: Place, expression: Expression) -> Place:
    """The place for one expression: beside an aggregate only names and properties stand for groups by themselves."""
    if not aggregates(expression) or expression in place.computed:
        return place
    plain = {each: value for each, value in place.computed.items() if is_aggregate(each) or _is_plain(each)}
    return Place(place.compilation, place.frame, place.names, plain, place.is_grouped)


def _is_plain(expression: Expression) -> bool:
    if isinstance(expression, syntax.Property):
        return _is_plain(expression.subject)
    return isinstance(expression, syntax.Variable)


class _Grouped(Frame):
    """A frame over the inputs that makes one row of each group."""

    def __init__(self, rows: sa.FromClause, keys: Sequence[Sql]) -> None:
        super().__init__()
        self.add(rows)
        self._keys = keys

    def select(self, *columns: Sql) -> "sa.Select[tuple[object, ...]]":
        """One row for each group; one for all rows without keys."""
        return super().select(*columns).group_by(*self._keys)


def _unique[Each: syntax.Node](nodes: Sequence[Each]) -> list[Each]:
    return list(dict.fromkeys(nodes))


def _argument(place: Place, call: syntax.Call) -> Value:
    if call.star:
        if call.function != "count" or call.distinct:
            raise refused(call, f"{call.function}(*) doesn't exist.", "Only count(*) does.")
        return Value(sa.true(), INTEGER)
    if len(call.arguments) != 1:
        raise refused(call, f"{call.function}() takes one argument.")
    (argument,) = call.arguments
    inner = aggregates(argument)
    if inner:
        raise refused(inner[0], "An aggregate can't be inside another.", "Compute the inner one in a WITH before.")
    return stored(compile_expression(place, argument))


def _aggregated(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    column = _distinct_if(call, value.sql)
    match call.function:
        case "count":
            return Value(sa.func.count(column), INTEGER)
        case "collect":
            return _collected(compilation, call, value)
        case "min" | "max":
            return _extreme(compilation, call, value)
        case "avg" if value.type.kind is Kind.ANY:
            return Value(sa.func.avg(_distinct_if(call, float_number(compilation, value)), type_=DOUBLE), FLOAT)
        case "avg":
            return Value(sa.cast(sa.func.avg(_numbers(call, value, column)), DOUBLE), FLOAT)
        case _ if value.type.kind is Kind.ANY:
            return _mixed_sum(compilation, call, value)
        case _:
            total = sa.func.coalesce(sa.func.sum(_numbers(call, value, column)), 0)
            kind = INTEGER if value.type.kind is Kind.NULL else value.type
            return Value(sa.cast(total, compilation.sql_type(kind)), kind)


def _distinct_if(call: syntax.Call, value: Sql) -> Sql:
    return value.distinct() if call.distinct else value


def _mixed_sum(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    """A whole number of whole numbers, a float as soon as one of them is a float."""
    number = checked_number(compilation, value)
    wholes = sa.func.sum(_distinct_if(call, sa.cast(json_text(number), sa.Numeric())))
    floats = sa.func.sum(_distinct_if(call, float_number(compilation, value)), type_=DOUBLE)
    total = sa.case(
        (sa.func.bool_and(is_whole(number)).is_(False), float_json(floats)),
        else_=sa.func.to_jsonb(sa.cast(sa.func.coalesce(wholes, 0), sa.BigInteger()), type_=pg.JSONB()),
    )
    return Value(total, ANY)


def _numbers(call: syntax.Call, value: Value, column: Sql) -> Sql:
    if value.type.kind not in NUMBERS | {Kind.NULL}:
        raise Unsuitable(f"{call.function}() can't take a {value.type}.", "Convert with toInteger() or toFloat().")
    return sa.cast(column, sa.Numeric()) if value.type.kind is Kind.NULL else column


def _extreme(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    if value.type.kind in (Kind.ANY, Kind.LIST):
        return _first_in_order(compilation, call, value)
    if value.type.kind not in NUMBERS | {Kind.NULL, Kind.STRING, Kind.DATE, Kind.BOOLEAN}:
        raise Unsuitable(
            f"{call.function}() can't take a {value.type}.",
            "Sort with ORDER BY and take the first with LIMIT 1.",
            Fault.BEYOND,
        )
    if value.type.kind is Kind.BOOLEAN:
        return Value((sa.func.bool_and if call.function == "min" else sa.func.bool_or)(value.sql), value.type)
    column = by_code_point(value.sql) if value.type.kind is Kind.STRING else value.sql
    return Value(sa.Function[object](call.function, column, type_=value.sql.type), value.type)


def _first_in_order(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    """The least or the greatest in the order of ORDER BY."""
    keys = sort_columns(compilation, value)
    # As JSON, because an array of arrays would need them all of one length.
    ordered = pg.aggregate_order_by(
        as_json(compilation, value), *(key.asc() if call.function == "min" else key.desc() for key in keys)
    )
    listed = sa.func.array_agg(ordered, type_=pg.ARRAY(pg.JSONB())).filter(value.sql.is_not(None))
    return Value(Grouping(listed)[1], ANY)


def _collected(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    wanted = list_of(value.type)
    element = wanted.element or value.type
    member = coerce(compilation, value, element).sql
    as_sql = compilation.sql_type(wanted)
    listed = sa.func.array_agg(member.distinct() if call.distinct else member, type_=as_sql)
    empty = sa.cast(pg.array([], type_=compilation.sql_type(element)), as_sql)
    return Value(sa.func.coalesce(listed.filter(value.sql.is_not(None)), empty, type_=as_sql), wanted)
