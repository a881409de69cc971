"""WITH and RETURN: what of the rows goes on, grouped, sorted and cut."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from cypher_sql import syntax
from cypher_sql.aggregation import aggregate, beside_aggregates
from cypher_sql.conversion import stored
from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.expressions import compile_condition, compile_expression
from cypher_sql.operators import sort_columns
from cypher_sql.scope import Frame, Place, Value, refused
from cypher_sql.syntax import Expression, Item, Projection
from cypher_sql.values import Sql
from cypher_sql.walking import aggregates, descendants
from cypher_sql.weights import checked_weight

type Statement = sa.Select[Any]


_KEPT = "kept"


def project(place: Place, projection: Projection, where: Expression | None = None, *, needs_aliases: bool) -> Place:
    """The place after a WITH or RETURN: a new frame with one row source, its names the items' names.

    `where` holds for the rows that go on; it still sees the names from before, as ORDER BY does.
    """
    items = _items(place, projection, needs_aliases=needs_aliases)
    weights = [checked_weight(place, item.expression) for item in items]
    grouped = any(aggregates(item.expression) for item in items)
    inner = aggregate(place, items, projection.order_by) if grouped else place
    values = {
        item.name: stored(compile_expression(beside_aggregates(inner, item.expression), item.expression))
        for item in items
    }
    columns = {name: f"{number}" for number, name in enumerate(values, 1)}
    labelled = [value.sql.label(f"column_{columns[name]}") for name, value in values.items()]
    statement = inner.frame.select(*labelled)
    if projection.distinct:
        statement, sort_place = _distinct(place, items, values, statement)
    else:
        computed = {**inner.computed, **{item.expression: values[item.name] for item in items}}
        names = {**inner.names, **values}
        sort_place = Place(place.compilation, inner.frame, names, computed, is_grouped=grouped)
    statement = _sorted(sort_place, projection.order_by, statement)
    looks_back = where is not None and bool((_named(where) & place.names.keys()) - values.keys())
    if where is not None and looks_back:
        statement = statement.add_columns(compile_condition(sort_place, where).label(_KEPT))
    statement = _cut(place, projection, statement)
    rows = statement.subquery(place.compilation.name("rows"))
    after = _after(place, rows, values, weights)
    if where is not None:
        after.frame.require(rows.c[_KEPT] if looks_back else compile_condition(after, where))
    return after


def _named(node: Expression) -> set[str]:
    """The names that an expression and the patterns in it use."""
    within = list(descendants(node))
    patterns = (each for each in within if isinstance(each, syntax.NodePattern | syntax.RelationshipPattern))
    return {each.name for each in within if isinstance(each, syntax.Variable)} | {
        each.variable for each in patterns if each.variable is not None
    }


def _after(place: Place, rows: sa.Subquery, values: Mapping[str, Value], weights: Sequence[int]) -> Place:
    frame = Frame()
    frame.add(rows)
    names = {
        name: Value(column, value.type, weight=weight)
        for column, (name, value), weight in zip(rows.c, values.items(), weights, strict=False)
    }
    return Place(place.compilation, frame, names)


def _items(place: Place, projection: Projection, *, needs_aliases: bool) -> list[Item]:
    visible = list(place.names) if projection.star else []
    if projection.star and not visible and not projection.items:
        raise refused(projection, "There is nothing that * could stand for.", "Name what to return.")
    items = [Item(syntax.Variable(name, at=projection.at), name, True, at=projection.at) for name in visible]
    for item in projection.items:
        _check_item(item)
        if needs_aliases and not item.has_alias and not isinstance(item.expression, syntax.Variable):
            raise refused(item, "An expression in WITH needs a name.", "Write … AS name.")
        items.append(item)
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            raise refused(item, f"Two columns are named {item.name}.", "Give one of them another name with AS.")
        seen.add(item.name)
    return items


def _check_item(item: Item) -> None:
    if isinstance(item.expression, syntax.PatternPredicate):
        raise refused(item, "A pattern is a condition, not a value.", "Write EXISTS { … } or COUNT { … }.")
    for each in descendants(item.expression):
        if isinstance(each, syntax.ListComprehension | syntax.Quantified) and (inner := aggregates(each)):
            raise refused(
                inner[0], "An aggregate can't be inside a list.", "Compute it in a WITH before.", Fault.BEYOND
            )


def _distinct(
    place: Place, items: Sequence[Item], values: Mapping[str, Value], statement: Statement
) -> tuple[Statement, Place]:
    rows = statement.distinct().subquery(place.compilation.name("rows"))
    frame = Frame()
    frame.add(rows)
    names: dict[str, Value] = {}
    computed: dict[Expression, Value] = {}
    for column, item in zip(rows.c, items, strict=True):
        names[item.name] = computed[item.expression] = Value(column, values[item.name].type)
    labelled = [column.label(column.name) for column in rows.c]
    return frame.select(*labelled), Place(place.compilation, frame, names, computed, is_grouped=True)


def _sorted(place: Place, keys: Sequence[syntax.SortKey], statement: Statement) -> Statement:
    columns: list[Sql] = []
    for key in keys:
        checked_weight(place, key.expression)
        value = compile_expression(beside_aggregates(place, key.expression), key.expression)
        parts = sort_columns(place.compilation, value)
        columns.extend(part.desc() if key.descending else part.asc() for part in parts)
    return statement.order_by(*columns)


def _cut(place: Place, projection: Projection, statement: Statement) -> Statement:
    if projection.skip is not None:
        statement = statement.offset(count_of_rows(place, projection.skip, "SKIP"))
    if projection.limit is not None:
        statement = statement.limit(count_of_rows(place, projection.limit, "LIMIT"))
    return statement


def count_of_rows(place: Place, node: Expression, clause: str) -> int:
    """The number after SKIP or LIMIT. Raises QueryRefused for anything but a constant from 0."""
    value: object = None
    is_parameter = isinstance(node, syntax.Parameter)
    if isinstance(node, syntax.Literal):
        value = node.value
    elif is_parameter:
        value = place.compilation.parameters.get(node.name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        is_computed = any(isinstance(each, syntax.Call | syntax.Binary) for each in descendants(node))
        raise QueryRefused(
            line=node.at.line,
            column=node.at.column,
            message=f"{clause} needs a whole number from 0.",
            hint=f"Write {clause} 10 or {clause} $n.",
            fault=Fault.BEYOND if is_computed and not _named(node) else Fault.SYNTAX,
            at_run_time=is_parameter,
        )
    return value
