"""The two lanes: names straight from PostgreSQL, questions through the agent."""

from collections.abc import Sequence
from enum import StrEnum

import strawberry
from agent_api.v1 import search_pb2
from datastore.postgres.name_search import search_names
from datastore.vocabulary import EntityType

from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.search.types import Answer, SearchHit

MAX_NAME_CHARACTERS = 200
MAX_QUESTION_CHARACTERS = 2_000


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
    context: RequestContext, query: str, *, types: Sequence[EntityType], first: int
) -> list[SearchHit]:
    """Entities whose name matches. Raises BadInput for a query over its limit."""
    if len(query) > MAX_NAME_CHARACTERS:
        raise BadInput("query", f"at most {MAX_NAME_CHARACTERS} characters")
    if not query.strip():
        raise BadInput("query", "must not be empty")
    resources = context.resources
    async with resources.engine.connect(resources.query_seconds) as conn:
        hits = await search_names(conn, query, entity_types=types, limit=context.checked_first(first))
    return [SearchHit.of(hit) for hit in hits]


async def ask(
    context: RequestContext,
    question: str,
    *,
    image_query: str | None,
    strategy: SearchStrategy,
    entity_types: Sequence[EntityType],
    language: str | None,
    budgets: Budgets | None,
) -> Answer:
    """An answer of the agent. Raises BadInput and AgentError."""
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise BadInput("question", f"at most {MAX_QUESTION_CHARACTERS} characters")
    request = search_pb2.SearchAIRequest(
        query=question,
        image_query=image_query,
        strategy=f"STRATEGY_{strategy.name}",
        budgets=_budgets(budgets),
        language=language,
        entity_types=[f"ENTITY_TYPE_{value.name}" for value in entity_types],
    )
    timeout = context.resources.settings.agent_timeout_seconds
    response = await context.resources.agent.search_ai(request, caller=context.caller, timeout=timeout)
    return Answer.of(response)


def _budgets(budgets: Budgets | None) -> search_pb2.Budgets:
    message = search_pb2.Budgets()
    if budgets is None:
        return message
    for name in ("max_turns", "max_model_calls", "max_tool_calls", "max_tokens"):
        value: int | None = getattr(budgets, name)
        if value is None:
            continue
        if value < 0:
            raise BadInput(f"budgets.{name}", "must not be negative")
        setattr(message, name, value)
    return message
