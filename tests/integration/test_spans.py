"""Spans: one tree from the caller over gRPC into the loop, none while nobody listens, nothing of texts on them."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from agent_api.client import AgentClient, Caller
from agent_api.errors import AgentFailed
from agent_api.v1 import search_pb2
from agent_core.testing import ScriptedStages, scripted
from agent_service.server import AgentServer
from agent_service.settings import Settings
from fixtures.loop_world import ENOUGH, World, cite_everything, luffy_rewrite
from observability.attributes import ACTION, HITS, STAGE, STATUS
from observability.tracing import carried, is_tracing, span, trace_into
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


@pytest.fixture
def spans() -> Generator[InMemorySpanExporter]:
    kept = InMemorySpanExporter()
    tracing = trace_into(SimpleSpanProcessor(kept), service="test")
    yield kept
    tracing.close()


@asynccontextmanager
async def serving(world: World, stages: ScriptedStages) -> AsyncGenerator[AgentClient]:
    server = AgentServer(world.loop(stages), Settings(agent_port=0), is_ready=_ready)
    await server.start()
    client = AgentClient(f"127.0.0.1:{server.port}")
    try:
        yield client
    finally:
        await client.close()
        await server.stop()


async def _ready() -> None:
    return None


async def ask(client: AgentClient) -> None:
    request = search_pb2.SearchAIRequest(query="Which anime is Luffy in?")
    await client.search_ai(request, caller=Caller(request_id=uuid4()), timeout=10)


def parents(kept: InMemorySpanExporter) -> dict[str, str | None]:
    finished = kept.get_finished_spans()
    names = {each.context.span_id: each.name for each in finished if each.context}
    return {each.name: names.get(each.parent.span_id) if each.parent else None for each in finished}


async def test_a_callers_span_holds_the_calls_and_the_loops(world: World, spans: InMemorySpanExporter) -> None:
    stages = scripted(
        luffy_rewrite(),
        drafts=[cite_everything("Monkey D. Luffy appears in One Piece", world.one_piece)],
        reports=[ENOUGH],
    )
    async with serving(world, stages) as client:
        with span("caller"):
            await ask(client)
    rpc = "agent_api.v1.SearchService/SearchAI"
    assert parents(spans) == {
        "caller": None,
        rpc: "caller",
        **dict.fromkeys(
            (
                "rewrite rules",
                "resolve resolve",
                "expand rows",
                "expand neighbors",
                "answer rules",
                "sufficiency rules",
                "validate entities",
                "validate edges",
            ),
            rpc,
        ),
        "finalize sufficient": rpc,
        "validate entities": "finalize sufficient",
        "validate edges": "finalize sufficient",
    }
    finished = {each.name: each for each in spans.get_finished_spans()}
    assert len({each.context.trace_id for each in finished.values() if each.context}) == 1
    expand = dict(finished["expand neighbors"].attributes or {})
    assert expand == {STAGE: "expand", ACTION: "neighbors", STATUS: "ok", HITS: 1}
    assert "Luffy" not in str([each.to_json() for each in finished.values()])


async def test_a_failure_is_noted_by_its_kind_alone(world: World, spans: InMemorySpanExporter) -> None:
    stages = scripted(RuntimeError("Which anime is Luffy in?"))
    async with serving(world, stages) as client:
        with pytest.raises(AgentFailed):
            await ask(client)
    finished: dict[str, ReadableSpan] = {each.name: each for each in spans.get_finished_spans()}
    rewrite = finished["rewrite rules"]
    assert dict(rewrite.attributes or {})["error.type"] == "RuntimeError"
    assert rewrite.status.is_ok is False
    assert "Luffy" not in str([each.to_json() for each in finished.values()])


def test_without_a_listener_there_are_no_spans() -> None:
    assert not is_tracing()
    with span("a") as first, span("b") as second:
        first.set_attribute(STATUS, "ok")
        assert first is second
        assert carried() == []
