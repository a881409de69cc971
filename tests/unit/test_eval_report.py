"""Totals, tables and the list of failures."""

import json

from agent_evals.dataset import Kind
from agent_evals.evaluators import Outcome
from agent_evals.report import EvalReport, Result, Totals


def result(kind: Kind, outcome: Outcome, *, invented: int = 0, violations: tuple[str, ...] = ()) -> Result:
    return Result(
        case_id="case-1",
        kind=kind,
        question="Who?",
        outcome=outcome,
        reason="" if outcome is Outcome.RIGHT else "because",
        expected="Somebody",
        status="answered",
        answer="Nobody\nat all",
        invented=invented,
        violations=violations,
        ms=1.0,
    )


REPORT = EvalReport(
    (
        result(Kind.PATH, Outcome.RIGHT),
        result(Kind.PATH, Outcome.WRONG, invented=2, violations=("invented_name: X", "invented_name: Y")),
        result(Kind.LOOKUP, Outcome.RIGHT),
        result(Kind.LOOKUP, Outcome.UNANSWERED),
    )
)


def test_outcomes_are_counted_apart() -> None:
    assert REPORT.totals == Totals(asked=4, right=2, wrong=1, unanswered=1, invented=2)
    assert list(REPORT.by_kind) == [Kind.LOOKUP, Kind.PATH]
    assert REPORT.by_kind[Kind.PATH] == Totals(asked=2, right=1, wrong=1, unanswered=0, invented=2)
    assert REPORT.totals.share_right == 0.5


def test_an_empty_report_has_no_share() -> None:
    assert EvalReport(()).totals.share_right == 0.0


def test_json_and_table() -> None:
    content = json.loads(REPORT.to_json())
    assert content["by_kind"]["path"]["wrong"] == 1
    assert len(content["results"]) == 4
    assert REPORT.to_table().splitlines()[-1].split() == ["all", "4", "2", "1", "1", "2", "50.0"]


def test_failures_say_what_was_expected_and_what_came() -> None:
    assert REPORT.to_failures().splitlines()[:5] == [
        "WRONG case-1: Who?",
        "    expected: Somebody",
        "    got:      [answered] Nobody at all",
        "    reason:   because",
        "    violates: invented_name: X",
    ]
    assert REPORT.to_failures().count("case-1") == 2
