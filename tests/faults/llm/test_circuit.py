"""A provider that is down is left alone, probed by one call after the pause, and asked by all once it is back."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import suppress

import pytest
import structlog
from agent_core.budget import Budget, Limits
from agent_core.errors import BudgetExhausted, ModelErrorKind, StageFailed
from agent_core.llm.circuit import CircuitState
from agent_core.llm.options import CircuitOptions
from agent_core.llm.providers import ModelClient, ModelProvider
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.schemas import AgentResponse, AnswerStatus, Warning, WarningCode
from agent_core.testing import FakeClock
from fixtures.loop_world import World
from fixtures.modelled_loop import (
    ModelledLoop,
    loop_on,
    opened,
    rewrite_call,
    rewrite_values,
    rules,
    script_honestly,
)
from fixtures.scripted_llm import Fill, Hang, Reply, ScriptedLLM, Status

OUTAGES, PAUSE = 3, 5.0
DOWN = Status(500)
UP = Fill(rewrite_values())
LOST = Warning(
    code=WarningCode.LLM_UNAVAILABLE,
    message="The language model can't be reached; rules read the question and did the rest.",
    subject="rewrite",
)


@pytest.fixture
async def client(scripted_llm: ScriptedLLM) -> AsyncGenerator[ModelClient]:
    circuit = CircuitOptions(outages=OUTAGES, open_seconds=PAUSE)
    async with opened(scripted_llm, circuit=circuit) as client:
        yield client


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def runner(client: ModelClient, clock: FakeClock) -> ModelStageRunner:
    return ModelStageRunner(client, monotonic=clock.monotonic)


async def run(runner: ModelStageRunner, budget: Budget | None = None) -> ModelErrorKind | None:
    try:
        await runner.run(rewrite_call(), budget or Budget.start(Limits(), FakeClock().monotonic))
    except StageFailed as failed:
        return failed.kind
    return None


async def opened_circuit(llm: ScriptedLLM, runner: ModelStageRunner) -> None:
    llm.script("*", DOWN)
    for _ in range(OUTAGES):
        assert await run(runner) is ModelErrorKind.UNAVAILABLE
    assert runner.circuit is CircuitState.OPEN
    llm.requests.clear()


async def test_after_outages_in_a_row_nothing_is_sent(scripted_llm: ScriptedLLM, runner: ModelStageRunner) -> None:
    await opened_circuit(scripted_llm, runner)
    assert [await run(runner) for _ in range(20)] == [ModelErrorKind.UNAVAILABLE] * 20
    assert scripted_llm.requests == []


async def test_after_the_pause_exactly_one_of_many_probes(
    scripted_llm: ScriptedLLM, runner: ModelStageRunner, clock: FakeClock
) -> None:
    await opened_circuit(scripted_llm, runner)
    scripted_llm.script("*", UP)
    clock.advance(PAUSE - 0.1)
    assert await run(runner) is ModelErrorKind.UNAVAILABLE
    clock.advance(0.1)
    kinds = await asyncio.gather(*(run(runner) for _ in range(20)))
    assert kinds.count(None) == 1
    assert kinds.count(ModelErrorKind.UNAVAILABLE) == 19
    assert len(scripted_llm.requests) == 1
    assert runner.circuit is CircuitState.CLOSED
    assert await asyncio.gather(*(run(runner) for _ in range(5))) == [None] * 5


async def test_a_probe_that_fails_begins_a_new_pause(
    scripted_llm: ScriptedLLM, runner: ModelStageRunner, clock: FakeClock
) -> None:
    await opened_circuit(scripted_llm, runner)
    clock.advance(PAUSE)
    assert await run(runner) is ModelErrorKind.UNAVAILABLE
    assert len(scripted_llm.requests) == 2
    clock.advance(PAUSE - 0.1)
    assert await run(runner) is ModelErrorKind.UNAVAILABLE
    assert len(scripted_llm.requests) == 2
    assert runner.circuit is CircuitState.OPEN


async def test_a_probe_that_is_cancelled_leaves_its_place_to_the_next(
    scripted_llm: ScriptedLLM, runner: ModelStageRunner, clock: FakeClock
) -> None:
    await opened_circuit(scripted_llm, runner)
    scripted_llm.script("*", Hang())
    clock.advance(PAUSE)
    probe = asyncio.create_task(run(runner))
    while not scripted_llm.requests:
        await asyncio.sleep(0.01)
    assert runner.circuit is CircuitState.HALF_OPEN
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    scripted_llm.script("*", UP)
    assert await run(runner) is None
    assert runner.circuit is CircuitState.CLOSED


@pytest.mark.parametrize("reply", [Fill("{}"), Fill('{"rationale": "cut', "length"), Status(400), Status(413)])
async def test_what_is_about_the_request_closes_nobody_out(
    scripted_llm: ScriptedLLM, runner: ModelStageRunner, reply: Reply
) -> None:
    scripted_llm.script("*", reply)
    for _ in range(OUTAGES + 1):
        assert await run(runner) is not None
    assert runner.circuit is CircuitState.CLOSED


async def test_a_caller_in_a_hurry_closes_nobody_out(scripted_llm: ScriptedLLM, client: ModelClient) -> None:
    scripted_llm.script("*", Hang())
    runner = ModelStageRunner(client)
    for _ in range(OUTAGES + 1):
        # On a busy machine the time is up before anything is sent.
        with suppress(BudgetExhausted):
            assert await run(runner, Budget.start(Limits(seconds=0.1), time.monotonic)) is ModelErrorKind.TIMEOUT
    assert scripted_llm.requests
    assert runner.circuit is CircuitState.CLOSED


async def test_an_outage_now_and_then_opens_nothing(scripted_llm: ScriptedLLM, runner: ModelStageRunner) -> None:
    for _ in range(OUTAGES):
        scripted_llm.script("*", DOWN)
        await run(runner)
        await run(runner)
        scripted_llm.script("*", UP)
        await run(runner)
    assert runner.circuit is CircuitState.CLOSED


async def test_changes_of_state_are_logged(
    scripted_llm: ScriptedLLM, runner: ModelStageRunner, clock: FakeClock
) -> None:
    with structlog.testing.capture_logs() as logs:
        await opened_circuit(scripted_llm, runner)
        scripted_llm.script("*", UP)
        clock.advance(PAUSE)
        await run(runner)
    seen = [(line["provider"], line["state"]) for line in logs if line["event"] == "model_circuit"]
    provider = ModelProvider.OPENAI_COMPATIBLE
    assert seen == [(provider, state) for state in (CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.CLOSED)]


async def test_questions_are_answered_by_rules_at_once_and_say_what_was_lost(
    scripted_llm: ScriptedLLM, client: ModelClient, clock: FakeClock
) -> None:
    loop = loop_on(client, scripted_llm, World(), monotonic=clock.monotonic)
    script_honestly(scripted_llm)
    scripted_llm.script("QueryRewriteWire", DOWN)
    for _ in range(OUTAGES):
        assert lost(await ask(loop)) == (LOST,)
    response = await ask(loop)
    assert response.usage.model_calls == 0
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == "Luffy is in One Piece [1][2]."
    assert lost(response) == (LOST,)
    scripted_llm.script("QueryRewriteWire", UP)
    clock.advance(PAUSE)
    response = await ask(loop)
    assert response.status is AnswerStatus.ANSWERED
    assert response.answer == "Monkey D. Luffy appears in One Piece [1][2]."


async def test_a_model_that_is_lost_in_the_middle_is_replaced_from_there(
    scripted_llm: ScriptedLLM, client: ModelClient
) -> None:
    loop = loop_on(client, scripted_llm, World())
    script_honestly(scripted_llm)
    scripted_llm.script("DraftAnswerWire", DOWN)
    response = await ask(loop)
    assert scripted_llm.asked() == ["QueryRewriteWire", "DraftAnswerWire", "DraftAnswerWire"]
    assert [warning.message for warning in lost(response)] == [
        "The language model can't be reached; rules wrote the answer and did the rest."
    ]
    assert response.answer == "Luffy is in One Piece [1][2]."


async def ask(loop: ModelledLoop) -> AgentResponse:
    loop.llm.requests.clear()
    return await loop.ask(rules())


def lost(response: AgentResponse) -> tuple[Warning, ...]:
    return tuple(warning for warning in response.warnings if warning.code is WarningCode.LLM_UNAVAILABLE)
