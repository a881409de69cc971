"""What a subscription to a question brings: the events of its run."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import strawberry
from agent_api.v1 import search_pb2

from graphql_bff.search.evidence import Evidence, evidence_of
from graphql_bff.search.types import Answer, AnswerWarning, RunStep


@strawberry.interface
class SearchEvent:
    """One event of a run. The last one is `RunFinished`, whose answer is what `searchAi` as a query gives."""

    sequence: int = strawberry.field(description="Counts from 1; what a run is resumed after.")
    at: datetime


@strawberry.type
class RunStarted(SearchEvent):
    """The first event."""

    run_id: strawberry.ID = strawberry.field(description="Resumes the run, and is the `traceId` of its answer.")


@strawberry.type
class StageStarted(SearchEvent):
    """A stage or a read began."""

    stage: str
    action: str


@strawberry.type
class StageFinished(SearchEvent):
    """A stage or a read ended, or something was noted that took no time."""

    step: RunStep


@strawberry.type
class StepChosen(SearchEvent):
    """A step is about to be taken."""

    action: str
    reason: str
    parts: list[str] = strawberry.field(description="The actions of a plan.")
    turn: int
    by_model: bool


@strawberry.type
class EvidenceAdded(SearchEvent):
    """What was read; the answer need not rest on it."""

    evidence: list[Evidence]
    truncated: bool = strawberry.field(description="Whether something was left out for its size.")


@strawberry.type
class DraftMade(SearchEvent):
    """A draft; a later one takes its place."""

    answer: str
    evidence_ids: list[str] = strawberry.field(description="The n-th stands behind the marker [n].")


@strawberry.type
class DraftJudged(SearchEvent):
    """Whether the last draft answers the question."""

    sufficient: bool
    reason: str
    missing: list[str]
    by_code: bool


@strawberry.type
class WarningRaised(SearchEvent):
    """One thing to know about the answer to come; of one code and subject the last one counts."""

    warning: AnswerWarning


@strawberry.type
class RunFinished(SearchEvent):
    """The last event."""

    answer: Answer


@strawberry.type
class Heartbeat(SearchEvent):
    """Nothing happened for a while; the run is still at work."""


EVENT_TYPES = (
    RunStarted, StageStarted, StageFinished, StepChosen, EvidenceAdded, DraftMade, DraftJudged, WarningRaised,
    RunFinished, Heartbeat,
)  # fmt: skip


def event_of(event: search_pb2.SearchEvent) -> SearchEvent | None:
    """The GraphQL view of an event; None for a kind that a newer agent tells of."""
    make = _VIEWS.get(event.WhichOneof("body") or "")
    return None if make is None else make(event, event.sequence, event.at.ToDatetime(UTC))


def _step_chosen(event: search_pb2.SearchEvent, sequence: int, at: datetime) -> SearchEvent:
    chosen = event.step_chosen
    return StepChosen(
        sequence=sequence,
        at=at,
        action=chosen.action,
        reason=chosen.reason,
        parts=list(chosen.parts),
        turn=chosen.turn,
        by_model=chosen.by_model,
    )


def _evidence_added(event: search_pb2.SearchEvent, sequence: int, at: datetime) -> SearchEvent:
    added = event.evidence_added
    return EvidenceAdded(sequence=sequence, at=at, evidence=evidence_of(added.evidence), truncated=added.truncated)


def _draft_judged(event: search_pb2.SearchEvent, sequence: int, at: datetime) -> SearchEvent:
    judged = event.draft_judged
    return DraftJudged(
        sequence=sequence,
        at=at,
        sufficient=judged.sufficient,
        reason=judged.reason,
        missing=list(judged.missing),
        by_code=judged.by_code,
    )


def _warning_raised(event: search_pb2.SearchEvent, sequence: int, at: datetime) -> SearchEvent:
    raised = event.warning_raised
    warning = AnswerWarning(code=raised.code, message=raised.message, subject=raised.subject)
    return WarningRaised(sequence=sequence, at=at, warning=warning)


_VIEWS: Mapping[str, Callable[[search_pb2.SearchEvent, int, datetime], SearchEvent]] = {
    "run_started": lambda event, n, at: RunStarted(sequence=n, at=at, run_id=strawberry.ID(event.run_started.run_id)),
    "stage_started": lambda event, n, at: StageStarted(
        sequence=n, at=at, stage=event.stage_started.stage, action=event.stage_started.action
    ),
    "stage_finished": lambda event, n, at: StageFinished(sequence=n, at=at, step=RunStep.of(event.stage_finished)),
    "step_chosen": _step_chosen,
    "evidence_added": _evidence_added,
    "draft_made": lambda event, n, at: DraftMade(
        sequence=n, at=at, answer=event.draft_made.answer, evidence_ids=list(event.draft_made.evidence_ids)
    ),
    "draft_judged": _draft_judged,
    "warning_raised": _warning_raised,
    "run_finished": lambda event, n, at: RunFinished(sequence=n, at=at, answer=Answer.of(event.run_finished)),
    "heartbeat": lambda _event, n, at: Heartbeat(sequence=n, at=at),
}
