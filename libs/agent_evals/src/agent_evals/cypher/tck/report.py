"""What the scenarios came to: counts, refusals by class, and everything that is wrong."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent_evals.cypher.refusal_classes import class_of
from agent_evals.cypher.tck.chosen import is_read_scenario
from agent_evals.cypher.tck.judging import Outcome, Verdict

MIN_SHARE_PASSED = 0.85


@dataclass(frozen=True, slots=True)
class TckReport:
    """All of one run. `expanded` counts every scenario of the TCK, `verdicts` are on those that don't write."""

    expanded: int
    verdicts: tuple[Verdict, ...]

    @property
    def chosen(self) -> tuple[Verdict, ...]:
        """The read scenarios, of which a share has to pass."""
        return tuple(each for each in self.verdicts if is_read_scenario(each.scenario))

    @property
    def wrong(self) -> tuple[Verdict, ...]:
        """Wrong ones among all without writes."""
        return tuple(each for each in self.verdicts if each.outcome is Outcome.WRONG)

    @property
    def share_passed(self) -> float:
        """Of the read scenarios, from 0 to 1; 0 where there are none."""
        chosen = self.chosen
        return _counted(chosen)["passed"] / len(chosen) if chosen else 0.0

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed."""
        found: list[str] = []
        if self.share_passed < MIN_SHARE_PASSED:
            found.append(f"{self.share_passed:.1%} of the read scenarios pass, {MIN_SHARE_PASSED:.0%} wanted")
        if self.wrong:
            found.append(f"{len(self.wrong)} are wrong, none may be")
        return tuple(found)

    def to_json(self) -> str:
        """Everything but the passed ones' names, for machines."""
        content = {
            "expanded": self.expanded,
            "without_writes": {"scenarios": len(self.verdicts), **_counted(self.verdicts)},
            "read": {"scenarios": len(self.chosen), **_counted(self.chosen), "share_passed": self.share_passed},
            "refused_by_class": {"without_writes": _classes(self.verdicts), "read": _classes(self.chosen)},
            "wrong": [_named(each) for each in self.wrong],
            "refused": [_named(each) for each in self.verdicts if each.outcome is Outcome.REFUSED],
            "shortfalls": self.shortfalls,
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    def to_table(self) -> str:
        """Counts and classes, for people; the last line has the sums over all without writes."""
        read, everything = _classes(self.chosen), _classes(self.verdicts)
        lines = [f"{'':<46}{'read':>8}{'all':>8}"]
        lines += [f"{'scenarios':<46}{len(self.chosen):>8}{len(self.verdicts):>8}"]
        lines += [f"{'refused: ' + name:<46}{read.get(name, 0):>8}{count:>8}" for name, count in everything.items()]
        counted = _counted(self.chosen), _counted(self.verdicts)
        lines += [f"{outcome:<46}{counted[0][outcome]:>8}{counted[1][outcome]:>8}" for outcome in counted[0]]
        lines.append(f"{'share of the read ones that pass':<46}{self.share_passed:>8.1%}")
        others = self.expanded - len(self.verdicts)
        lines.append(f"not asked are {others} of {self.expanded}, which write or call procedures")
        lines.append("tck: " + ", ".join(f"{count} {outcome}" for outcome, count in counted[1].items()))
        return "\n".join(lines)

    def to_failures(self) -> str:
        """Every wrong or refused scenario."""
        failed = (each for each in self.verdicts if each.outcome is not Outcome.PASSED)
        return "\n".join(f"{each.outcome.upper()} {each.scenario.name}\n    {each.said}" for each in failed)


def _counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    counts = Counter(each.outcome for each in verdicts)
    return {outcome.value: counts[outcome] for outcome in Outcome}


def _classes(verdicts: Iterable[Verdict]) -> dict[str, int]:
    counts = Counter(class_of(each.said) for each in verdicts if each.outcome is Outcome.REFUSED)
    return dict(counts.most_common())


def _named(verdict: Verdict) -> Mapping[str, str]:
    scenario = verdict.scenario
    return {"folder": scenario.folder, "scenario": scenario.name, "query": scenario.query, "said": verdict.said}
