"""Spans: one tree from the caller over gRPC into the loop, none while nobody listens, nothing of texts on them."""

import time
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from agent_api.client import AgentClient, Caller
from agent_api.errors import AgentFailed
from agent_api.v1 import search_pb2
from agent_core.budget import Budget, Limits
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.testing import ScriptedStages, scripted
from agent_service.server import AgentServer
from agent_service.settings import Settings
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.vectors.edge import EdgeVectorStore
from embeddings.bundled import BundledEmbedder
from factories import CatalogueFactory
from fixtures.graphql import NO_DATABASE, serving_graphql
from fixtures.loop_world import ENOUGH, World, cite_everything, luffy_rewrite
from fixtures.modelled_loop import opened, rewrite_call, rewrite_values
from fixtures.scripted_llm import Fill, ScriptedLLM
from ingestion.index_sync import IndexRelay
from ingestion.outbox_claims import IndexTask, append_tasks
from observability.attributes import ACTION, BATCH_SIZE, HITS, LANE, STAGE, STATUS
from observability.tracing import SpanTarget, carried, is_tracing, span, start_tracing, trace_into
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
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
async def serving(world: World, stages: ScriptedStages) -> AsyncGenerator[tuple[AgentClient, str]]:
    server = AgentServer(world.loop(stages), Settings(agent_port=0), is_ready=_ready)
    await server.start()
    target = f"127.0.0.1:{server.port}"
    client = AgentClient(target)
    try:
        yield client, target
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
    async with serving(world, stages) as (client, _):
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


async def test_a_browsers_trace_goes_on_through_the_backend(world: World, spans: InMemorySpanExporter) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    stages = scripted(RuntimeError("no answer is needed here"))
    async with (
        serving(world, stages) as (_, target),
        serving_graphql(NO_DATABASE, agent_target=target) as graphql,
    ):
        await graphql.post('{ searchAi(question: "Luffy?") { answer } }', headers={"traceparent": parent})
    finished = {each.name: each for each in spans.get_finished_spans()}
    assert parents(spans)["agent_api.v1.SearchService/SearchAI"] == "graphql"
    outermost = finished["graphql"]
    assert outermost.parent is not None
    assert f"{outermost.parent.span_id:016x}" == "b7ad6b7169203331"
    assert {f"{each.context.trace_id:032x}" for each in finished.values() if each.context} == {
        "0af7651916cd43dd8448eb211c80319c"
    }


async def test_a_registered_operation_is_a_span_of_its_lane(
    database_url: str, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    document = "query Names($query: String!) { search(query: $query) { name } }"
    (tmp_path / "names.graphql").write_text(document)
    async with serving_graphql(database_url, trusted_documents=tmp_path) as graphql:
        assert await graphql.data(document, query="Luffy") == {"search": []}
        assert await graphql.data(f"{document} ", query="Luffy") == {"search": []}
    finished = spans.get_finished_spans()
    (outer,) = [each for each in finished if (each.attributes or {}).get(LANE) == "fast"]
    assert outer.name == "graphql"
    assert outer.context is not None
    assert [each.name for each in finished if each.parent and each.parent.span_id == outer.context.span_id] == [
        "query Names"
    ]
    assert [each.name for each in finished].count("graphql") == 2
    assert "Luffy" not in str([each.to_json() for each in finished])


async def test_a_batch_of_the_relay_is_a_span_with_those_of_its_types(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder, spans: InMemorySpanExporter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        work, person = await make.make_anime("Claymore"), await make.make_person("Aoi Mori")
        gone = uuid4()
        tasks = [(work, "anime"), (gone, "anime"), (person, "person")]
        await append_tasks(conn, [IndexTask(each, kind, 1, OutboxOperation.UPSERT) for each, kind in tasks])
    relay = IndexRelay(read_write, edge_store, embedder)
    await relay.prepare()
    assert (await relay.run_once()).claimed == 3
    assert (await relay.run_once()).claimed == 0
    assert parents(spans) == {"batch index": None, "batch anime": "batch index", "batch person": "batch index"}
    assert {each.name: dict(each.attributes or {}) for each in spans.get_finished_spans()} == {
        "batch index": {BATCH_SIZE: 3},
        "batch anime": {BATCH_SIZE: 2, HITS: 2},
        "batch person": {BATCH_SIZE: 1, HITS: 1},
    }


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Keeps the names of spans that arrive, by service."""

    def __init__(self) -> None:
        self.names: list[tuple[str, str]] = []

    def Export(  # noqa: N802 - the name is the protocol's
        self, request: trace_service_pb2.ExportTraceServiceRequest, context: grpc.ServicerContext
    ) -> trace_service_pb2.ExportTraceServiceResponse:
        for resource in request.resource_spans:
            service = next(a.value.string_value for a in resource.resource.attributes if a.key == "service.name")
            self.names += [(service, each.name) for scope in resource.scope_spans for each in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()


def test_spans_reach_an_otlp_endpoint_before_the_process_ends() -> None:
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(max_workers=1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # pyright: ignore[reportUnknownMemberType]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        tracing = start_tracing(SpanTarget(f"http://127.0.0.1:{port}", "a-service"))
        with span("outer"), span("inner"):
            pass
        tracing.close()
    finally:
        server.stop(grace=None)
    assert collector.names == [("a-service", "inner"), ("a-service", "outer")]


async def test_a_failure_is_noted_by_its_kind_alone(world: World, spans: InMemorySpanExporter) -> None:
    stages = scripted(RuntimeError("Which anime is Luffy in?"))
    async with serving(world, stages) as (client, _):
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


async def test_a_model_call_is_a_span_with_the_names_of_the_conventions(
    scripted_llm: ScriptedLLM, spans: InMemorySpanExporter
) -> None:
    scripted_llm.script("*", Fill(rewrite_values()))
    async with opened(scripted_llm, model="m1") as client:
        await ModelStageRunner(client).run(rewrite_call("Luffy?", ()), Budget.start(Limits(), time.monotonic))
    (call,) = spans.get_finished_spans()
    assert call.name == "chat m1"
    assert dict(call.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai_compatible",
        "gen_ai.request.model": "m1",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "enishi.model.attempts": 1,
    }
