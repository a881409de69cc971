"""Right, wrong or unanswered: one answer held against its gold. Pure."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import combinations
from uuid import UUID

from agent_core.evidence import PathEvidence, PathStep
from agent_core.schemas import AgentResponse, AnswerStatus, WarningCode
from datastore.edges import DERIVED_EDGES

from agent_evals.dataset import ABSTAINING, Case, Match
from agent_evals.gold import Gold, GoldRow
from agent_evals.stated import is_quantity_stated, is_stated, names_in_order, said_of


class Outcome(StrEnum):
    """How an answer did. A wrong answer is worse than none, so the two are never added up."""

    RIGHT = "right"
    WRONG = "wrong"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Overlap:
    """How a set of results lies to the expected one."""

    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome, and why it is not right; `reason` is empty when it is. `overlap` is there where a set was given."""

    outcome: Outcome
    reason: str = ""
    overlap: Overlap | None = None


MIN_KENDALL_TAU = 0.9
"""An order of eight or more may have one neighbouring pair swapped; a shorter one has to be the expected one."""

_OPTIONAL = "optional"
_ANSWERING = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_DENIAL = re.compile(r"^\W*(?:(?:no|nein)\b|いいえ|the catalogue (?:doesn't|does not) list\b)", re.IGNORECASE)
_EQUALITY = re.compile(r"\b(?:equal|equally|the same (?:length|number))\b(?: in (?P<field>\w+))?", re.IGNORECASE)


def judge(case: Case, gold: Gold, response: AgentResponse) -> Judgement:
    """What `response` is worth as an answer to `case`."""
    if case.is_negative:
        return _judge_abstention(case, response)
    if response.status not in case.expect:
        return Judgement(Outcome.UNANSWERED, f"status {response.status}")
    fault = _MATCHERS[case.match](gold, response)
    overlap = _overlap(gold, response) if case.match is Match.ENTITIES_EXACT else None
    return Judgement(Outcome.RIGHT, overlap=overlap) if fault is None else Judgement(Outcome.WRONG, fault, overlap)


def _judge_abstention(case: Case, response: AgentResponse) -> Judgement:
    if response.status in case.expect or (case.denial and _is_denial(response)):
        return Judgement(Outcome.RIGHT)
    if response.status in _ANSWERING:
        return Judgement(Outcome.WRONG, "answered what has no answer")
    return Judgement(Outcome.UNANSWERED, f"status {response.status}")


def _entities_exact(gold: Gold, response: AgentResponse) -> str | None:
    results, expected = _results(gold, response), gold.entities - gold.subjects
    if results != expected:
        return f"{len(expected - results)} results missing, {len(results - expected)} too many"
    return _unnamed(gold.rows, response)


def _entities_any(gold: Gold, response: AgentResponse) -> str | None:
    if not response.result_entities:
        return "no result"
    return None if response.result_entities[0].id in gold.entities else "another entity comes first"


def _entities_subset(gold: Gold, response: AgentResponse) -> str | None:
    if _is_denial(response):
        return "denied what is so"
    return _unnamed(gold.rows, response)


def _candidates(gold: Gold, response: AgentResponse) -> str | None:
    results = {ref.id for ref in response.result_entities}
    # The one that was meant is a source where the results are what it leads to, such as its voice actor.
    offered = _entities(response) | {candidate.entity.id for candidate in response.alternatives}
    missing = gold.entities - offered
    if missing:
        return f"{len(missing)} namesakes not offered"
    says_so = response.status is AnswerStatus.AMBIGUOUS or any(
        warning.code is WarningCode.AMBIGUOUS_ENTITY for warning in response.warnings
    )
    return None if says_so or gold.entities <= results else "does not say that the name is ambiguous"


def _value(gold: Gold, response: AgentResponse) -> str | None:
    if not gold.entities <= _entities(response):
        return "about another entity"
    return _absent_value(gold.values, response)


def _comparison(gold: Gold, response: AgentResponse) -> str | None:
    if len(set(gold.values)) > 1:
        equalities = [match["field"] for match in _EQUALITY.finditer(response.answer)]
        if any(field is None or field.casefold() == gold.field for field in equalities):
            return "calls equal what differs"
    return _value(gold, response)


def _quantity(gold: Gold, response: AgentResponse) -> str | None:
    """A value, or else how many entities there are, with its unit."""
    quantity = Decimal(gold.values[0]) if gold.values else Decimal(len(gold.entities))
    stated = is_quantity_stated(quantity, gold.units, response.answer)
    return None if stated else f"not in the answer: {quantity:.6g} {gold.units[0]}"


def _order(gold: Gold, response: AgentResponse) -> str | None:
    """All that is needed, nothing else, in the order of the gold rows."""
    place = {row.entity: at for at, row in enumerate(gold.rows) if row.entity is not None}
    names = _names(gold.rows)
    order = names_in_order(names, response.answer)
    missing = [row.names[0] for row in gold.rows if row.entity not in order and row.value != _OPTIONAL]
    if missing:
        return f"not named in the answer: {', '.join(missing)}"
    others = _results(gold, response) - gold.entities
    if others:
        return f"{len(others)} that don't belong"
    tau = kendall_tau([place[entity] for entity in order])
    return None if tau >= MIN_KENDALL_TAU else f"in another order: Kendall's tau is {tau:.2f}"


