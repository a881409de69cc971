"""The HTTP transport of model calls: every attempt is spent first, bounded in time and size, and never waits long."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from agent_core.budget import Budget
from agent_core.errors import BudgetExhausted

_BYTES_PER_TOKEN = 4
_NO_RETRY = {"x-should-retry": "false"}


@dataclass(slots=True)
class CallMeter:
    """What one stage call has spent, and why it was stopped if it was."""

    budget: Budget
    attempts: int = 0
    exhausted: BudgetExhausted | None = None
    is_oversized: bool = False
    request_bytes: int = 0
    response_bytes: int = 0

    @property
    def estimated_tokens(self) -> tuple[int, int]:
        """Prompt and completion of the last attempt by their size, for servers that report no usage."""
        return self.request_bytes // _BYTES_PER_TOKEN, self.response_bytes // _BYTES_PER_TOKEN


_current: ContextVar[CallMeter] = ContextVar("current_model_call")


@contextmanager
def metered(meter: CallMeter) -> Generator[None]:
    """Book the model calls of this task on `meter`. The client is shared by all requests; the meter is not."""
    token = _current.set(meter)
    try:
        yield
    finally:
        _current.reset(token)


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """Bounds of one attempt: seconds from first byte sent to last byte read, bytes of body, seconds of Retry-After."""

    try_seconds: float
    max_body_bytes: int
    max_retry_after_seconds: float


class MeteredTransport(httpx.AsyncBaseTransport):
    """Spends each attempt on the running call's budget before it is sent.

    A refused attempt is answered here, with a response that tells the SDK not to try again. A body that is too large,
    or compressed against our wish, is dropped in the same way. A Retry-After that outlasts the limits isn't waited for.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, limits: TransportLimits) -> None:
        self._inner = inner
        self._limits = limits

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        meter = _current.get()
        try:
            meter.budget.spend_model_call()
            seconds = meter.budget.timeout(self._limits.try_seconds)
        except BudgetExhausted as exhausted:
            meter.exhausted = exhausted
            return httpx.Response(429, headers=_NO_RETRY, request=request)
        meter.attempts += 1
        meter.request_bytes = int(request.headers.get("content-length", "0"))
        request.headers["accept-encoding"] = "identity"
        try:
            async with asyncio.timeout(seconds):
                return await self._bounded(request, meter)
        except TimeoutError:
            raise httpx.ReadTimeout("the model did not answer in time", request=request) from None

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _bounded(self, request: httpx.Request, meter: CallMeter) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        try:
            body = await self._body(response)
        finally:
            await response.aclose()
        if body is None:
            meter.is_oversized = True
            return httpx.Response(502, headers=_NO_RETRY, request=request)
        meter.response_bytes = len(body)
        headers = httpx.Headers(response.headers)
        if self._waits_too_long(headers, meter.budget):
            headers.update(_NO_RETRY)
        return httpx.Response(response.status_code, headers=headers, content=body, request=request)

    async def _body(self, response: httpx.Response) -> bytes | None:
        if response.headers.get("content-encoding", "identity") != "identity":
            return None
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > self._limits.max_body_bytes:
                return None
        return bytes(body)

    def _waits_too_long(self, headers: httpx.Headers, budget: Budget) -> bool:
        wait = _retry_after(headers)
        return wait is not None and wait > min(self._limits.max_retry_after_seconds, budget.remaining_seconds / 2)


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds the server asks to wait; None when it doesn't say, or says it unreadably."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return float(milliseconds) / 1000
        return None if seconds is None else float(seconds)
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(seconds or "")
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp()
