"""How the loop treats questions about whole sets: one query, and the other reading where it can't be asked."""

from agent_core.evidence import QueryResultEvidence
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.orchestrator.outcomes import violations
from agent_core.query_results import GraphQueryResult, QueryRefusal
from agent_core.schemas import (
    Action,
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    GraphQueryIntent,
    Stage,
    StepStatus,
    Strategy,
)
from agent_core.testing import FakeClock
from fixtures.rule_based_world import REQUEST_ID, RuleWorld, rule_world

__all__ = ["rule_world"]

QUESTION = "How many movies did Studio Plimf make?"
REFUSED = GraphQueryResult(
    status=StepStatus.REFUSED,
    summary="refused: line 1, column 1: no",
    refusal=QueryRefusal(line=1, column=1, message="no", hint=""),
)


class CannedQueries:
    """Answers every query alike, and keeps what was asked."""

    def __init__(self, result: GraphQueryResult) -> None:
        self._result = result
        self.asked: list[GraphQueryIntent] = []

    async def execute(self, intent: GraphQueryIntent, *, timeout: float) -> GraphQueryResult:
        self.asked.append(intent)
        return self._result


def one_row(world: RuleWorld) -> GraphQueryResult:
    """One film by the studio."""
    row = (str(world.nights.id), "Zorblax Nights", 2011)
    evidence = QueryResultEvidence(
        id="query:1",
        source="postgresql:graph_query",
        title="Query over the whole catalogue",
        text="MATCH … with studio = Studio Plimf\n1 row\nid: Zorblax Nights; name: Zorblax Nights; year: 2011",
        query="MATCH …",
        row_count=1,
        columns=("id", "name", "year"),
        sample=(row,),
        entities=(world.plimf, world.nights),
    )
    return GraphQueryResult(columns=evidence.columns, rows=(row,), row_count=1, evidence=(evidence,))


async def ask(
    world: RuleWorld, question: str, queries: CannedQueries, strategy: Strategy = Strategy.AUTO
) -> AgentResponse:
    catalogue = world.catalogue
    stages = world.stages
    loop = Orchestrator(
        stages=stages,
        rule_based=stages,
        sources=Sources(catalogue, catalogue, catalogue.search, catalogue.graph, graph_query=queries),
        clock=FakeClock(),
    )
    response = await loop.run(AgentRequest(query=question, request_id=REQUEST_ID, strategy=strategy))
    assert violations(response) == []
    return response


async def test_a_set_question_is_one_query(rule_world: RuleWorld) -> None:
    queries = CannedQueries(one_row(rule_world))
    response = await ask(rule_world, QUESTION, queries)
    assert [intent.parameters for intent in queries.asked] == [{"studio": str(rule_world.plimf.id), "format": "movie"}]
    assert response.answer == ("The catalogue holds 1 movie by Studio Plimf [1]. It is Zorblax Nights (2011) [1].")
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.id for ref in response.result_entities] == [rule_world.nights.id]
    assert [step.action for step in response.steps if step.stage is Stage.EXECUTE] == [Action.GRAPH_QUERY]
    assert not any(step.stage is Stage.EXPAND and step.action == "neighbors" for step in response.steps)


async def test_a_refused_query_is_seen_and_not_sent_again(rule_world: RuleWorld) -> None:
    queries = CannedQueries(REFUSED)
    response = await ask(rule_world, QUESTION, queries)
    assert len(queries.asked) == 1
    assert response.status is AnswerStatus.NOT_FOUND
    (step,) = [step for step in response.steps if step.stage is Stage.EXECUTE]
    assert (step.status, step.error) == (StepStatus.REFUSED, REFUSED.summary)


async def test_where_no_query_is_offered_the_other_reading_answers(rule_world: RuleWorld) -> None:
    queries = CannedQueries(one_row(rule_world))
    await ask(rule_world, QUESTION, queries, Strategy.HYBRID)
    assert queries.asked == []


async def test_a_name_that_no_set_links_to_takes_the_other_reading(rule_world: RuleWorld) -> None:
    queries = CannedQueries(one_row(rule_world))
    response = await ask(rule_world, "Which movies did Tavrik direct?", queries)
    assert queries.asked == []
    assert not any(isinstance(item, QueryResultEvidence) for item in response.evidence)


async def test_a_question_with_an_unread_word_is_no_set_question(rule_world: RuleWorld) -> None:
    queries = CannedQueries(one_row(rule_world))
    await ask(rule_world, "Which movies by Studio Plimf have penguins?", queries)
    assert queries.asked == []
