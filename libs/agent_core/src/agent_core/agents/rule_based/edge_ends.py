"""What edges start from and lead to."""

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType

_E = EdgeType

OF_DOCUMENTS = (
    _E.SUPERSEDES,
    _E.SUPERSEDED_BY,
    _E.REQUIRES,
    _E.REQUIRED_BY,
    _E.REFERENCES,
    _E.REFERENCED_BY,
    _E.MENTIONS,
    _E.MENTIONED_BY,
)
"""What documents say of each other."""

_LEADS_TO: dict[EdgeType, frozenset[EntityType]] = {
    _E.VOICED_BY: frozenset({EntityType.PERSON}),
    _E.HAS_STAFF: frozenset({EntityType.PERSON}),
    _E.PRODUCED_BY: frozenset({EntityType.STUDIO}),
    _E.VOICES: frozenset({EntityType.CHARACTER}),
    _E.FEATURES: frozenset({EntityType.CHARACTER}),
    _E.CHARACTER_RELATION: frozenset({EntityType.CHARACTER}),
    _E.HAS_EPISODE: frozenset({EntityType.EPISODE}),
    _E.PRODUCED: frozenset({EntityType.ANIME}),
    **dict.fromkeys(OF_DOCUMENTS, frozenset({EntityType.DOCUMENT})),
}
_STARTS_FROM: dict[EdgeType, tuple[EntityType, ...]] = {
    _E.VOICED_BY: (EntityType.CHARACTER,),
    _E.VOICES: (EntityType.PERSON,),
    _E.CHARACTER_RELATION: (EntityType.CHARACTER,),
    _E.APPEARS_IN: (EntityType.CHARACTER, EntityType.PERSON),
    _E.STAFF_OF: (EntityType.PERSON, EntityType.STUDIO),
    _E.PRODUCED: (EntityType.STUDIO,),
    _E.HAS_STAFF: (EntityType.ANIME, EntityType.MANGA),
    _E.FEATURES: (EntityType.ANIME, EntityType.MANGA),
    _E.PRODUCED_BY: (EntityType.ANIME,),
    _E.HAS_EPISODE: (EntityType.ANIME,),
    **dict.fromkeys(OF_DOCUMENTS, (EntityType.DOCUMENT,)),
}
_WORKS = (EntityType.ANIME, EntityType.MANGA)


def leads_to(edge: EdgeType) -> frozenset[EntityType]:
    """The types at the far end of an edge; works for all that are not listed."""
    return _LEADS_TO.get(edge, frozenset(WORK_TYPES))


def starts_from(edge: EdgeType) -> tuple[EntityType, ...]:
    """The types an edge can start from; works for all that are not listed."""
    return _STARTS_FROM.get(edge, _WORKS)
