"""Proposed steps: what is refused, repaired, run once, run together."""

from uuid import UUID, uuid4

import pytest
from agent_core.evidence import EntityRef
from agent_core.schemas import (
    Action,
    AgentRequest,
    AnswerKind,
    AnswerStatus,
    FinalOutcome,
    GraphIntent,
    GraphQueryType,
    Mention,
    NextStep,
    PlannedStep,
    SearchIntent,
    Stage,
    StepStatus,
    Strategy,
    TerminationReason,
    WarningCode,
)
from agent_core.testing import scripted
from datastore.vocabulary import EntityType
from fixtures.loop_world import (
    ENOUGH,
    World,
    cite_everything,
    codes,
    concept_rewrite,
    final,
    luffy_rewrite,
    search,
    steps_of,
    walk,
)


async def test_the_same_step_runs_once_and_is_proposed_at_most_three_times(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("Zeppelins")])
    response = await world.ask(stages)
    assert len(world.catalogue.intents) == 1
    assert stages.selector.script.calls <= 3
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    assert WarningCode.STEP_REFUSED in codes(response)


async def test_steps_that_differ_in_wording_and_order_only_are_the_same(world: World) -> None:
    stages = scripted(
        concept_rewrite(),
        steps=[
            search("Zeppelins", EntityType.ANIME, EntityType.MANGA),
            search("  zeppelins ", EntityType.MANGA, EntityType.ANIME).model_copy(update={"rationale": "other"}),
        ],
    )
    await world.ask(stages)
    assert len(world.catalogue.intents) == 1


async def test_an_action_that_is_not_offered_is_refused(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("pirates")])
    request = AgentRequest(query="pirates?", request_id=uuid4(), strategy=Strategy.GRAPH)
    response = await world.ask(stages, request=request)
    assert world.catalogue.intents == []
    refused = [step for step in response.steps if step.action == "refused"]
    assert {step.error for step in refused} == {"qdrant_search is not offered"}


async def test_documents_are_not_offered_before_there_are_any(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("pirates")])
    request = AgentRequest(query="pirates?", request_id=uuid4(), strategy=Strategy.DOCUMENTS)
    await world.ask(stages, request=request)
    assert stages.selector.script.views[0].offered_actions == frozenset({Action.FINAL})


async def test_a_step_without_its_intent_is_refused(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[NextStep(action=Action.QDRANT_SEARCH, rationale="r")])
    response = await world.ask(stages)
    refused = [step for step in response.steps if step.action == "refused"]
    assert {step.error for step in refused} == {"qdrant_search without its intent"}


async def test_stray_intents_are_dropped(world: World) -> None:
    both = search("pirates").model_copy(
        update={"graph_intent": walk(GraphQueryType.NEIGHBORS, world.naruto).graph_intent}
    )
    stages = scripted(
        concept_rewrite(), steps=[both], drafts=[cite_everything("One Piece is the work")], reports=[ENOUGH]
    )
    await world.ask(stages)
    assert [type(intent) for intent in world.catalogue.intents] == [SearchIntent]


async def test_a_step_cannot_start_from_an_entity_this_run_has_not_read(world: World) -> None:
    stranger = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=5))
    stages = scripted(concept_rewrite(), steps=[walk(GraphQueryType.NEIGHBORS, stranger)])
    await world.ask(stages)
    assert world.catalogue.intents == []


async def test_an_image_that_did_not_come_with_the_question_is_refused(world: World) -> None:
    step = search("pirates")
    assert step.search_intent is not None
    with_image = step.search_intent.model_copy(update={"image_query": "http://169.254.169.254/latest"})
    stages = scripted(concept_rewrite(), steps=[step.model_copy(update={"search_intent": with_image})])
    await world.ask(stages)
    assert world.catalogue.intents == []


async def test_limits_of_a_walk_are_clamped(world: World) -> None:
    rewrite = luffy_rewrite(
        answer_kind=AnswerKind.PATH, relations=(), mentions=(Mention(text="Luffy"), Mention(text="Nami"))
    )
    stages = scripted(
        rewrite,
        steps=[walk(GraphQueryType.PATH, world.luffy, world.nami, max_hops=99)],
        drafts=[cite_everything("Luffy and Nami appear in One Piece")],
        reports=[ENOUGH],
    )
    await world.ask(stages)
    intent = world.catalogue.intents[-1]
    assert isinstance(intent, GraphIntent)
    assert intent.max_hops == 4


async def test_plan_steps_run_together_and_count_singly(world: World) -> None:
    plan = NextStep(
        action=Action.PLAN,
        rationale="r",
        plan=tuple(
            PlannedStep(action=Action.QDRANT_SEARCH, search_intent=search(word).search_intent)
            for word in ("pirates", "ninja", "zeppelins")
        ),
    )
    stages = scripted(
        concept_rewrite(), steps=[plan], drafts=[cite_everything("One Piece is the work")], reports=[ENOUGH]
    )
    response = await world.ask(stages)
    executed = steps_of(response, Stage.EXECUTE)
    assert [(step.action, step.status) for step in executed] == [
        ("qdrant_search", StepStatus.OK),
        ("qdrant_search", StepStatus.OK),
        ("qdrant_search", StepStatus.EMPTY),
    ]
    assert len(world.catalogue.intents) == 3


@pytest.mark.parametrize("size", [0, 1, 5])
async def test_a_plan_has_two_to_four_steps(world: World, size: int) -> None:
    part = PlannedStep(action=Action.QDRANT_SEARCH, search_intent=search("pirates").search_intent)
    plan = NextStep(action=Action.PLAN, rationale="r", plan=(part,) * size)
    await world.ask(scripted(concept_rewrite(), steps=[plan]))
    assert world.catalogue.intents == []


async def test_a_refused_proposal_of_a_model_is_replaced_by_the_rules_choice(world: World) -> None:
    model = scripted(
        concept_rewrite(),
        steps=[NextStep(action=Action.WEB_SEARCH, rationale="r")],
        drafts=[cite_everything("One Piece is the work")],
        reports=[ENOUGH],
    )
    response = await world.ask(model, scripted(concept_rewrite(), steps=[search("pirates")]))
    assert response.status is AnswerStatus.ANSWERED
    assert response.usage.turns == 1


async def test_a_model_cannot_call_it_enough_while_a_part_is_open(world: World) -> None:
    model = scripted(
        concept_rewrite(),
        steps=[final(FinalOutcome.ENOUGH)],
        drafts=[cite_everything("One Piece is the work")],
        reports=[ENOUGH],
    )
    response = await world.ask(model, scripted(concept_rewrite(), steps=[search("pirates")]))
    assert response.status is AnswerStatus.ANSWERED
    assert any(step.error == "still open: search" for step in response.steps)
