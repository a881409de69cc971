"""Records of runs over a real PostgreSQL and gRPC: stored beside the request, read by their principal, kept a while."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_api.client import AgentClient, Caller
from agent_api.errors import InvalidQuestion
from agent_api.v1 import search_pb2, traces_pb2
from agent_core.errors import SourceUnavailable
from agent_core.orchestrator import Orchestrator
from agent_core.recording import RunRecord
from agent_core.schemas import AgentRequest
from agent_core.testing import scripted
from agent_service.metrics import Metrics
from agent_service.observed_loop import ObservedLoop
from agent_service.server import AgentServer
from agent_service.settings import Settings
from agent_service.telemetry import observe
from agent_service.trace_converters import record_from_proto
from agent_service.trace_store import PostgresTraces, TraceNotFound
from agent_service.trace_writer import TraceWriter, WriterLimits
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_write
from datastore.postgres.traces import traces
from fixtures.graphql import NO_DATABASE, serving_graphql
from fixtures.loop_world import ENOUGH, World, cite_everything, luffy_rewrite
from fixtures.recorded_runs import recorded_loop, run_recorded
from structlog.testing import capture_logs

SECONDS = 30.0
QUESTION = "Which anime is Luffy in?"
LOCAL = Caller(request_id=uuid4())


def answering(world: World) -> Orchestrator:
    """A loop that always answers the same."""
    stages = scripted(
        luffy_rewrite(),
        drafts=[cite_everything("Monkey D. Luffy appears in One Piece", world.one_piece)],
        reports=[ENOUGH],
    )
    return recorded_loop(world, stages)


async def a_record(world: World, principal: str = "local", *, query: str = QUESTION) -> RunRecord:
    request = AgentRequest(query=query, request_id=uuid4(), principal=principal)
    _, record = await run_recorded(answering(world), request)
    return record(True)


@dataclass
class Serving:
    """An agent over the small catalogue whose traces are real."""

    loop: Orchestrator
    metrics: Metrics
    target: str
    client: AgentClient

    async def ask(self, principal: str = "local") -> UUID:
        caller = Caller(request_id=uuid4(), principal=principal)
        request = search_pb2.SearchAIRequest(query=QUESTION)
        return UUID((await self.client.search_ai(request, caller=caller, timeout=SECONDS)).trace_id)


@asynccontextmanager
async def serving(world: World, writer: ReadWriteEngine, **settings: object) -> AsyncGenerator[Serving]:
    chosen = Settings.model_validate({"agent_port": 0} | settings)
    loop, metrics = answering(world), Metrics()
    async with AsyncExitStack() as opened:
        observed, access = observe(loop, chosen, writer, metrics, opened)
        server = AgentServer(observed, chosen, is_ready=_ready, traces=access)
        await server.start()
        opened.push_async_callback(server.stop)
        target = f"127.0.0.1:{server.port}"
        client = AgentClient(target)
        opened.push_async_callback(client.close)
        yield Serving(loop, metrics, target, client)


async def _ready() -> None:
    return None


@pytest.fixture
def store(read_write: ReadWriteEngine) -> PostgresTraces:
    return PostgresTraces(read_write, keep_days=30)


async def test_a_record_is_read_back_as_it_was_stored(world: World, store: PostgresTraces) -> None:
    record = await a_record(world)
    await store.store([record, record], timeout=SECONDS)
    assert await store.get(record.id, "local", timeout=SECONDS) == record
    (summary,) = await store.last("local", limit=5, before=None, timeout=SECONDS)
    assert summary == record.model_copy(
        update={"events": (), "calls": (), "request": None, "with_model": False, "is_cut": False}
    )


async def test_zero_bytes_are_left_out_of_what_is_stored(world: World, store: PostgresTraces) -> None:
    record = await a_record(world, query="Lu\0ffy?")
    await store.store([record], timeout=SECONDS)
    kept = await store.get(record.id, "local", timeout=SECONDS)
    assert kept.query == "Luffy?"


async def test_anothers_trace_is_not_found(world: World, store: PostgresTraces) -> None:
    mine, theirs = await a_record(world, "one"), await a_record(world, "two")
    await store.store([mine, theirs], timeout=SECONDS)
    with pytest.raises(TraceNotFound, match="id: names no trace of yours"):
        await store.get(theirs.id, "one", timeout=SECONDS)
    assert [each.id for each in await store.last("one", limit=10, before=None, timeout=SECONDS)] == [mine.id]
    assert await store.last("one", limit=10, before=theirs.id, timeout=SECONDS) == ()


async def test_the_last_traces_come_page_by_page(world: World, store: PostgresTraces) -> None:
    records: list[RunRecord] = []
    for _ in range(5):
        world.clock.advance(1)
        records.append(await a_record(world))
    await store.store(records, timeout=SECONDS)
    newest = [record.id for record in reversed(records)]
    first = await store.last("local", limit=2, before=None, timeout=SECONDS)
    rest = await store.last("local", limit=10, before=first[-1].id, timeout=SECONDS)
    assert [each.id for each in (*first, *rest)] == newest


async def test_a_trace_that_has_expired_is_gone_and_then_removed(
    world: World, store: PostgresTraces, read_write: ReadWriteEngine
) -> None:
    old, new = await a_record(world), await a_record(world)
    await store.store([old, new], timeout=SECONDS)
    async with read_write.begin(SECONDS) as connection:
        past = sa.func.now() - timedelta(seconds=1)
        await connection.execute(traces.update().where(traces.c.id == old.id).values(expires_at=past))
    with pytest.raises(TraceNotFound):
        await store.get(old.id, "local", timeout=SECONDS)
    assert [each.id for each in await store.last("local", limit=10, before=None, timeout=SECONDS)] == [new.id]
    assert await store.purge(timeout=SECONDS) == 1
    async with read_write.begin(SECONDS) as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(traces)) == 1


async def test_every_run_is_stored_and_read_over_grpc_by_its_principal(
    world: World, read_write: ReadWriteEngine
) -> None:
    async with serving(world, read_write, trace_text=True) as agent:
        trace_id, other = await agent.ask(), await agent.ask("two")
        message = await agent.client.get_trace(trace_id, caller=LOCAL, timeout=SECONDS)
        record = record_from_proto(message, principal="local")
        assert (record.query, record.status, record.has_text) == (QUESTION, "answered", True)
        stored = await PostgresTraces(read_write, keep_days=1).get(trace_id, "local", timeout=SECONDS)
        assert record == stored
        listed = await agent.client.list_traces(traces_pb2.ListTracesRequest(), caller=LOCAL, timeout=SECONDS)
        assert [each.id for each in listed.traces] == [str(trace_id)]
        with pytest.raises(InvalidQuestion, match="names no trace of yours"):
            await agent.client.get_trace(other, caller=LOCAL, timeout=SECONDS)
        with pytest.raises(InvalidQuestion, match="names no trace of yours"):
            await agent.client.replay_trace(other, caller=LOCAL, timeout=SECONDS)


async def test_a_replay_over_grpc_shows_the_first_difference(world: World, read_write: ReadWriteEngine) -> None:
    async with serving(world, read_write, trace_text=True) as agent:
        trace_id = await agent.ask()
        same = await agent.client.replay_trace(trace_id, caller=LOCAL, timeout=SECONDS)
        assert (same.calls, same.HasField("difference"), same.HasField("refusal")) == (9, False, False)
        world.catalogue.edges = []
        other = await agent.client.replay_trace(trace_id, caller=LOCAL, timeout=SECONDS)
        assert (other.difference.n, other.difference.name) == (4, "pg_graph")


async def test_by_default_no_text_is_stored_and_a_replay_says_so(world: World, read_write: ReadWriteEngine) -> None:
    async with serving(world, read_write) as agent:
        trace_id = await agent.ask()
        found = await agent.client.replay_trace(trace_id, caller=LOCAL, timeout=SECONDS)
        assert "ENISHI_TRACE_TEXT=true" in found.refusal
        async with read_write.begin(SECONDS) as connection:
            row = (await connection.execute(sa.select(sa.cast(traces.c.document, sa.Text), traces.c.query))).one()
        assert row[1] is None
        assert "Luffy" not in row[0]


async def test_traces_over_graphql_are_the_callers_own(world: World, read_write: ReadWriteEngine) -> None:
    keys = {"one": "k" * 16, "two": "q" * 16}
    async with (
        serving(world, read_write) as agent,
        serving_graphql(NO_DATABASE, agent_target=agent.target, api_keys=keys) as graphql,
    ):
        trace_id = str(await agent.ask("one"))
        document = """query ($id: ID!) {
            trace(id: $id) { id status reason hasText question usage events { kind ms data } calls { name by digest } }
            traces(first: 5) { id }
        }"""
        mine = await graphql.post(document, {"id": trace_id}, {"Authorization": f"Bearer {keys['one']}"})
        found = mine.json()["data"]
        assert found["traces"] == [{"id": trace_id}]
        trace = found["trace"]
        assert (trace["id"], trace["status"], trace["reason"]) == (trace_id, "answered", "sufficient")
        assert (trace["hasText"], trace["question"], trace["usage"]["tool_calls"]) == (False, None, 5)
        assert [call["name"] for call in trace["calls"]][-1] == "response"
        assert trace["events"][-1]["kind"] == "run_finished"
        assert trace["events"][-1]["data"]["response"]["status"] == "answered"
        theirs = await graphql.post(document, {"id": trace_id}, {"Authorization": f"Bearer {keys['two']}"})
        assert theirs.json()["data"] == {"trace": None, "traces": []}


async def test_a_run_that_is_cancelled_is_stored_as_cancelled(world: World, store: PostgresTraces) -> None:
    waiting = asyncio.Event()

    async def never(_view: object) -> object:
        waiting.set()
        return await asyncio.Event().wait()

    stages = scripted(luffy_rewrite(), drafts=[never], reports=[ENOUGH])  # pyright: ignore[reportArgumentType]
    metrics = Metrics()
    writer = TraceWriter(store, WriterLimits(), metrics, keep_text=False)
    writer.start()
    loop = ObservedLoop(recorded_loop(world, stages), metrics, writer, max_events=100)
    asked = asyncio.create_task(loop.run(AgentRequest(query=QUESTION, request_id=uuid4())))
    await waiting.wait()
    assert count(metrics, "enishi_running") == 1
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await writer.close()
    (kept,) = await store.last("local", limit=5, before=None, timeout=SECONDS)
    assert (kept.status, kept.reason) == ("cancelled", None)
    assert count(metrics, "enishi_runs_total", status="cancelled", reason="") == 1
    assert count(metrics, "enishi_running") == 0


def count(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


class BlockedStore:
    """Keeps every write waiting until it is let go."""

    def __init__(self) -> None:
        self.let_go = asyncio.Event()
        self.stored: list[UUID] = []

    async def store(self, records: Sequence[RunRecord], *, timeout: float) -> None:
        await self.let_go.wait()
        self.stored += [record.id for record in records]

    async def purge(self, *, timeout: float) -> int:
        return 0


async def test_what_does_not_fit_the_queue_is_dropped_counted_and_logged_once(world: World) -> None:
    blocked, metrics = BlockedStore(), Metrics()
    writer = TraceWriter(blocked, WriterLimits(queued=3), metrics, keep_text=False)
    writer.start()
    loop = ObservedLoop(answering(world), metrics, writer, max_events=100)
    with capture_logs() as logs:
        for _ in range(10):
            await loop.run(AgentRequest(query=QUESTION, request_id=uuid4()))
            await asyncio.sleep(0)
    assert count(metrics, "enishi_traces_total", outcome="dropped") == 6
    assert [entry["reason"] for entry in logs if entry["event"] == "traces_dropped"] == ["queue_full"]
    blocked.let_go.set()
    await writer.close()
    assert len(blocked.stored) == 4
    assert count(metrics, "enishi_traces_total", outcome="stored") == 4


async def test_a_lost_database_costs_the_trace_and_not_the_answer(world: World) -> None:
    nowhere = open_read_write(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:1/nothing"))
    lost, metrics = PostgresTraces(nowhere, keep_days=1), Metrics()
    with pytest.raises(SourceUnavailable):
        await lost.get(uuid4(), "local", timeout=SECONDS)
    writer = TraceWriter(lost, WriterLimits(), metrics, keep_text=False)
    writer.start()
    loop = ObservedLoop(answering(world), metrics, writer, max_events=100)
    response = await loop.run(AgentRequest(query=QUESTION, request_id=uuid4()))
    assert response.status == "answered"
    await writer.close()
    await nowhere.close()
    assert count(metrics, "enishi_traces_total", outcome="dropped") == 1


async def test_a_record_above_the_limit_is_kept_without_its_data(world: World, store: PostgresTraces) -> None:
    metrics = Metrics()
    writer = TraceWriter(store, WriterLimits(max_bytes=5_000), metrics, keep_text=True)
    writer.start()
    loop = ObservedLoop(answering(world), metrics, writer, max_events=100)
    response = await loop.run(AgentRequest(query=QUESTION, request_id=uuid4()))
    await writer.close()
    kept = await store.get(response.trace_id, "local", timeout=SECONDS)
    assert kept.is_cut
    assert all(event.data is None for event in kept.events)
    assert len(kept.events) > 10
