"""The two lanes: names straight from PostgreSQL, questions through the agent."""

import asyncio
from collections.abc import Sequence
from enum import StrEnum

import strawberry
from agent_api.v1 import search_pb2
from datastore.postgres.engine import translating_postgres_errors
from datastore.postgres.name_search import search_names
from datastore.vocabulary import EntityType

from graphql_bff.arguments import checked_count, checked_text
from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.search.cursors import position_of
from graphql_bff.search.hits import SearchHit
from graphql_bff.search.types import Answer

MAX_NAME_CHARACTERS = 200
MAX_QUESTION_CHARACTERS = 2_000
_MAX_LANGUAGE_CHARACTERS = 16
_MAX_SESSION_CHARACTERS = 36
_MAX_IMAGE_CHARACTERS = 8_000_000


@strawberry.enum
class SearchStrategy(StrEnum):
    """Which sources an answer may use."""

    AUTO = "auto"
    GRAPH = "graph"
    HYBRID = "hybrid"
    DOCUMENTS = "documents"


@strawberry.input
class Budgets:
    """What an answer may cost at most. The server's own limits stay in force."""

    max_turns: int | None = None
    max_model_calls: int | None = None
    max_tool_calls: int | None = None
    max_tokens: int | None = None


async def find_names(
    context: RequestContext, query: str, *, types: Sequence[EntityType], first: int, after: str | None
) -> list[SearchHit]:
    """Entities whose name matches. Raises BadInput."""
    checked_text(query, "query", MAX_NAME_CHARACTERS)
    resources = context.resources
    limit = checked_count(first, resources.settings.max_first)
    position = None if after is None else position_of(after)
    with translating_postgres_errors():
        async with asyncio.timeout(resources.settings.query_timeout_ms / 1000):
            hits = await search_names(resources.hot, query, entity_types=types, limit=limit, after=position)
    number = position.number if position else 0
    return [SearchHit.of(hit, number + place) for place, hit in enumerate(hits, start=1)]


async def ask(context: RequestContext, request: search_pb2.SearchAIRequest) -> Answer:
    """An answer of the agent. Raises AgentError."""
    timeout = context.resources.settings.agent_timeout_seconds
    return Answer.of(await context.resources.agent.search_ai(request, caller=context.caller, timeout=timeout))


def search_request(
    question: str,
    *,
    image_query: str | None,
    strategy: SearchStrategy,
    entity_types: Sequence[EntityType],
    language: str | None,
    budgets: Budgets | None,
    session_id: str | None,
) -> search_pb2.SearchAIRequest:
    """A question as the agent takes it. Raises BadInput."""
    checked_text(question, "question", MAX_QUESTION_CHARACTERS)
    if image_query is not None:
        checked_text(image_query, "imageQuery", _MAX_IMAGE_CHARACTERS)
    if language is not None:
        checked_text(language, "language", _MAX_LANGUAGE_CHARACTERS)
    if session_id is not None:
        checked_text(session_id, "sessionId", _MAX_SESSION_CHARACTERS)
    return search_pb2.SearchAIRequest(
        query=question,
        image_query=image_query,
        strategy=f"STRATEGY_{strategy.name}",
        budgets=_budgets(budgets or Budgets()),
        language=language,
        session_id=session_id,
        entity_types=[f"ENTITY_TYPE_{value.name}" for value in entity_types],
    )


def _budgets(budgets: Budgets) -> search_pb2.Budgets:
    asked = {
        "maxTurns": budgets.max_turns,
        "maxModelCalls": budgets.max_model_calls,
        "maxToolCalls": budgets.max_tool_calls,
        "maxTokens": budgets.max_tokens,
    }
    for name, value in asked.items():
        if value is not None and value < 0:
            raise BadInput(f"budgets.{name}", "must not be negative")
    return search_pb2.Budgets(
        max_turns=budgets.max_turns,
        max_model_calls=budgets.max_model_calls,
        max_tool_calls=budgets.max_tool_calls,
        max_tokens=budgets.max_tokens,
    )
