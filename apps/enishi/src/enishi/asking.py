"""Questions from a command line to the agent, over the same gRPC that every client uses."""

from collections.abc import AsyncGenerator
from uuid import UUID, uuid4

from agent_api.client import AgentClient, Caller
from agent_api.v1 import search_pb2
from agent_core.schemas import AgentResponse, Strategy
from agent_service.converters import response_from_proto

_REPLY_GRACE_SECONDS = 5.0


class Asker:
    """Asks one agent."""

    def __init__(self, target: str, *, seconds: float, token: str | None = None) -> None:
        self._client = AgentClient(target, token=token)
        self._seconds = seconds

    async def ask(
        self,
        question: str,
        *,
        session_id: UUID | None = None,
        image: str | None = None,
        strategy: Strategy = Strategy.AUTO,
    ) -> AgentResponse:
        """The answer. Questions of one session follow on each other; `image` is a URL or base64 of a picture.

        Raises:
            AgentError: One of its children says what happened.
        """
        request = _request(question, session_id, image, strategy)
        message = await self._client.search_ai(request, caller=_caller(), timeout=self._seconds + _REPLY_GRACE_SECONDS)
        return response_from_proto(message)

    def stream(
        self, question: str, *, session_id: UUID | None = None, image: str | None = None
    ) -> AsyncGenerator[search_pb2.SearchEvent]:
        """The events of the question's run as they come, the last of which holds the answer. Raises AgentError."""
        request = search_pb2.StreamSearchAIRequest(start=_request(question, session_id, image, Strategy.AUTO))
        return self._client.stream_search_ai(request, caller=_caller(), timeout=self._seconds + _REPLY_GRACE_SECONDS)

    async def close(self) -> None:
        """Close the channel."""
        await self._client.close()


def _request(
    question: str, session_id: UUID | None, image: str | None, strategy: Strategy = Strategy.AUTO
) -> search_pb2.SearchAIRequest:
    return search_pb2.SearchAIRequest(
        query=question,
        session_id=None if session_id is None else str(session_id),
        image_query=image,
        strategy=f"STRATEGY_{strategy.upper()}",
    )


def _caller() -> Caller:
    return Caller(request_id=uuid4())
