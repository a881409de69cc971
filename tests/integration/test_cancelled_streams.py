"""G9: a caller who goes away ends all work upstream of the stream, time after time, and nothing is left behind."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

import asyncpg
import psutil
import pytest
from agent_core.agents.source_selector import ModelSourceSelector
from agent_core.bootstrap import build_orchestrator
from agent_core.budget import Limits
from agent_core.llm.providers import ModelOptions, ModelProvider, open_model
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.orchestrator import LoopOptions, Orchestrator, Sources
from agent_core.protocols import Stages
from agent_core.testing import scripted
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import EntityType
from factories import CatalogueFactory
from fixtures.loop_world import NOT_ENOUGH, World, concept_rewrite, list_everything, search
from fixtures.scripted_llm import Body, Fill, ScriptedLLM
from fixtures.streaming import SOON_SECONDS, StreamingAgent, asking, streaming_agent

STEP_SECONDS = 0.04
STEPS = 20
ROUNDS = [5, pytest.param(50, marks=pytest.mark.slow)]

type Census = dict[str, int]
type Counting = Callable[[], Awaitable[Census]]


class Leftovers(AssertionError):
    """Something was still there after the time in which all has to be over."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """An agent whose questions take long, and how to count what works for them."""

    agent: StreamingAgent
    count: Counting
    events: int
    is_busy: Callable[[], Awaitable[bool]]

    async def ask_and_go(self, rounds: int) -> None:
        """Begin a stream and leave it, again and again. Raises Leftovers."""
        await self._one_round()
        await asyncio.sleep(SOON_SECONDS / 2)
        base = await self.count()
        for number in range(rounds):
            await self._one_round()
            await self._settled(base, number)

    async def _one_round(self) -> None:
        _, stream = await self.agent.start(asking("pirates?"), self.events)
        async with asyncio.timeout(5):
            while not await self.is_busy():
                await asyncio.sleep(0.005)
        await stream.aclose()

    async def _settled(self, base: Census, number: int) -> None:
        """Wait until no more is there than before. Raises Leftovers after the promised time."""
        census = base
        try:
            async with asyncio.timeout(SOON_SECONDS):
                while True:
                    census = await self.count()
                    if all(census[what] <= base[what] for what in base) and not self.agent.server.runs.under_way:
                        return
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise Leftovers(f"round {number + 1}: {census} instead of {base}") from None


def in_process(agent: StreamingAgent) -> Census:
    """Tasks and connections of this process, and the questions that the server counts."""
    sockets = psutil.Process().net_connections(kind="tcp")
    return {
        "tasks": len(asyncio.all_tasks()),
        "connections": sum(each.status == psutil.CONN_ESTABLISHED for each in sockets),
        "questions": agent.server.admission.running,
    }


@pytest.fixture
async def slow_model(scripted_llm: ScriptedLLM) -> AsyncGenerator[Upstream]:
    """A model that takes twenty steps, each of which takes its time, finds something and isn't enough."""
    numbers = count()

    def another_search(_body: Body) -> dict[str, object]:
        intent: dict[str, object] = {
            "entity_types": [],
            "query": f"zeppelin{next(numbers) % STEPS}",
            "entities": [],
            "filters": [],
        }
        parts = dict.fromkeys(("graph_intent", "graph_query_intent", "plan", "final"))
        step = {"rationale": "r", "action": "qdrant_search", **parts}
        return {**step, "search_intent": {**intent, "use_image": False, "top_k": None}}

    scripted_llm.script("NextStepWire", Fill(another_search, after_seconds=STEP_SECONDS))
    client = open_model(ModelOptions(ModelProvider.OPENAI_COMPATIBLE, "scripted", base_url=scripted_llm.base_url))
    runner = ModelStageRunner(client)
    played = scripted(concept_rewrite(), drafts=[list_everything], reports=[NOT_ENOUGH])
    stages = Stages(played.rewrite, ModelSourceSelector(runner), played.answer, played.sufficiency)
    world = World()
    for number in range(STEPS):
        world.catalogue.add(EntityType.ANIME, f"Ship {number}", text=f"zeppelin{number}")
    loop = Orchestrator(
        stages=stages,
        rule_based=scripted(concept_rewrite(), steps=[search("pirates")]).stages,
        sources=Sources(world.catalogue, world.catalogue, world.catalogue.search, world.catalogue.graph),
        clock=world.clock,
        options=LoopOptions(Limits(turns=STEPS, model_calls=STEPS * 2, tool_calls=STEPS * 2)),
    )

    async with streaming_agent(loop) as agent:

        async def counted() -> Census:
            before = len(scripted_llm.requests)
            await asyncio.sleep(STEP_SECONDS * 1.5)
            return {**in_process(agent), "new requests": len(scripted_llm.requests) - before}

        async def is_busy() -> bool:
            return bool(scripted_llm.requests)

        yield Upstream(agent, counted, 12, is_busy)
    await client.close()


@pytest.fixture
async def slow_query(
    database_url: str, read_only: ReadOnlyEngine, read_write: ReadWriteEngine
) -> AsyncGenerator[Upstream]:
    """A catalogue whose first read waits for somebody else's lock."""
    async with read_write.begin(10) as conn:
        await CatalogueFactory(conn).make_anime("Pirates")
    loop = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    async with _connected(database_url) as holder, _connected(database_url) as watcher, streaming_agent(loop) as agent:

        async def waiting() -> int:
            return await watcher.fetchval(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'"
            )

        async def counted() -> Census:
            return {**in_process(agent), "queries": await waiting()}

        async def is_busy() -> bool:
            return await waiting() > 0

        async with holder.transaction():
            await holder.execute("LOCK TABLE entities, names IN ACCESS EXCLUSIVE MODE")
            yield Upstream(agent, counted, 2, is_busy)
    await loop.close()


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_g9_no_step_follows_after_the_caller_went(slow_model: Upstream, rounds: int) -> None:
    await slow_model.ask_and_go(rounds)


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_g9_no_query_runs_on_after_the_caller_went(slow_query: Upstream, rounds: int) -> None:
    await slow_query.ask_and_go(rounds)


async def test_g9_without_the_clean_up_steps_follow(slow_model: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    await _finds_leftovers(slow_model, monkeypatch)


async def test_g9_without_the_clean_up_the_query_runs_on(slow_query: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    await _finds_leftovers(slow_query, monkeypatch)


async def _finds_leftovers(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    async def leave(_work: object) -> None:
        return None

    monkeypatch.setattr("agent_service.runs._end", leave)
    with pytest.raises(Leftovers, match=r"^round 1: "):
        await upstream.ask_and_go(1)


@asynccontextmanager
async def _connected(dsn: str) -> "AsyncGenerator[asyncpg.Connection[asyncpg.Record]]":
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()
