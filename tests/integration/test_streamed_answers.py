"""StreamSearchAI over a real channel: what is told, that it folds to the unary answer, how streams end and go on."""

import asyncio
from uuid import uuid4

import pytest
from agent_api.client import Caller
from agent_api.errors import AgentFailed, AgentOverloaded, AgentTimedOut, InvalidQuestion, RunNotFound
from agent_api.v1 import search_pb2
from agent_core.events import EventListener, RunEvent
from agent_core.orchestrator import Orchestrator
from agent_core.schemas import AgentRequest, AgentResponse, QueryRewrite
from agent_core.testing import scripted
from agent_service.event_converters import event_to_proto
from fixtures.loop_world import ENOUGH, World, concept_rewrite, list_everything, luffy_rewrite, search
from fixtures.streaming import (
    Gate,
    LargeAnswers,
    StreamingAgent,
    asking,
    folded,
    kinds,
    resuming,
    rows,
    streaming_agent,
    until,
)
from structlog.testing import capture_logs

CALLER = Caller(request_id=uuid4())


def quick(world: World, rewrite: QueryRewrite | None = None) -> Orchestrator:
    """Answers at once."""
    model = scripted(rewrite or luffy_rewrite(), steps=[search("pirates")], drafts=[list_everything], reports=[ENOUGH])
    return world.loop(model)


@pytest.fixture
def gate(world: World) -> Gate:
    return Gate(world)


async def test_a_stream_tells_of_the_run_and_ends_with_its_answer(world: World) -> None:
    async with streaming_agent(quick(world, concept_rewrite())) as agent:
        events = await agent.events(asking())
    told = kinds(events)
    assert (told[0], told[-1]) == ("run_started", "run_finished")
    assert {"stage_started", "stage_finished", "step_chosen", "evidence_added", "draft_made", "draft_judged"} < set(
        told
    )
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert events[0].run_started.run_id == events[-1].run_finished.trace_id
    (chosen,) = [event.step_chosen for event in events if event.HasField("step_chosen")]
    assert (chosen.action, chosen.turn, list(chosen.parts)) == ("qdrant_search", 1, [])
    (added,) = [event.evidence_added for event in events if event.HasField("evidence_added")]
    assert [item.title for item in added.evidence] == ["One Piece"]
    assert added.evidence[0].WhichOneof("kind") == "entity_row"


async def test_a_silent_stream_sends_heartbeats(gate: Gate) -> None:
    async with streaming_agent(gate.loop, stream_heartbeat_seconds=0.05) as agent:
        events, stream = await agent.start(asking(), 6)
        assert kinds(events)[-2:] == ["heartbeat", "heartbeat"]
        assert events[-1].sequence == events[-3].sequence == 4
        gate.open.set()
        rest = [event async for event in stream]
    assert rest[-1].HasField("run_finished")


async def test_cancelling_ends_the_work(gate: Gate) -> None:
    async with streaming_agent(gate.loop) as agent:
        _, stream = await agent.start(asking(), 2)
        await gate.reached.wait()
        assert (agent.server.runs.under_way, agent.server.admission.running) == (1, 1)
        await stream.aclose()
        await until(gate.left.is_set)
        await until(lambda: (agent.server.runs.under_way, agent.server.admission.running) == (0, 0))


async def test_a_stream_ends_with_its_deadline(gate: Gate, world: World) -> None:
    async with streaming_agent(_Never()) as agent:
        with pytest.raises(AgentTimedOut):
            async for _ in agent.client.stream_search_ai(asking(), caller=CALLER, timeout=0.3):
                pass
        await until(lambda: agent.server.runs.under_way == 0)


async def test_a_bad_question_and_a_failure_are_statuses_of_the_stream() -> None:
    async with streaming_agent(_Failing()) as agent:
        with pytest.raises(InvalidQuestion) as caught:
            await agent.events(asking(""))
        assert caught.value.field == "query"
        with capture_logs(), pytest.raises(AgentFailed) as failed:
            await agent.events(asking())
    assert "secret" not in f"{failed.value} {failed.value.__cause__}"


async def test_a_dropped_caller_comes_back_to_a_kept_run(gate: Gate) -> None:
    async with streaming_agent(gate.loop) as agent:
        first, stream = await agent.start(asking(keep_running=True), 3)
        run_id = first[0].run_started.run_id
        await stream.aclose()
        await gate.reached.wait()
        await until(lambda: agent.server.admission.running == 1)  # the run's own place, its call is gone
        resumed = asyncio.create_task(agent.events(resuming(run_id, after=3)))
        await asyncio.sleep(0.05)
        assert not resumed.done()
        gate.open.set()
        rest = await resumed
        again = await agent.events(resuming(run_id))
        await until(lambda: agent.server.admission.running == 0)
    assert [event.sequence for event in (*first, *rest)] == list(range(1, len(first) + len(rest) + 1))
    assert folded([*first, *rest]) == folded(again)
    assert folded(again).answer == "One Piece is the work [1]."


async def test_a_run_that_nobody_comes_back_to_is_ended(gate: Gate) -> None:
    async with streaming_agent(gate.loop, detached_run_seconds=0.1) as agent:
        first, stream = await agent.start(asking(keep_running=True), 2)
        await gate.reached.wait()
        await stream.aclose()
        await until(gate.left.is_set)
        await until(lambda: (agent.server.runs.under_way, agent.server.admission.running) == (0, 0))
        with pytest.raises(RunNotFound):
            await agent.events(resuming(first[0].run_started.run_id))


