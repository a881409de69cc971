"""Events of a run to messages."""

from datetime import UTC, datetime

from agent_api.v1 import search_pb2
from agent_core.events import (
    DraftJudged,
    DraftMade,
    EvidenceAdded,
    RunAborted,
    RunEvent,
    RunFinished,
    RunStarted,
    StageFinished,
    StageStarted,
    StepChosen,
    WarningRaised,
)

from agent_service.converters import contract_to_proto, response_to_proto
from agent_service.message_size import fit_evidence, fit_message


def event_to_proto(event: RunEvent, max_bytes: int) -> search_pb2.SearchEvent | None:
    """The message of an event, below a size in bytes; None for the end of a run that failed: its status says so."""
    message = search_pb2.SearchEvent(sequence=event.sequence)
    message.at.FromDatetime(event.at)
    match event.body:
        case RunAborted():
            return None
        case RunFinished(response=response):
            message.run_finished.CopyFrom(fit_message(response_to_proto(response), max_bytes))
        case EvidenceAdded(evidence=evidence):
            for item in evidence:
                contract_to_proto(item, message.evidence_added.evidence.add())
            fit_evidence(message.evidence_added, max_bytes)
        case StageFinished(step=step):
            contract_to_proto(step, message.stage_finished)
        case WarningRaised(warning=warning):
            contract_to_proto(warning, message.warning_raised)
        case _:
            _fill_progress(message, event.body)
    return message


def heartbeat(sequence: int) -> search_pb2.SearchEvent:
    """What is sent when nothing happened for a while, after the event of this number."""
    message = search_pb2.SearchEvent(sequence=sequence, heartbeat=search_pb2.Heartbeat())
    message.at.FromDatetime(datetime.now(UTC))
    return message


def _fill_progress(
    message: search_pb2.SearchEvent, body: RunStarted | StageStarted | StepChosen | DraftMade | DraftJudged
) -> None:
    match body:
        case RunStarted(run_id=run_id):
            message.run_started.run_id = str(run_id)
        case StageStarted(stage=stage, action=action):
            message.stage_started.MergeFrom(search_pb2.StageStarted(stage=stage, action=action))
        case StepChosen(step=step):
            message.step_chosen.MergeFrom(
                search_pb2.StepChosen(
                    action=step.action,
                    reason=step.rationale,
                    parts=[part.action for part in step.plan],
                    turn=body.turn,
                    by_model=body.by_model,
                )
            )
        case DraftMade(draft=draft):
            message.draft_made.MergeFrom(search_pb2.DraftMade(answer=draft.answer, evidence_ids=draft.evidence_ids))
        case DraftJudged(report=report):
            message.draft_judged.MergeFrom(
                search_pb2.DraftJudged(
                    sufficient=report.sufficient,
                    reason=report.rationale,
                    missing=report.missing,
                    by_code=body.by_code,
                )
            )
