"""What a question leaves out by name, `besides X`, among what its chain leads to."""

from collections.abc import Sequence

from datastore.folding import fold
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.composing import Composition
from agent_core.evidence import EntityRef

_CALLED_BY_PARTS = frozenset({EntityType.PERSON, EntityType.CHARACTER})
"""Who is meant by one name of several. `X` is no part of the title `X 2`."""


def excepted_of(composition: Composition, entities: Sequence[EntityRef]) -> frozenset[object]:
    """The keys of the entities that bear a name which the question leaves out."""
    excepted = [fold(name) for name in composition.view.rewrite.excepted]
    return frozenset(
        entity.key
        for entity in (entities if excepted else ())
        if any(_bears(composition, entity, name) for name in excepted)
    )


def parted(
    entities: Sequence[EntityRef], excepted: frozenset[object]
) -> tuple[tuple[EntityRef, ...], tuple[EntityRef, ...]]:
    """The entities that are asked for, and those that are left out."""
    return (
        tuple(entity for entity in entities if entity.key not in excepted),
        tuple(entity for entity in entities if entity.key in excepted),
    )


def _bears(composition: Composition, entity: EntityRef, excepted: str) -> bool:
    row = composition.row(entity)
    names = [fold(name) for name in (entity.name or "", *(row.names if row is not None else ()))]
    if excepted in names:
        return True
    is_in_parts = entity.entity_type in _CALLED_BY_PARTS
    return is_in_parts and any(set(excepted.split()).issubset(name.split()) for name in names)
