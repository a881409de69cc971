"""Relationship types as patterns name them, and the one SELECT that yields them."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.entities import properties_json, text, type_code, unknown_name
from cypher_sql.schema import EdgeSource, RelationshipType, Rows
from cypher_sql.scope import ANY_TYPE, Compilation, Element
from cypher_sql.values import Sql


def relationship_types(compilation: Compilation, names: Sequence[str]) -> tuple[RelationshipType, ...]:
    """The types of these names, all types for no name; refuses those that can't exist.

    All are of one source: types of several come as types of a source made of them.
    """
    schema = compilation.schema
    if not names and schema.open_edges is not None:
        return (RelationshipType(ANY_TYPE, schema.open_edges, ANY_TYPE),)
    found: dict[str, RelationshipType] = {}
    for name in names or [each.name for each in schema.relationships]:
        declared = schema.relationship(name)
        if declared is None and schema.open_edges is not None:
            declared = RelationshipType(name, schema.open_edges, name)
        if declared is None:
            raise unknown_name("relationship type", name, (each.name for each in schema.relationships))
        found[name] = declared
    types = tuple(found.values())
    return types if len({each.edges for each in types}) <= 1 else _of_one_source(types)


def type_condition(element: Element, types: Sequence[RelationshipType]) -> Sql:
    """That a row of an edge source is of one of some types."""
    if any(each.name == ANY_TYPE for each in types):
        return sa.true()
    codes = [type_code(each) for each in types]
    return element.c.type == codes[0] if len(codes) == 1 else element.c.type.in_(codes)


def _of_one_source(types: Sequence[RelationshipType]) -> tuple[RelationshipType, ...]:
    selects: list[Rows] = []
    for each in types:
        rows = each.edges.rows.subquery()
        columns: list[Sql] = [
            sa.cast(rows.c.id, sa.Text()).label("id"),
            rows.c.source,
            rows.c.target,
            text(each.name).label("type"),
            properties_json(rows, each.properties, each.edges.bag).label("properties"),
        ]
        selects.append(sa.select(*columns).where(rows.c.type == type_code(each)))
    together = sa.union_all(*selects).subquery()
    source = EdgeSource(sa.select(*together.c), bag="properties")
    return tuple(
        RelationshipType(each.name, source, each.name, each.starts, each.ends, description=each.description)
        for each in types
    )


def array_of_text(array: Sql) -> Sql:
    """An array's members as texts, for comparing ids of different sources."""
    return sa.cast(array, pg.ARRAY(sa.Text()))
