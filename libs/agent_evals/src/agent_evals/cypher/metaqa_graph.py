"""The graph of MetaQA's facts: a table of entities, a table of facts, and how the language sees them."""

from collections.abc import Iterable

import sqlalchemy as sa
from cypher_sql import EdgeSource, GraphSchema, NodeLabel, NodeSource, Property, RelationshipType
from cypher_sql.values import STRING
from sqlalchemy.dialects import postgresql as pg

from agent_evals.cypher.database import TableRows

METADATA = sa.MetaData()
_entity = sa.Table(
    "entity",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)
_fact = sa.Table(
    "fact",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("source", sa.Integer, nullable=False),
    sa.Column("type", sa.SmallInteger, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Index("fact_forward", "source", "type", "target"),
    sa.Index("fact_backward", "target", "type", "source"),
)
_RELATIONS = (
    "directed_by",
    "has_genre",
    "has_imdb_rating",
    "has_imdb_votes",
    "has_tags",
    "in_language",
    "release_year",
    "starred_actors",
    "written_by",
)


def metaqa_schema() -> GraphSchema:
    """Entities by name, and a relationship type for each relation of the facts."""
    labels = pg.array([sa.literal("Entity", sa.Text())]).label("labels")
    entities = NodeSource(sa.select(*_entity.c), (Property("name", STRING),))
    facts = EdgeSource(sa.select(*_fact.c))
    return GraphSchema(
        NodeSource(sa.select(_entity.c.id, labels)),
        (NodeLabel("Entity", entities),),
        tuple(
            RelationshipType(relation.upper(), facts, code, starts=("Entity",), ends=("Entity",))
            for code, relation in enumerate(_RELATIONS)
        ),
    )


def metaqa_rows(facts: Iterable[str]) -> tuple[TableRows, ...]:
    """What goes into the tables, from lines of `subject|relation|object`. A name is one entity, whatever it names.

    Raises ValueError for any other line or relation.
    """
    ids: dict[str, int] = {}
    links: list[tuple[object, ...]] = []
    for number, line in enumerate(facts, 1):
        subject, relation, target = line.rstrip("\n").split("|")
        ends = [ids.setdefault(name, len(ids) + 1) for name in (subject, target)]
        links.append((number, ends[0], _RELATIONS.index(relation), ends[1]))
    return (TableRows(_entity, [(number, name) for name, number in ids.items()]), TableRows(_fact, links))
