"""Calls that may fail for a moment: sources with few retries, model stages with the rule-based ones behind them."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent_core.budget import Budget
from agent_core.errors import BudgetExhausted, ModelErrorKind, SourceUnavailable, StageFailed
from agent_core.evidence import EntityRef, Evidence
from agent_core.orchestrator.fast_path import OBVIOUS
from agent_core.orchestrator.options import LoopOptions
from agent_core.orchestrator.run import Run
from agent_core.orchestrator.trace import StepNote
from agent_core.protocols import Clock, Stages
from agent_core.schemas import (
    DraftAnswer,
    NextStep,
    QueryRewrite,
    Stage,
    StepStatus,
    SufficiencyReport,
    WarningCode,
)
from agent_core.turns import CompleteQuestion

_GRACE_SECONDS = 0.25

_EXHAUSTED: dict[str, tuple[WarningCode, str]] = {
    "model_calls": (WarningCode.MODEL_CALL_BUDGET_EXHAUSTED, "No model calls are left; rules took over."),
    "tokens": (WarningCode.TOKEN_BUDGET_EXHAUSTED, "No tokens are left; rules took over."),
    "cost": (WarningCode.TOKEN_BUDGET_EXHAUSTED, "No money is left for model calls; rules took over."),
}

_FAILED: dict[ModelErrorKind, str] = {
    ModelErrorKind.BAD_OUTPUT: "gave nothing usable",
    ModelErrorKind.TRUNCATED: "was cut off",
    ModelErrorKind.RATE_LIMITED: "takes no more requests for now",
    ModelErrorKind.UNAVAILABLE: "can't be reached",
    ModelErrorKind.TIMEOUT: "did not answer in time",
    ModelErrorKind.REJECTED: "refused the request",
}
_REPLACED: dict[Stage, str] = {
    Stage.REWRITE: "read the question",
    Stage.SELECT: "chose where to look",
    Stage.ANSWER: "wrote the answer",
    Stage.SUFFICIENCY: "judged the answer",
}


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft with the evidence that its stage was shown."""

    draft: DraftAnswer
    shown: tuple[Evidence, ...]
    by_model: bool


class SourceCaller:
    """Calls a source within the run's budget and deadline."""

    def __init__(self, options: LoopOptions, clock: Clock) -> None:
        self._options = options
        self._clock = clock

    async def call[T](
        self, source: str, spend: Callable[[], None], budget: Budget, read: Callable[[float], Awaitable[T]]
    ) -> T:
        """What `read` gives, asked again with growing, jittered pauses while the source can't be reached.

        Every attempt is spent. Raises SourceUnavailable at the end of the retries and at once for a time-out;
        BudgetExhausted when an attempt may not begin. A pause that would outlast the deadline is not begun.
        """
        pause = self._options.backoff_seconds
        for attempt in range(self._options.retries + 1):
            spend()
            seconds = budget.timeout(self._options.source_seconds)
            try:
                async with asyncio.timeout(seconds + _GRACE_SECONDS):
                    return await read(seconds)
            except TimeoutError:
                raise SourceUnavailable(source, timed_out=True) from None
            except SourceUnavailable as lost:
                if lost.timed_out or attempt == self._options.retries or budget.remaining_seconds <= pause:
                    raise
            await self._clock.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(pause * 2, self._options.max_backoff_seconds)
        raise SourceUnavailable(source)


