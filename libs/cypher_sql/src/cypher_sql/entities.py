"""Nodes and relationships in SQL: their properties, labels and types, and the JSON they are returned as."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import batched

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.errors import Fault
from cypher_sql.schema import NodeSource, Property, RelationshipType
from cypher_sql.scope import ANY_TYPE, Compilation, EdgeRow, Element, NodeRow, Unsuitable, Value
from cypher_sql.values import ANY, INTEGER, NODE, NULL, STRING, Kind, Sql, ValueType, common_type, list_of

# PostgreSQL takes a hundred arguments; a property is two.
_PROPERTIES_PER_CALL = 40


def text(value: str) -> Sql:
    """A bound text."""
    return sa.literal(value, sa.Text())


def json_null() -> Sql:
    """SQL's null, as JSON."""
    return sa.cast(sa.null(), pg.JSONB())


def unknown_name(what: str, name: str, known: Iterable[str]) -> Unsuitable:
    """A refusal that names what was perhaps meant."""
    names = sorted(set(known))
    near = get_close_matches(name, names, n=3, cutoff=0.5) or names[:12]
    return Unsuitable(f"There is no {what} {name!r}.", f"Known: {', '.join(near)}." if near else "", Fault.BEYOND)


def node_property(compilation: Compilation, node: Value, name: str) -> Value:
    """A property of a node: from the row at hand if it has it, else looked up by id in every source that may."""
    if isinstance(node.row, NodeRow):
        found = _of_row(node.row.element, node.row.source, name)
        if found is not None:
            return found
    lookups = [
        value for source in _sources(compilation, node.type) if (value := _lookup(compilation, source, node.sql, name))
    ]
    if lookups:
        return _first_known(compilation, lookups)
    if compilation.schema.is_open:
        return Value(sa.null(), NULL)
    known = [each.name for source in _sources(compilation, node.type) for each in source.properties]
    what = f"property of {' or '.join(node.type.labels)} named" if node.type.labels else "property"
    raise unknown_name(what, name, known)


def edge_property(compilation: Compilation, row: EdgeRow, name: str) -> Value:
    """A property of a relationship whose row is at hand."""
    declared = [(each, found) for each in row.types if (found := each.property(name)) is not None]
    if declared:
        columns = {found.source_column for _, found in declared}
        of_type = common_type(found.type for _, found in declared)
        if len(columns) == 1 and len(declared) == len(row.types):
            return Value(row.element.c[columns.pop()], of_type)
        branches: list[tuple[Sql, Sql]] = []
        for each, found in declared:
            column = row.element.c[found.source_column]
            value = _json_of(column, found.type) if of_type.kind is Kind.ANY else column
            branches.append((row.element.c.type == type_code(each), value))
        return Value(sa.case(*branches), of_type)
    bag = row.types[0].edges.bag if row.types else None
    if bag is not None:
        return Value(_from_bag(row.element.c[bag], name), ANY)
    if compilation.schema.is_open:
        return Value(sa.null(), NULL)
    known = [found.name for each in row.types for found in each.properties]
    raise unknown_name("relationship property", name, known)


def node_labels(compilation: Compilation, node: Sql) -> Value:
    """A node's labels, as a list."""
    rows = _narrow(compilation, compilation.schema.nodes, "labels")
    labels = sa.select(rows.c.labels).where(rows.c.id == node).correlate_except(rows)
    return Value(labels.scalar_subquery(), list_of(STRING))


def has_label(compilation: Compilation, node: Sql, label: str) -> Sql:
    """Whether a node that is not null has a label."""
    declared = compilation.schema.label(label)
    if declared is None:
        check_label(compilation, label)
        everything = _narrow(compilation, compilation.schema.nodes, "labels")
        return node.in_(sa.select(everything.c.id).where(text(label) == sa.any_(everything.c.labels)))
    rows = _narrow(compilation, declared.source)
    return node.in_(sa.select(rows.c.id))


def check_label(compilation: Compilation, label: str) -> None:
    """Refuse a label that can't exist."""
    if compilation.schema.label(label) is None and not compilation.schema.is_open:
        raise unknown_name("label", label, (each.name for each in compilation.schema.labels))


def type_name(row: EdgeRow) -> Sql:
    """The name of a relationship's type."""
    if any(each.name == ANY_TYPE for each in row.types):
        return sa.cast(row.element.c.type, sa.Text())
    if len(row.types) == 1:
        return text(row.types[0].name)
    return sa.case(*((row.element.c.type == type_code(each), text(each.name)) for each in row.types))


def type_code(of: RelationshipType) -> Sql:
    """What the `type` column of a type's rows holds."""
    return sa.literal(of.code, sa.Integer()) if isinstance(of.code, int) else text(of.code)


def node_json(compilation: Compilation, node: Value) -> Sql:
    """`{"id", "labels", "properties"}`; null for null."""
    nodes = compilation.schema.nodes
    base = nodes.rows.subquery(compilation.name("node"))
    properties = properties_json(base, nodes.properties, nodes.bag)
    for source in _sources(compilation, node.type):
        if source is nodes:
            continue
        rows = source.rows.subquery(compilation.name("node"))
        found = sa.select(properties_json(rows, source.properties, source.bag)).where(rows.c.id == base.c.id)
        properties = properties.op("||", return_type=pg.JSONB())(
            sa.func.coalesce(found.correlate_except(rows).scalar_subquery(), sa.cast(text("{}"), pg.JSONB()))
        )
    body = json_object(
        {"id": sa.func.to_jsonb(base.c.id), "labels": sa.func.to_jsonb(base.c.labels), "properties": properties}
    )
    return sa.select(body).where(base.c.id == node.sql).correlate_except(base).scalar_subquery()


