"""The AI lane in memory: it answers from the graph, and the executors' own time is no part of its own."""

import asyncio

from agent_core.schemas import AnswerStatus
from agent_evals.bench.areas.ai_lane import QUESTIONS, WORLDS, MemoryLane, OwnTime


async def test_every_question_is_answered_with_sources() -> None:
    lane = MemoryLane()
    answers = {question: await lane.ask(question) for question in QUESTIONS[:3]}

    assert {answer.status for answer in answers.values()} == {AnswerStatus.ANSWERED}
    assert f"{WORLDS[0].anime} Nights" in answers[QUESTIONS[0]].answer
    assert all(answer.sources for answer in answers.values())
    assert lane.executors.seconds > 0


async def test_calls_inside_of_calls_are_counted_once() -> None:
    own = OwnTime()

    async def outer() -> None:
        await own.of(asyncio.sleep(0.02))

    await own.of(outer())
    assert 0.02 <= own.seconds < 0.04
