"""The catalogue as a graph that queries can ask: labels, relationship types, properties, and the rows behind them."""

from functools import lru_cache

from cypher_sql.schema import EdgeSource, GraphSchema, NodeLabel, NodeSource, Property, RelationshipType
from cypher_sql.values import BOOLEAN, INTEGER, STRING
from datastore.edges import EDGES, REFERENCE_EDGES, EdgeType

from agent_core.retrieval.graph_schema_rows import (
    ANIME_PROPERTIES,
    COMMON_PROPERTIES,
    MANGA_PROPERTIES,
    WORK_PROPERTIES,
    all_rows,
    anime_rows,
    cast_rows,
    character_rows,
    document_rows,
    edge_rows,
    episode_rows,
    manga_rows,
    person_rows,
    studio_rows,
    work_rows,
)

ACTS_IN = "ACTS_IN"
"""From a person to a work in which that person voices somebody: made from voice credits, no edge of the vocabulary."""

_E = EdgeType
_QUALIFIER = Property("qualifier", STRING)
_WORK, _DOCUMENT = ("Work", "Anime", "Manga"), ("Document",)

_ENDS: dict[EdgeType, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    _E.ADAPTATION_OF: (_WORK, _WORK, "from an adaptation to the work that it adapts"),
    _E.HAS_ADAPTATION: (_WORK, _WORK, "from a work to its adaptation"),
    _E.APPEARS_IN: (("Character",), _WORK, "role is main, supporting or background"),
    _E.FEATURES: (_WORK, ("Character",), "role is main, supporting or background"),
    _E.VOICED_BY: (("Character",), ("Person",), "language is a tag such as ja"),
    _E.VOICES: (("Person",), ("Character",), "language is a tag such as ja"),
    _E.STAFF_OF: (("Person",), _WORK, "role is director, author, composer, …"),
    _E.HAS_STAFF: (_WORK, ("Person",), "role is director, author, composer, …"),
    _E.PRODUCED_BY: (_WORK, ("Studio",), "qualifier is main for the main studio"),
    _E.PRODUCED: (("Studio",), _WORK, "qualifier is main for the main studio"),
    _E.EPISODE_OF: (("Episode",), ("Anime",), "number is the episode's"),
    _E.HAS_EPISODE: (("Anime",), ("Episode",), "number is the episode's"),
    _E.CHARACTER_RELATION: (("Character",), ("Character",), "kind is what the second is to the first"),
}
"""Start labels, end labels and what a property holds; other edges join works, or documents, and carry no property."""

_NAMES: dict[EdgeType, str] = {
    _E.APPEARS_IN: "role",
    _E.FEATURES: "role",
    _E.VOICED_BY: "language",
    _E.VOICES: "language",
    _E.STAFF_OF: "role",
    _E.HAS_STAFF: "role",
    _E.EPISODE_OF: "number",
    _E.HAS_EPISODE: "number",
    _E.CHARACTER_RELATION: "kind",
}


def relationship_name(edge: EdgeType) -> str:
    """How queries write an edge."""
    return edge.value.upper()


@lru_cache(maxsize=1)
def catalogue_graph() -> GraphSchema:
    """The graph of the catalogue; built once."""
    return GraphSchema(
        nodes=NodeSource(all_rows(), COMMON_PROPERTIES), labels=_labels(), relationships=_relationships()
    )


def _labels() -> tuple[NodeLabel, ...]:
    described = Property("description", STRING)
    return (
        NodeLabel("Anime", NodeSource(anime_rows(), ANIME_PROPERTIES), "animated works"),
        NodeLabel("Manga", NodeSource(manga_rows(), MANGA_PROPERTIES), "printed works: manga, light novels, novels"),
        NodeLabel("Work", NodeSource(work_rows(), WORK_PROPERTIES), "anime and manga together"),
        NodeLabel(
            "Character",
            NodeSource(character_rows(), (*COMMON_PROPERTIES, Property("gender", STRING), described)),
            "characters of works",
        ),
        NodeLabel("Person", NodeSource(person_rows(), (*COMMON_PROPERTIES, described)), "staff and voice actors"),
        NodeLabel(
            "Studio",
            NodeSource(studio_rows(), (*COMMON_PROPERTIES, Property("is_animation_studio", BOOLEAN))),
            "studios and companies",
        ),
        NodeLabel(
            "Episode",
            NodeSource(
                episode_rows(),
                (*COMMON_PROPERTIES, Property("number", INTEGER), Property("air_date", STRING)),
            ),
            "single episodes",
        ),
        NodeLabel(
            "Document",
            NodeSource(
                document_rows(),
                (*COMMON_PROPERTIES, *(Property(name, STRING) for name in ("collection", "date", "language"))),
            ),
            "texts of collections; what they say is searched, not queried",
        ),
    )


def _relationships() -> tuple[RelationshipType, ...]:
    stored = EdgeSource(edge_rows())
    of_edges = tuple(_relationship(edge.type, stored, edge.code) for edge in EDGES.values() if not edge.derived)
    cast = RelationshipType(
        ACTS_IN,
        EdgeSource(cast_rows()),
        "acts_in",
        ("Person",),
        ("Work", "Anime", "Manga"),
        (Property("language", STRING),),
        "from a person to a work in which that person voices a character",
    )
    return (*of_edges, cast)


def _relationship(edge: EdgeType, source: EdgeSource, code: int) -> RelationshipType:
    starts, ends, description = _ENDS.get(edge) or _ends_of_others(edge)
    named = (Property(_NAMES[edge], STRING, "qualifier"),) if edge in _NAMES else ()
    return RelationshipType(relationship_name(edge), source, code, starts, ends, (*named, _QUALIFIER), description)


def _ends_of_others(edge: EdgeType) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    if edge in REFERENCE_EDGES:
        return _DOCUMENT, _DOCUMENT, EDGES[edge].sentence.format(a="the first", b="the second")
    return _WORK, _WORK, f"to the {edge.value.replace('_', ' ')}"
