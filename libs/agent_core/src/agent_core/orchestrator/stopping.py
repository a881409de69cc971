"""Why a run stops, as its caller is told."""

from agent_core.errors import BudgetExhausted
from agent_core.orchestrator.run import Run
from agent_core.schemas import TerminationReason, WarningCode

_BUDGET_WARNINGS: dict[str, tuple[WarningCode, str]] = {
    "tool_calls": (WarningCode.TOOL_CALL_BUDGET_EXHAUSTED, "No reads are left for this question."),
    "turns": (WarningCode.TURN_BUDGET_EXHAUSTED, "No turns are left for this question."),
}

_GIVEN_UP = frozenset({TerminationReason.NO_MATCH_AFTER_MAX_TURNS, TerminationReason.BUDGET_EXHAUSTED})


def stopped(run: Run, reason: TerminationReason) -> TerminationReason:
    """The reason for which the last reading was left as the caller is told, with its warning.

    A part of a question warns of nothing: the whole may have an answer.
    """
    if reason not in _GIVEN_UP:
        return reason
    if run.accepted is None:
        if not run.is_part:
            run.warn(WarningCode.NO_MATCH_AFTER_MAX_TURNS, "Nothing that answers the question was found.")
        return TerminationReason.NO_MATCH_AFTER_MAX_TURNS
    if reason is TerminationReason.NO_MATCH_AFTER_MAX_TURNS:
        return TerminationReason.NO_PROGRESS
    if not run.is_part:
        run.warn(*_BUDGET_WARNINGS["turns"])
    return reason


def out_of_time(run: Run) -> TerminationReason:
    """The deadline as a reason, with its warning."""
    run.warn(WarningCode.DEADLINE_REACHED, "The time for this question was up before it was fully answered.")
    return TerminationReason.DEADLINE


def exhausted_budget(run: Run, exhausted: BudgetExhausted) -> TerminationReason:
    """What was spent as a reason, with its warning."""
    if exhausted.what == "time":
        return out_of_time(run)
    if not (run.is_part and exhausted.what == "turns"):
        run.warn(*_BUDGET_WARNINGS[exhausted.what])
    return TerminationReason.BUDGET_EXHAUSTED
