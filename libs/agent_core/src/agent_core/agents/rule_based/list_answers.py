"""Answers from a search: lists, closest matches. A search is a sample and is worded as one."""

from collections.abc import Sequence

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.date_checks import is_then
from agent_core.agents.rule_based.field_answers import say_field
from agent_core.agents.rule_based.number_checks import keeps_bounds
from agent_core.agents.rule_based.query_bounds import take_bounds
from agent_core.agents.rule_based.query_dates import names_a_day
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.row_filters import meets
from agent_core.agents.rule_based.superlatives import Superlative, extreme_of, superlative_of
from agent_core.agents.rule_based.wording import first_sentences, joined
from agent_core.chain import chosen_of, intents
from agent_core.evidence import EntityRef, EntityRowEvidence, RankedListEvidence
from agent_core.fields import read_field
from agent_core.schemas import AnswerKind, AskedField, SearchFilters, SearchIntent, StepStatus

_F = AskedField


def say_matches(composition: Composition) -> None:
    """What a search found, best first, with the conditions that were given up said."""
    found = _found(composition)
    if not found:
        composition.doubt(0.2)
        return
    kept, is_relaxed = _kept(composition, found)
    composition.doubt(0.4 if is_relaxed else 0.6)
    if is_relaxed:
        composition.opening = "Without all of the conditions"
    extreme = superlative_of(composition.question)
    entities = [entity for entity, _ in kept]
    if extreme is not None and say_extreme(composition, extreme, entities, "Among the matches found, "):
        return
    if extreme is not None:
        ids = composition.row_ids(entities[:3])
        composition.say(f"The catalogue gives no {extreme.noun} for the matches found", *ids)
    limit = composition.view.rewrite.top_k
    if composition.view.rewrite.answer_kind is AnswerKind.ENTITY:
        _say_closest(composition, kept[:limit])
        return
    entries = [(composition.name(entity), composition.row_ids((entity,)) or ids) for entity, ids in kept[:limit]]
    verb = "are" if len(entries) > 1 else "is"
    composition.say(f"Among the matches found {verb} {joined(composition.listed(entries))}")
    composition.found(*(entity for entity, _ in kept[:limit]))


Found = list[tuple[EntityRef, tuple[str, ...]]]


def _found(composition: Composition) -> Found:
    """The entities of all ranked lists in order, each with the list that holds it; rows where there is no list."""
    starts = {ref.key for ref in chosen_of(composition.view.resolved, range(len(composition.view.resolved)))}
    found: dict[object, tuple[EntityRef, tuple[str, ...]]] = {}
    for item in composition.view.evidence:
        if isinstance(item, RankedListEvidence):
            for entry in item.entries:
                found.setdefault(entry.entity.key, (entry.entity, (item.id,)))
    for item in composition.view.evidence if not found else ():
        if isinstance(item, EntityRowEvidence):
            found.setdefault(item.entity.key, (item.entity, (item.id,)))
    return [value for key, value in found.items() if key not in starts]


def _kept(composition: Composition, found: Found) -> tuple[Found, bool]:
    """Matches that meet the conditions as far as their rows tell; all of them, and True, when none does."""
    filters = composition.view.rewrite.filters
    if filters == SearchFilters() and not take_bounds(Scan(composition.question)):
        return found, False
    fitting = [
        (entity, ids)
        for entity, ids in found
        if (row := composition.row(entity)) is None or (meets(row, filters) and _meets_words(row, composition))
    ]
    searches = [
        intent
        for intent, status in intents(composition.view.outcomes)
        if isinstance(intent, SearchIntent) and status in (StepStatus.OK, StepStatus.TRUNCATED)
    ]
    was_relaxed = bool(searches) and all(intent.filters != filters for intent in searches)
    if was_relaxed and not all(composition.row(entity) for entity, _ in fitting):
        return found, True
    return (fitting, False) if fitting else (found, True)


def _meets_words(row: EntityRowEvidence, composition: Composition) -> bool:
    """Whether a row meets what the words limit more closely than filters can: figures, and dates within a year."""
    values = {field.name: field.value for field in row.fields}
    asked = composition.view.rewrite.rewritten_query
    is_dated = not names_a_day(asked) or is_then(values.get(_F.START_DATE, ""), asked) is True
    return is_dated and keeps_bounds(values, composition.question)


def say_extreme(composition: Composition, superlative: Superlative, entities: Sequence[EntityRef], lead: str) -> bool:
    """Say which of the entities has the extreme; False when the field is known of none."""
    best = extreme_of(superlative, entities, composition.view.evidence)
    if best is None:
        return False
    entity, reading = best
    composition.say(f"{lead}{composition.name(entity)} has {superlative.words}", reading[1])
    say_field(composition, entity, superlative.field)
    composition.found(entity)
    return True


def _say_closest(composition: Composition, kept: Found) -> None:
    first, ids = kept[0]
    row = composition.row(first)
    composition.say(f"The closest match found is {composition.name(first)}", *(composition.row_ids((first,)) or ids))
    composition.found(first)
    prose = read_field(first, _F.SYNOPSIS, composition.view.evidence)
    if row is not None and prose is not None:
        for sentence in first_sentences(prose[0], at_most=1, characters=300):
            composition.say(sentence.rstrip(".!?…"), prose[1])
    others = [(composition.name(entity), composition.row_ids((entity,)) or ids) for entity, ids in kept[1:5]]
    if others:
        lead = "Other matches found are" if len(others) > 1 else "Another match found is"
        composition.say(f"{lead} {joined(composition.listed(others))}")
        composition.found(*(entity for entity, _ in kept[1:5]))