def edge_json(row: EdgeRow) -> Sql:
    """`{"id", "type", "start", "end", "properties"}`"""
    element = row.element
    declared = {found.name: found for each in row.types for found in each.properties}
    bag = row.types[0].edges.bag if row.types else None
    return json_object(
        {
            "id": sa.func.to_jsonb(element.c.id),
            "type": sa.func.to_jsonb(type_name(row)),
            "start": sa.func.to_jsonb(element.c.source),
            "end": sa.func.to_jsonb(element.c.target),
            "properties": properties_json(element, tuple(declared.values()), bag),
        }
    )


def float_json(value: Sql) -> Sql:
    """A float as JSON, always with a point, as it is told apart from an integer by that. NaN and infinity fail."""
    point = sa.cast(sa.literal("0.0", sa.Text()), sa.Numeric())
    written = sa.cast(sa.cast(value, sa.Text()), sa.Numeric()) + point
    return sa.cast(sa.cast(written, sa.Text()), pg.JSONB())


def json_object(members: dict[str, Sql]) -> Sql:
    """An object of JSON values."""
    arguments = [part for key, value in members.items() for part in (text(key), value)]
    return sa.func.jsonb_build_object(*arguments, type_=pg.JSONB())


def properties_json(element: Element, properties: Sequence[Property], bag: str | None) -> Sql:
    """The properties of a row that are not null, as an object."""
    result: Sql = sa.cast(text("{}"), pg.JSONB()) if bag is None else element.c[bag]
    for some in batched(properties, _PROPERTIES_PER_CALL):
        members = json_object({each.name: _json_of(element.c[each.source_column], each.type) for each in some})
        result = result.op("||", return_type=pg.JSONB())(sa.func.jsonb_strip_nulls(members, type_=pg.JSONB()))
    return result


def node_id_from_json(compilation: Compilation, member: Sql) -> Sql:
    """A node's id out of the JSON number or text that it was written as."""
    return sa.cast(json_text(member), compilation.schema.node_id_type)


def json_text(value: Sql) -> Sql:
    """A JSON scalar's text, unquoted."""
    return value.op("#>>", return_type=sa.Text())(sa.cast(pg.array([], type_=sa.Text()), pg.ARRAY(sa.Text())))


def _sources(compilation: Compilation, of: ValueType) -> list[NodeSource]:
    schema = compilation.schema
    declared = [label.source for name in of.labels if (label := schema.label(name)) is not None]
    if declared and len(declared) == len(of.labels):
        return [*declared, schema.nodes]
    return [schema.nodes, *(label.source for label in schema.labels)]


def _of_row(element: Element, source: NodeSource, name: str) -> Value | None:
    declared = source.property(name)
    if declared is not None:
        return Value(element.c[declared.source_column], declared.type)
    return None if source.bag is None else Value(_from_bag(element.c[source.bag], name), ANY)


def _lookup(compilation: Compilation, source: NodeSource, node: Sql, name: str) -> Value | None:
    declared = source.property(name)
    column = source.bag if declared is None else declared.source_column
    if column is None:
        return None
    rows = _narrow(compilation, source, column)
    value = _of_row(rows, source, name)
    if value is None:
        return None
    found = sa.select(value.sql).where(rows.c.id == node).correlate_except(rows)
    return Value(found.scalar_subquery(), value.type)


def _json_of(column: Sql, of: ValueType) -> Sql:
    """A stored property as JSON."""
    return float_json(column) if of.kind is Kind.FLOAT else sa.func.to_jsonb(column, type_=pg.JSONB())


def _first_known(compilation: Compilation, lookups: list[Value]) -> Value:
    of_type = common_type(value.type for value in lookups)
    if of_type.kind is Kind.ANY:
        parts = [_json_of(value.sql, value.type) for value in lookups]
        return Value(sa.func.coalesce(*parts), ANY)
    if len(lookups) == 1:
        return lookups[0]
    as_sql = compilation.sql_type(of_type)
    return Value(sa.func.coalesce(*(sa.cast(value.sql, as_sql) for value in lookups)), of_type)


def _narrow(compilation: Compilation, source: NodeSource, *columns: str) -> sa.Subquery:
    wanted = {"id", *columns}
    kept = [column for column in source.rows.selected_columns if column.key in wanted]
    rows = source.rows.with_only_columns(*kept, maintain_column_froms=True)
    return rows.subquery(compilation.name("node"))


def _from_bag(bag: Sql, name: str) -> Sql:
    member = bag.op("->", return_type=pg.JSONB())(text(name))
    return sa.func.nullif(member, sa.cast(text("null"), pg.JSONB()), type_=pg.JSONB())


def node_value(sql: Sql, labels: tuple[str, ...] = (), row: NodeRow | None = None) -> Value:
    """A node by its id."""
    return Value(sql, ValueType(Kind.NODE, labels=labels) if labels else NODE, row)


def count_value(sql: Sql) -> Value:
    """A whole number."""
    return Value(sa.cast(sql, sa.BigInteger()), INTEGER)
