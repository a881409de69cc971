"""The record of a run: its events, its calls and how it ended, as it is stored, shown and replayed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import JsonValue

from agent_core.events import EventBody, EvidenceAdded, RunAborted, RunEvent, RunFinished, RunStarted, StageFinished
from agent_core.evidence import Contract
from agent_core.recording.calls import Call, Recording
from agent_core.recording.text import digest_of, hidden, json_of, without_text
from agent_core.schemas import AgentRequest, StepStatus, Usage

MAX_EVIDENCE_IDS = 100
"""Of what one call brought; they tell which records differ."""

_SAID_BY_CODE = frozenset({StepStatus.UNAVAILABLE, StepStatus.TIMEOUT, StepStatus.SKIPPED, StepStatus.FAILED})
"""Steps whose error is a source or a kind of failure, and no part of the question."""


class RecordedEvent(Contract):
    """One event: when it was told, how long what it ends took, and what it said."""

    sequence: int
    at: datetime
    kind: str
    ms: float | None = None
    data: JsonValue = None


class RecordedCall(Contract):
    """One call of a stage or a source. `output` is there where texts are kept, and for stages only."""

    name: str
    by: Literal["model", "rules", "source"]
    failure: str | None = None
    digest: str = ""
    evidence_ids: tuple[str, ...] = ()
    output: JsonValue = None
    ms: float = 0.0


class RunRecord(Contract):
    """All that is kept of one run. Texts are digests unless `has_text`; `is_cut` says that something was left out.

    `status` is the answer's, or `cancelled`, `invalid_request` or `failed`. `request` and `query` are there with texts.
    """

    id: UUID
    request_id: UUID
    principal: str
    started_at: datetime
    ms: float
    status: str
    reason: str | None = None
    with_model: bool = False
    has_text: bool = False
    is_cut: bool = False
    query: str | None = None
    usage: Usage = Usage()
    request: AgentRequest | None = None
    events: tuple[RecordedEvent, ...] = ()
    calls: tuple[RecordedCall, ...] = ()


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run that is over, as it was heard. `events` begin with RunStarted and end with RunFinished or RunAborted."""

    request: AgentRequest
    events: Sequence[RunEvent]
    recording: Recording
    with_model: bool
    is_cut: bool = False


def record_of(run: EndedRun, *, keep_text: bool) -> RunRecord:
    """What is kept of a run. Takes milliseconds: not for a request's own path."""
    first, last = run.events[0], run.events[-1]
    assert isinstance(first.body, RunStarted)
    response = last.body.response if isinstance(last.body, RunFinished) else None
    aborted = last.body.error if isinstance(last.body, RunAborted) else "failed"
    calls = [_call(call, keep_text=keep_text) for call in run.recording.calls if not call.is_lost]
    if response is not None:
        said = RecordedCall(name="response", by="rules", digest=digest_of(json_of(response)))
        answered = said.model_copy(update={"output": json_of(response) if keep_text else None})
        ids = tuple(item.id for item in response.evidence)[:MAX_EVIDENCE_IDS]
        calls.append(answered.model_copy(update={"evidence_ids": ids}))
    return RunRecord(
        id=first.body.run_id,
        request_id=run.request.request_id,
        principal=run.request.principal,
        started_at=first.at,
        ms=round((last.at - first.at).total_seconds() * 1000, 3),
        status=response.status if response else aborted,
        reason=response.termination_reason if response else None,
        with_model=run.with_model,
        has_text=keep_text,
        is_cut=run.is_cut or run.recording.is_cut,
        query=run.request.query if keep_text else None,
        usage=response.usage if response else Usage(),
        request=run.request if keep_text else None,
        events=tuple(_event(event, keep_text=keep_text) for event in run.events),
        calls=tuple(calls),
    )


def _call(call: Call, *, keep_text: bool) -> RecordedCall:
    output = json_of(call.output)
    is_stage = call.by != "source"
    return RecordedCall(
        name=call.name,
        by=call.by,
        failure=call.failure,
        digest=digest_of(output),
        evidence_ids=() if is_stage else tuple(dict.fromkeys(_evidence_ids(output)))[:MAX_EVIDENCE_IDS],
        output=output if is_stage and keep_text else None,
        ms=call.ms,
    )


def _evidence_ids(output: JsonValue) -> list[str]:
    """Ids of evidence in a result, in order: of its rows, its evidence, its hits' evidence, or the ids themselves."""
    parts = output
    if isinstance(parts, dict):
        parts = parts.get("evidence", parts.get("hits", list(parts.values())))
    if not isinstance(parts, list):
        return []
    return [each for each in map(_evidence_id, parts) if isinstance(each, str)]


def _evidence_id(part: JsonValue) -> JsonValue:
    """The id of a part: of itself, or of the evidence that it holds."""
    if not isinstance(part, dict):
        return part
    held = part.get("evidence")
    return held.get("id") if isinstance(held, dict) else part.get("id")


def _event(event: RunEvent, *, keep_text: bool) -> RecordedEvent:
    body = event.body
    ms = body.step.ms if isinstance(body, StageFinished) else None
    data = _with_text(body) if keep_text else _without_text(body)
    return RecordedEvent(sequence=event.sequence, at=event.at, kind=body.kind, ms=ms, data=data)


def _with_text(body: EventBody) -> JsonValue:
    # Events of their own have told of these.
    told = {"response": {"steps", "evidence", "warnings"}} if isinstance(body, RunFinished) else {}
    return body.model_dump(mode="json", exclude_none=True, exclude={"kind": True, **told})


def _without_text(body: EventBody) -> JsonValue:
    match body:
        case EvidenceAdded(evidence=evidence):
            return {"evidence": [{"id": item.id, "kind": item.kind, "text": hidden(item.text)} for item in evidence]}
        case RunAborted(error=error):
            return {"error": error}
        case StageFinished(step=step) if step.status in _SAID_BY_CODE:
            said = without_text(step.model_dump(mode="json", exclude={"error"}))
            return {"step": {**said, "error": step.error}} if isinstance(said, dict) else said
        case _:
            return without_text(_with_text(body))
