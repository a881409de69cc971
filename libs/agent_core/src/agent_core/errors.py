"""What can go wrong in the loop: one base, facts as attributes; edges choose the codes."""

from enum import StrEnum


class AgentCoreError(Exception):
    """Base of every error that agent_core raises."""


class SourceUnavailable(AgentCoreError):
    """A source could not be reached, or didn't answer in time. `source` is `postgresql`, `qdrant` or `model`."""

    def __init__(self, source: str, *, timed_out: bool = False) -> None:
        super().__init__(f"{source} {'did not answer in time' if timed_out else 'is unavailable'}")
        self.source = source
        self.timed_out = timed_out


class InvalidRequest(AgentCoreError):
    """A request breaks a limit. `field` and `limit` say which, in words for the caller."""

    def __init__(self, field: str, limit: str) -> None:
        super().__init__(f"{field}: {limit}")
        self.field = field
        self.limit = limit


class SessionNotFound(InvalidRequest):
    """No session of this id belongs to the caller; whether somebody else has one is not told."""

    def __init__(self) -> None:
        super().__init__("session_id", "names no session of yours; leave it out, or take a new UUID for a new session")


class IntentRefused(AgentCoreError):
    """An intent asks for something that its executor doesn't do. `field` and `reason` are for the next selection."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class BudgetExhausted(AgentCoreError):
    """A spend was refused before it was made. `what` is turns, model_calls, tool_calls, tokens or time."""

    def __init__(self, what: str) -> None:
        super().__init__(f"budget exhausted: {what}")
        self.what = what


class ModelErrorKind(StrEnum):
    """How a model call failed. The last four say that the model itself is out of reach for now."""

    BAD_OUTPUT = "bad_output"
    TRUNCATED = "truncated"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    REJECTED = "rejected"

    @property
    def is_outage(self) -> bool:
        """Whether the next call would most likely fail in the same way."""
        return self not in (ModelErrorKind.BAD_OUTPUT, ModelErrorKind.TRUNCATED)


class StageFailed(AgentCoreError):
    """A model's stage gave nothing usable, its one correction included. No text of the model or prompt is kept."""

    def __init__(self, stage: str, kind: ModelErrorKind) -> None:
        super().__init__(f"{stage}: {kind}")
        self.stage = stage
        self.kind = kind
