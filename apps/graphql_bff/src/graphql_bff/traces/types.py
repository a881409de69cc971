"""Runs and their records, as GraphQL shows them."""

from datetime import UTC, datetime

import strawberry
from agent_api.v1 import traces_pb2
from agent_api.values import from_struct, from_value
from strawberry.scalars import JSON


@strawberry.type
class TraceEvent:
    """Something that a run told while it worked."""

    sequence: int
    at: datetime
    kind: str = strawberry.field(description="`run_started`, `stage_finished`, `step_chosen` and the like.")
    ms: float | None = strawberry.field(description="How long what it ends took.")
    data: JSON | None

    @classmethod
    def of(cls, event: traces_pb2.TraceEvent) -> "TraceEvent":
        """The GraphQL view of an event."""
        return cls(
            sequence=event.sequence,
            at=event.at.ToDatetime(UTC),
            kind=event.kind,
            ms=event.ms if event.HasField("ms") else None,
            data=_json(event, "data"),
        )


@strawberry.type
class TraceCall:
    """A stage or a source that a run asked."""

    name: str
    by: str = strawberry.field(description="`model`, `rules` or `source`.")
    failure: str | None
    digest: str = strawberry.field(description="Of what came back; equal for equal results.")
    evidence_ids: list[str]
    output: JSON | None = strawberry.field(description="Of stages, where texts are kept.")
    ms: float

    @classmethod
    def of(cls, call: traces_pb2.TraceCall) -> "TraceCall":
        """The GraphQL view of a call."""
        return cls(
            name=call.name,
            by=call.by,
            failure=call.failure if call.HasField("failure") else None,
            digest=call.digest,
            evidence_ids=list(call.evidence_ids),
            output=_json(call, "output"),
            ms=call.ms,
        )


@strawberry.type
class Trace:
    """The record of one run. In a list it is without events and calls."""

    id: strawberry.ID
    request_id: str
    started_at: datetime
    ms: float
    status: str = strawberry.field(description="The answer's, or `cancelled`, `invalid_request` or `failed`.")
    reason: str | None = strawberry.field(description="Why the loop stopped.")
    has_text: bool = strawberry.field(description="Without it texts are digests.")
    is_cut: bool = strawberry.field(description="Whether it was too large to be kept as a whole.")
    question: str | None
    usage: JSON
    events: list[TraceEvent]
    calls: list[TraceCall]

    @classmethod
    def of(cls, trace: traces_pb2.Trace) -> "Trace":
        """The GraphQL view of a record."""
        return cls(
            id=strawberry.ID(trace.id),
            request_id=trace.request_id,
            started_at=trace.started_at.ToDatetime(UTC),
            ms=trace.ms,
            status=trace.status,
            reason=trace.reason if trace.HasField("reason") else None,
            has_text=trace.has_text,
            is_cut=trace.is_cut,
            question=trace.query if trace.HasField("query") else None,
            usage=JSON(from_struct(trace.usage)),
            events=[TraceEvent.of(event) for event in trace.events],
            calls=[TraceCall.of(call) for call in trace.calls],
        )


def _json(message: traces_pb2.TraceEvent | traces_pb2.TraceCall, field: str) -> JSON | None:
    return JSON(from_value(getattr(message, field))) if message.HasField(field) else None  # pyright: ignore[reportArgumentType]
