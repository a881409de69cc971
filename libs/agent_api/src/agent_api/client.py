"""The only hand-written caller of the generated stubs: every call has a deadline, every failure is typed."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from uuid import UUID

import grpc
from grpc_health.v1 import health_pb2
from observability.tracing import carried

from agent_api.errors import from_rpc_error
from agent_api.v1 import graph_pb2, search_pb2, traces_pb2
from agent_api.v1.graph_pb2_grpc import GraphServiceStub
from agent_api.v1.search_pb2_grpc import SearchServiceStub
from agent_api.v1.traces_pb2_grpc import TraceServiceStub

REQUEST_ID_KEY = "x-enishi-request-id"
PRINCIPAL_KEY = "x-enishi-principal"
TOKEN_KEY = "x-enishi-token"
SEARCH_SERVICE = "agent_api.v1.SearchService"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and the id that follows the request through every hop."""

    request_id: UUID
    principal: str = "local"


class AgentClient:
    """A client of one agent service. Holds one channel; close it with `close`.

    Args:
        target: `host:port` or `unix:PATH`.
        token: The secret shared with the agent, where it wants one.
        max_message_bytes: The largest answer accepted, in bytes.
    """

    def __init__(self, target: str, *, token: str | None = None, max_message_bytes: int = 4 * 1024 * 1024) -> None:
        self._token = token
        self._channel = grpc.aio.insecure_channel(
            target,
            options=[
                ("grpc.max_receive_message_length", max_message_bytes),
                ("grpc.keepalive_time_ms", 60_000),
                # A service that restarts is found again in a second, not in gRPC's default two minutes.
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.max_reconnect_backoff_ms", 1_000),
            ],
        )
        self._search = SearchServiceStub(self._channel)
        self._graph = GraphServiceStub(self._channel)
        self._traces = TraceServiceStub(self._channel)
        # The health package ships no types for its stub; the method is called by its name instead.
        self._check_health: grpc.aio.UnaryUnaryMultiCallable[
            health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
        ] = self._channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )

    async def search_ai(
        self, request: search_pb2.SearchAIRequest, *, caller: Caller, timeout: float
    ) -> search_pb2.SearchAIResponse:
        """One answer within `timeout` seconds.

        Raises:
            AgentError: One of its children says what happened.
        """
        return await self._call(self._search.SearchAI, request, caller, timeout)

    async def stream_search_ai(
        self, request: search_pb2.StreamSearchAIRequest, *, caller: Caller, timeout: float
    ) -> AsyncGenerator[search_pb2.SearchEvent]:
        """The events of one run, within `timeout` seconds. Closing the generator cancels the call.

        Raises:
            AgentError: One of its children says what happened; RunNotFound for a run that can't be resumed.
        """
        call = self._search.StreamSearchAI(request, timeout=timeout, metadata=self._metadata(caller))
        try:
            async for event in call:
                yield event
        except grpc.RpcError as exc:
            raise from_rpc_error(exc) from exc
        finally:
            call.cancel()

    async def describe_graph(self, *, caller: Caller, timeout: float) -> graph_pb2.DescribeGraphResponse:
        """What the graph of the catalogue holds. Raises AgentError."""
        request = graph_pb2.DescribeGraphRequest()
        return await self._call(self._graph.DescribeGraph, request, caller, timeout)

    async def check_graph_query(
        self, query: graph_pb2.GraphQuery, *, caller: Caller, timeout: float
    ) -> graph_pb2.CheckGraphQueryResponse:
        """Whether a query would run. Raises AgentError."""
        return await self._call(self._graph.CheckGraphQuery, query, caller, timeout)

    async def run_graph_query(
        self, request: graph_pb2.RunGraphQueryRequest, *, caller: Caller, timeout: float
    ) -> graph_pb2.RunGraphQueryResponse:
        """The rows that a query finds. Raises AgentError."""
        return await self._call(self._graph.RunGraphQuery, request, caller, timeout)

    async def get_trace(self, trace_id: UUID, *, caller: Caller, timeout: float) -> traces_pb2.Trace:
        """One run with its events and calls. Raises AgentError."""
        request = traces_pb2.GetTraceRequest(id=str(trace_id))
        return await self._call(self._traces.GetTrace, request, caller, timeout)

    async def list_traces(
        self, request: traces_pb2.ListTracesRequest, *, caller: Caller, timeout: float
    ) -> traces_pb2.ListTracesResponse:
        """The caller's last runs, newest first. Raises AgentError."""
        return await self._call(self._traces.ListTraces, request, caller, timeout)

    async def replay_trace(self, trace_id: UUID, *, caller: Caller, timeout: float) -> traces_pb2.ReplayTraceResponse:
        """Where a run and its replay part. Raises AgentError."""
        request = traces_pb2.ReplayTraceRequest(id=str(trace_id))
        return await self._call(self._traces.ReplayTrace, request, caller, timeout)

    async def is_serving(self, *, timeout: float) -> bool:
        """Whether the agent says that it can answer now. False, too, when it can't be reached."""
        try:
            answer = await self._check_health(health_pb2.HealthCheckRequest(service=SEARCH_SERVICE), timeout=timeout)
        except grpc.RpcError:
            return False
        return answer.status == health_pb2.HealthCheckResponse.SERVING

    async def close(self) -> None:
        """Close the channel; calls under way are given half a second."""
        await self._channel.close(grace=0.5)

    async def _call[Request, Response](
        self,
        method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        caller: Caller,
        timeout: float,
    ) -> Response:
        try:
            return await method(request, timeout=timeout, metadata=self._metadata(caller))
        except grpc.RpcError as exc:
            raise from_rpc_error(exc) from exc

    def _metadata(self, caller: Caller) -> Sequence[tuple[str, str]]:
        metadata = [(REQUEST_ID_KEY, str(caller.request_id)), (PRINCIPAL_KEY, caller.principal)]
        if self._token:
            metadata.append((TOKEN_KEY, self._token))
        return [*metadata, *carried()]
