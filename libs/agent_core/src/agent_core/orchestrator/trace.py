"""The trace of a run: one RunStep for every call of a stage or source, timed, with its status."""

import asyncio
from dataclasses import dataclass, field
from types import TracebackType

import structlog
from observability.attributes import ACTION, HITS, STAGE, STATUS
from observability.tracing import OFF, Span, is_tracing, span

from agent_core.budget import Budget
from agent_core.errors import AgentCoreError, BudgetExhausted, IntentRefused, SourceUnavailable, StageFailed
from agent_core.events import DraftJudged, EventSink, StageFinished, StageStarted, StepChosen
from agent_core.evidence import EntityRef
from agent_core.schemas import DraftAnswer, NextStep, RunStep, Stage, StepStatus, SufficiencyReport


@dataclass(slots=True)
class StepNote:
    """What is known of a step once it has ended; filled while it runs."""

    status: StepStatus = StepStatus.OK
    hits: int = 0
    error: str | None = None


@dataclass(slots=True)
class Trace:
    """Collects the steps of one run, books their time on the budget and tells of each as it begins and ends.

    Log lines carry ids, names of steps and figures; never the question or anything that was read.
    """

    budget: Budget
    request_id: str
    events: EventSink
    steps: list[RunStep] = field(default_factory=list[RunStep])
    _log: structlog.typing.FilteringBoundLogger = field(init=False)

    def __post_init__(self) -> None:
        """One logger for all steps: to make one costs more than to say nothing with it."""
        self._log = structlog.get_logger(__name__).bind(request_id=self.request_id)

    def step(
        self, stage: Stage, action: str, *, timer: str | None = None, reason: str = "", digest: str = ""
    ) -> "TimedStep":
        """Time what happens inside and record it, whether it ends well or not."""
        return TimedStep(self, stage, action, timer, reason, digest)

    def log(self, event: str, **fields: object) -> None:
        """One line of the log, of this run."""
        self._log.info(event, **fields)

    def mark(self, stage: Stage, action: str, note: StepNote, *, reason: str = "", digest: str = "") -> None:
        """Record something that took no time of its own, such as a refusal."""
        self.append(stage, action, note, reason=reason, digest=digest, ms=0.0)

    def selected(self, step: NextStep, *, turn: int, by_model: bool) -> None:
        """Tell of a step that passed its checks."""
        self.events.tell(lambda: StepChosen(step=step, turn=turn, by_model=by_model))
        self._log.info(
            "step_selected",
            turn=turn,
            action=step.action,
            by="model" if by_model else "rules",
            entities=[str(ref.id) for ref in _entities(step)],
            outcome=step.final.outcome if step.final else None,
        )

    def judged(self, report: SufficiencyReport, draft: DraftAnswer, *, by_code: bool) -> None:
        """Tell whether a draft is enough; `by_code` when no stage was asked."""
        self.events.tell(lambda: DraftJudged(report=report, by_code=by_code))
        self._log.info(
            "sufficiency_judged",
            sufficient=report.sufficient,
            by_code=by_code,
            missing=len(report.missing),
            evidence_ids=list(draft.evidence_ids),
        )

    def append(self, stage: Stage, action: str, note: StepNote, *, reason: str, digest: str, ms: float) -> None:
        """Record a step that is over."""
        step = RunStep.trusted(
            n=len(self.steps) + 1,
            stage=stage,
            action=action,
            reason=reason[:300],
            input_digest=digest,
            status=note.status,
            hits=note.hits,
            ms=ms,
            error=note.error,
        )
        self.steps.append(step)
        self._log.info(
            "step_finished",
            n=step.n,
            stage=stage,
            action=action,
            status=note.status,
            hits=note.hits,
            ms=ms,
            # Why a step was refused names parts of the question; that belongs into the trace only.
            error=None if note.status is StepStatus.REFUSED else note.error,
        )
        self.events.tell(lambda: StageFinished.trusted(kind="stage_finished", step=step))


class TimedStep:
    """A step while it runs: a block that is timed, traced and recorded, however it ends."""

    __slots__ = ("_action", "_digest", "_note", "_reason", "_span", "_stage", "_started", "_timer", "_trace", "_traced")

    _started: float
    _traced: Span

    def __init__(self, trace: Trace, stage: Stage, action: str, timer: str | None, reason: str, digest: str) -> None:
        self._trace = trace
        self._stage, self._action, self._timer = stage, action, timer
        self._reason, self._digest = reason, digest
        self._note = StepNote()
        self._span = span(f"{stage.value} {action}", {STAGE: stage, ACTION: action}) if is_tracing() else OFF

    def __enter__(self) -> StepNote:
        stage, action = self._stage, self._action
        self._trace.events.tell(lambda: StageStarted.trusted(kind="stage_started", stage=stage, action=action))
        self._started = self._trace.budget.monotonic()
        self._traced = self._span.__enter__()
        return self._note

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        note, trace = self._note, self._trace
        if self._span is not OFF:
            if error is None:
                self._traced.set_attribute(STATUS, note.status)
                self._traced.set_attribute(HITS, note.hits)
            self._span.__exit__(kind, error, at)
        if isinstance(error, asyncio.CancelledError):
            note.status, note.error = StepStatus.FAILED, "cancelled"
        elif isinstance(error, AgentCoreError):
            note.status, note.error = _failure(error)
        milliseconds = round((trace.budget.monotonic() - self._started) * 1000, 3)
        if self._timer is not None:
            trace.budget.record_ms(self._timer, milliseconds)
        trace.append(self._stage, self._action, note, reason=self._reason, digest=self._digest, ms=milliseconds)


def _entities(step: NextStep) -> list[EntityRef]:
    """The entities that a step walks from and to."""
    intents = (step.graph_intent, *(planned.graph_intent for planned in step.plan))
    return [ref for intent in intents if intent is not None for ref in (intent.start, intent.end) if ref is not None]


def _failure(error: AgentCoreError) -> tuple[StepStatus, str]:
    match error:
        case SourceUnavailable():
            status = StepStatus.TIMEOUT if error.timed_out else StepStatus.UNAVAILABLE
            return status, f"{error.source} {'timed out' if error.timed_out else 'unavailable'}"
        case IntentRefused():
            return StepStatus.REFUSED, f"{error.field}: {error.reason}"
        case StageFailed():
            return StepStatus.FAILED, error.kind
        case BudgetExhausted():
            return StepStatus.SKIPPED, f"budget: {error.what}"
        case _:
            return StepStatus.FAILED, type(error).__name__