async def test_a_run_is_resumed_by_its_owner_only_and_for_a_while(world: World) -> None:
    async with streaming_agent(quick(world), kept_run_seconds=0.3) as agent:
        events = await agent.events(asking(keep_running=True), "alice")
        run_id = events[0].run_started.run_id
        for principal, asked in (("bob", run_id), ("alice", str(uuid4()))):
            with pytest.raises(RunNotFound, match="no run of this id is kept for you"):
                await agent.events(resuming(asked), principal)
        assert (await agent.events(resuming(run_id), "alice")) == events
        assert kinds(await agent.events(resuming(run_id, after=len(events) - 1), "alice")) == ["run_finished"]
        await asyncio.sleep(0.4)
        with pytest.raises(RunNotFound):
            await agent.events(resuming(run_id), "alice")
        with pytest.raises(InvalidQuestion, match="must be a UUID"):
            await agent.events(resuming("7"), "alice")


async def test_a_run_that_is_not_to_be_kept_is_not(world: World) -> None:
    async with streaming_agent(quick(world)) as agent:
        events = await agent.events(asking())
        with pytest.raises(RunNotFound):
            await agent.events(resuming(events[0].run_started.run_id))


async def test_kept_runs_are_bounded_in_number_and_bytes(gate: Gate, world: World) -> None:
    async with streaming_agent(quick(world), kept_runs=2) as agent:
        ids = [(await agent.events(asking(keep_running=True)))[0].run_started.run_id for _ in range(3)]
        with pytest.raises(RunNotFound):
            await agent.events(resuming(ids[0]))
        assert await agent.events(resuming(ids[1]))
    async with streaming_agent(quick(world), kept_run_bytes=100) as agent:
        first = (await agent.events(asking(keep_running=True)))[0].run_started.run_id
        await agent.events(asking(keep_running=True))
        with pytest.raises(RunNotFound):
            await agent.events(resuming(first))
    async with streaming_agent(gate.loop, kept_runs=1) as agent:
        _, stream = await agent.start(asking(keep_running=True), 1)
        with pytest.raises(AgentOverloaded):
            await agent.events(asking(keep_running=True))
        await stream.aclose()


async def test_kept_runs_are_bounded_for_each_principal_and_the_one_used_last_stays(world: World) -> None:
    async def kept(agent: StreamingAgent, principal: str) -> str:
        return (await agent.events(asking(keep_running=True), principal))[0].run_started.run_id

    async with streaming_agent(quick(world), kept_runs_per_principal=2) as agent:
        of_bob = await kept(agent, "bob")
        first, second = [await kept(agent, "alice") for _ in range(2)]
        await agent.events(resuming(first), "alice")
        third = await kept(agent, "alice")
        with pytest.raises(RunNotFound, match="it is unknown, or it ended too long ago"):
            await agent.events(resuming(second), "alice")
        for run_id, principal in ((first, "alice"), (third, "alice"), (of_bob, "bob")):
            assert await agent.events(resuming(run_id), principal)


async def test_runs_at_work_count_among_those_of_their_principal(gate: Gate) -> None:
    async with streaming_agent(gate.loop, kept_runs_per_principal=1) as agent:
        _, stream = await agent.start(asking(keep_running=True), 1, "alice")
        with pytest.raises(AgentOverloaded):
            await agent.events(asking(keep_running=True), "alice")
        _, other = await agent.start(asking(keep_running=True), 1, "bob")
        await stream.aclose()
        await other.aclose()


class _Failing:
    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        raise RuntimeError("a secret")


class _Never:
    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        await asyncio.sleep(60)
        raise AssertionError


async def test_g10_an_answer_beyond_the_message_limit_is_cut_and_says_so() -> None:
    async with streaming_agent(LargeAnswers(rows(3, 1_500_000))) as agent:
        events = await agent.events(asking())
    assert kinds(events) == ["run_started", "evidence_added", "run_finished"]
    assert max(event.ByteSize() for event in events) < 4 * 1024 * 1024
    assert events[1].evidence_added.truncated
    assert [item.id for item in events[1].evidence_added.evidence] == ["row:0", "row:1", "row:2"]
    assert events[2].run_finished.evidence_truncated
    assert [item.id for item in events[2].run_finished.evidence] == ["row:1"]


async def test_a_slow_caller_is_waited_for_and_misses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0

    def counted(event: RunEvent, max_bytes: int) -> search_pb2.SearchEvent | None:
        nonlocal written
        written += 1
        return event_to_proto(event, max_bytes)

    monkeypatch.setattr("agent_service.servicer.event_to_proto", counted)
    times = 200
    async with streaming_agent(LargeAnswers(rows(1, 100_000), times)) as agent:
        _, stream = await agent.start(asking(), 1)
        await asyncio.sleep(0.3)
        # The run is over; what was written ahead is what fits into the connection's window.
        assert agent.server.runs.under_way == 0
        assert written < times / 2
        rest = [event async for event in stream]
    assert [event.sequence for event in rest] == list(range(2, times + 3))
