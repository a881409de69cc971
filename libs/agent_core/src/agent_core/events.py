"""Events: what a run tells while it works, in order, and how the answer is put together from them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Annotated, Literal, Protocol
from uuid import UUID

from pydantic import Field

from agent_core.evidence import Contract, Evidence
from agent_core.schemas import (
    AgentResponse,
    DraftAnswer,
    NextStep,
    RunStep,
    Stage,
    Strategy,
    SufficiencyReport,
    Warning,
    WarningCode,
)


class RunStarted(Contract):
    """The first event of a run. `run_id` is the `trace_id` of its answer."""

    kind: Literal["run_started"] = "run_started"
    run_id: UUID
    request_id: UUID
    session_id: UUID | None = None
    query: str
    strategy: Strategy


class StageStarted(Contract):
    """A stage or a read began; the `StageFinished` of the same stage and action tells how it ended."""

    kind: Literal["stage_started"] = "stage_started"
    stage: Stage
    action: str


class StageFinished(Contract):
    """A stage or a read ended, well or not; or something was noted that took no time and so never began."""

    kind: Literal["stage_finished"] = "stage_finished"
    step: RunStep


class StepChosen(Contract):
    """A step passed its checks and is about to be taken."""

    kind: Literal["step_chosen"] = "step_chosen"
    step: NextStep
    turn: int
    by_model: bool


class EvidenceAdded(Contract):
    """What was read and is new to the run. An id that came before is a newer version of the same thing."""

    kind: Literal["evidence_added"] = "evidence_added"
    evidence: tuple[Evidence, ...]


class DraftMade(Contract):
    """A draft whose sentences stood the check against the evidence; a later one replaces it."""

    kind: Literal["draft_made"] = "draft_made"
    draft: DraftAnswer


class DraftJudged(Contract):
    """Whether the last draft answers the question; `by_code` when a part is open, so that no stage was asked."""

    kind: Literal["draft_judged"] = "draft_judged"
    report: SufficiencyReport
    by_code: bool


class WarningRaised(Contract):
    """Something that the caller should know; one of the same code and subject replaces the earlier one."""

    kind: Literal["warning_raised"] = "warning_raised"
    warning: Warning


class RunFinished(Contract):
    """The last event of a run that ended with an answer."""

    kind: Literal["run_finished"] = "run_finished"
    response: AgentResponse


class RunAborted(Contract):
    """The last event of a run that ended without an answer. `error` is a stable word, never an exception's text."""

    kind: Literal["run_aborted"] = "run_aborted"
    error: Literal["cancelled", "invalid_request", "failed"]


EventBody = Annotated[
    RunStarted
    | StageStarted
    | StageFinished
    | StepChosen
    | EvidenceAdded
    | DraftMade
    | DraftJudged
    | WarningRaised
    | RunFinished
    | RunAborted,
    Field(discriminator="kind"),
]


class RunEvent(Contract):
    """One event of a run. `sequence` counts from 1 without a gap; `at` is aware, UTC."""

    sequence: int = Field(ge=1)
    at: datetime
    body: EventBody


class EventListener(Protocol):
    """Hears of the events of a run, in order. Called from the loop itself: must be quick and must not raise."""

    def __call__(self, event: RunEvent, /) -> None: ...


class EventSink:
    """Numbers and dates what one run tells, and hands it to who listens."""

    def __init__(self, now: Callable[[], datetime], listener: EventListener | None = None) -> None:
        self._now = now
        self._listener = listener
        self._told = 0

    def tell(self, body: Callable[[], EventBody]) -> None:
        """Pass an event on at once; nothing is kept here, and nothing is made where nobody listens."""
        if self._listener is None:
            return
        self._told += 1
        self._listener(RunEvent.trusted(sequence=self._told, at=self._now(), body=body()))


class NoAnswer(Exception):
    """The events end before the run's answer."""


def fold(events: Iterable[RunEvent]) -> AgentResponse:
    """The answer of a run from its events: the same, figure by figure, as the run returned.

    Steps and warnings are taken from the events that told of them, the rest from the last one. Raises NoAnswer.
    """
    steps: list[RunStep] = []
    warnings: dict[tuple[WarningCode, str], Warning] = {}
    for event in events:
        match event.body:
            case StageFinished(step=step):
                steps.append(step)
            case WarningRaised(warning=warning):
                # A repeated warning takes its last place too.
                warnings.pop((warning.code, warning.subject), None)
                warnings[warning.code, warning.subject] = warning
            case RunFinished(response=response):
                return response.model_copy(update={"steps": tuple(steps), "warnings": tuple(warnings.values())})
            case _:
                pass
    raise NoAnswer
