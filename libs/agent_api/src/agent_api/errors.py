"""gRPC status to typed error: what a caller of the agent can tell apart."""

from collections.abc import Callable

import grpc
from google.rpc import error_details_pb2, status_pb2

ERROR_DOMAIN = "enishi"
_STATUS_DETAILS_KEY = "grpc-status-details-bin"


class AgentError(Exception):
    """Base of what a call to the agent can end with. `reason` is a stable code, the message is fit for callers."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class InvalidQuestion(AgentError):
    """The request breaks a limit; `field` and `limit` say which."""

    def __init__(self, *, field: str, limit: str) -> None:
        super().__init__(f"{field}: {limit}", reason="INVALID_ARGUMENT")
        self.field = field
        self.limit = limit


class AgentUnavailable(AgentError):
    """The agent, or all that it needs, can't be reached; trying again later may help."""

    def __init__(self, message: str = "the answer service is unavailable") -> None:
        super().__init__(message, reason="UNAVAILABLE")


class AgentOverloaded(AgentError):
    """The agent refused the call to protect those it is working on."""

    def __init__(self) -> None:
        super().__init__("the answer service is busy, try again shortly", reason="RESOURCE_EXHAUSTED")


class AgentTimedOut(AgentError):
    """The deadline passed before an answer came."""

    def __init__(self) -> None:
        super().__init__("the deadline passed before an answer came", reason="DEADLINE_EXCEEDED")


class NotAuthenticated(AgentError):
    """The caller isn't known to the agent."""

    def __init__(self) -> None:
        super().__init__("the caller is not known", reason="UNAUTHENTICATED")


class RunNotFound(AgentError):
    """No run of this id is kept for the caller; whether somebody else has one is not told."""

    def __init__(self) -> None:
        super().__init__(
            "no run of this id is kept for you: it is unknown, or it ended too long ago", reason="NOT_FOUND"
        )


class AgentFailed(AgentError):
    """The agent failed in a way it didn't plan for."""

    def __init__(self) -> None:
        super().__init__("the answer service failed", reason="INTERNAL")


_ERRORS: dict[grpc.StatusCode, Callable[[], AgentError]] = {
    grpc.StatusCode.UNAVAILABLE: AgentUnavailable,
    grpc.StatusCode.RESOURCE_EXHAUSTED: AgentOverloaded,
    grpc.StatusCode.DEADLINE_EXCEEDED: AgentTimedOut,
    grpc.StatusCode.UNAUTHENTICATED: NotAuthenticated,
    grpc.StatusCode.NOT_FOUND: RunNotFound,
}


def from_rpc_error(error: grpc.RpcError) -> AgentError:
    """The typed error for a failed call. Never carries a server's own exception text."""
    code = error.code() if isinstance(error, grpc.aio.AioRpcError) else grpc.StatusCode.UNKNOWN
    if code is grpc.StatusCode.INVALID_ARGUMENT and isinstance(error, grpc.aio.AioRpcError):
        return _invalid_question(error)
    return _ERRORS.get(code, AgentFailed)()


def _invalid_question(error: grpc.aio.AioRpcError) -> InvalidQuestion:
    for detail in _status_of(error).details:
        bad_request = error_details_pb2.BadRequest()
        if detail.Unpack(bad_request) and bad_request.field_violations:
            violation = bad_request.field_violations[0]
            return InvalidQuestion(field=violation.field, limit=violation.description)
    return InvalidQuestion(field="request", limit="was refused")


def _status_of(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    """The rich status in the trailing metadata; an empty one where there is none."""
    for key, value in error.trailing_metadata() or ():
        if key == _STATUS_DETAILS_KEY and isinstance(value, bytes):
            return status_pb2.Status.FromString(value)
    return status_pb2.Status()
