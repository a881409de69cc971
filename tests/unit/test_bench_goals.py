"""Goals: met only by a quiet measurement that reaches them, and never silent about the reason."""

import pytest
from agent_evals.bench.goals import GOALS, GoalSpec, judge
from agent_evals.bench.report import AreaReport, Goal, Measured

MOST = GoalSpec("ours / floor", "speed", "at most", 4.5)
LEAST = GoalSpec("peer / ours", "speed", "at least", 2.0)


def judged(spec: GoalSpec, measured: Measured) -> Goal:
    area = AreaReport(area="speed", status="measured", measured={spec.name: measured})
    (goal,) = judge([area], [spec])
    return goal


@pytest.mark.parametrize(
    ("spec", "value", "met"), [(MOST, 4.5, True), (MOST, 4.6, False), (LEAST, 2.0, True), (LEAST, 1.9, False)]
)
def test_the_bound_itself_is_met(spec: GoalSpec, value: float, met: bool) -> None:
    goal = judged(spec, Measured(value=value))
    assert (goal.met, goal.value, goal.goal) == (met, value, spec.bound)
    assert (goal.why_not is None) is met


def test_a_miss_says_by_how_much() -> None:
    assert judged(MOST, Measured(value=101.24)).why_not == "101, at most 4.5 wanted"


def test_a_contended_value_is_shown_and_not_met() -> None:
    goal = judged(MOST, Measured(value=1.0, contended=True))
    assert (goal.value, goal.met) == (1.0, False)
    assert goal.why_not is not None
    assert goal.why_not.startswith("contended")


def test_a_missing_peer_is_the_reason() -> None:
    goal = judged(LEAST, Measured(why_not="tantivy: not installed"))
    assert (goal.value, goal.met, goal.why_not) == (None, False, "tantivy: not installed")


def test_goals_of_areas_that_were_not_measured_are_not_met() -> None:
    without, with_reason = (
        judge([], [MOST]),
        judge([AreaReport(area="speed", status="not_measured", why_not="no engine")], [MOST]),
    )
    assert (without[0].met, without[0].why_not) == (False, "not measured in this run")
    assert (with_reason[0].met, with_reason[0].why_not) == (False, "not measured: no engine")


def test_goals_have_names_of_their_own() -> None:
    assert len({spec.name for spec in GOALS}) == len(GOALS) == 33
