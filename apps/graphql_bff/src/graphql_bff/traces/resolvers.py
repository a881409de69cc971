"""Records of runs through the agent: one call each, within the time that answers have."""

from agent_api.errors import InvalidQuestion
from agent_api.v1 import traces_pb2

from graphql_bff.arguments import checked_count, checked_id
from graphql_bff.context import RequestContext
from graphql_bff.traces.types import Trace


async def find_trace(context: RequestContext, trace_id: str) -> Trace | None:
    """None where the caller has no trace of this id. Raises BadInput and AgentError."""
    known = checked_id(trace_id)
    timeout = context.resources.settings.agent_timeout_seconds
    try:
        return Trace.of(await context.resources.agent.get_trace(known, caller=context.caller, timeout=timeout))
    except InvalidQuestion:
        return None


async def list_traces(context: RequestContext, first: int, before: str | None) -> list[Trace]:
    """The caller's last runs, newest first. Raises BadInput and AgentError."""
    settings = context.resources.settings
    request = traces_pb2.ListTracesRequest(
        limit=checked_count(first, settings.max_first),
        before=str(checked_id(before, "before")) if before is not None else None,
    )
    found = await context.resources.agent.list_traces(
        request, caller=context.caller, timeout=settings.agent_timeout_seconds
    )
    return [Trace.of(trace) for trace in found.traces]
