"""Questions whose runs are followed as they work."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import strawberry
from agent_api.v1 import search_pb2
from datastore.vocabulary import EntityType

from graphql_bff.arguments import checked_text
from graphql_bff.catalogue.entity import Request
from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.search.events import SearchEvent, event_of
from graphql_bff.search.resolvers import Budgets, SearchStrategy, search_request

_MAX_ID_CHARACTERS = 36


@strawberry.type
class Subscription:
    """What can be followed."""

    @strawberry.subscription
    async def search_ai(  # noqa: PLR0913 - each is an argument of the field
        self,
        info: Request,
        question: str,
        image_query: str | None = None,
        strategy: SearchStrategy = SearchStrategy.AUTO,
        entity_types: list[EntityType] | None = None,
        language: str | None = None,
        budgets: Budgets | None = None,
        session_id: strawberry.ID | None = None,
        keep_running: bool = False,
    ) -> AsyncGenerator[SearchEvent, None]:
        """A question's run. Going away ends it, unless it is kept running: then it can be resumed for a while."""
        start = search_request(
            question,
            image_query=image_query,
            strategy=strategy,
            entity_types=entity_types or (),
            language=language,
            budgets=budgets,
            session_id=session_id,
        )
        request = search_pb2.StreamSearchAIRequest(start=start, keep_running=keep_running)
        async with aclosing(_follow(info.context, request)) as events:
            async for event in events:
                yield event

    @strawberry.subscription
    async def resume_search_ai(
        self, info: Request, run_id: strawberry.ID, after_sequence: int = 0
    ) -> AsyncGenerator[SearchEvent, None]:
        """A run that was kept: what it told after that event, and what it tells from now on."""
        checked_text(run_id, "runId", _MAX_ID_CHARACTERS)
        if after_sequence < 0:
            raise BadInput("afterSequence", "must not be negative")
        resume = search_pb2.ResumeRun(run_id=run_id, after_sequence=after_sequence)
        async with aclosing(_follow(info.context, search_pb2.StreamSearchAIRequest(resume=resume))) as events:
            async for event in events:
                yield event


async def _follow(context: RequestContext, request: search_pb2.StreamSearchAIRequest) -> AsyncGenerator[SearchEvent]:
    """The events of a run. Raises AgentError."""
    resources = context.resources
    timeout = resources.settings.agent_timeout_seconds
    async with aclosing(resources.agent.stream_search_ai(request, caller=context.caller, timeout=timeout)) as stream:
        async for message in stream:
            event = event_of(message)
            if event is not None:
                yield event
