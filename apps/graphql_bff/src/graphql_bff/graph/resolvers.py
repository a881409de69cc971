"""The graph through the agent: one call each, within the time that answers have."""

from typing import Any, cast

from agent_api.v1 import graph_pb2
from google.protobuf import json_format
from strawberry.scalars import JSON

from graphql_bff.arguments import checked_count, checked_text
from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.graph.types import GraphDescription, GraphQueryCheck, GraphQueryResult

MAX_QUERY_CHARACTERS = 8_000


async def describe_graph(context: RequestContext) -> GraphDescription:
    """Raises AgentError."""
    timeout = context.resources.settings.agent_timeout_seconds
    message = await context.resources.agent.describe_graph(caller=context.caller, timeout=timeout)
    return GraphDescription.of(message)


async def check_query(context: RequestContext, text: str, parameters: JSON | None) -> GraphQueryCheck:
    """Raises BadInput and AgentError."""
    timeout = context.resources.settings.agent_timeout_seconds
    query = _query(text, parameters)
    return GraphQueryCheck.of(
        await context.resources.agent.check_graph_query(query, caller=context.caller, timeout=timeout)
    )


async def run_query(context: RequestContext, text: str, parameters: JSON | None, first: int) -> GraphQueryResult:
    """Raises BadInput and AgentError."""
    settings = context.resources.settings
    rows = checked_count(first, settings.graph_max_rows)
    request = graph_pb2.RunGraphQueryRequest(query=_query(text, parameters), max_rows=rows)
    timeout = settings.agent_timeout_seconds
    return GraphQueryResult.of(
        await context.resources.agent.run_graph_query(request, caller=context.caller, timeout=timeout)
    )


def _query(text: str, parameters: object) -> graph_pb2.GraphQuery:
    checked_text(text, "text", MAX_QUERY_CHARACTERS)
    query = graph_pb2.GraphQuery(text=text)
    if parameters is None:
        return query
    if not isinstance(parameters, dict):
        raise BadInput("parameters", "must be an object of names and values")
    json_format.ParseDict(cast("dict[str, Any]", parameters), query.parameters)
    return query
