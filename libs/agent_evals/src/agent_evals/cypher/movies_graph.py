"""The graph of films and people that text2cypher asks about: its tables, its rows, and how the language sees it."""

import sqlalchemy as sa
from cypher_sql import EdgeSource, GraphSchema, NodeLabel, NodeSource, Property, RelationshipType
from cypher_sql.values import INTEGER, STRING, list_of
from sqlalchemy.dialects import postgresql as pg

from agent_evals.cypher.create_statements import CreatedGraph, CreatedNode
from agent_evals.cypher.database import TableRows

METADATA = sa.MetaData()
_person = sa.Table(
    "person",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("born", sa.Integer),
)
_movie = sa.Table(
    "movie",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.Text),
    sa.Column("released", sa.Integer),
    sa.Column("tagline", sa.Text),
)
_link = sa.Table(
    "link",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("source", sa.Integer, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("roles", pg.ARRAY(sa.Text)),
    sa.Column("summary", sa.Text),
    sa.Column("rating", sa.Integer),
)
_PROPERTIES = {"Person": ("name", "born"), "Movie": ("title", "released", "tagline")}


def movies_schema() -> GraphSchema:
    """The schema that the questions were written for, without the property `votes`, which the graph doesn't have."""
    labelled = [
        sa.select(table.c.id, pg.array([sa.literal(label, sa.Text())]).label("labels"))
        for label, table in (("Person", _person), ("Movie", _movie))
    ]
    everything = sa.union_all(*labelled).subquery("everything")
    people = NodeSource(sa.select(*_person.c), (Property("name", STRING), Property("born", INTEGER)))
    titled = (Property("title", STRING), Property("released", INTEGER), Property("tagline", STRING))
    links = EdgeSource(sa.select(*_link.c))

    def of_type(name: str, *properties: Property, end: str = "Movie") -> RelationshipType:
        return RelationshipType(name, links, name, starts=("Person",), ends=(end,), properties=properties)

    return GraphSchema(
        NodeSource(sa.select(everything.c.id, everything.c.labels)),
        (NodeLabel("Person", people), NodeLabel("Movie", NodeSource(sa.select(*_movie.c), titled))),
        (
            of_type("ACTED_IN", Property("roles", list_of(STRING))),
            of_type("DIRECTED"),
            of_type("PRODUCED"),
            of_type("WROTE"),
            of_type("FOLLOWS", end="Person"),
            of_type("REVIEWED", Property("summary", STRING), Property("rating", INTEGER)),
        ),
    )


def movies_rows(graph: CreatedGraph) -> tuple[TableRows, ...]:
    """What goes into the tables."""
    links = [
        (
            edge.id,
            edge.source,
            edge.target,
            edge.type,
            *(edge.properties.get(name) for name in ("roles", "summary", "rating")),
        )
        for edge in graph.edges
    ]
    return (
        TableRows(_person, [_values(node) for node in graph.nodes if node.label == "Person"]),
        TableRows(_movie, [_values(node) for node in graph.nodes if node.label == "Movie"]),
        TableRows(_link, links),
    )


def _values(node: CreatedNode) -> tuple[object, ...]:
    return (node.id, *(node.properties.get(name) for name in _PROPERTIES[node.label]))
