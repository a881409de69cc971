"""Right, wrong or unanswered: one answer held against its gold. Pure."""

import calendar
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from agent_core.evidence import PathEvidence, PathStep
from agent_core.schemas import AgentResponse, AnswerStatus, WarningCode
from datastore.edges import DERIVED_EDGES

from agent_evals.dataset import Case, Match
from agent_evals.gold import Gold, GoldRow


class Outcome(StrEnum):
    """How an answer did. A wrong answer is worse than none, so the two are never added up."""

    RIGHT = "right"
    WRONG = "wrong"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome, and why it is not right; `reason` is empty when it is."""

    outcome: Outcome
    reason: str = ""


_ANSWERING = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_DENIAL = re.compile(r"^\W*no\b", re.IGNORECASE)
_EQUALITY = re.compile(r"\b(?:equal|equally|the same (?:length|number))\b(?: in (?P<field>\w+))?", re.IGNORECASE)
_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_ISO_MONTH = re.compile(r"^(\d{4})-(\d{2})$")


def judge(case: Case, gold: Gold, response: AgentResponse) -> Judgement:
    """What `response` is worth as an answer to `case`."""
    if case.is_negative:
        return _judge_abstention(case, response)
    if response.status not in case.expect:
        return Judgement(Outcome.UNANSWERED, f"status {response.status}")
    fault = _MATCHERS[case.match](gold, response)
    return Judgement(Outcome.RIGHT) if fault is None else Judgement(Outcome.WRONG, fault)


def _judge_abstention(case: Case, response: AgentResponse) -> Judgement:
    if response.status in case.expect or (case.denial and _is_denial(response)):
        return Judgement(Outcome.RIGHT)
    if response.status in _ANSWERING:
        return Judgement(Outcome.WRONG, "answered what has no answer")
    return Judgement(Outcome.UNANSWERED, f"status {response.status}")


def _entities_exact(gold: Gold, response: AgentResponse) -> str | None:
    results = frozenset(ref.id for ref in response.result_entities) - gold.subjects
    expected = gold.entities - gold.subjects
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
    Match.PATH: _path,
}


def _is_denial(response: AgentResponse) -> bool:
    return _DENIAL.match(response.answer) is not None


def _entities(response: AgentResponse) -> set[UUID]:
    return {ref.id for ref in (*response.source_entities, *response.result_entities)}


def _unnamed(rows: Iterable[GoldRow], response: AgentResponse) -> str | None:
    """What the reader is not told: expected entities of which no name is in the answer."""
    text = response.answer.casefold()
    silent = [row.names[0] for row in rows if row.names and not any(name.casefold() in text for name in row.names)]
    return f"not named in the answer: {', '.join(silent)}" if silent else None


def _absent_value(values: Iterable[str], response: AgentResponse) -> str | None:
    absent = [value for value in values if not is_stated(value, response.answer)]
    return f"not in the answer: {', '.join(absent)}" if absent else None


def is_stated(value: str, text: str) -> bool:
    """Whether `text` states a catalogue value, in the catalogue's form or as people write it."""
    return any(re.search(pattern, text, re.IGNORECASE) is not None for pattern in _renderings(value))


def _renderings(value: str) -> tuple[str, ...]:
    if value.isdecimal():
        return (rf"(?<![\d.,-]){value}(?![\d-])(?![.,]\d)",)
    day = _ISO_DATE.match(value)
    if day is not None:
        year, month, number = day[1], calendar.month_name[int(day[2])], int(day[3])
        return (value, rf"\b0?{number} {month},? {year}\b", rf"\b{month} 0?{number},? {year}\b")
    month = _ISO_MONTH.match(value)
    if month is not None:
        return (rf"{value}(?!-?\d)", rf"\b{calendar.month_name[int(month[2])]} {month[1]}\b")
    return (rf"\b{re.escape(value).replace('_', '[ _-]')}\b",)


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
