"""How many questions of each type got exactly the published set of answers."""

import json
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question by its type, the entity that it names, and all of its answers."""

    id: str
    type: str
    topic: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A question whose answers were not the published ones, and how they differ."""

    question: HopQuestion
    difference: str


@dataclass(frozen=True, slots=True)
class TypeResult:
    """All questions of one type; `hops` is 0 for a type that isn't known."""

    type: str
    hops: int
    asked: int
    wrong: tuple[Mismatch, ...]

    @property
    def right(self) -> int:
        """How many got exactly their answers."""
        return self.asked - len(self.wrong)


@dataclass(frozen=True, slots=True)
class MetaQaReport:
    """All of one run, type by type."""

    types: tuple[TypeResult, ...]

    @property
    def asked(self) -> int:
        """Questions in all."""
        return sum(each.asked for each in self.types)

    @property
    def right(self) -> int:
        """Questions that got exactly their answers."""
        return sum(each.right for each in self.types)

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which types aren't all right."""
        found = tuple(f"{each.type}: {each.right} of {each.asked} right" for each in self.types if each.wrong)
        return found if self.asked else ("no question was asked",)

    def to_json(self) -> str:
        """Everything, for machines; the wrong ones one by one."""
        content = {
            "totals": {"asked": self.asked, "right": self.right, "types": len(self.types)},
            "by_hops": {
                hops: {"asked": sum(each.asked for each in types), "right": sum(each.right for each in types)}
                for hops in sorted({each.hops for each in self.types})
                if (types := self._of(hops))
            },
            "by_type": [
                {"type": each.type, "hops": each.hops, "asked": each.asked, "right": each.right} for each in self.types
            ],
            "shortfalls": self.shortfalls,
            "wrong": [
                {"id": each.question.id, "topic": each.question.topic, "difference": each.difference}
                for each in self._wrong()
            ],
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    def to_table(self) -> str:
        """One line a type and one for all, for people."""
        lines = [f"{'hops':<6}{'type':<40}{'asked':>7}{'right':>7}"]
        lines += [f"{each.hops:<6}{each.type:<40}{each.asked:>7}{each.right:>7}" for each in self.types]
        return "\n".join([*lines, f"{'':<6}{'all':<40}{self.asked:>7}{self.right:>7}"])

    def to_failures(self) -> str:
        """Every question that isn't right."""
        return "\n".join(f"WRONG {each.question.id} {each.question.topic}: {each.difference}" for each in self._wrong())

    def _of(self, hops: int) -> list[TypeResult]:
        return [each for each in self.types if each.hops == hops]

    def _wrong(self) -> Iterable[Mismatch]:
        return (mismatch for each in self.types for mismatch in each.wrong)