class StageCaller:
    """Calls the stages of a run: the configured ones, and the rule-based ones when a model gives nothing usable."""

    def __init__(self, stages: Stages, rule_based: Stages) -> None:
        self._stages = stages
        self._rule_based = rule_based

    @property
    def has_model(self) -> bool:
        """Whether the configured stages are others than the rule-based ones."""
        return self._stages is not self._rule_based

    def with_stages(self, stages: Stages | None) -> "StageCaller":
        """Other stages before the same rules; None leaves the rules alone."""
        return StageCaller(stages or self._rule_based, self._rule_based)

    async def rewrite(self, run: Run) -> QueryRewrite:
        return await self._call(
            run,
            Stage.REWRITE,
            "rewrite_ms",
            lambda: self._stages.rewrite.run(run.request, run.budget, run.history),
            lambda: self._rule_based.rewrite.run(run.request, run.budget),
        )

    async def read_picture_question(self, run: Run, shown: EntityRef) -> CompleteQuestion | None:
        """What is asked of an entity that the question's picture shows; None when no more than what it is."""
        reader = self._stages.pictures or self._rule_based.pictures
        return await reader.complete(run.request.query, shown, run.budget) if reader is not None else None

    async def select(self, run: Run) -> NextStep:
        return await self._call(
            run,
            Stage.SELECT,
            "selector_ms",
            lambda: self._stages.source_selector.run(run.view(for_model=True), run.budget),
            lambda: self._rule_based.source_selector.run(run.view(for_model=False), run.budget),
        )

    async def answer(self, run: Run) -> Drafted:
        async def modelled() -> Drafted:
            view = run.view(for_model=True)
            return Drafted(await self._stages.answer.run(view, run.budget), view.evidence, by_model=True)

        async def ruled() -> Drafted:
            view = run.view(for_model=False)
            return Drafted(await self._rule_based.answer.run(view, run.budget), view.evidence, by_model=False)

        return await self._call(run, Stage.ANSWER, "answer_ms", modelled, ruled)

    async def judge(self, run: Run, draft: DraftAnswer) -> SufficiencyReport:
        return await self._call(
            run,
            Stage.SUFFICIENCY,
            "sufficiency_ms",
            lambda: self._stages.sufficiency.run(run.view(for_model=True), draft, run.budget),
            lambda: self._rule_based.sufficiency.run(run.view(for_model=False), draft, run.budget),
        )

    async def rule_based_rewrite(self, run: Run) -> QueryRewrite:
        """The rule-based reading of the question, whatever stages are configured."""
        with run.trace.step(Stage.REWRITE, "rules", timer="rewrite_ms"):
            return await self._rule_based.rewrite.run(run.request, run.budget)

    async def rule_based_step(self, run: Run) -> NextStep:
        """The rule-based choice of a step, whatever stages are configured."""
        with run.trace.step(Stage.SELECT, "rules", timer="selector_ms"):
            return await self._rule_based.source_selector.run(run.view(for_model=False), run.budget)

    async def rule_based_answer(self, run: Run) -> Drafted:
        """The rule-based draft, whatever stages are configured."""
        with run.trace.step(Stage.ANSWER, "rules", timer="answer_ms"):
            view = run.view(for_model=False)
            return Drafted(await self._rule_based.answer.run(view, run.budget), view.evidence, by_model=False)

    async def _call[T](
        self,
        run: Run,
        stage: Stage,
        timer: str,
        modelled: Callable[[], Awaitable[T]],
        ruled: Callable[[], Awaitable[T]],
    ) -> T:
        if run.is_fast:
            run.trace.mark(stage, "model", StepNote(StepStatus.SKIPPED), reason=OBVIOUS)
        if run.asks_model:
            try:
                with run.trace.step(stage, "model", timer=timer):
                    return await modelled()
            except StageFailed as failed:
                run.warn(WarningCode.LLM_UNAVAILABLE, _what_was_lost(stage, failed.kind), subject=stage)
                run.has_model = not failed.kind.is_outage
            except BudgetExhausted as exhausted:
                if exhausted.what not in _EXHAUSTED:
                    raise
                run.warn(*_EXHAUSTED[exhausted.what])
                run.has_model = False
        with run.trace.step(stage, "rules", timer=timer):
            return await ruled()


def _what_was_lost(stage: Stage, kind: ModelErrorKind) -> str:
    """How the model failed, and what rules did in its place; after an outage they do all that is left, too."""
    rest = " and did the rest" if kind.is_outage else ""
    return f"The language model {_FAILED[kind]}; rules {_REPLACED[stage]}{rest}."


def note_unavailable(note: StepNote, lost: SourceUnavailable) -> None:
    """Write down how a source failed."""
    note.status = StepStatus.TIMEOUT if lost.timed_out else StepStatus.UNAVAILABLE
    note.error = f"{lost.source} {'timed out' if lost.timed_out else 'unavailable'}"
