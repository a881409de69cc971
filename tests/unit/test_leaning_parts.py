"""A question that goes on about its own answer: `who directed X, and what else did he direct?`."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.follow_up_reader import RuleBasedFollowUps
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.orchestrator.conversation import Conversation
from agent_core.orchestrator.outcomes import violations
from agent_core.recording import first_difference, recorded_stages
from agent_core.recording.seams import RecordedCatalogue, RecordedExecutor, RecordedFollowUps, RecordedResolver
from agent_core.replay import replay
from agent_core.schemas import Action, AgentRequest, AgentResponse, AnswerStatus
from agent_core.testing import FakeClock
from fixtures.readings import InventedFinder, read
from fixtures.recorded_runs import run_recorded
from fixtures.rule_based_world import RuleWorld
from fixtures.sessions import MemorySessions

QUESTION = "Who directed Zorblax and what else did she direct?"


def loop_of(world: RuleWorld, *, has_sessions: bool = True) -> Orchestrator:
    stages = recorded_stages(world.stages, "rules")
    catalogue = world.catalogue
    return Orchestrator(
        stages=stages,
        rule_based=stages,
        sources=Sources(
            RecordedResolver(catalogue),
            RecordedCatalogue(catalogue),
            RecordedExecutor(catalogue.search, Action.QDRANT_SEARCH),
            RecordedExecutor(catalogue.graph, Action.PG_GRAPH),
        ),
        clock=FakeClock(),
        conversation=Conversation(MemorySessions(), RecordedFollowUps(RuleBasedFollowUps(InventedFinder())))
        if has_sessions
        else None,
    )


def asking(question: str, session: UUID | None = None) -> AgentRequest:
    return AgentRequest(query=question, request_id=UUID(int=1), session_id=session)


async def ask(question: str, *, has_sessions: bool = True) -> AgentResponse:
    response = await loop_of(RuleWorld(), has_sessions=has_sessions).run(asking(question))
    assert violations(response) == []
    return response


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            QUESTION,
            "Zorblax was directed by Mirelle Ostrander [1].\nMirelle Ostrander directed Zorblax Nights [2].",
        ),
        (
            "By whom was Zorblax directed? And what other anime did she direct?",
            "Zorblax was directed by Mirelle Ostrander [1].\nMirelle Ostrander directed Zorblax Nights [2].",
        ),
        (
            "What is the sequel of Zorblax and who directed it?",
            "The sequel of Zorblax is Zorblax Nights [1].\nZorblax Nights was directed by Mirelle Ostrander [2].",
        ),
        (
            "What manga is Zorblax based on, and who wrote it?",
            "Zorblax is an adaptation of Quindle Vortex [1].\nThe author of Quindle Vortex is Brennick Sorrel [2].",
        ),
        (
            "Who voices Tavrik and which other characters did she voice?",
            "Tavrik is voiced by Yuna Brask [1].\nYuna Brask voices Ossa [2].",
        ),
    ],
)
async def test_the_second_part_is_about_the_answer_of_the_first(question: str, answer: str) -> None:
    response = await ask(question)
    assert response.answer == answer
    assert (response.status, response.missing) == (AnswerStatus.ANSWERED, ())


async def test_what_is_meant_must_be_one() -> None:
    response = await ask("Who are the main characters of Zorblax, and who voices him?")
    first, second = response.answer.split("\n")
    assert first == "The main characters of Zorblax are Tavrik [1] and Nemmi [2]."
    assert second.startswith("“who voices him”: I can't tell which work, character or person is meant here.")
    assert (response.status, response.missing) == (AnswerStatus.PARTIAL, ("who voices him",))
    assert response.confidence_reasons[-1] == "a part of the question has no answer"


async def test_a_third_part_leans_on_the_second() -> None:
    response = await ask("What is the sequel of Zorblax, who directed it, and what else did she direct?")
    assert response.answer.split("\n") == [
        "The sequel of Zorblax is Zorblax Nights [1].",
        "Zorblax Nights was directed by Mirelle Ostrander [2].",
        "Mirelle Ostrander directed Zorblax [3].",
    ]


async def test_without_sessions_a_part_that_leans_is_named_as_unanswered() -> None:
    response = await ask(QUESTION, has_sessions=False)
    assert response.answer.startswith("Zorblax was directed by Mirelle Ostrander [1].\n“what else did she direct”: ")
    assert (response.status, response.missing) == (AnswerStatus.PARTIAL, ("what else did she direct",))


@pytest.mark.parametrize("session", [None, UUID(int=7)])
async def test_it_is_replayed_as_it_was_completed(session: UUID | None) -> None:
    loop = loop_of(RuleWorld())
    if session is not None:
        await loop.run(asking("When did Quindle Vortex start?", session))
    request = asking(QUESTION, session)
    response, kept = await run_recorded(loop, request)
    assert response.status is AnswerStatus.ANSWERED
    record = kept(True)
    assert sum(call.name == "follow_up" for call in record.calls) == (1 if session is None else 2)
    assert first_difference(record, await replay(loop_of(RuleWorld()), record, seconds=10)) is None


@pytest.mark.parametrize(
    ("question", "parts", "leaning"),
    [
        (
            "Who composed the music of Zorblax, what else did he compose, and who wrote Quindle Vortex?",
            ("Who composed the music of Zorblax", "what else did he compose", "who wrote Quindle Vortex?"),
            (1,),
        ),
        (
            "Which studio made Zorblax, and which other anime did they make?",
            ("Which studio made Zorblax", "which other anime did they make?"),
            (1,),
        ),
        ("Who is the hero of Zorblax and who voices him?", ("Who is the hero of Zorblax", "who voices him?"), (1,)),
        ("Who directed Zorblax and when was she born?", ("Who directed Zorblax", "when was she born?"), (1,)),
        (
            "What's the sequel to Zorblax, and who is its director?",
            ("What's the sequel to Zorblax", "who is its director?"),
            (1,),
        ),
        (
            "Who directed Zorblax and who wrote Quindle Vortex?",
            ("Who directed Zorblax", "who wrote Quindle Vortex?"),
            (),
        ),
        # What follows is about the name, and is read with it.
        ("Who directed Zorblax and when did it come out?", (), ()),
        ("Which studio made Zorblax and when did it start?", (), ()),
        ("Who is Tavrik and who voices him?", (), ()),
        ("What is Tavrik's age and who voices him?", (), ()),
        ("Who killed his brother in Zorblax?", (), ()),
    ],
)
def test_parts_that_lean_are_told_from_what_is_about_the_name(
    question: str, parts: tuple[str, ...], leaning: tuple[int, ...]
) -> None:
    rewrite = read(question)
    assert (rewrite.parts, rewrite.leaning) == (parts, leaning)


def test_a_pronoun_inside_a_name_leans_on_nothing() -> None:
    rewrite = read("Who directed Zorblax and who wrote Her Other One?", ("Zorblax", "Her Other One"))
    assert (rewrite.parts, rewrite.leaning) == (("Who directed Zorblax", "who wrote Her Other One?"), ())
