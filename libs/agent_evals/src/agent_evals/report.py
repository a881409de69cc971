"""What an evaluation found: by kind, in total, and every wording that is not right."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from agent_evals.dataset import Kind
from agent_evals.evaluators import Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """One wording, asked and judged. `invented` counts entities that the catalogue does not have."""

    case_id: str
    kind: Kind
    question: str
    outcome: Outcome
    reason: str
    expected: str
    status: str
    answer: str
    invented: int
    violations: tuple[str, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of outcomes; right, wrong and unanswered add up to `asked`."""

    asked: int
    right: int
    wrong: int
    unanswered: int
    invented: int

    @property
    def share_right(self) -> float:
        """From 0 to 1; 0 where nothing was asked."""
        return self.right / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class EvalReport:
    """All results of one run, in the order of the dataset."""

    results: tuple[Result, ...]

    @property
    def totals(self) -> Totals:
        """Over all kinds."""
        return _totals(self.results)

    @property
    def by_kind(self) -> dict[Kind, Totals]:
        """Per kind that was asked, in the order of the vocabulary."""
        return {
            kind: _totals(results)
            for kind in Kind
            if (results := [result for result in self.results if result.kind is kind])
        }

    def to_json(self) -> str:
        """Everything, for machines."""
        content = {
            "totals": asdict(self.totals),
            "by_kind": {kind.value: asdict(totals) for kind, totals in self.by_kind.items()},
            "results": [asdict(result) for result in self.results],
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    def to_table(self) -> str:
        """One line a kind and one for all, for people."""
        lines = [f"{'kind':<14}{'asked':>7}{'right':>7}{'wrong':>7}{'unansw.':>9}{'invented':>10}{'right %':>9}"]
        lines += [_line(kind.value, totals) for kind, totals in self.by_kind.items()]
        return "\n".join([*lines, _line("all", self.totals)])

    def to_failures(self) -> str:
        """Every wording that is not right or breaks a rule, with what was expected and what came."""
        failures = (r for r in self.results if r.outcome is not Outcome.RIGHT or r.violations)
        return "\n".join(_failure(result) for result in failures)


def _totals(results: Iterable[Result]) -> Totals:
    kept = list(results)
    outcomes = Counter(result.outcome for result in kept)
    return Totals(
        asked=len(kept),
        right=outcomes[Outcome.RIGHT],
        wrong=outcomes[Outcome.WRONG],
        unanswered=outcomes[Outcome.UNANSWERED],
        invented=sum(result.invented for result in kept),
    )


def _line(label: str, totals: Totals) -> str:
    counts = f"{totals.asked:>7}{totals.right:>7}{totals.wrong:>7}{totals.unanswered:>9}{totals.invented:>10}"
    return f"{label:<14}{counts}{100 * totals.share_right:>9.1f}"


def _failure(result: Result) -> str:
    lines = [
        f"{result.outcome.value.upper()} {result.case_id}: {result.question}",
        f"    expected: {result.expected or 'no answer'}",
        f"    got:      [{result.status}] {' '.join(result.answer.split())[:400]}",
    ]
    if result.reason:
        lines.append(f"    reason:   {result.reason}")
    lines += [f"    violates: {violation}" for violation in result.violations]
    return "\n".join(lines)
