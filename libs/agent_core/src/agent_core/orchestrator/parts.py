"""A question that consists of several: each is answered by itself, within one budget, and the answers are joined."""

from collections.abc import Iterable, Sequence

from agent_core.confidence import Confidence, band_of
from agent_core.errors import BudgetExhausted
from agent_core.grounding.sentences import NameFinder, replace_markers
from agent_core.orchestrator.outcomes import BUDGET_WARNINGS
from agent_core.orchestrator.pictures import shown_in
from agent_core.orchestrator.run import Run
from agent_core.orchestrator.stopping import exhausted_budget, stopped
from agent_core.schemas import (
    AgentResponse,
    AnswerStatus,
    QueryRewrite,
    SourceCitation,
    TerminationReason,
)
from agent_core.turns import PastTurn

_ANSWERED = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_CUT_SHORT = (TerminationReason.DEADLINE, TerminationReason.DEPENDENCY_LOST, TerminationReason.BUDGET_EXHAUSTED)
"""What may leave a question half answered; the first of them says the most about the whole."""


def run_of(run: Run, number: int, before: Sequence[PastTurn]) -> Run:
    """A run of one part: what it finds is its own; budget, trace, warnings and sources are those of the whole.

    `before` are the parts answered so far. What a picture showed goes with the part that speaks of it, which then says
    how sure that is.
    """
    question = run.rewrite.parts[number]
    return Run(
        request=run.request.model_copy(
            update={"query": question, "image_query": None, "language": run.request.language or run.rewrite.language}
        ),
        trace_id=run.trace_id,
        budget=run.budget,
        trace=run.trace,
        options=run.options,
        rewrite=QueryRewrite(rewritten_query=question, needs_external_context=True, rationale="not rewritten yet"),
        offered=run.offered,
        settled=run.settled,
        history=(*run.history, *before),
        evidence=dict(run.evidence) if number == _part_of_picture(run) else {},
        warnings=run.warnings,
        has_model=run.has_model,
        is_part=True,
        leans=number in run.rewrite.leaning,
        began_at=run.budget.turns,
    )


def _part_of_picture(run: Run) -> int:
    """The first part that names what the question's picture shows, else the first one."""
    shown = shown_in(run)
    name = (shown.name or "") if shown is not None else ""
    return next((number for number, part in enumerate(run.rewrite.parts) if name.casefold() in part.casefold()), 0)


def joined(run: Run, parts: Sequence[tuple[Run, AgentResponse]]) -> AgentResponse:
    """The answers of all parts as one response; it says which parts have no answer."""
    run.resolved = tuple(mention for part, _ in parts for mention in part.resolved)
    answers = [answer for _, answer in parts]
    last = answers[-1]
    reason = _reason(run, answers)
    confidence = _confidence(answers)
    sources, numberings = _numbered(answers)
    return last.model_copy(
        update={
            "answer": "\n".join(
                _said(question, answer, numbering)
                for question, answer, numbering in zip(run.rewrite.parts, answers, numberings, strict=True)
            ),
            "status": _status(answers, reason),
            "confidence": confidence.value,
            "confidence_band": confidence.band,
            "confidence_reasons": confidence.reasons,
            "source_entities": _unique(each for answer in answers for each in answer.source_entities),
            "result_entities": _unique(each for answer in answers for each in answer.result_entities),
            "evidence": tuple({each.id: each for answer in answers for each in answer.evidence}.values()),
            "citations": tuple(dict.fromkeys(title for answer in answers for title in answer.citations)),
            "sources": sources,
            "missing": _missing(run.rewrite.parts, answers),
            "alternatives": tuple(each for answer in answers for each in answer.alternatives),
            "searched": _unique(each for answer in answers for each in answer.searched),
            "near_misses": tuple(each for answer in answers for each in answer.near_misses),
            "rewritten_query": run.rewrite.rewritten_query,
            "steps": tuple(run.trace.steps),
            "warnings": tuple(run.warnings.values()),
            "termination_reason": reason,
        }
    )


