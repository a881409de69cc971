"""A read-only openCypher subset, compiled to one SQLAlchemy Core SELECT with bound parameters.

    query = parse("MATCH (p:Person)-[:DIRECTED]->(f:Film) WHERE f.year >= $from RETURN p.name, count(f) AS films")
    compiled = compile_query(query, schema, {"from": 1990}, Limits(rows=100))
    rows = (await connection.execute(compiled.statement)).all()
    is_cut = len(rows) > compiled.row_limit

The language has no construct that writes. Whatever it can't express, doesn't know or won't do is a QueryRefused with
line, column and what to write instead. A GraphSchema says which SELECTs stand behind labels and relationship types:

    film = NodeSource(sa.select(films.c.id.label("id"), films.c.year, films.c.title), (
        Property("title", STRING), Property("year", INTEGER)))
    everything = NodeSource(sa.select(nodes.c.id.label("id"), sa.array([nodes.c.kind]).label("labels")))
    links = EdgeSource(sa.select(edges.c.id.label("id"), edges.c.src.label("source"), edges.c.dst.label("target"),
        edges.c.rel.label("type"), edges.c.note.label("note")))
    schema = GraphSchema(everything, (NodeLabel("Film", film), …), (
        RelationshipType("DIRECTED", links, code=3, starts=("Person",), ends=("Film",),
            properties=(Property("note", STRING),)), …))
"""

from cypher_sql.compiler import Column, CompiledQuery, compile_query
from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.limits import Limits
from cypher_sql.parser import parse
from cypher_sql.provenance import refuse_written_values
from cypher_sql.run_time import Explain, checked_cost, refusal_of
from cypher_sql.schema import EdgeSource, GraphSchema, NodeLabel, NodeSource, Property, RelationshipType

__all__ = [
    "Column",
    "CompiledQuery",
    "EdgeSource",
    "Explain",
    "Fault",
    "GraphSchema",
    "Limits",
    "NodeLabel",
    "NodeSource",
    "Property",
    "QueryRefused",
    "RelationshipType",
    "checked_cost",
    "compile_query",
    "parse",
    "refusal_of",
    "refuse_written_values",
]
