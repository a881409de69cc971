"""The slot table: which parts of a question evidence fills, which are proven absent, which are still empty. Pure.

Slots are named `mention:<text>`, `field:<mention>:<field>`, `relation:<i>` (the i-th step of the effective chain),
`path`, `comparison`, `query`, and `search`: what a search finds, or the rows that tell which of the entities reached
meet the conditions. A field is of what the chain reaches, or of the mention itself where `fields_of_mention` says so.
See agent_core.chain for how mentions and relations read.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from uuid import UUID

from datastore.vocabulary import WORK_TYPES

from agent_core.chain import (
    MAX_FRONTIER,
    Layer,
    chosen_of,
    frontier,
    intents,
    queried,
    query_slot,
    reached_at,
    roles_of,
    targets_of,
    used_ids,
    walks,
)
from agent_core.evidence import (
    ChunkEvidence,
    ComparisonEvidence,
    EntityRef,
    EntityRowEvidence,
    Evidence,
    PathEvidence,
    RankedListEvidence,
)
from agent_core.fields import fields_that_fit, is_told_by_edge, read_field
from agent_core.protocols import Slot, StepOutcome
from agent_core.schemas import (
    MAX_HOPS,
    AnswerKind,
    AskedField,
    GraphIntent,
    GraphQueryType,
    Mention,
    QueryRewrite,
    ResolvedMention,
    SearchIntent,
    StepStatus,
)

__all__ = [
    "ABSENT",
    "EMPTY",
    "FILLED",
    "field_subjects",
    "frontier",
    "label",
    "needs_search",
    "slot_table",
    "unread_rows",
]

EMPTY, FILLED, ABSENT = "empty", "filled", "absent"
MAX_EMPTY_SEARCHES = 3


def label(mention: Mention) -> str:
    """How slots name a mention: its text, and its year where one is given."""
    return f"{mention.text} ({mention.year})" if mention.year else mention.text


def slot_table(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> tuple[Slot, ...]:
    """Every part that the question has, with what fills it.

    `outcomes` must hold every step that was executed, the fixed expansions of the first turn among them: without them
    nothing can be proven absent.
    """
    slots = [_mention_slot(mention, evidence) for mention in resolved]
    if rewrite.set_question is not None:
        return (*slots, query_slot(rewrite.set_question, evidence, outcomes))
    if rewrite.answer_kind is AnswerKind.PATH:
        slots.append(_path_slot(rewrite, resolved, evidence, outcomes))
    elif rewrite.answer_kind is AnswerKind.COMPARISON:
        slots.append(_comparison_slot(rewrite, resolved, evidence, outcomes))
    elif rewrite.relations:
        slots.extend(_relation_slots(rewrite, resolved, evidence, outcomes))
    slots.extend(_field_slots(rewrite, resolved, evidence, outcomes))
    if needs_search(rewrite):
        slots.append(_search_slot(evidence, outcomes))
    elif rewrite.relations and _has_conditions(rewrite):
        slots.append(_condition_slot(rewrite, resolved, evidence, outcomes))
    return queried(rewrite, slots, evidence)


def needs_search(rewrite: QueryRewrite) -> bool:
    """Whether the question can be answered only by a search in the index: it names nothing, or asks for the like."""
    if rewrite.answer_kind is AnswerKind.RECOMMENDATION:
        return True
    return not rewrite.mentions and rewrite.needs_external_context


def field_subjects(
    rewrite: QueryRewrite, resolved: Sequence[ResolvedMention], evidence: Sequence[Evidence]
) -> tuple[tuple[str, EntityRef], ...]:
    """The entities whose fields are asked, each with the name its slots carry."""
    if rewrite.answer_kind is AnswerKind.PATH:
        return ()
    roles = roles_of(rewrite)
    if rewrite.relations and not rewrite.fields_of_mention and rewrite.answer_kind is not AnswerKind.COMPARISON:
        name = label(rewrite.mentions[roles.starts[0]]) if roles.starts else ""
        walked = walks(rewrite, resolved, evidence)
        ends = reached_at(walked, len(walked[0])) if walked else ()
        return tuple((name, entity) for entity in ends[:MAX_FRONTIER])
    return tuple(
        (label(rewrite.mentions[index]), entity) for index in roles.starts for entity in chosen_of(resolved, (index,))
    )


def unread_rows(
    rewrite: QueryRewrite, resolved: Sequence[ResolvedMention], evidence: Sequence[Evidence]
) -> tuple[EntityRef, ...]:
    """Entities whose fields or filters matter and whose row is not among the evidence yet."""
    roles = roles_of(rewrite)
    wanted: list[EntityRef] = list(chosen_of(resolved, roles.starts))
    if rewrite.asked_fields:
        wanted.extend(entity for _, entity in field_subjects(rewrite, resolved, evidence))
    if rewrite.relations and _has_conditions(rewrite):
        walked = walks(rewrite, resolved, evidence)
        wanted.extend(reached_at(walked, len(walked[0])) if walked else ())
    if any(relation.gender for relation in rewrite.relations):
        wanted.extend(ref for walk in walks(rewrite, resolved, evidence) for layer in walk for ref in layer.unread_rows)
    have = {ref.key for ref in _with_row(evidence)}
    return tuple(entity for entity in dict.fromkeys(wanted) if entity.key not in have)


def _has_conditions(rewrite: QueryRewrite) -> bool:
    return not rewrite.filters.is_empty or rewrite.date_range is not None


def _with_row(evidence: Sequence[Evidence]) -> Iterator[EntityRef]:
    for item in evidence:
        if isinstance(item, EntityRowEvidence):
            yield item.entity
        elif isinstance(item, ComparisonEvidence):
            yield from (item.left, item.right)


def _mention_slot(mention: ResolvedMention, evidence: Sequence[Evidence]) -> Slot:
    name = f"mention:{label(mention.mention)}"
    if mention.chosen is not None:
        key = mention.chosen.entity.key
        rows = [item.id for item in evidence if isinstance(item, EntityRowEvidence) and item.entity.key == key]
        return Slot(name, FILLED, tuple(rows))
    return Slot(name, EMPTY if mention.candidates else ABSENT)


def _relation_slots(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> Iterator[Slot]:
    walked = walks(rewrite, resolved, evidence, outcomes)
    if not walked:
        yield from (Slot(f"relation:{index}", EMPTY) for index in range(len(rewrite.relations)))
        return
    targets = {ref.key for ref in targets_of(rewrite, resolved)}
    asked_rows = _asked_rows(outcomes)
    slots: list[Slot] = []
    for index in range(len(walked[0])):
        layers = [walk[index] for walk in walked]
        is_hit = all(layer.reached for layer in layers)
        if targets and index == len(walked[0]) - 1:
            is_hit = any(ref.key in targets for ref in reached_at(walked, index + 1))
        is_open = any(slot.state == EMPTY for slot in slots)
        is_open |= any(ref.id not in asked_rows for layer in layers for ref in layer.unread_rows)
        state = EMPTY if is_open else _state(layers, is_hit=is_hit)
        slots.append(Slot(f"relation:{index}", state, used_ids(layers, reached_at(walked, index + 1))))
    leads_nowhere = slots[-1].state == ABSENT
    # What a chain reaches on its way is no answer when it ends in nothing.
    yield from (Slot(slot.name, ABSENT, slot.evidence_ids) if leads_nowhere else slot for slot in slots)


def _state(layers: Sequence[Layer], *, is_hit: bool) -> str:
    if any(layer.unread for layer in layers):
        return EMPTY
    if is_hit:
        return FILLED
    return ABSENT if all(layer.is_complete for layer in layers) else EMPTY


def _field_slots(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> Iterator[Slot]:
    if not rewrite.asked_fields or rewrite.answer_kind is AnswerKind.PATH:
        return
    subjects = field_subjects(rewrite, resolved, evidence)
    with_row = {ref.key for ref in _with_row(evidence)}
    names = dict.fromkeys(name for name, _ in subjects) or {label(mention): None for mention in rewrite.mentions[:1]}
    walked = walks(rewrite, resolved, evidence, outcomes) if rewrite.relations else ()
    for name in names:
        entities = [entity for subject, entity in subjects if subject == name]
        for asked in fields_that_fit(rewrite.asked_fields, entities):
            readings = [read_field(entity, asked, evidence) for entity in entities]
            found = tuple(dict.fromkeys(reading[1] for reading in readings if reading is not None))
            if not found and asked in (AskedField.DESCRIPTION, AskedField.SYNOPSIS):
                found = _linking_ids(entities, evidence)
            if not found and is_told_by_edge(asked, rewrite, walked):
                continue
            is_read = bool(entities) and all(entity.key in with_row for entity in entities)
            is_absent = (
                asked is AskedField.UNSUPPORTED or is_read or _is_chain_absent(rewrite, resolved, evidence, outcomes)
            )
            yield Slot(f"field:{name}:{asked}", FILLED if found else ABSENT if is_absent else EMPTY, found)


def _linking_ids(entities: Sequence[EntityRef], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Edges of people, studios and characters: what tells who they are where no text does."""
    keys = {entity.key for entity in entities if entity.entity_type not in WORK_TYPES}
    return tuple(
        item.id
        for item in evidence
        if isinstance(item, PathEvidence) and len(item.path.steps) == 1 and item.path.nodes[0].key in keys
    )


