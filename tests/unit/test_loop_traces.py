"""The two example traces of the first design, stage by stage."""

from collections.abc import Sequence
from uuid import uuid4

from agent_core.budget import Budget
from agent_core.evidence import PathEvidence
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.protocols import LoopView
from agent_core.schemas import (
    Action,
    AgentRequest,
    AnswerKind,
    AnswerStatus,
    DraftAnswer,
    GraphQueryType,
    Mention,
    NextStep,
    QueryRewrite,
    SearchFilters,
    SearchIntent,
    Stage,
)
from agent_core.testing import scripted
from agent_core.turns import PastTurn
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.loop_world import (
    ENOUGH,
    NOT_ENOUGH,
    World,
    cite_everything,
    luffy_rewrite,
    search,
    steps_of,
    walk,
)


async def test_trace_of_which_anime_is_luffy_in(world: World) -> None:
    """Two turns: the character is searched, then the works are fetched by id; only then is the draft sufficient."""
    rewrite = QueryRewrite(
        rewritten_query="Which anime features Monkey D. Luffy?",
        needs_external_context=True,
        rationale="a relation",
        answer_kind=AnswerKind.LIST,
        concepts=("Luffy",),
    )

    fetch = SearchIntent(
        rationale="titles are missing",
        entity_types=(EntityType.ANIME,),
        filters=SearchFilters(ids=(world.one_piece.id,)),
    )
    stages = scripted(
        rewrite,
        steps=[
            search("Luffy", EntityType.CHARACTER),
            NextStep(action=Action.QDRANT_SEARCH, rationale="r", search_intent=fetch),
        ],
        drafts=[
            cite_everything("Monkey D. Luffy is a character", world.luffy),
            cite_everything("Monkey D. Luffy appears in One Piece", world.one_piece),
        ],
        reports=[NOT_ENOUGH, ENOUGH],
    )
    response = await world.ask(stages)
    assert [draft.answer for draft in stages.sufficiency.drafts] == [
        "Monkey D. Luffy is a character [1].",
        "Monkey D. Luffy appears in One Piece [1][2].",
    ]
    assert stages.selector.script.views[1].retry_rationale == "the titles"
    assert world.catalogue.intents == [search("Luffy", EntityType.CHARACTER).search_intent, fetch]
    assert response.usage.turns == 2
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.name for ref in response.result_entities] == ["One Piece"]


async def test_trace_of_how_luffy_is_related_to_nami(world: World) -> None:
    rewrite = QueryRewrite(
        rewritten_query="How is Monkey D. Luffy related to Nami?",
        needs_external_context=True,
        rationale="a path",
        answer_kind=AnswerKind.PATH,
        mentions=(Mention(text="Luffy"), Mention(text="Nami")),
    )

    def draft(view: LoopView) -> DraftAnswer:
        path = next(item for item in view.evidence if isinstance(item, PathEvidence) and len(item.path.steps) == 2)
        return DraftAnswer(
            answer="Monkey D. Luffy appears in One Piece, which features Nami [1].",
            evidence_ids=(path.id,),
            result_entities=(world.luffy, world.nami),
            confidence=0.9,
        )

    stages = scripted(
        rewrite, steps=[walk(GraphQueryType.PATH, world.luffy, world.nami)], drafts=[draft], reports=[ENOUGH]
    )
    response = await world.ask(stages, query="How is Luffy related to Nami?")
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.name for ref in response.source_entities] == ["Monkey D. Luffy", "One Piece", "Nami"]
    assert [ref.name for ref in response.result_entities] == ["Monkey D. Luffy", "Nami"]
    (path,) = response.evidence
    assert isinstance(path, PathEvidence)
    assert [step.rel for step in path.path.steps] == [EdgeType.APPEARS_IN, EdgeType.FEATURES]
    assert [step.action for step in steps_of(response, Stage.EXECUTE)] == ["pg_graph"]


async def test_budget_is_one_object_for_the_whole_run(world: World) -> None:
    seen: list[Budget] = []

    class Watching:
        async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
            seen.append(budget)
            return luffy_rewrite()

    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH])
    watched = stages.stages.__class__(Watching(), stages.selector, stages.answer, stages.sufficiency)
    loop = Orchestrator(
        stages=watched,
        rule_based=watched,
        sources=Sources(world.catalogue, world.catalogue, None, world.catalogue.graph),
        clock=world.clock,
    )
    response = await loop.run(AgentRequest(query="Luffy?", request_id=uuid4()))
    assert seen[0].tool_calls == response.usage.tool_calls
