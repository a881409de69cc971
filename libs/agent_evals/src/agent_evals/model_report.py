"""What an evaluation with a model found by kind: right answers, calls, tokens, with and without the fast path."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from agent_evals.dataset import Kind
from agent_evals.report import EvalReport, Result


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One pass over the dataset: its report, the requests that the model got, how many of them for a correction."""

    report: EvalReport
    requests: int
    corrections: int

    @property
    def schema_validity(self) -> float:
        """How many first answers filled the asked type, from 0 to 1; 1 where none was asked."""
        firsts = self.requests - self.corrections
        return (firsts - self.corrections) / firsts if firsts else 1.0


@dataclass(frozen=True, slots=True)
class ModelReport:
    """The same questions twice: every stage by the model, then with the fast path."""

    every_stage: ModelRun
    fast_path: ModelRun

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals were missed: those of any evaluation, for either pass."""
        passes = (("every stage", self.every_stage), ("fast path", self.fast_path))
        return tuple(f"{name}: {text}" for name, run in passes for text in run.report.shortfalls)

    def to_table(self) -> str:
        """One line a kind and one for all, for people."""
        head = (
            f"{'kind':<16}{'asked':>7}{'right %':>17}{'calls a question':>20}{'tokens a question':>22}{'invented':>10}"
        )
        lines = [head, *(_line(kind.value, *self._results(kind)) for kind in self.every_stage.report.by_kind)]
        lines.append(_line("all", self.every_stage.report.results, self.fast_path.report.results))
        valid = f"{self.every_stage.schema_validity:.1%} → {self.fast_path.schema_validity:.1%}"
        return "\n".join([*lines, "each: every stage by the model → with the fast path", f"schema validity: {valid}"])

    def to_json(self) -> str:
        """Everything, for machines."""
        passes = {"every_stage": self.every_stage, "fast_path": self.fast_path}
        content = {name: _run_json(run) for name, run in passes.items()} | {"shortfalls": self.shortfalls}
        return json.dumps(content, ensure_ascii=False, indent=1)

    def _results(self, kind: Kind) -> tuple[list[Result], list[Result]]:
        before, after = (
            [result for result in run.report.results if result.kind is kind]
            for run in (self.every_stage, self.fast_path)
        )
        return before, after


def _line(name: str, before: Sequence[Result], after: Sequence[Result]) -> str:
    right = _arrow(*(100 * fmean(result.outcome == "right" for result in each) for each in (before, after)))
    calls = _arrow(*(fmean(result.model_calls for result in each) for each in (before, after)))
    tokens = _arrow(*(fmean(result.tokens for result in each) for each in (before, after)), digits=0)
    invented = sum(result.invented for result in (*before, *after))
    return f"{name:<16}{len(before):>7}{right:>17}{calls:>20}{tokens:>22}{invented:>10}"


def _arrow(before: float, after: float, *, digits: int = 1) -> str:
    return f"{before:.{digits}f} → {after:.{digits}f}"


def _run_json(run: ModelRun) -> Mapping[str, object]:
    kinds = {
        kind.value: {
            "model_calls": sum(result.model_calls for result in run.report.results if result.kind is kind),
            "tokens": sum(result.tokens for result in run.report.results if result.kind is kind),
        }
        for kind in run.report.by_kind
    }
    return {
        "requests": run.requests,
        "corrections": run.corrections,
        "schema_validity": run.schema_validity,
        "spent_by_kind": kinds,
        **json.loads(run.report.to_json()),
    }