def _is_chain_absent(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> bool:
    """Whether the chain that leads to the fields' entity is known to lead nowhere."""
    slots = tuple(_relation_slots(rewrite, resolved, evidence, outcomes)) if rewrite.relations else ()
    return any(slot.state == ABSENT for slot in slots)


def _path_slot(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> Slot:
    ends = {ref.key for ref in chosen_of(resolved, roles_of(rewrite).starts)}
    found = tuple(
        item.id
        for item in evidence
        if isinstance(item, PathEvidence) and {item.path.nodes[0].key, item.path.nodes[-1].key} == ends
    )
    tried = [
        (intent.max_hops, status)
        for intent, status in intents(outcomes)
        if isinstance(intent, GraphIntent) and intent.query_type is GraphQueryType.PATH
    ]
    if found and tried:
        return Slot("path", FILLED, found)
    longest = rewrite.max_hops or MAX_HOPS
    is_absent = any(hops >= longest and status is StepStatus.EMPTY for hops, status in tried)
    return Slot("path", ABSENT if is_absent else EMPTY, found)


def _comparison_slot(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> Slot:
    """Filled when every pair of neighbours in the question was compared, or when rows alone hold what is asked."""
    ends = chosen_of(resolved, roles_of(rewrite).starts)
    compared = {
        frozenset((item.left.key, item.right.key)): item.id for item in evidence if isinstance(item, ComparisonEvidence)
    }
    pairs = [frozenset((left.key, right.key)) for left, right in pairwise(ends)]
    found = tuple(compared[pair] for pair in pairs if pair in compared)
    if pairs and len(found) == len(pairs):
        return Slot("comparison", FILLED, found)
    rows = {ref.key for ref in _with_row(evidence)}
    if rewrite.asked_fields and len(ends) > 1 and all(ref.key in rows for ref in ends):
        return Slot("comparison", FILLED, found)
    tried = any(
        isinstance(intent, GraphIntent) and intent.query_type is GraphQueryType.COMPARE and status is StepStatus.EMPTY
        for intent, status in intents(outcomes)
    )
    return Slot("comparison", ABSENT if tried else EMPTY, found)


def _condition_slot(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
) -> Slot:
    """Filled when every entity that was reached has its row, or its row was asked for."""
    asked = _asked_rows(outcomes)
    missing = [ref for ref in unread_rows(rewrite, resolved, evidence) if ref.id not in asked]
    return Slot("search", EMPTY if missing else FILLED)


def _asked_rows(outcomes: Sequence[StepOutcome]) -> set[UUID]:
    """Entities whose row was asked for, whether it came or not."""
    asked: set[UUID] = set()
    for intent, _ in intents(outcomes):
        if isinstance(intent, SearchIntent):
            asked.update(intent.filters.ids)
        elif intent.query_type is GraphQueryType.COMPARE and intent.end is not None:
            asked.add(intent.end.id)
    return asked


def _search_slot(evidence: Sequence[Evidence], outcomes: Sequence[StepOutcome]) -> Slot:
    found = tuple(
        item.id
        for item in evidence
        if (isinstance(item, RankedListEvidence) and item.entries) or isinstance(item, ChunkEvidence)
    )
    searches = [
        status for intent, status in intents(outcomes) if isinstance(intent, SearchIntent) and not intent.filters.ids
    ]
    if found or StepStatus.OK in searches or StepStatus.TRUNCATED in searches:
        return Slot("search", FILLED, found)
    empty = sum(status is StepStatus.EMPTY for status in searches)
    return Slot("search", ABSENT if empty >= MAX_EMPTY_SEARCHES else EMPTY)
