"""How a run may end: which status, reason and warnings can stand together, in one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from agent_core.protocols import Slot
from agent_core.schemas import AgentResponse, AnswerStatus, TerminationReason, WarningCode

_W, _S, _R = WarningCode, AnswerStatus, TerminationReason

QUIET_WARNINGS = frozenset(
    {_W.SPELLING_CORRECTED, _W.STEP_REFUSED, _W.CONTEXT_TRIMMED, _W.EVIDENCE_TRIMMED, _W.DATE_PRECISION}
)
"""Warnings that an answer may carry without being called one with caveats."""

BUDGET_WARNINGS = frozenset(
    {
        _W.TURN_BUDGET_EXHAUSTED,
        _W.MODEL_CALL_BUDGET_EXHAUSTED,
        _W.TOOL_CALL_BUDGET_EXHAUSTED,
        _W.TOKEN_BUDGET_EXHAUSTED,
    }
)


@dataclass(frozen=True, slots=True)
class Ending:
    """What may stand beside a reason: its statuses, warnings of which one must be there, and warnings that must not."""

    statuses: frozenset[AnswerStatus]
    needs_one_of: frozenset[WarningCode] = frozenset()
    excludes: frozenset[WarningCode] = frozenset()


_ONLY_AT_THE_END = frozenset({_W.DEADLINE_REACHED, _W.NO_MATCH_AFTER_MAX_TURNS, _W.TURN_BUDGET_EXHAUSTED})

ENDINGS: Mapping[TerminationReason, Ending] = MappingProxyType(
    {
        _R.SUFFICIENT: Ending(
            frozenset({_S.ANSWERED, _S.ANSWERED_WITH_CAVEATS, _S.NOT_FOUND}), excludes=_ONLY_AT_THE_END
        ),
        _R.NO_RETRIEVAL_NEEDED: Ending(
            frozenset({_S.ANSWERED, _S.ANSWERED_WITH_CAVEATS, _S.UNANSWERABLE}), excludes=_ONLY_AT_THE_END
        ),
        _R.AMBIGUOUS: Ending(
            frozenset({_S.AMBIGUOUS}), needs_one_of=frozenset({_W.AMBIGUOUS_ENTITY}), excludes=_ONLY_AT_THE_END
        ),
        _R.NO_MATCH_AFTER_MAX_TURNS: Ending(
            frozenset({_S.NOT_FOUND}),
            needs_one_of=frozenset({_W.NO_MATCH_AFTER_MAX_TURNS}),
            excludes=frozenset({_W.DEADLINE_REACHED}),
        ),
        _R.NO_PROGRESS: Ending(frozenset({_S.PARTIAL, _S.NOT_FOUND}), excludes=_ONLY_AT_THE_END),
        _R.BUDGET_EXHAUSTED: Ending(
            frozenset({_S.PARTIAL}),
            needs_one_of=BUDGET_WARNINGS,
            excludes=frozenset({_W.DEADLINE_REACHED, _W.NO_MATCH_AFTER_MAX_TURNS}),
        ),
        _R.DEADLINE: Ending(
            frozenset({_S.PARTIAL}),
            needs_one_of=frozenset({_W.DEADLINE_REACHED}),
            excludes=frozenset({_W.NO_MATCH_AFTER_MAX_TURNS, _W.TURN_BUDGET_EXHAUSTED}),
        ),
        # A cancelled run answers nobody: the cancellation itself goes to the caller. Stored traces carry the reason.
        _R.CANCELLED: Ending(frozenset()),
        _R.DEPENDENCY_LOST: Ending(
            frozenset({_S.PARTIAL}),
            needs_one_of=frozenset({_W.DATABASE_UNAVAILABLE}),
            excludes=_ONLY_AT_THE_END,
        ),
    }
)


def status_of(
    reason: TerminationReason, *, has_answer: bool, slots: Sequence[Slot], warnings: frozenset[WarningCode]
) -> AnswerStatus:
    """The status that follows from a reason, from what the slots say and from the warnings.

    For a fixed text, `has_answer` says whether it answers anything.
    """
    match reason:
        case TerminationReason.AMBIGUOUS:
            return AnswerStatus.AMBIGUOUS
        case TerminationReason.NO_MATCH_AFTER_MAX_TURNS:
            return AnswerStatus.NOT_FOUND
        case TerminationReason.NO_PROGRESS if not has_answer:
            return AnswerStatus.NOT_FOUND
        case TerminationReason.SUFFICIENT:
            return _sufficient(slots, warnings)
        case TerminationReason.NO_RETRIEVAL_NEEDED if not has_answer:
            return AnswerStatus.UNANSWERABLE
        case TerminationReason.NO_RETRIEVAL_NEEDED:
            return AnswerStatus.ANSWERED_WITH_CAVEATS if warnings - QUIET_WARNINGS else AnswerStatus.ANSWERED
        case _:
            return AnswerStatus.PARTIAL


def violations(response: AgentResponse) -> list[str]:
    """What of a response the table forbids; empty when all of it can stand together."""
    ending = ENDINGS[response.termination_reason]
    codes = frozenset(warning.code for warning in response.warnings)
    found: list[str] = []
    if response.status not in ending.statuses:
        found.append(f"{response.termination_reason} with status {response.status}")
    if ending.needs_one_of and not codes & ending.needs_one_of:
        found.append(f"{response.termination_reason} without one of {sorted(ending.needs_one_of)}")
    found.extend(f"{response.termination_reason} with {code}" for code in sorted(codes & ending.excludes))
    if response.status is AnswerStatus.ANSWERED and codes - QUIET_WARNINGS:
        found.append(f"answered with {sorted(codes - QUIET_WARNINGS)}")
    return found


def _sufficient(slots: Sequence[Slot], warnings: frozenset[WarningCode]) -> AnswerStatus:
    wanted = [slot for slot in slots if not slot.name.startswith("mention:")] or list(slots)
    absent = sum(slot.state == "absent" for slot in wanted)
    if wanted and absent == len(wanted):
        return AnswerStatus.NOT_FOUND
    if absent or warnings - QUIET_WARNINGS:
        return AnswerStatus.ANSWERED_WITH_CAVEATS
    return AnswerStatus.ANSWERED
