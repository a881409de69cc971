"""Whatever a selector asks of a walk, what runs stays within the hard maxima."""

from uuid import UUID

from agent_core.evidence import EntityRef
from agent_core.orchestrator.proposals import checked
from agent_core.schemas import (
    MAX_FANOUT,
    MAX_HOPS,
    MAX_RESULTS,
    Action,
    AgentRequest,
    GraphIntent,
    GraphLimits,
    GraphQueryType,
    NextStep,
)
from datastore.vocabulary import EntityType

START = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1))


def walked(hops: int, results: int, fanout: int) -> GraphIntent:
    intent = GraphIntent(
        rationale="far",
        query_type=GraphQueryType.K_HOP,
        start=START,
        max_hops=hops,
        limits=GraphLimits(max_results=results, max_fanout_per_hop=fanout),
    )
    step = checked(
        NextStep(action=Action.PG_GRAPH, rationale="far", graph_intent=intent),
        offered=frozenset({Action.PG_GRAPH}),
        request=AgentRequest(query="Who?", request_id=UUID(int=2)),
        known=[START],
    )
    assert step.graph_intent is not None
    return step.graph_intent


def test_a_walk_beyond_the_maxima_is_brought_within_them() -> None:
    intent = walked(99, 10_000, 10_000)
    assert (intent.max_hops, intent.limits.max_results, intent.limits.max_fanout_per_hop) == (
        MAX_HOPS,
        MAX_RESULTS,
        MAX_FANOUT,
    )


def test_a_walk_within_the_maxima_is_left_alone() -> None:
    intent = walked(2, 7, 9)
    assert (intent.max_hops, intent.limits.max_results, intent.limits.max_fanout_per_hop) == (2, 7, 9)
