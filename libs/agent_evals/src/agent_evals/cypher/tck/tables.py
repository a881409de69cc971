"""All graphs of the scenarios in two tables, and each of them as the language sees it."""

import json
from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from cypher_sql import EdgeSource, GraphSchema, NodeSource
from sqlalchemy.dialects import postgresql as pg

from agent_evals.cypher.database import TableRows
from agent_evals.cypher.tck.made_graph import MadeGraph

METADATA = sa.MetaData()
_nodes = sa.Table(
    "tck_node",
    METADATA,
    sa.Column("graph", sa.Integer, primary_key=True),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("labels", pg.ARRAY(sa.Text), nullable=False),
    sa.Column("bag", pg.JSONB, nullable=False),
)
_edges = sa.Table(
    "tck_edge",
    METADATA,
    sa.Column("graph", sa.Integer, primary_key=True),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("source", sa.Integer, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("bag", pg.JSONB, nullable=False),
)


def graph_schema(graph: int) -> GraphSchema:
    """One graph, without declared labels, types and properties."""

    def rows(table: sa.Table) -> sa.Select[tuple[object, ...]]:
        return sa.select(*(column for column in table.c if column.name != "graph")).where(table.c.graph == graph)

    return GraphSchema(NodeSource(rows(_nodes), bag="bag"), open_edges=EdgeSource(rows(_edges), bag="bag"))


def graph_rows(graphs: Sequence[MadeGraph]) -> Iterable[TableRows]:
    """What goes into the tables; a graph's number is its place."""
    numbered = list(enumerate(graphs))
    nodes = [
        (number, node.number, list(node.labels), json.dumps(node.properties))
        for number, graph in numbered
        for node in graph.nodes.values()
    ]
    edges = [
        (number, edge.number, edge.source, edge.type, edge.target, json.dumps(edge.properties))
        for number, graph in numbered
        for edge in graph.edges.values()
    ]
    return (TableRows(_nodes, nodes), TableRows(_edges, edges))
