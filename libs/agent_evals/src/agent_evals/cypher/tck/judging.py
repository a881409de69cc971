"""What came of a scenario: passed, refused or wrong."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cypher_sql import QueryRefused

from agent_evals.cypher.database import GraphAnswer
from agent_evals.cypher.tck.features import ExpectedError, ExpectedRows, Phase, Scenario
from agent_evals.cypher.tck.found import found_value
from agent_evals.cypher.tck.notation import Comparable, read_value, without_order


class Outcome(StrEnum):
    """How a scenario went."""

    PASSED = "passed"
    REFUSED = "refused"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one scenario; `said` is the refusal, or what is wrong."""

    scenario: Scenario
    outcome: Outcome
    said: str = ""


def judged(scenario: Scenario, came: GraphAnswer | QueryRefused) -> Verdict:
    """An answer is right or wrong; a refusal passes where it is the expected error, of the same class and phase."""
    if isinstance(came, QueryRefused):
        is_expected = isinstance(scenario.expected, ExpectedError) and _is_the_error(scenario.expected, came)
        return Verdict(scenario, Outcome.PASSED if is_expected else Outcome.REFUSED, str(came))
    if isinstance(scenario.expected, ExpectedError):
        return Verdict(scenario, Outcome.WRONG, f"answered instead of {scenario.expected.kind}")
    difference = _difference(scenario.expected, came)
    return Verdict(scenario, Outcome.WRONG if difference else Outcome.PASSED, difference)


def _is_the_error(expected: ExpectedError, refusal: QueryRefused) -> bool:
    phase = Phase.RUN_TIME if refusal.at_run_time else Phase.COMPILE_TIME
    return refusal.fault.value == expected.kind and expected.phase in (phase, Phase.ANY)


def _difference(expected: ExpectedRows, answer: GraphAnswer) -> str:
    names = [column.name for column in answer.columns]
    if expected.columns and sorted(names) != sorted(expected.columns):
        return f"columns {names} instead of {list(expected.columns)}"
    shape: Callable[[Comparable], Comparable] = (lambda value: value) if expected.lists_are_ordered else without_order
    places = [names.index(name) for name in expected.columns]
    wanted = [tuple(shape(read_value(cell)) for cell in row) for row in expected.rows]
    found = [
        tuple(shape(found_value(row[place], answer.columns[place].type)) for place in places) for row in answer.rows
    ]
    if not expected.columns:
        return f"{len(answer.rows)} rows instead of none" if answer.rows else ""
    return _unlike(wanted, found, is_ordered=expected.is_ordered)


def _unlike[Row](wanted: Sequence[Row], found: Sequence[Row], *, is_ordered: bool) -> str:
    if (found == wanted) if is_ordered else (Counter(found) == Counter(wanted)):
        return ""
    missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    return f"missing {list(missing)[:3]}, too many {list(extra)[:3]}" if missing or extra else "in another order"
