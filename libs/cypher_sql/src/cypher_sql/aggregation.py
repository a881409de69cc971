"""Groups and aggregates: one SELECT computes keys and arguments, the one around it groups them."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql import syntax
from cypher_sql.conversion import coerce, stored
from cypher_sql.expressions import compile_expression
from cypher_sql.operators import by_code_point
from cypher_sql.scope import Compilation, Frame, Place, Unsuitable, Value, pointing_at, refused
from cypher_sql.syntax import Expression, Item
from cypher_sql.values import DOUBLE, FLOAT, INTEGER, NUMBERS, Kind, Sql, list_of
from cypher_sql.walking import aggregates


def aggregate(place: Place, items: Sequence[Item], order_by: Sequence[syntax.SortKey]) -> Place:
    """A place in which the groups and the aggregates of some items and sort keys are computed, and nothing else is."""
    keys = _unique([item.expression for item in items if not aggregates(item.expression)])
    wanted = [*(item.expression for item in items), *(key.expression for key in order_by)]
    calls = _unique([call for expression in wanted for call in aggregates(expression)])
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
    column = value.sql.distinct() if call.distinct else value.sql
    match call.function:
        case "count":
            return Value(sa.func.count(column), INTEGER)
        case "collect":
            return _collected(compilation, call, value)
        case "min" | "max":
            return _extreme(call, value)
        case "avg":
            return Value(sa.cast(sa.func.avg(_numbers(call, value, column)), DOUBLE), FLOAT)
        case _:
            total = sa.func.coalesce(sa.func.sum(_numbers(call, value, column)), 0)
            kind = INTEGER if value.type.kind is Kind.NULL else value.type
            return Value(sa.cast(total, compilation.sql_type(kind)), kind)


def _numbers(call: syntax.Call, value: Value, column: Sql) -> Sql:
    if value.type.kind not in NUMBERS | {Kind.NULL}:
        raise Unsuitable(f"{call.function}() can't take a {value.type}.", "Convert with toInteger() or toFloat().")
    return sa.cast(column, sa.Numeric()) if value.type.kind is Kind.NULL else column


def _extreme(call: syntax.Call, value: Value) -> Value:
    if value.type.kind not in NUMBERS | {Kind.NULL, Kind.STRING, Kind.DATE, Kind.BOOLEAN}:
        raise Unsuitable(
            f"{call.function}() can't take a {value.type}.", "Sort with ORDER BY and take the first with LIMIT 1."
        )
    if value.type.kind is Kind.BOOLEAN:
        return Value((sa.func.bool_and if call.function == "min" else sa.func.bool_or)(value.sql), value.type)
    column = by_code_point(value.sql) if value.type.kind is Kind.STRING else value.sql
    return Value(sa.Function[object](call.function, column, type_=value.sql.type), value.type)


def _collected(compilation: Compilation, call: syntax.Call, value: Value) -> Value:
    wanted = list_of(value.type)
    element = wanted.element or value.type
    member = coerce(compilation, value, element).sql
    as_sql = compilation.sql_type(wanted)
    listed = sa.func.array_agg(member.distinct() if call.distinct else member, type_=as_sql)
    empty = sa.cast(pg.array([], type_=compilation.sql_type(element)), as_sql)
    return Value(sa.func.coalesce(listed.filter(value.sql.is_not(None)), empty, type_=as_sql), wanted)
