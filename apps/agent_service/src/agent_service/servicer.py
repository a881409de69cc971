"""One method per RPC: translate, run, translate back, keep every message below the limit."""

from contextlib import AbstractAsyncContextManager, aclosing
from uuid import UUID

from agent_api.v1 import search_pb2
from agent_api.v1.search_pb2_grpc import SearchServiceServicer
from agent_core.errors import InvalidRequest
from agent_core.schemas import AgentRequest

from agent_service.converters import request_from_proto, response_to_proto
from agent_service.event_converters import event_to_proto, heartbeat
from agent_service.interceptors import CallGuard, CallInfo, RpcContext
from agent_service.message_size import fit_message
from agent_service.run_log import RunLog
from agent_service.runs import Answerer, Runs

_REPLY_MARGIN_SECONDS = 0.1
"""Kept from the caller's deadline, so that an answer that ran out of time still arrives."""


class SearchServicer(SearchServiceServicer):
    """SearchAI and StreamSearchAI over the loop. A silent stream sends a heartbeat every `heartbeat_seconds`."""

    def __init__(
        self, answerer: Answerer, guard: CallGuard, runs: Runs, *, max_message_bytes: int, heartbeat_seconds: float
    ) -> None:
        self._answerer = answerer
        self._guard = guard
        self._runs = runs
        self._max_message_bytes = max_message_bytes
        self._heartbeat_seconds = heartbeat_seconds

    async def SearchAI(  # noqa: N802 - the name is the contract's
        self, request: search_pb2.SearchAIRequest, context: RpcContext
    ) -> search_pb2.SearchAIResponse:
        """One question, one answer."""

        async def work(call: CallInfo) -> search_pb2.SearchAIResponse:
            response = response_to_proto(await self._answerer.run(_question(request, call)))
            return fit_message(response, self._max_message_bytes)

        return await self._guard.run(context, work)

    # A coroutine that writes, not a generator: a generator that waits in a write when its caller goes away is left
    # there, and its clean-up with it.
    async def StreamSearchAI(  # noqa: N802 # pyright: ignore[reportIncompatibleMethodOverride]
        self, request: search_pb2.StreamSearchAIRequest, context: RpcContext
    ) -> None:
        """One question, told as it is worked on."""

        async def work(call: CallInfo) -> None:
            async with self._followed(request, call) as log:
                await self._send(log, request.resume.after_sequence, context)

        await self._guard.run(context, work)

    def _followed(
        self, request: search_pb2.StreamSearchAIRequest, call: CallInfo
    ) -> AbstractAsyncContextManager[RunLog]:
        if request.HasField("resume"):
            return self._runs.resume(_run_id(request.resume.run_id), call.principal, seconds=call.seconds)
        return self._runs.start(_question(request.start, call), keep=request.keep_running)

    async def _send(self, log: RunLog, after: int, context: RpcContext) -> None:
        sequence = after
        async with aclosing(log.follow(after=after, heartbeat=self._heartbeat_seconds)) as events:
            async for event in events:
                if event is None:
                    await context.write(heartbeat(sequence))
                    continue
                sequence = event.sequence
                message = event_to_proto(event, self._max_message_bytes)
                if message is not None:
                    await context.write(message)


def _question(request: search_pb2.SearchAIRequest, call: CallInfo) -> AgentRequest:
    return request_from_proto(
        request,
        request_id=call.request_id,
        principal=call.principal,
        seconds=max(call.seconds - _REPLY_MARGIN_SECONDS, call.seconds / 2),
    )


def _run_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidRequest("resume.run_id", "must be a UUID") from None