def _said(question: str, answer: AgentResponse, numbering: dict[int, int]) -> str:
    """The answer to a part under its new markers; where there is none, which part that is stands before it."""
    refs = (*answer.source_entities, *answer.result_entities)
    spans = NameFinder([*answer.citations, *(ref.name for ref in refs if ref.name)]).find(answer.answer)
    text = replace_markers(answer.answer, numbering, spans)
    return text if _is_answered(answer) else f"“{_plain(question)}”: {text}"


def _numbered(answers: Sequence[AgentResponse]) -> tuple[tuple[SourceCitation, ...], list[dict[int, int]]]:
    """The sources of all under markers counted through, and for each answer its markers' new numbers."""
    numbers: dict[SourceCitation, int] = {}
    numberings: list[dict[int, int]] = []
    for answer in answers:
        unmarked = {source.marker: source.model_copy(update={"marker": 0}) for source in answer.sources}
        numberings.append({marker: numbers.setdefault(source, len(numbers) + 1) for marker, source in unmarked.items()})
    return tuple(source.model_copy(update={"marker": number}) for source, number in numbers.items()), numberings


def _missing(questions: Sequence[str], answers: Sequence[AgentResponse]) -> tuple[str, ...]:
    """What the answers lack, and the parts that have none."""
    lacking: list[str] = []
    for question, answer in zip(questions, answers, strict=True):
        lacking.extend(answer.missing if _is_answered(answer) else (_plain(question),))
    return tuple(dict.fromkeys(lacking))


def _plain(question: str) -> str:
    """A part as it is spoken of."""
    return question.rstrip(" ?.!,;")


def _confidence(answers: Sequence[AgentResponse]) -> Confidence:
    """As sure as the least sure answer, less by the share of parts that have none."""
    answered = [answer for answer in answers if _is_answered(answer)]
    least = min(answered or answers, key=lambda answer: answer.confidence)
    if not answered or len(answered) == len(answers):
        return Confidence(least.confidence, least.confidence_band, least.confidence_reasons)
    value = round(least.confidence * len(answered) / len(answers), 4)
    return Confidence(value, band_of(value), (*least.confidence_reasons, "a part of the question has no answer"))


def _reason(run: Run, answers: Sequence[AgentResponse]) -> TerminationReason:
    """Why the whole ended, with its warning: what cut a part short; else what kept one from its answer."""
    reasons = {answer.termination_reason for answer in answers}
    statuses = {answer.status for answer in answers}
    ending = next((reason for reason in _CUT_SHORT if reason in reasons), None)
    if ending is TerminationReason.BUDGET_EXHAUSTED and not BUDGET_WARNINGS.intersection(
        code for code, _ in run.warnings
    ):
        return exhausted_budget(run, BudgetExhausted("turns"))
    if ending is not None or reasons == {TerminationReason.SUFFICIENT}:
        return ending or TerminationReason.SUFFICIENT
    if any(map(_is_answered, answers)):
        return TerminationReason.NO_PROGRESS
    if AnswerStatus.AMBIGUOUS in statuses:
        return TerminationReason.AMBIGUOUS
    return stopped(run, TerminationReason.NO_MATCH_AFTER_MAX_TURNS)


def _status(answers: Sequence[AgentResponse], reason: TerminationReason) -> AnswerStatus:
    statuses = {answer.status for answer in answers}
    if reason is TerminationReason.SUFFICIENT:
        return answers[0].status if len(statuses) == 1 else AnswerStatus.ANSWERED_WITH_CAVEATS
    if reason is TerminationReason.AMBIGUOUS:
        return AnswerStatus.AMBIGUOUS
    if any(map(_is_answered, answers)) or reason in _CUT_SHORT:
        return AnswerStatus.PARTIAL
    return AnswerStatus.NOT_FOUND


def _is_answered(answer: AgentResponse) -> bool:
    """Whether a part has an answer: of one that was cut short there may be nothing, or what comes near."""
    is_half = answer.status is AnswerStatus.PARTIAL and bool(answer.sources) and not answer.near_misses
    return is_half or answer.status in _ANSWERED


def _unique[T](items: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))
