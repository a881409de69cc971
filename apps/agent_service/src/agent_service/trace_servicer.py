"""Traces for callers: read, listed, run again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from agent_api.v1 import traces_pb2
from agent_api.v1.traces_pb2_grpc import TraceServiceServicer
from agent_core.errors import InvalidRequest
from agent_core.recording import RunRecord, first_difference
from agent_core.replay import NotReplayable

from agent_service.interceptors import CallGuard, CallInfo, RpcContext
from agent_service.trace_converters import difference_to_proto, record_to_proto

_LIMIT = 20
_MAX_LIMIT = 100


class TraceReader(Protocol):
    """Where records are read. Raises TraceNotFound, SourceUnavailable."""

    async def last(
        self, principal: str, *, limit: int, before: UUID | None, timeout: float
    ) -> tuple[RunRecord, ...]: ...

    async def get(self, trace_id: UUID, principal: str, *, timeout: float) -> RunRecord: ...


class Replayer(Protocol):
    """Runs a record again. Raises NotReplayable."""

    async def __call__(self, record: RunRecord, *, seconds: float) -> RunRecord: ...


@dataclass(frozen=True, slots=True)
class TraceAccess:
    """What the service needs of traces. `settle` waits a moment for runs that have ended and are still being stored."""

    reader: TraceReader
    replay: Replayer
    settle: Callable[[], Awaitable[None]]


class TraceServicer(TraceServiceServicer):
    """Each call runs behind the guard that questions have."""

    def __init__(self, traces: TraceAccess, guard: CallGuard) -> None:
        self._traces = traces.reader
        self._replay = traces.replay
        self._settle = traces.settle
        self._guard = guard

    async def GetTrace(  # noqa: N802 - the names are the contract's
        self, request: traces_pb2.GetTraceRequest, context: RpcContext
    ) -> traces_pb2.Trace:
        """One run."""

        async def work(call: CallInfo) -> traces_pb2.Trace:
            return record_to_proto(await self._get(request.id, call))

        return await self._guard.run(context, work)

    async def ListTraces(  # noqa: N802
        self, request: traces_pb2.ListTracesRequest, context: RpcContext
    ) -> traces_pb2.ListTracesResponse:
        """The last runs."""

        async def work(call: CallInfo) -> traces_pb2.ListTracesResponse:
            limit = min(max(request.limit, 1), _MAX_LIMIT) if request.HasField("limit") else _LIMIT
            before = _id(request.before, "before") if request.HasField("before") else None
            await self._settle()
            records = await self._traces.last(call.principal, limit=limit, before=before, timeout=call.seconds)
            return traces_pb2.ListTracesResponse(traces=map(record_to_proto, records))

        return await self._guard.run(context, work)

    async def ReplayTrace(  # noqa: N802
        self, request: traces_pb2.ReplayTraceRequest, context: RpcContext
    ) -> traces_pb2.ReplayTraceResponse:
        """Where a run and its replay part."""

        async def work(call: CallInfo) -> traces_pb2.ReplayTraceResponse:
            record = await self._get(request.id, call)
            try:
                replayed = await self._replay(record, seconds=call.seconds)
            except NotReplayable as refused:
                return traces_pb2.ReplayTraceResponse(refusal=str(refused))
            found = first_difference(record, replayed)
            difference = difference_to_proto(found) if found is not None else None
            return traces_pb2.ReplayTraceResponse(difference=difference, calls=len(record.calls))

        return await self._guard.run(context, work)

    async def _get(self, trace_id: str, call: CallInfo) -> RunRecord:
        await self._settle()
        return await self._traces.get(_id(trace_id, "id"), call.principal, timeout=call.seconds)


def _id(text: str, field: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidRequest(field, "must be a UUID") from None
