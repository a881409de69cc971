"""The graph for callers: described, checked, asked."""

from typing import Protocol

from agent_api.v1 import graph_pb2
from agent_api.v1.graph_pb2_grpc import GraphServiceServicer
from agent_core.graph_description import GraphDescription, GraphQueryCheck
from agent_core.query_results import GraphQueryResult
from agent_core.schemas import GraphQueryIntent

from agent_service.graph_converters import check_to_proto, description_to_proto, intent_from_proto, result_to_proto
from agent_service.interceptors import CallGuard, CallInfo, RpcContext

_ROWS = 100
_HEADROOM_BYTES = 4_096


class GraphSource(Protocol):
    """What the service needs of the graph."""

    async def describe(self, *, timeout: float) -> GraphDescription: ...

    async def check(self, intent: GraphQueryIntent, *, timeout: float) -> GraphQueryCheck: ...

    async def run(self, intent: GraphQueryIntent, *, timeout: float, max_rows: int) -> GraphQueryResult: ...


class GraphServicer(GraphServiceServicer):
    """Each call runs behind the guard that questions have."""

    def __init__(self, graph: GraphSource, guard: CallGuard, *, max_message_bytes: int, max_rows: int) -> None:
        self._graph = graph
        self._guard = guard
        self._max_rows = max_rows
        self._max_bytes = max_message_bytes - _HEADROOM_BYTES

    async def DescribeGraph(  # noqa: N802 - the names are the contract's
        self, request: graph_pb2.DescribeGraphRequest, context: RpcContext
    ) -> graph_pb2.DescribeGraphResponse:
        """What the graph holds."""

        async def work(call: CallInfo) -> graph_pb2.DescribeGraphResponse:
            return description_to_proto(await self._graph.describe(timeout=call.seconds))

        return await self._guard.run(context, work)

    async def CheckGraphQuery(  # noqa: N802
        self, request: graph_pb2.GraphQuery, context: RpcContext
    ) -> graph_pb2.CheckGraphQueryResponse:
        """Whether a query would run."""

        async def work(call: CallInfo) -> graph_pb2.CheckGraphQueryResponse:
            return check_to_proto(await self._graph.check(intent_from_proto(request), timeout=call.seconds))

        return await self._guard.run(context, work)

    async def RunGraphQuery(  # noqa: N802
        self, request: graph_pb2.RunGraphQueryRequest, context: RpcContext
    ) -> graph_pb2.RunGraphQueryResponse:
        """The rows that a query finds."""

        async def work(call: CallInfo) -> graph_pb2.RunGraphQueryResponse:
            intent = intent_from_proto(request.query)
            asked = request.max_rows if request.HasField("max_rows") else _ROWS
            rows = min(asked, self._max_rows)
            found = await self._graph.run(intent, timeout=call.seconds, max_rows=rows)
            return result_to_proto(found, self._max_bytes)

        return await self._guard.run(context, work)
