"""Fields that are asked of entities: what can have them, and what the rows read so far say of them. Pure."""

from collections.abc import Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.chain import Layer
from agent_core.evidence import ComparisonEvidence, EntityRef, EntityRowEvidence, Evidence
from agent_core.schemas import AskedField, QueryRewrite

FieldReading = tuple[str, str]
"""A field's value as shown, and the id of the evidence that holds it."""

_STANDS_FOR: dict[AskedField, tuple[str, ...]] = {
    AskedField.SYNOPSIS: ("synopsis", "description"),
    AskedField.DESCRIPTION: ("description", "synopsis"),
    AskedField.YEAR: ("year", "start_date"),
    AskedField.START_DATE: ("start_date", "air_date", "year"),
    AskedField.AIR_DATE: ("air_date", "start_date"),
}
"""Row fields that answer an asked field, best first; any other field is answered by its own name."""

_KINDS_OF_ENDS: dict[AskedField, EdgeType] = {AskedField.SOURCE: EdgeType.ADAPTATION_OF}
"""Fields that say no more than what kind of thing an edge leads to."""

_FIELD_TYPES: dict[AskedField, frozenset[EntityType]] = {
    AskedField.EPISODES: frozenset({EntityType.ANIME}),
    AskedField.DURATION: frozenset({EntityType.ANIME}),
    AskedField.SEASON: frozenset({EntityType.ANIME}),
    AskedField.SOURCE: frozenset({EntityType.ANIME}),
    AskedField.CHAPTERS: frozenset({EntityType.MANGA}),
    AskedField.VOLUMES: frozenset({EntityType.MANGA}),
    AskedField.GENRES: WORK_TYPES,
    AskedField.SCORE: WORK_TYPES,
    AskedField.FORMAT: WORK_TYPES,
    AskedField.STATUS: WORK_TYPES,
    AskedField.END_DATE: WORK_TYPES,
    AskedField.YEAR: WORK_TYPES,
    AskedField.START_DATE: WORK_TYPES | {EntityType.EPISODE},
    AskedField.AIR_DATE: WORK_TYPES | {EntityType.EPISODE},
    AskedField.GENDER: frozenset({EntityType.CHARACTER}),
}


def fits(asked: AskedField, entity_type: EntityType) -> bool:
    """Whether an entity of this type can have the field at all."""
    return entity_type in _FIELD_TYPES.get(asked, frozenset(EntityType)) and asked is not AskedField.UNSUPPORTED


def is_told_by_edge(asked: AskedField, rewrite: QueryRewrite, walked: Sequence[Sequence[Layer]]) -> bool:
    """Whether an edge of the subject leads to what its field would only say the kind of."""
    edge = _KINDS_OF_ENDS.get(asked)
    first = [walk[0] for walk in walked if rewrite.fields_of_mention]
    return any(layer.relation.edge is edge and layer.reached for layer in first)


def fields_that_fit(asked: Sequence[AskedField], entities: Sequence[EntityRef]) -> Sequence[AskedField]:
    """Of `how long`, which asks for episodes, chapters and minutes alike, what these entities can have; else all."""
    fitting = [field for field in asked if any(fits(field, entity.entity_type) for entity in entities)]
    return fitting if fitting and AskedField.UNSUPPORTED not in asked else asked


def read_field(entity: EntityRef, asked: AskedField, evidence: Sequence[Evidence]) -> FieldReading | None:
    """What the rows read so far say of a field of an entity; a comparison serves where there is no row."""
    names = _STANDS_FOR.get(asked, (asked.value,))
    if asked is AskedField.NAMES:
        return _read_names(entity, evidence)
    for name in names:
        for item in evidence:
            value = _field_value(item, entity, name)
            if value is not None:
                return value, item.id
    return None


def _field_value(item: Evidence, entity: EntityRef, name: str) -> str | None:
    if isinstance(item, EntityRowEvidence) and item.entity.key == entity.key:
        return next((field.value for field in item.fields if field.name == name), None)
    if isinstance(item, ComparisonEvidence) and entity.key in (item.left.key, item.right.key):
        is_left = item.left.key == entity.key
        return next((field.left if is_left else field.right for field in item.fields if field.field == name), None)
    return None


def _read_names(entity: EntityRef, evidence: Sequence[Evidence]) -> FieldReading | None:
    for item in evidence:
        if isinstance(item, EntityRowEvidence) and item.entity.key == entity.key:
            others = [name for name in item.names if name != item.title]
            return ("; ".join(others), item.id) if others else None
    return None
