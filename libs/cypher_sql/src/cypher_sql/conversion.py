"""Values from one type to another."""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.entities import edge_json, float_json, json_object, node_id_from_json, node_json
from cypher_sql.scope import Compilation, EdgeRow, Value
from cypher_sql.values import ANY, NODE, RELATIONSHIP, Kind, Sql, ValueType, list_of


def coerce(compilation: Compilation, value: Value, wanted: ValueType) -> Value:
    """The value as a wider type, see `common_type`."""
    if value.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), compilation.sql_type(wanted)), wanted)
    if value.type == wanted or value.type.kind is wanted.kind is Kind.NODE:
        return Value(value.sql, wanted, value.row)
    if wanted.kind is Kind.LIST and wanted.element is not None:
        return _coerce_list(compilation, value, wanted.element)
    return Value(as_json(compilation, value), ANY)


def _coerce_list(compilation: Compilation, value: Value, element: ValueType) -> Value:
    wanted = list_of(element)
    if element.kind is not Kind.ANY:
        return Value(sa.cast(value.sql, compilation.sql_type(wanted)), wanted)
    return map_list(compilation, value, lambda member: Value(as_json(compilation, member), ANY))


def map_list(compilation: Compilation, value: Value, function: Callable[[Value], Value]) -> Value:
    """A list of what `function` makes of each member, in order; null for null."""
    members, member = unnested(compilation, value)
    result = function(member)
    wanted = list_of(result.type)
    made = stored(coerce(compilation, result, wanted.element or ANY))
    collected = sa.select(sa.func.array_agg(pg.aggregate_order_by(made.sql, members.c.place.asc())))
    found = collected.select_from(members).correlate_except(members).scalar_subquery()
    empty = sa.cast(pg.array([], type_=compilation.sql_type(wanted.element or ANY)), compilation.sql_type(wanted))
    return Value(sa.case((value.sql.is_not(None), sa.func.coalesce(found, empty))), wanted)


def unnested(compilation: Compilation, value: Value) -> tuple[sa.TableValuedAlias, Value]:
    """The members of a list as rows (`member`, `place` from 1), and one member as a value.

    Of a value that only the row knows the type of, null has no members; anything else that is no list fails as the
    query runs, see `refusal_of`.
    """
    if value.type.kind is Kind.ANY:
        return _unnested_json(compilation, value)
    element = value.type.element or ANY
    table = sa.func.unnest(value.sql).table_valued(
        sa.column("member", compilation.sql_type(element)), with_ordinality="place"
    )
    rows = table.render_derived(compilation.name("members"))
    return rows, Value(rows.c.member, element)


def _unnested_json(compilation: Compilation, value: Value) -> tuple[sa.TableValuedAlias, Value]:
    table = sa.func.jsonb_array_elements(_unless_json_null(value.sql)).table_valued(
        sa.column("member", pg.JSONB()), with_ordinality="place"
    )
    rows = table.render_derived(compilation.name("members"))
    return rows, Value(_unless_json_null(rows.c.member), ANY)


def _unless_json_null(value: Sql) -> Sql:
    return sa.func.nullif(value, sa.cast(sa.literal("null", sa.Text()), pg.JSONB()), type_=pg.JSONB())


class Held:
    """Expressions that a computation needs more than once, written once.

    They are columns of a row that the planner doesn't merge into what is around it; nested, they would otherwise
    double with each level.
    """

    def __init__(self, compilation: Compilation, *parts: Sql) -> None:
        labelled = [part.label(f"part_{number}") for number, part in enumerate(parts, 1)]
        self._row = sa.select(*labelled).offset(0).correlate_except().subquery(compilation.name("held"))
        self.parts: tuple[Sql, ...] = tuple(self._row.c)

    def computing(self, result: Sql) -> Sql:
        """What is computed from the parts."""
        return sa.select(result).correlate_except(self._row).scalar_subquery()


def stored(value: Value) -> Value:
    """The value as it leaves its SELECT: a relationship as JSON, an untyped null as text, nothing with a row."""
    if value.type.kind is Kind.RELATIONSHIP and isinstance(value.row, EdgeRow):
        return Value(edge_json(value.row), RELATIONSHIP)
    if value.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), sa.Text()), value.type)
    return Value(value.sql, value.type)


def as_json(compilation: Compilation, value: Value) -> Sql:
    """The value as JSON, nodes and paths in full; SQL's null stays null."""
    match value.type.kind:
        case Kind.NODE:
            return node_json(compilation, value)
        case Kind.RELATIONSHIP:
            return stored(value).sql
        case Kind.PATH:
            return path_json(compilation, value.sql)
        case Kind.NULL:
            return sa.cast(sa.null(), pg.JSONB())
        case Kind.ANY | Kind.MAP:
            return value.sql
        case Kind.FLOAT:
            return float_json(value.sql)
        case Kind.LIST if value.type.element is not None and value.type.element.kind in (Kind.NODE, Kind.FLOAT):
            listed = map_list(compilation, value, lambda member: Value(as_json(compilation, member), ANY))
            return sa.func.to_jsonb(listed.sql, type_=pg.JSONB())
        case _:
            return sa.func.to_jsonb(value.sql, type_=pg.JSONB())


def path_nodes(compilation: Compilation, path: Sql) -> Value:
    """The nodes of a path, a list."""
    ids = _members(compilation, path, "nodes")
    made = sa.func.array_agg(
        pg.aggregate_order_by(node_id_from_json(compilation, ids.c.member), ids.c.place.asc()),
        type_=compilation.sql_type(list_of(NODE)),
    )
    found = sa.select(made).select_from(ids).correlate_except(ids).scalar_subquery()
    return Value(found, list_of(NODE))


def path_relationships(compilation: Compilation, path: Sql) -> Value:
    """The relationships of a path, a list."""
    members = _members(compilation, path, "relationships")
    as_list = pg.ARRAY(pg.JSONB())
    made = sa.func.array_agg(pg.aggregate_order_by(members.c.member, members.c.place.asc()), type_=as_list)
    empty = sa.cast(pg.array([], type_=pg.JSONB()), as_list)
    found = sa.select(made).select_from(members).correlate_except(members).scalar_subquery()
    return Value(sa.case((path.is_not(None), sa.func.coalesce(found, empty))), list_of(RELATIONSHIP))


def path_json(compilation: Compilation, path: Sql) -> Sql:
    """`{"nodes", "relationships"}` with the nodes in full; null for null."""
    nodes = as_json(compilation, path_nodes(compilation, path))
    body = json_object(
        {"nodes": nodes, "relationships": path.op("->", return_type=pg.JSONB())(sa.literal("relationships", sa.Text()))}
    )
    return sa.case((path.is_not(None), body))


def _members(compilation: Compilation, path: Sql, part: str) -> sa.TableValuedAlias:
    listed = path.op("->", return_type=pg.JSONB())(sa.literal(part, sa.Text()))
    table = sa.func.jsonb_array_elements(listed).table_valued(sa.column("member", pg.JSONB()), with_ordinality="place")
    return table.render_derived(compilation.name("members"))
