"""What an evaluation found: by kind, in total, and every wording that is not right."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from statistics import fmean

from agent_evals.dataset import Kind
from agent_evals.evaluators import Outcome, Overlap


@dataclass(frozen=True, slots=True)
class Goals:
    """The least share of right answers, in all and of each kind, from 0 to 1."""

    share_right: float = 0.85
    share_right_of_kind: float = 0.60


@dataclass(frozen=True, slots=True)
class Result:
    """One wording, asked and judged. `invented` counts entities that the catalogue does not have.

    `question` has the earlier turns of its session before it. `is_negative` says that there is no answer to be found.
    `model_calls` and `tokens` are those of all its turns.
    """

    case_id: str
    kind: Kind
    question: str
    is_negative: bool
    outcome: Outcome
    reason: str
    overlap: Overlap | None
    expected: str
    status: str
    answer: str
    invented: int
    violations: tuple[str, ...]
    ms: float
    model_calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of outcomes; right, wrong and unanswered add up to `asked`.

    `answerable` questions have an answer in the catalogue, and `answered` ones of them got one, right or wrong.
    `answers` adds the answers to questions that have none; an abstention is no answer. `set_precision` and `set_recall`
    are means over the answers that are sets, None where there was none.
    """

    asked: int
    right: int
    wrong: int
    unanswered: int
    invented: int
    answerable: int
    answered: int
    answers: int
    set_precision: float | None
    set_recall: float | None

    @property
    def share_right(self) -> float:
        """From 0 to 1; 0 where nothing was asked."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def answered_precision(self) -> float:
        """How many of the answers are right, from 0 to 1; 1 where there was no answer."""
        return (self.answers - self.wrong) / self.answers if self.answers else 1.0

    @property
    def coverage(self) -> float:
        """How many of the answerable questions got an answer, from 0 to 1; 1 where none is answerable."""
        return self.answered / self.answerable if self.answerable else 1.0


@dataclass(frozen=True, slots=True)
class EvalReport:
    """All results of one run, in the order of the dataset, and what was wanted of them."""

    results: tuple[Result, ...]
    goals: Goals = Goals()

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

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed, a few words each: shares of right answers, in all and by kind, and no invention."""
        totals, goals = self.totals, self.goals
        found = [f"{totals.invented} invented entities"] if totals.invented else []
        if totals.share_right < goals.share_right:
            found.append(f"{totals.share_right:.1%} right of all, {goals.share_right:.0%} wanted")
        return (
            *found,
            *(
                f"{kind.value}: {each.share_right:.1%} right, {goals.share_right_of_kind:.0%} wanted"
                for kind, each in self.by_kind.items()
                if each.share_right < goals.share_right_of_kind
            ),
        )

    def to_json(self) -> str:
        """Everything, for machines."""
        content = {
            "totals": _totals_json(self.totals),
            "by_kind": {kind.value: _totals_json(totals) for kind, totals in self.by_kind.items()},
            "shortfalls": self.shortfalls,
            "results": [asdict(result) for result in self.results],
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    def to_table(self) -> str:
        """One line a kind and one for all, for people."""
        head = f"{'kind':<16}{'asked':>7}{'right':>7}{'wrong':>7}{'unansw.':>9}{'invented':>10}{'right %':>9}"
        lines = [f"{head}{'precision':>11}{'coverage':>10}{'sets P/R':>12}"]
        lines += [_line(kind.value, totals) for kind, totals in self.by_kind.items()]
        return "\n".join([*lines, _line("all", self.totals)])

    def to_failures(self) -> str:
        """Every wording that is not right or breaks a rule, with what was expected and what came."""
        failures = (r for r in self.results if r.outcome is not Outcome.RIGHT or r.violations)
        return "\n".join(_failure(result) for result in failures)


def _totals(results: Iterable[Result]) -> Totals:
    kept = list(results)
    outcomes = Counter(result.outcome for result in kept)
    answerable = [result for result in kept if not result.is_negative]
    answered = sum(result.outcome is not Outcome.UNANSWERED for result in answerable)
    overlaps = [result.overlap for result in kept if result.overlap is not None]
    return Totals(
        asked=len(kept),
        right=outcomes[Outcome.RIGHT],
        wrong=outcomes[Outcome.WRONG],
        unanswered=outcomes[Outcome.UNANSWERED],
        invented=sum(result.invented for result in kept),
        answerable=len(answerable),
        answered=answered,
        answers=answered + sum(result.outcome is Outcome.WRONG for result in kept if result.is_negative),
        set_precision=fmean(overlap.precision for overlap in overlaps) if overlaps else None,
        set_recall=fmean(overlap.recall for overlap in overlaps) if overlaps else None,
    )


def _totals_json(totals: Totals) -> Mapping[str, object]:
    shares = {"share_right": totals.share_right, "precision": totals.answered_precision, "coverage": totals.coverage}
    return asdict(totals) | shares


def _line(label: str, totals: Totals) -> str:
    counts = f"{totals.asked:>7}{totals.right:>7}{totals.wrong:>7}{totals.unanswered:>9}{totals.invented:>10}"
    shares = f"{100 * totals.share_right:>9.1f}{100 * totals.answered_precision:>11.1f}{100 * totals.coverage:>10.1f}"
    sets = "-" if totals.set_precision is None else f"{totals.set_precision:.2f}/{totals.set_recall:.2f}"
    return f"{label:<16}{counts}{shares}{sets:>12}"


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
