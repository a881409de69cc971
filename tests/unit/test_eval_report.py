"""Totals, tables and the list of failures."""

import json

import pytest
from agent_evals.dataset import Kind
from agent_evals.evaluators import Outcome, Overlap
from agent_evals.report import EvalReport, Goals, Result


def result(
    kind: Kind,
    outcome: Outcome,
    *,
    invented: int = 0,
    violations: tuple[str, ...] = (),
    is_negative: bool = False,
    overlap: Overlap | None = None,
) -> Result:
    return Result(
        case_id="case-1",
        kind=kind,
        question="Who?",
        is_negative=is_negative,
        overlap=overlap,
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
    totals = REPORT.totals
    assert (totals.asked, totals.right, totals.wrong, totals.unanswered, totals.invented) == (4, 2, 1, 1, 2)
    assert list(REPORT.by_kind) == [Kind.LOOKUP, Kind.PATH]
    path = REPORT.by_kind[Kind.PATH]
    assert (path.asked, path.right, path.wrong, path.unanswered, path.invented) == (2, 1, 1, 0, 2)
    assert totals.share_right == 0.5


def test_abstentions_are_no_answers() -> None:
    totals = EvalReport(
        (
            result(Kind.NEGATIVE, Outcome.RIGHT, is_negative=True),
            result(Kind.NEGATIVE, Outcome.WRONG, is_negative=True),
            result(Kind.LOOKUP, Outcome.RIGHT, overlap=Overlap(1.0, 0.5)),
            result(Kind.LOOKUP, Outcome.WRONG, overlap=Overlap(0.5, 0.0)),
            result(Kind.LOOKUP, Outcome.UNANSWERED),
            result(Kind.LOOKUP, Outcome.UNANSWERED),
        )
    ).totals
    assert (totals.answerable, totals.answered, totals.answers) == (4, 2, 3)
    assert totals.answered_precision == pytest.approx(1 / 3)
    assert totals.coverage == 0.5
    assert (totals.set_precision, totals.set_recall) == (0.75, 0.25)


def test_missed_goals_are_named() -> None:
    assert REPORT.shortfalls == (
        "2 invented entities",
        "50.0% right of all, 85% wanted",
        "lookup: 50.0% right, 60% wanted",
        "path: 50.0% right, 60% wanted",
    )
    assert EvalReport((result(Kind.PATH, Outcome.RIGHT),)).shortfalls == ()
    stricter = EvalReport(REPORT.results, Goals(share_right=0.5, share_right_of_kind=0.51))
    assert stricter.shortfalls == (
        "2 invented entities",
        "lookup: 50.0% right, 51% wanted",
        "path: 50.0% right, 51% wanted",
    )


def test_an_empty_report_has_no_share() -> None:
    assert EvalReport(()).totals.share_right == 0.0


def test_json_and_table() -> None:
    content = json.loads(REPORT.to_json())
    assert content["by_kind"]["path"]["wrong"] == 1
    assert len(content["results"]) == 4
    assert REPORT.to_table().splitlines()[-1].split() == [
        *("all", "4", "2", "1", "1", "2"),
        *("50.0", "66.7", "75.0", "-"),
    ]


def test_failures_say_what_was_expected_and_what_came() -> None:
    assert REPORT.to_failures().splitlines()[:5] == [
        "WRONG case-1: Who?",
        "    expected: Somebody",
        "    got:      [answered] Nobody at all",
        "    reason:   because",
        "    violates: invented_name: X",
    ]
    assert REPORT.to_failures().count("case-1") == 2
