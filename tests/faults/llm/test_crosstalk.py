"""Two users, a hundred interleaved questions through one process: nothing of one reaches a prompt of the other."""

import asyncio
import re
from collections.abc import Sequence
from itertools import product
from uuid import uuid4

import pytest
from agent_core.budget import Budget, Limits
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.orchestrator import Conversation, LoopOptions, Orchestrator, Sources
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from agent_core.testing import FakeClock, MemoryCatalogue, scripted
from agent_core.turns import CompleteQuestion, PastTurn
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.loop_world import luffy_rewrite
from fixtures.modelled_loop import SUFFICIENT, Values, about_all, mention, opened, rewrite_values, stages_on
from fixtures.scripted_llm import Body, Fill, ScriptedLLM
from fixtures.sessions import MemorySessions

USERS = ("alice", "bob")
AT_ONCE = 20
SECRET = re.compile(r"\b(alice|bob)-(\d\d)\b")


class LastQuestion:
    """Completes a question by the one before it, so that prompts hold what a session remembers."""

    async def complete(self, question: str, history: Sequence[PastTurn], budget: Budget) -> CompleteQuestion:
        return CompleteQuestion(text=f"{question} (before: {history[-1].question})")


def catalogue(questions_each: int) -> MemoryCatalogue:
    """A character and a work for each question, named by its user's secret."""
    made = MemoryCatalogue()
    for user, number in product(USERS, range(questions_each)):
        secret = f"{user}-{number:02}"
        hero = made.add(EntityType.CHARACTER, f"Hero {secret}", text=f"Keeps {secret}.")
        made.link(hero, EdgeType.APPEARS_IN, made.add(EntityType.ANIME, f"Show {secret}"), "main")
    return made


def asked_about(body: Body) -> str:
    """The secret of the question that a request is about: the first one of its last message."""
    found = SECRET.search(body["messages"][-1]["content"])
    assert found is not None
    return found[0]


def rewrite(body: Body) -> Values:
    secret = asked_about(body)
    return rewrite_values(rewritten_query=f"Which anime is Hero {secret} in?", mentions=[mention(f"Hero {secret}")])


def draft(body: Body) -> Values:
    secret = asked_about(body)
    return about_all(f"Hero {secret} appears in Show {secret}.")(body)


@pytest.mark.parametrize("questions_each", [10, pytest.param(50, marks=pytest.mark.slow)])
async def test_interleaved_questions_of_two_users_share_nothing(scripted_llm: ScriptedLLM, questions_each: int) -> None:
    scripted_llm.script("QueryRewriteWire", Fill(rewrite))
    scripted_llm.script("DraftAnswerWire", Fill(draft))
    scripted_llm.script("SufficiencyReportWire", Fill(SUFFICIENT))
    world, sessions = catalogue(questions_each), {user: uuid4() for user in USERS}
    async with opened(scripted_llm, try_timeout_seconds=60.0, stage_timeout_seconds=60.0) as client:
        loop = Orchestrator(
            stages=stages_on(ModelStageRunner(client)),
            rule_based=scripted(luffy_rewrite()).stages,
            sources=Sources(world, world, world.search, world.graph),
            clock=FakeClock(),
            conversation=Conversation(MemorySessions(), LastQuestion()),
            options=LoopOptions(limits=Limits(seconds=240.0)),
        )
        slots = asyncio.Semaphore(AT_ONCE)

        async def ask(number: int, user: str) -> tuple[str, AgentResponse]:
            secret = f"{user}-{number:02}"
            query = f"Which anime is Hero {secret} in?"
            request = AgentRequest(query=query, request_id=uuid4(), principal=user, session_id=sessions[user])
            async with slots:
                return secret, await loop.run(request)

        answers = await asyncio.gather(*(ask(*each) for each in product(range(questions_each), USERS)))
    for secret, response in answers:
        assert response.status is AnswerStatus.ANSWERED
        assert {found[0] for found in SECRET.finditer(response.model_dump_json(exclude={"steps"}))} >= {secret}
        assert response.answer == f"Hero {secret} appears in Show {secret} [1][2]."
        assert {found[1] for found in SECRET.finditer(response.model_dump_json())} == {secret[:-3]}
        assert response.usage.model_calls == 3
    prompts = scripted_llm.messages()
    assert len(prompts) == 3 * len(answers) == 6 * questions_each
    for prompt in prompts:
        assert len({found[1] for found in SECRET.finditer(prompt)}) == 1
