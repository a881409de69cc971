"""What asking the model-written queries found: rows, nothing, or a refusal with its reason."""

import json
from collections import Counter
from dataclasses import asdict, dataclass

from agent_evals.cypher.selection import CypherQuestion, Selection

MIN_SHARE_WITH_ROWS = 0.95


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and how many rows it found; `rows` is None where it was refused."""

    question: CypherQuestion
    rows: int | None
    refusal: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A drawn question, and how its rows differ from those of the SQL by hand; empty where they agree."""

    question: CypherQuestion
    difference: str


@dataclass(frozen=True, slots=True)
class Text2CypherReport:
    """All of one run."""

    selection: Selection
    answered: tuple[Answered, ...]
    compared: tuple[Compared, ...]

    @property
    def refused(self) -> tuple[Answered, ...]:
        """Those that were refused, flagged or not."""
        return tuple(each for each in self.answered if each.rows is None)

    @property
    def reasons(self) -> dict[str, int]:
        """How many were refused, by class of reason, most first."""
        return dict(Counter(each.reason for each in self.refused).most_common())

    @property
    def without_rows(self) -> tuple[Answered, ...]:
        """Those that found something when they were collected, were answered, and found nothing."""
        return tuple(each for each in self.answered if each.question.has_rows and each.rows == 0)

    @property
    def share_with_rows(self) -> float:
        """Of those that found something when they were collected, from 0 to 1; 0 where there are none."""
        flagged = [each for each in self.answered if each.question.has_rows]
        return sum(bool(each.rows) for each in flagged) / len(flagged) if flagged else 0.0

    @property
    def agreeing(self) -> int:
        """How many of the drawn ones agree with the SQL by hand."""
        return sum(not each.difference for each in self.compared)

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed."""
        found: list[str] = []
        if self.share_with_rows < MIN_SHARE_WITH_ROWS:
            found.append(f"{self.share_with_rows:.1%} return rows, {MIN_SHARE_WITH_ROWS:.0%} wanted")
        if self.agreeing < len(self.compared) or not self.compared:
            found.append(f"{self.agreeing} of {len(self.compared)} drawn agree with SQL by hand, all wanted")
        return tuple(found)

    def to_json(self) -> str:
        """Everything, for machines."""
        content = {
            "selection": self._counts(),
            "share_with_rows": self.share_with_rows,
            "refused_by_reason": self.reasons,
            "refused": [asdict(each) for each in self.refused],
            "without_rows": [asdict(each) for each in self.without_rows],
            "agreeing": self.agreeing,
            "compared": [asdict(each) for each in self.compared],
            "shortfalls": self.shortfalls,
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    def to_table(self) -> str:
        """The selection, the refusals by reason and the goals, for people."""
        lines = [f"{name.replace('_', ' '):<46}{count:>6}" for name, count in self._counts().items()]
        lines += [f"{'refused: ' + reason:<46}{count:>6}" for reason, count in self.reasons.items()]
        lines.append(f"{'share of with rows that return rows':<46}{self.share_with_rows:>6.1%}")
        lines.append(f"{'agree with SQL by hand':<46}{self.agreeing:>6} of {len(self.compared)}")
        return "\n".join(lines)

    def to_failures(self) -> str:
        """Every refusal, empty answer and disagreement."""
        lines = [f"REFUSED {_shown(each.question)}\n    {each.refusal}" for each in self.refused]
        lines += [f"WITHOUT ROWS {_shown(each.question)}" for each in self.without_rows]
        lines += [
            f"DIFFERENT {_shown(each.question)}\n    {each.difference}" for each in self.compared if each.difference
        ]
        return "\n".join(lines)

    def _counts(self) -> dict[str, int]:
        selection = self.selection
        return {
            "on_movies": selection.on_movies,
            "clean": selection.clean,
            "read_only": selection.read_only,
            "asked": len(selection.questions),
            "with_rows": len(selection.with_rows),
        }


def _shown(question: CypherQuestion) -> str:
    return f"{question.number}: {' '.join(question.cypher.split())}"
