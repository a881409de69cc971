"""Why the loop stops, and what it says then."""

from uuid import uuid4

from agent_core.schemas import (
    Action,
    AgentRequest,
    AnswerStatus,
    AskedRelation,
    ConfidenceBand,
    FinalOutcome,
    Mention,
    NextStep,
    PlannedStep,
    StepStatus,
    TerminationReason,
    WarningCode,
)
from agent_core.testing import scripted
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.loop_world import (
    ENOUGH,
    NOT_ENOUGH,
    World,
    cite_everything,
    codes,
    concept_rewrite,
    final,
    list_everything,
    luffy_rewrite,
    search,
)


async def test_two_turns_without_news_end_the_loop(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("zeppelins"), search("submarines"), search("pirates")])
    response = await world.ask(stages, query="Which anime has zeppelins or submarines?")
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.usage.turns == 2
    assert response.answer.startswith("I found no answer to this in the catalogue. Searched: ")
    assert response.searched == ("descriptions of all types: 'zeppelins'", "descriptions of all types: 'submarines'")
    assert stages.answer.script.calls == 0


async def test_an_empty_step_is_a_fact_that_the_next_selection_sees(world: World) -> None:
    stages = scripted(
        concept_rewrite(),
        steps=[search("zeppelins"), search("pirates")],
        drafts=[cite_everything("One Piece is the work")],
        reports=[ENOUGH],
    )
    await world.ask(stages)
    second = stages.selector.script.views[1]
    assert [(outcome.status, outcome.new_evidence) for outcome in second.outcomes] == [(StepStatus.EMPTY, 0)]


async def test_three_empty_steps_are_not_found(world: World) -> None:
    plan = NextStep(
        action=Action.PLAN,
        rationale="r",
        plan=tuple(
            PlannedStep(action=Action.QDRANT_SEARCH, search_intent=search(word).search_intent)
            for word in ("zeppelins", "submarines", "tanks")
        ),
    )
    response = await world.ask(scripted(concept_rewrite(), steps=[plan]))
    assert response.termination_reason is TerminationReason.NO_MATCH_AFTER_MAX_TURNS
    assert response.status is AnswerStatus.NOT_FOUND
    assert WarningCode.NO_MATCH_AFTER_MAX_TURNS in codes(response)
    assert response.confidence_band is ConfidenceBand.INSUFFICIENT


async def test_the_last_turn_is_kept_for_answering(world: World) -> None:
    stages = scripted(
        concept_rewrite(),
        steps=[search("pirates"), search("ninja"), search("treasure")],
        drafts=[list_everything],
        reports=[NOT_ENOUGH],
    )
    request = AgentRequest(query="pirates?", request_id=uuid4(), max_turns=3)
    response = await world.ask(stages, request=request)
    assert stages.selector.script.calls == 2
    assert response.usage.turns == 3
    assert response.termination_reason is TerminationReason.BUDGET_EXHAUSTED
    assert response.status is AnswerStatus.PARTIAL
    assert codes(response) == {WarningCode.TURN_BUDGET_EXHAUSTED}
    assert response.missing == ("the titles",)
    assert "One Piece" in response.answer


async def test_a_judge_that_is_never_content_does_not_loop_for_ever(world: World) -> None:
    stages = scripted(
        luffy_rewrite(),
        steps=[search("zeppelins"), search("submarines"), search("tanks")],
        drafts=[cite_everything("Luffy is in One Piece")],
        reports=[NOT_ENOUGH],
    )
    response = await world.ask(stages)
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    assert stages.answer.script.calls == 1, "nothing new was found, so nothing new was drafted"


async def test_an_empty_evidence_set_never_reaches_the_answer_stage(world: World) -> None:
    stages = scripted(luffy_rewrite(mentions=(Mention(text="Nobody"),)), steps=[final(FinalOutcome.NOT_FOUND)])
    response = await world.ask(stages)
    assert stages.answer.script.calls == 0
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.missing == ("mention:Nobody", "relation:0")


async def test_a_proven_absence_is_a_not_found_with_its_evidence(world: World) -> None:
    rewrite = luffy_rewrite(relations=(AskedRelation(edge=EdgeType.STAFF_OF),))
    stages = scripted(rewrite, drafts=[cite_everything("Monkey D. Luffy has no staff credit")], reports=[ENOUGH])
    response = await world.ask(stages)
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.termination_reason is TerminationReason.SUFFICIENT
    assert [source.title for source in response.sources] == ["Monkey D. Luffy"]


async def test_namesakes_are_listed_and_never_merged(world: World) -> None:
    rewrite = luffy_rewrite(mentions=(Mention(text="Sakura"),))
    response = await world.ask(scripted(rewrite), query="Who voices Sakura?")
    assert response.status is AnswerStatus.AMBIGUOUS
    assert response.termination_reason is TerminationReason.AMBIGUOUS
    assert [candidate.discriminators for candidate in response.alternatives] == [("1999",), ("1996",)]
    assert response.answer.split("\n")[1:] == ["- Sakura (1999) [1]", "- Sakura (1996) [2]"]
    assert len(response.sources) == 2
    assert {ref.id for ref in response.result_entities} == {world.sakura_haruno.id, world.sakura_kinomoto.id}


async def test_namesakes_are_told_apart_by_what_they_are_known_for(world: World) -> None:
    ace = [world.catalogue.add(EntityType.CHARACTER, "Ace", key=key) for key in ("first", "second")]
    world.catalogue.link(ace[0], EdgeType.APPEARS_IN, world.one_piece)
    world.catalogue.link(ace[1], EdgeType.APPEARS_IN, world.naruto_show)
    world.catalogue.known_for = {ace[0].id: ("One Piece",), ace[1].id: ("Bleach",)}
    response = await world.ask(scripted(luffy_rewrite(mentions=(Mention(text="Ace"),))))
    assert response.answer.split("\n")[1:] == ["- Ace (One Piece) [1][2]", "- Ace [3]"]
    assert [source.title for source in response.sources] == ["Ace", "Ace – One Piece", "Ace"]


async def test_names_that_are_merely_similar_are_no_namesakes(world: World) -> None:
    world.catalogue.near = {"Sakura": ("Sakuragi",)}
    world.catalogue.add(EntityType.CHARACTER, "Sakuragi")
    response = await world.ask(scripted(luffy_rewrite(mentions=(Mention(text="Sakura"),))))
    assert len(response.alternatives) == 2
    assert "Sakuragi" not in response.answer


async def test_a_selector_cannot_invent_ambiguity(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[final(FinalOutcome.AMBIGUOUS)])
    response = await world.ask(stages)
    assert response.status is AnswerStatus.NOT_FOUND