def kendall_tau(places: Sequence[int]) -> float:
    """1 where `places` rise, -1 where they fall; 1 for fewer than two, which are in any order."""
    pairs = [(first < second) - (first > second) for first, second in combinations(places, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def _recommendation(gold: Gold, response: AgentResponse) -> str | None:
    """Everything recommended satisfies all conditions, and a fact about it says why."""
    facts = {row.entity: (row.value or "").split("|") for row in gold.rows if row.entity is not None}
    items = response.result_entities
    if not items:
        return "recommends nothing"
    unfit = [ref.name or str(ref.id) for ref in items if ref.id not in facts]
    if unfit:
        return f"{len(items) - len(unfit)} of {len(items)} satisfy the conditions, not: {', '.join(unfit)}"
    names = {entity: name for entity, name in _names(gold.rows).items() if entity in {ref.id for ref in items}}
    said = said_of(names, response.answer)
    silent = [own[0] for entity, own in names.items() if entity not in said]
    if silent:
        return f"not named in the answer: {', '.join(silent)}"
    bare = [names[each][0] for each, text in said.items() if not any(is_stated(fact, text) for fact in facts[each])]
    return f"no reason is given for: {', '.join(bare)}" if bare else None


def _correction(gold: Gold, response: AgentResponse) -> str | None:
    """A false premise is turned down, or what is true is said instead."""
    if response.status in ABSTAINING or _is_denial(response):
        return None
    names = any(is_stated(name, response.answer) for row in gold.rows for name in row.names if row.value is None)
    values = any(is_stated(value, response.answer) for value in gold.values)
    return None if names or values else "goes along with a false premise"


def _path(gold: Gold, response: AgentResponse) -> str | None:
    start, end = sorted(gold.subjects)
    shortest = int(gold.values[0])
    hops = _hops(start, end, _cited_steps(response))
    if hops is None:
        return "no cited chain joins the two"
    return None if hops <= shortest else f"a chain of {hops} hops where {shortest} are enough"


_MATCHERS: dict[Match, Callable[[Gold, AgentResponse], str | None]] = {
    Match.ENTITIES_EXACT: _entities_exact,
    Match.ENTITIES_ANY: _entities_any,
    Match.ENTITIES_SUBSET: _entities_subset,
    Match.CANDIDATES: _candidates,
    Match.VALUE: _value,
    Match.COMPARISON: _comparison,
    Match.QUANTITY: _quantity,
    Match.ORDER: _order,
    Match.RECOMMENDATION: _recommendation,
    Match.CORRECTION: _correction,
    Match.PATH: _path,
}


def _is_denial(response: AgentResponse) -> bool:
    return _DENIAL.match(response.answer) is not None


def _entities(response: AgentResponse) -> set[UUID]:
    return {ref.id for ref in (*response.source_entities, *response.result_entities)}


def _results(gold: Gold, response: AgentResponse) -> frozenset[UUID]:
    return frozenset(ref.id for ref in response.result_entities) - gold.subjects


def _overlap(gold: Gold, response: AgentResponse) -> Overlap:
    results, expected = _results(gold, response), gold.entities - gold.subjects
    both = len(results & expected)
    return Overlap(both / len(results) if results else 0.0, both / len(expected) if expected else 1.0)


def _names(rows: Iterable[GoldRow]) -> Mapping[UUID, tuple[str, ...]]:
    return {row.entity: row.names for row in rows if row.entity is not None}


def _unnamed(rows: Iterable[GoldRow], response: AgentResponse) -> str | None:
    """What the reader is not told: expected entities of which no name is in the answer."""
    text = response.answer.casefold()
    silent = [row.names[0] for row in rows if row.names and not any(name.casefold() in text for name in row.names)]
    return f"not named in the answer: {', '.join(silent)}" if silent else None


def _absent_value(values: Iterable[str], response: AgentResponse) -> str | None:
    absent = [value for value in values if not is_stated(value, response.answer)]
    return f"not in the answer: {', '.join(absent)}" if absent else None


def _cited_steps(response: AgentResponse) -> list[PathStep]:
    cited = {source.evidence_id for source in response.sources}
    return [
        step
        for evidence in response.evidence
        if isinstance(evidence, PathEvidence) and evidence.id in cited
        for step in evidence.path.steps
    ]


def _hops(start: UUID, end: UUID, steps: Iterable[PathStep]) -> int | None:
    """The length of the shortest chain of `steps`; a derived edge counts two, for the hub it passes through."""
    links: dict[UUID, list[tuple[UUID, int]]] = {}
    for step in steps:
        cost = 2 if step.rel in DERIVED_EDGES else 1
        links.setdefault(step.from_.id, []).append((step.to.id, cost))
        links.setdefault(step.to.id, []).append((step.from_.id, cost))
    best = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other, cost in links.get(node, []):
            if best[node] + cost < best.get(other, best[node] + cost + 1):
                best[other] = best[node] + cost
                waiting.append(other)
    return best.get(end)
