"""The HTTP transport of model calls: every attempt is spent first, bounded in time and size, and never waits long."""

import asyncio
import random
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from agent_core.budget import Budget
from agent_core.errors import BudgetExhausted, ModelErrorKind

_BYTES_PER_TOKEN = 4
_REPEATABLE = frozenset({ModelErrorKind.RATE_LIMITED, ModelErrorKind.UNAVAILABLE, ModelErrorKind.TIMEOUT})
_ABOUT_THE_REQUEST = frozenset({400, 413, 422})
_OF_THE_SDK = frozenset({"host", "content-length", "transfer-encoding"})
_OURS = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}


@dataclass(slots=True)
class CallMeter:
    """What one stage call has spent, how its last attempt failed on the way, and why it was stopped if it was."""

    budget: Budget
    attempts: int = 0
    exhausted: BudgetExhausted | None = None
    failure: ModelErrorKind | None = None
    status: int | None = None
    request_bytes: int = 0
    response_bytes: int = 0

    def spend(self, seconds: float) -> float:
        """Begin an attempt of at most so many seconds; as many as are left. Raises BudgetExhausted."""
        try:
            self.budget.spend_model_call()
            left = self.budget.timeout(seconds)
        except BudgetExhausted as exhausted:
            self.exhausted = exhausted
            raise
        self.attempts += 1
        self.failure, self.status = None, None
        return left

    @property
    def is_about_the_request(self) -> bool:
        """Whether the provider refused this request and not its caller: others may be answered."""
        return self.status in _ABOUT_THE_REQUEST

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


def current_meter() -> CallMeter:
    """The meter that this task's model calls are booked on."""
    return _current.get()


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """Bounds of a call: seconds of one attempt from first byte sent to last byte read, bytes of its body, repeats of
    an attempt that failed on the way, the pause before the first of them, and seconds of Retry-After."""

    try_seconds: float
    max_body_bytes: int
    retries: int
    retry_seconds: float
    max_retry_after_seconds: float


class MeteredTransport(httpx.AsyncBaseTransport):
    """Spends each attempt on the running call's budget before it is sent, and notes on its meter how it failed.

    All repeats are made here, so that they are the same for every provider's SDK: after a limit of rate, an outage or a
    time-out. A Retry-After that outlasts the limits isn't waited for. A body that is too large, or compressed against
    our wish, is dropped. No header is sent but those of the body, of JSON, and `headers`: SDKs add what they find in
    the environment.

    Raises BudgetExhausted, httpx.TransportError.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, limits: TransportLimits, headers: Mapping[str, str]) -> None:
        self._inner = inner
        self._limits = limits
        self._headers = {**_OURS, **headers}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        meter = current_meter()
        meter.request_bytes = int(request.headers.get("content-length", "0"))
        of_body = [(name, value) for name, value in request.headers.items() if name in _OF_THE_SDK]
        request.headers = httpx.Headers([*of_body, *self._headers.items()])
        pause = self._limits.retry_seconds
        answer = await self._attempt(request, meter)
        for _ in range(self._limits.retries):
            wait = self._wait(answer, meter, pause)
            if wait is None:
                break
            await asyncio.sleep(wait)
            pause *= 2
            answer = await self._attempt(request, meter)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _wait(self, answer: httpx.Response | httpx.TransportError, meter: CallMeter, pause: float) -> float | None:
        """Seconds until the attempt is repeated: what the server asks for, else about `pause`; None if it isn't."""
        if meter.failure not in _REPEATABLE:
            return None
        asked = _retry_after(answer.headers) if isinstance(answer, httpx.Response) else None
        wait = pause * random.uniform(0.5, 1.0) if asked is None else max(0.0, asked)
        longest = min(self._limits.max_retry_after_seconds, meter.budget.remaining_seconds / 2)
        return wait if wait <= longest else None

    async def _attempt(self, request: httpx.Request, meter: CallMeter) -> httpx.Response | httpx.TransportError:
        seconds = meter.spend(self._limits.try_seconds)
        try:
            async with asyncio.timeout(seconds):
                return await self._bounded(request, meter)
        except (TimeoutError, httpx.TimeoutException):
            meter.failure = ModelErrorKind.TIMEOUT
            return httpx.ReadTimeout("the model did not answer in time", request=request)
        except httpx.TransportError as error:
            meter.failure = meter.failure or ModelErrorKind.UNAVAILABLE
            return error

    async def _bounded(self, request: httpx.Request, meter: CallMeter) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        try:
            meter.status = response.status_code
            meter.failure = _kind_of(response.status_code)
            body = await self._body(response)
        finally:
            await response.aclose()
        if body is None:
            meter.failure = meter.failure or ModelErrorKind.BAD_OUTPUT
            raise httpx.RemoteProtocolError("the model's answer is too large or compressed", request=request)
        meter.response_bytes = len(body)
        return httpx.Response(response.status_code, headers=response.headers, content=body, request=request)

    async def _body(self, response: httpx.Response) -> bytes | None:
        if response.headers.get("content-encoding", "identity") != "identity":
            return None
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > self._limits.max_body_bytes:
                return None
        return bytes(body)


def _kind_of(status: int) -> ModelErrorKind | None:
    """How a status fails; None for one that brings an answer."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ModelErrorKind.RATE_LIMITED
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT):
        return ModelErrorKind.UNAVAILABLE
    return None if status < HTTPStatus.MULTIPLE_CHOICES else ModelErrorKind.REJECTED


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
