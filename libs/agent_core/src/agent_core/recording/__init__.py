"""Records of runs: what was called, what came back, what may be kept of it, and how two runs differ."""

from agent_core.recording.calls import Call, Recording, recording
from agent_core.recording.differences import Difference, first_difference
from agent_core.recording.records import EndedRun, RecordedCall, RecordedEvent, RunRecord, record_of
from agent_core.recording.seams import recorded_stages

__all__ = [
    "Call",
    "Difference",
    "EndedRun",
    "RecordedCall",
    "RecordedEvent",
    "Recording",
    "RunRecord",
    "first_difference",
    "record_of",
    "recorded_stages",
    "recording",
]
