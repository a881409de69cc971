"""Short labels under which a stage sees evidence and entities, so that a model never writes an id."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from uuid import UUID

from datastore.vocabulary import EntityType

from agent_core.document_contracts import PassageReference
from agent_core.evidence import ChunkEvidence, EntityRef, EntityRowEvidence, Evidence, entities_of
from agent_core.passages import can_follow
from agent_core.protocols import LoopView
from agent_core.remembering import for_same
from agent_core.schemas import ResolvedMention

MAX_ENTITY_LABELS = 120
MAX_EVIDENCE_LABELS = 120
MAX_REFERENCE_LABELS = 40


@dataclass(frozen=True, slots=True)
class LabelledEntity:
    """An entity under its label, with the best name known so far."""

    label: str
    ref: EntityRef
    name: str


@dataclass(frozen=True)
class Labels:
    """What one call may refer to, in the order of the view: evidence `e1`, `e2`, …, entities `n1`, `n2`, …, and the
    references `r1`, `r2`, … that stand in the evidence and can be followed.
    """

    evidence: tuple[Evidence, ...]
    entities: tuple[LabelledEntity, ...]
    references: tuple[PassageReference, ...] = ()

    @classmethod
    def of(cls, view: LoopView) -> "Labels":
        """The labels of a view. Entities of resolved mentions come first."""
        evidence = view.evidence[:MAX_EVIDENCE_LABELS]
        names = best_names(view.resolved, evidence)
        refs = {ref.key: ref for ref in _refs(view.resolved, evidence)}
        entities = tuple(
            LabelledEntity(f"n{number}", ref, names.get(ref.key, ""))
            for number, ref in enumerate(list(refs.values())[:MAX_ENTITY_LABELS], start=1)
        )
        shown = {item.chunk_id for item in evidence if isinstance(item, ChunkEvidence)}
        references = {
            (each.type, each.target): each for each in view.references if each.chunk_id in shown and can_follow(each)
        }
        return cls(evidence, entities, tuple(references.values())[:MAX_REFERENCE_LABELS])

    @property
    def evidence_labels(self) -> tuple[str, ...]:
        """`e1`, `e2`, … for the evidence."""
        return tuple(f"e{number}" for number in range(1, len(self.evidence) + 1))

    @property
    def entity_labels(self) -> tuple[str, ...]:
        """`n1`, `n2`, … for the entities."""
        return tuple(entity.label for entity in self.entities)

    @cached_property
    def evidence_ids(self) -> dict[str, str]:
        """Label to evidence id."""
        return {label: item.id for label, item in zip(self.evidence_labels, self.evidence, strict=True)}

    @cached_property
    def pieces(self) -> dict[str, UUID]:
        """Label to chunk, of the evidence that stands in documents."""
        labelled = zip(self.evidence_labels, self.evidence, strict=True)
        return {label: item.chunk_id for label, item in labelled if isinstance(item, ChunkEvidence)}

    @cached_property
    def targets(self) -> dict[str, PassageReference]:
        """Label to reference."""
        return {f"r{number}": each for number, each in enumerate(self.references, start=1)}

    @cached_property
    def refs(self) -> dict[str, EntityRef]:
        """Label to entity."""
        return {entity.label: entity.ref for entity in self.entities}


@for_same
def best_names(
    resolved: Sequence[ResolvedMention], evidence: Sequence[Evidence]
) -> Mapping[tuple[EntityType, UUID], str]:
    """The best name known of each entity: its row's title, else the name its references carry, else a matched one."""
    names = {item.entity.key: item.title for item in evidence if isinstance(item, EntityRowEvidence)}
    candidates = [candidate for mention in resolved for candidate in mention.candidates]
    for ref in (*(candidate.entity for candidate in candidates), *chain.from_iterable(map(entities_of, evidence))):
        if ref.name:
            names.setdefault((ref.entity_type, ref.id), ref.name)
    for candidate in candidates:
        names.setdefault(candidate.entity.key, candidate.matched_name)
    return names


def best_name(ref: EntityRef, resolved: Iterable[ResolvedMention], evidence: Sequence[Evidence]) -> str | None:
    """What `best_names` has for one entity."""
    key = ref.key
    titles = [item.title for item in evidence if isinstance(item, EntityRowEvidence) and item.entity.key == key]
    if titles:
        return titles[-1]
    candidates = [each for mention in resolved for each in mention.candidates if each.entity.key == key]
    refs = (*(candidate.entity for candidate in candidates), *chain.from_iterable(map(entities_of, evidence)))
    carried = next((each.name for each in refs if each.name and each.key == key), None)
    return carried or next((candidate.matched_name for candidate in candidates), None)


def _refs(resolved: Iterable[ResolvedMention], evidence: Iterable[Evidence]) -> Iterable[EntityRef]:
    mentions = tuple(resolved)
    yield from (mention.chosen.entity for mention in mentions if mention.chosen)
    yield from (candidate.entity for mention in mentions for candidate in mention.candidates)
    for item in evidence:
        yield from entities_of(item)
