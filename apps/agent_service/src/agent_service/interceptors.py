"""The wrapper around every handler: identity, deadline, admission, error table, log line."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID, uuid4

import grpc
import structlog
from agent_api.client import PRINCIPAL_KEY, REQUEST_ID_KEY, TOKEN_KEY
from agent_api.errors import ERROR_DOMAIN
from agent_core.errors import InvalidRequest, SourceUnavailable
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status
from observability.logging import bind_request

# Lazy on purpose: the class can be subscripted by the type checker only.
type RpcContext = grpc.aio.ServicerContext[Any, Any]

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_MAX_PRINCIPAL_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class CallInfo:
    """What the metadata says of a call."""

    request_id: UUID
    principal: str
    seconds: float


class Refusal(Exception):
    """A call that ends with a status of ours: its code, a stable reason, a message fit for callers."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.field = field


class Admission:
    """Bounds the calls under way. A call over the bound is refused at once; none waits in a queue."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.running = 0

    def enter(self) -> None:
        """Raises Refusal when the service is full."""
        if self.running >= self._limit:
            raise Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", "the answer service is busy")
        self.running += 1

    def hold(self) -> None:
        """Keep a place for work that outlives its call, which is about to leave its own."""
        self.running += 1

    def leave(self) -> None:
        """Ends what `enter` or `hold` began."""
        self.running -= 1


class CallGuard:
    """Runs the work of every handler, so that no call is without a deadline and no failure without a status.

    Args:
        max_seconds: The server's own limit; a caller's shorter deadline is kept.
        admission: Bounds the calls under way.
        token: The secret that callers must present, where there is one.
    """

    def __init__(self, *, max_seconds: float, admission: Admission, token: str | None) -> None:
        self._max_seconds = max_seconds
        self._admission = admission
        self._token = token

    async def run[T](self, context: RpcContext, work: Callable[[CallInfo], Awaitable[T]]) -> T:
        """The result of `work`, or an aborted call with a typed status and no exception text."""
        started = time.monotonic()
        outcome = "ok"
        try:
            return await self._admitted(context, work)
        except asyncio.CancelledError:
            outcome = "cancelled"
            if context.cancelled():
                raise
            # An inner task was cancelled, the call wasn't: without a status the client would hang to its deadline.
            await _abort(context, Refusal(grpc.StatusCode.UNAVAILABLE, "CANCELLED", "the answer was cancelled"))
        except Exception as exc:  # noqa: BLE001 - the edge of the process: what nobody planned gets a status here
            refusal = refusal_for(exc)
            outcome = refusal.reason
            if refusal.code is grpc.StatusCode.INTERNAL:
                _log.error("call_failed", exc_info=exc)
            await _abort(context, refusal)
        finally:
            _log.info("call_ended", outcome=outcome, ms=round((time.monotonic() - started) * 1000, 1))
        raise AssertionError("abort always raises")

    async def _admitted[T](self, context: RpcContext, work: Callable[[CallInfo], Awaitable[T]]) -> T:
        call = self._read_call(context)
        bind_request(str(call.request_id))
        self._admission.enter()
        try:
            async with asyncio.timeout(call.seconds):
                return await work(call)
        finally:
            self._admission.leave()

    def _read_call(self, context: RpcContext) -> CallInfo:
        """Who calls, under which id, for how long; a missing or malformed id is replaced by a new one."""
        metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
        presented = metadata.get(TOKEN_KEY, "")
        if self._token is not None and not hmac.compare_digest(presented.encode(), self._token.encode()):
            raise Refusal(grpc.StatusCode.UNAUTHENTICATED, "UNKNOWN_CALLER", "the caller is not known")
        try:
            request_id = UUID(metadata.get(REQUEST_ID_KEY, ""))
        except ValueError:
            request_id = uuid4()
        principal = metadata.get(PRINCIPAL_KEY, "")[:_MAX_PRINCIPAL_CHARACTERS] or "local"
        # The stubs say float; without a deadline it is None.
        remaining = cast("float | None", context.time_remaining())
        seconds = self._max_seconds if remaining is None else min(remaining, self._max_seconds)
        return CallInfo(request_id, principal, seconds)


def refusal_for(error: Exception) -> Refusal:
    """The table of statuses: what each planned failure is to a caller; INTERNAL for all others."""
    match error:
        case Refusal():
            return error
        case InvalidRequest():
            return Refusal(
                grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT", str(error), field=error.field or "request"
            )
        case TimeoutError():
            return Refusal(grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", "the deadline passed")
        case SourceUnavailable():
            return Refusal(grpc.StatusCode.UNAVAILABLE, "DEPENDENCY_LOST", f"{error.source} is unavailable")
        case _:
            return Refusal(grpc.StatusCode.INTERNAL, "INTERNAL", "the answer service failed")


async def _abort(context: RpcContext, refusal: Refusal) -> None:
    details: list[any_pb2.Any] = []
    info = any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(reason=refusal.reason, domain=ERROR_DOMAIN))
    details.append(info)
    if refusal.field is not None:
        limit = refusal.message.removeprefix(f"{refusal.field}: ")
        violation = error_details_pb2.BadRequest.FieldViolation(field=refusal.field, description=limit)
        bad_request = any_pb2.Any()
        bad_request.Pack(error_details_pb2.BadRequest(field_violations=[violation]))
        details.append(bad_request)
    code: int = refusal.code.value[0]
    status = status_pb2.Status(code=code, message=refusal.message, details=details)
    await context.abort_with_status(rpc_status.to_status(status))  # pyright: ignore[reportUnknownMemberType]
