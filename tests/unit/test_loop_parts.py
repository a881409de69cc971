"""A question of several is answered part by part within one budget; parts without an answer are named."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from agent_core.agents.rule_based.picture_questions import RuleBasedPictureQuestions
from agent_core.events import RunEvent, fold
from agent_core.evidence import ALIKE, PICTURES_SOURCE, RankedEntry, RankedListEvidence
from agent_core.orchestrator import LoopOptions, Orchestrator, Sources
from agent_core.orchestrator.outcomes import violations
from agent_core.protocols import SearchExecutor
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    Hit,
    Mention,
    ResolvedMention,
    RetrievalResult,
    SearchIntent,
    StepStatus,
    TerminationReason,
    WarningCode,
)
from agent_core.testing import FakeClock, MemoryCatalogue, MemoryDocuments, ScriptedStages, scripted
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.loop_world import assert_only_own_evidence, codes
from fixtures.readings import InventedFinder
from fixtures.rule_based_world import RuleWorld


@pytest.fixture
def rule_world() -> RuleWorld:
    return RuleWorld()


async def ask(
    world: RuleWorld,
    question: str,
    *,
    model: ScriptedStages | None = None,
    heard: list[RunEvent] | None = None,
    documents: MemoryDocuments | None = None,
    search: SearchExecutor | None = None,
    clock: FakeClock | None = None,
    **changes: object,
) -> AgentResponse:
    stages = replace(world.stages, pictures=RuleBasedPictureQuestions(InventedFinder()))
    catalogue = world.catalogue
    loop = Orchestrator(
        stages=model.stages if model is not None else stages,
        rule_based=stages,
        sources=Sources(catalogue, catalogue, search or catalogue.search, catalogue.graph, documents=documents),
        clock=clock or FakeClock(),
        options=LoopOptions(),
    )
    request = AgentRequest.model_validate({"query": question, "request_id": UUID(int=1), **changes})
    response = await loop.run(request, listener=heard.append if heard is not None else None)
    assert violations(response) == []
    assert_only_own_evidence(response)
    return response


async def test_each_part_is_answered_under_markers_counted_through(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "Who directed Zorblax and who wrote Quindle Vortex?")
    assert response.answer == (
        "Zorblax was directed by Mirelle Ostrander [1].\nThe author of Quindle Vortex is Brennick Sorrel [2]."
    )
    assert response.status is AnswerStatus.ANSWERED
    assert response.termination_reason is TerminationReason.SUFFICIENT
    assert [ref.name for ref in response.result_entities] == ["Mirelle Ostrander", "Brennick Sorrel"]
    assert response.rewritten_query == "Who directed Zorblax and who wrote Quindle Vortex?"
    assert response.missing == ()


async def test_what_two_parts_cite_alike_has_one_marker(rule_world: RuleWorld) -> None:
    question = "Which studio made Zorblax, who wrote Quindle Vortex, and which studio is Zorblax by?"
    response = await ask(rule_world, question)
    assert response.answer == (
        "Zorblax was produced by Studio Plimf [1].\n"
        "The author of Quindle Vortex is Brennick Sorrel [2].\n"
        "Zorblax was produced by Studio Plimf [1]."
    )


async def test_four_parts_are_answered(rule_world: RuleWorld) -> None:
    question = "When did Zorblax start, who wrote Quindle Vortex, who voices Tavrik, and who directed Zorblax Nights?"
    response = await ask(rule_world, question, max_tool_calls=24)
    assert response.status is AnswerStatus.ANSWERED
    assert [source.marker for source in response.sources] == [1, 2, 3, 4]


async def test_reads_that_do_not_reach_for_the_last_part_are_told(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "Who directed Zorblax and who wrote Quindle Vortex?", max_tool_calls=9)
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.BUDGET_EXHAUSTED
    assert WarningCode.TOOL_CALL_BUDGET_EXHAUSTED in codes(response)
    assert response.missing == ("who wrote Quindle Vortex",)


async def test_a_slow_part_leaves_the_others_their_time(rule_world: RuleWorld) -> None:
    class Slow(MemoryCatalogue):
        async def resolve(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[ResolvedMention, ...]:
            if any(mention.text == "Zorblax" for mention in mentions):
                clock.advance(25)
            return await super().resolve(mentions, timeout=timeout)

    clock = FakeClock()
    world = rule_world.catalogue
    rule_world.catalogue = Slow(entities=world.entities, edges=world.edges)
    question = "Who directed Zorblax and who wrote Quindle Vortex?"
    response = await ask(rule_world, question, clock=clock, timeout_seconds=30)
    assert response.termination_reason is TerminationReason.DEADLINE
    assert response.status is AnswerStatus.PARTIAL
    assert response.missing == ("Who directed Zorblax",)
    assert "The author of Quindle Vortex is Brennick Sorrel [1]." in response.answer


async def test_documents_answer_one_part_and_the_catalogue_the_other(rule_world: RuleWorld) -> None:
    documents = MemoryDocuments()
    documents.add("House Handbook", "Photography is allowed in the foyer.")
    question = "What does the handbook say about photography, and who directed Zorblax?"
    response = await ask(rule_world, question, documents=documents)
    first, second = response.answer.split("\n")
    assert "Photography is allowed in the foyer" in first
    assert second == "Zorblax was directed by Mirelle Ostrander [2]."


class Pictures:
    """An index that finds Zorblax similar to every picture, and searches the catalogue otherwise."""

    def __init__(self, world: RuleWorld) -> None:
        self._world = world

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult:
        if intent.image_query is None:
            return await self._world.catalogue.search.execute(intent, timeout=timeout)
        row = self._world.catalogue.entities[self._world.zorblax.id]
        seen = RankedListEvidence(
            id="pictures:1",
            source=PICTURES_SOURCE,
            title="Pictures",
            text="Zorblax (likeness 0.90)",
            entries=(RankedEntry(entity=row.entity, score=0.9, reason=ALIKE),),
        )
        hit = Hit(entity=row.entity, score=0.9, evidence_id=row.id, row_version=1)
        return RetrievalResult(status=StepStatus.OK, summary="found", hits=(hit,), evidence=(seen, row))


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Who directed this anime and who wrote Quindle Vortex?", 0),
        ("Who wrote Quindle Vortex and who directed this anime?", 1),
    ],
)
async def test_the_part_about_a_picture_says_how_alike_it_is(rule_world: RuleWorld, question: str, number: int) -> None:
    response = await ask(rule_world, question, search=Pictures(rule_world), image_query="http://pictures.example/a.png")
    said = response.answer.split("\n")[number]
    assert said.startswith("The picture is similar to that of Zorblax, and may be another one (likeness 0.90)")
    assert "Zorblax was directed by Mirelle Ostrander" in said
    assert response.answer.count("The picture") == 1
    assert response.confidence_band is not ConfidenceBand.HIGH
    assert "the picture is similar to one of the catalogue, not the same" in response.confidence_reasons


async def test_a_part_without_an_answer_is_named(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "Who directed Zorblax and who wrote Blorgon Vexu?")
    first, second = response.answer.split("\n")
    assert first == "Zorblax was directed by Mirelle Ostrander [1]."
    assert second.startswith("“who wrote Blorgon Vexu”: I found no answer to this in the catalogue.")
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    assert response.missing == ("who wrote Blorgon Vexu",)
    assert response.confidence < 0.55
    assert "a part of the question has no answer" in response.confidence_reasons


async def test_what_no_row_holds_is_a_caveat(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "What was the budget of Zorblax, and who wrote Quindle Vortex?")
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.missing == ("What was the budget of Zorblax",)
    assert response.answer.endswith("The author of Quindle Vortex is Brennick Sorrel [2].")


async def test_nothing_found_for_any_part_is_not_found(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "Who directed Qorvath Nimble and who wrote Blorgon Vexu?")
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.confidence_band is ConfidenceBand.INSUFFICIENT
    assert WarningCode.NO_MATCH_AFTER_MAX_TURNS in codes(response)
    assert response.missing == ("Who directed Qorvath Nimble", "who wrote Blorgon Vexu")


async def test_a_name_that_fits_several_leaves_the_other_part_answered(rule_world: RuleWorld) -> None:
    twin = rule_world.catalogue.add(EntityType.ANIME, "Vrell of the Marsh", year="1980")
    rule_world.catalogue.link(twin, EdgeType.HAS_STAFF, rule_world.yuna, "director")
    response = await ask(rule_world, "Who directed Zorblax and how many episodes does Vrell of the Marsh have?")
    assert response.status is AnswerStatus.PARTIAL
    assert response.answer.startswith("Zorblax was directed by Mirelle Ostrander [1].")
    assert "“how many episodes does Vrell of the Marsh have”: “Vrell of the Marsh” fits several" in response.answer
    assert WarningCode.AMBIGUOUS_ENTITY in codes(response)
    assert len(response.alternatives) == 2


async def test_two_names_that_fit_several_are_asked_back(rule_world: RuleWorld) -> None:
    for name in ("Vrell of the Marsh", "Zorblax"):
        rule_world.catalogue.add(EntityType.ANIME, name, year="1980")
    question = "How many episodes does Zorblax have and how many does Vrell of the Marsh have?"
    response = await ask(rule_world, question)
    assert response.status is AnswerStatus.AMBIGUOUS
    assert len(response.alternatives) == 4


async def test_parts_share_the_turns(rule_world: RuleWorld) -> None:
    alone = await ask(rule_world, "Who wrote Zorblax?")
    assert alone.usage.turns == 2
    response = await ask(rule_world, "Who wrote Zorblax and who directed Zorblax Nights?", max_turns=2)
    assert response.usage.turns == 2
    assert response.status is AnswerStatus.PARTIAL
    assert "Zorblax Nights was directed by Mirelle Ostrander" in response.answer


async def test_a_part_for_which_no_turn_is_left_is_named(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, "Who directed Zorblax and who wrote Quindle Vortex?", max_turns=1)
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.BUDGET_EXHAUSTED
    assert WarningCode.TURN_BUDGET_EXHAUSTED in codes(response)
    assert response.missing == ("who wrote Quindle Vortex",)
    assert response.answer.startswith("Zorblax was directed by Mirelle Ostrander [1].")


async def test_obvious_parts_ask_no_model(rule_world: RuleWorld) -> None:
    model = scripted(AssertionError("the model was asked"))
    response = await ask(rule_world, "Who directed Zorblax and who wrote Quindle Vortex?", model=model)
    assert response.status is AnswerStatus.ANSWERED
    assert response.usage.model_calls == 0


async def test_its_events_fold_to_the_answer(rule_world: RuleWorld) -> None:
    heard: list[RunEvent] = []
    response = await ask(rule_world, "Who directed Zorblax and who wrote Blorgon Vexu?", heard=heard)
    assert fold(heard) == response
    numbers = [step.n for step in response.steps]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("Who is the producer of Zorblax?", False),
        ("What is the opening song of Zorblax?", False),
        ("Who storyboarded Zorblax?", True),
    ],
)
async def test_what_an_entity_lacks_is_said_by_one_sentence_of_a_document_or_by_none(
    rule_world: RuleWorld, question: str, *, is_answered: bool
) -> None:
    documents = MemoryDocuments()
    documents.add(
        "Zorblax at the Harbour",
        "Pupils had built a red lighthouse out of cardboard. Zorblax was storyboarded by Ilse Marrow. "
        "The hall opened its season with a room full of Zorblax. Later the town sang a song.",
    )
    response = await ask(rule_world, question, documents=documents)
    assert ("Ilse Marrow" in response.answer) is is_answered
    assert response.status is (AnswerStatus.ANSWERED if is_answered else AnswerStatus.NOT_FOUND)
