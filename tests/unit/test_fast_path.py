"""Obvious questions ask no model; whatever is not obvious after all does."""

from uuid import UUID

import pytest
from agent_core.orchestrator import Conversation, LoopOptions, Orchestrator, Sources
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, RunStep, Stage, StepStatus
from agent_core.testing import FakeClock, ScriptedStages, scripted
from datastore.vocabulary import EntityType
from fixtures.loop_world import ENOUGH, cite_everything, search
from fixtures.readings import read
from fixtures.rule_based_world import RuleWorld
from fixtures.sessions import MemorySessions, Unread


@pytest.fixture
def rule_world() -> RuleWorld:
    return RuleWorld()


def unused_model() -> ScriptedStages:
    """A model whose stages fail the test when they are called."""
    return scripted(AssertionError("the model was asked"))


def model_for(question: str) -> ScriptedStages:
    """A model that reads like the rules and says one true sentence."""
    drafts = [cite_everything("Zorblax is the work")]
    return scripted(read(question), steps=[search("zeppelins")], drafts=drafts, reports=[ENOUGH])


async def ask(world: RuleWorld, model: ScriptedStages, question: str, **changes: object) -> AgentResponse:
    options = LoopOptions(fast_path=changes.pop("fast_path", True) is True)
    loop = Orchestrator(
        stages=model.stages,
        rule_based=world.stages,
        sources=Sources(world.catalogue, world.catalogue, world.catalogue.search, world.catalogue.graph),
        clock=FakeClock(),
        options=options,
    )
    request = AgentRequest.model_validate({"query": question, "request_id": UUID(int=1), **changes})
    response = await loop.run(request)
    assert violations(response) == []
    return response


def skipped(response: AgentResponse) -> list[RunStep]:
    return [step for step in response.steps if step.status is StepStatus.SKIPPED]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many episodes does Zorblax have?", "Zorblax has 64 episodes [1]."),
        ("Who directed Zorblax?", "Zorblax was directed by Mirelle Ostrander [1]."),
        ("Which studio made Zorblax?", "Zorblax was produced by Studio Plimf [1]."),
    ],
)
async def test_an_obvious_lookup_asks_no_model(rule_world: RuleWorld, question: str, answer: str) -> None:
    model = unused_model()
    response = await ask(rule_world, model, question)
    assert response.answer == answer
    assert response.status is AnswerStatus.ANSWERED
    assert [step.stage for step in skipped(response)] == [Stage.REWRITE, Stage.ANSWER, Stage.SUFFICIENCY]
    assert all(step.action == "model" and step.reason for step in skipped(response))


async def test_a_greeting_asks_no_model(rule_world: RuleWorld) -> None:
    response = await ask(rule_world, unused_model(), "Hello!")
    assert response.answer.startswith("Hello! Ask me about")
    assert [(step.stage, step.reason) for step in skipped(response)] == [(Stage.REWRITE, "a fixed text answers it")]


@pytest.mark.parametrize(
    "question",
    [
        "Which anime are about lost lighthouses?",
        "How is Tavrik related to Nemmi?",
        "Who directed Zorblax and why did he leave?",
        "Which anime did the director of Zorblax also make?",
        "How many episodes does Zorblaxx have?",
    ],
)
async def test_what_is_not_obvious_is_read_by_the_model(rule_world: RuleWorld, question: str) -> None:
    model = model_for(question)
    await ask(rule_world, model, question)
    assert model.rewrite.calls == 1


async def test_a_name_that_is_not_exact_leaves_the_fast_path(rule_world: RuleWorld) -> None:
    question = "How many episodes does Zorblax have?"
    rule_world.catalogue.entities.pop(rule_world.zorblax.id)
    rule_world.catalogue.near["Zorblax"] = ("Zorblax Nights",)
    model = scripted(read(question), drafts=[cite_everything("Zorblax Nights is the work")], reports=[ENOUGH])
    response = await ask(rule_world, model, question)
    assert model.rewrite.calls == 1
    assert model.answer.script.calls >= 1
    assert any(step.action == "fast_path" and step.status is StepStatus.REFUSED for step in response.steps)


async def test_namesakes_are_asked_back_without_a_model(rule_world: RuleWorld) -> None:
    rule_world.catalogue.add(EntityType.ANIME, "Zorblax", year="1980")
    response = await ask(rule_world, unused_model(), "How many episodes does Zorblax have?")
    assert response.status is AnswerStatus.AMBIGUOUS


@pytest.mark.parametrize("change", [{"fast_path": False}, {"language": "fr"}])
async def test_it_can_be_switched_off_and_speaks_no_french(rule_world: RuleWorld, change: dict[str, object]) -> None:
    question = "How many episodes does Zorblax have?"
    model = model_for(question)
    response = await ask(rule_world, model, question, **change)
    assert skipped(response) == []
    assert (model.rewrite.calls, model.answer.script.calls, model.sufficiency.script.calls) == (1, 1, 1)


async def test_what_an_earlier_turn_may_have_named_is_read_by_the_model(rule_world: RuleWorld) -> None:
    catalogue = rule_world.catalogue
    model = scripted(read("When did Zorblax start?"), drafts=[cite_everything("Zorblax is the work")], reports=[ENOUGH])
    loop = Orchestrator(
        stages=model.stages,
        rule_based=rule_world.stages,
        sources=Sources(catalogue, catalogue, catalogue.search, catalogue.graph),
        clock=FakeClock(),
        conversation=Conversation(MemorySessions(), Unread()),
    )

    async def say(question: str, session: int) -> AgentResponse:
        request = AgentRequest(query=question, request_id=UUID(int=1), session_id=UUID(int=session), principal="alice")
        return await loop.run(request)

    await say("Who directed Zorblax?", session=1)
    await say("When did it start?", session=1)
    assert model.rewrite.calls == 1
    alone = await say("When did it start?", session=2)
    assert alone.status is AnswerStatus.UNANSWERABLE
    assert model.rewrite.calls == 1
