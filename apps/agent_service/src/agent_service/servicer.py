"""One method per RPC: translate, run, translate back, keep the answer below the message limit."""

from typing import Protocol

from agent_api.v1 import search_pb2
from agent_api.v1.search_pb2_grpc import SearchServiceServicer
from agent_core.schemas import AgentRequest, AgentResponse

from agent_service.converters import request_from_proto, response_to_proto
from agent_service.interceptors import CallGuard, CallInfo, RpcContext
from agent_service.message_size import fit_message

_REPLY_MARGIN_SECONDS = 0.1
"""Kept from the caller's deadline, so that an answer that ran out of time still arrives."""


class Answerer(Protocol):
    """What the service needs of the loop."""

    async def run(self, request: AgentRequest) -> AgentResponse: ...


class SearchServicer(SearchServiceServicer):
    """SearchAI over the loop."""

    def __init__(self, answerer: Answerer, guard: CallGuard, *, max_message_bytes: int) -> None:
        self._answerer = answerer
        self._guard = guard
        self._max_message_bytes = max_message_bytes

    async def SearchAI(  # noqa: N802 - the name is the contract's
        self, request: search_pb2.SearchAIRequest, context: RpcContext
    ) -> search_pb2.SearchAIResponse:
        """One question, one answer."""

        async def work(call: CallInfo) -> search_pb2.SearchAIResponse:
            question = request_from_proto(
                request,
                request_id=call.request_id,
                principal=call.principal,
                seconds=max(call.seconds - _REPLY_MARGIN_SECONDS, call.seconds / 2),
            )
            response = response_to_proto(await self._answerer.run(question))
            return fit_message(response, self._max_message_bytes)

        return await self._guard.run(context, work)
