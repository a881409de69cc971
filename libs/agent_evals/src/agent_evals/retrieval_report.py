"""How well collections were searched, against the goals."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from agent_evals.retrieval import Shares


@dataclass(frozen=True, slots=True)
class Measured:
    """One way of searching, with its measures by name, e.g. `ndcg@10`; `goals` are over all questions."""

    search: str
    measures: Mapping[str, Shares]
    goals: Mapping[str, float]

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed, a few words each."""
        return tuple(
            f"{self.search}: {name} {self.measures[name].all:.4f}, {goal:.2f} wanted"
            for name, goal in self.goals.items()
            if self.measures[name].all < goal
        )


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """All ways in which a collection was searched."""

    collection: str
    passages: int
    questions: int
    model: str
    searches: tuple[Measured, ...]

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed."""
        return tuple(each for search in self.searches for each in search.shortfalls)

    def to_json(self) -> str:
        """Everything, and the shortfalls."""
        return json.dumps(asdict(self) | {"shortfalls": self.shortfalls}, indent=1)

    def to_table(self) -> str:
        """A line for each measure, in columns."""
        head = f"{self.collection}: {self.passages} passages, {self.questions} questions, {self.model}"
        lines = [head, f"{'search':<28}{'measure':<12}{'even':>8}{'odd':>8}{'all':>8}{'goal':>7}"]
        for search in self.searches:
            for name, shares in search.measures.items():
                goal = f"{search.goals[name]:.2f}" if name in search.goals else ""
                lines.append(
                    f"{search.search:<28}{name:<12}{shares.even:>8.4f}{shares.odd:>8.4f}{shares.all:>8.4f}{goal:>7}"
                )
        return "\n".join(lines)
