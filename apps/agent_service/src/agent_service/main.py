"""Open, build, serve, drain."""

import argparse
import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import sqlalchemy as sa
import uvloop
from agent_api.client import AgentClient
from agent_core.bootstrap import FurtherSources, Pictures, build_graph_access, build_orchestrator
from agent_core.budget import Limits, QueryLimits
from agent_core.document_contracts import Bands
from agent_core.llm.providers import ProviderNotInstalled
from agent_core.orchestrator import LoopOptions, Orchestrator
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadOnlyEngine
from embeddings.images.reading import PictureReader
from embeddings.protocol import Embedder, EmbedderUnavailable
from observability.logging import configure_logging
from observability.tracing import TracingNotInstalled
from pydantic import ValidationError

from agent_service.metrics import EndpointInUse
from agent_service.model_settings import ModelNotUsable
from agent_service.resources import Resources, open_resources
from agent_service.server import AgentServer, PortInUse
from agent_service.sessions import PostgresSessions
from agent_service.settings import Settings
from agent_service.telemetry import observe, open_kept_runs, open_telemetry

_CHECK_SECONDS = 3.0


@asynccontextmanager
async def open_agent(settings: Settings, *, embedder: Embedder | None = None) -> AsyncGenerator[AgentServer]:
    """A running server over resources of its own; drained and closed at the end.

    Raises:
        PortInUse: Something else listens on the address.
        EmbedderUnavailable: The embedding model that the settings name can't be used.
        ModelNotUsable, ProviderNotInstalled: The language model that they name can't be asked.
        EndpointInUse: Something else listens on the address of the metrics.
        TracingNotInstalled: Spans are to be sent, and what sends them is not installed.
    """
    async with AsyncExitStack() as opened:
        resources = await open_resources(settings, opened, embedder)
        orchestrator = _built(settings, resources)
        opened.push_async_callback(orchestrator.close)
        metrics = open_telemetry(settings, resources.read_only, opened)
        observed, traces = observe(orchestrator, settings, resources.writer, metrics, opened)
        server = AgentServer(
            observed,
            settings,
            is_ready=lambda: _check_database(resources.read_only),
            graph=build_graph_access(resources.read_only, _query_limits(settings)),
            traces=traces,
            kept_runs=open_kept_runs(settings, resources.writer, opened),
        )
        await server.start()
        opened.push_async_callback(server.stop)
        yield server


def _built(settings: Settings, resources: Resources) -> Orchestrator:
    images = resources.images
    return build_orchestrator(
        read_only=resources.read_only,
        hot=resources.hot,
        vector_store=resources.store,
        embedder=resources.embedder,
        further=FurtherSources(
            pictures=Pictures(images, PictureReader(settings.picture_limits)) if images else None,
            web=resources.web,
        ),
        model=settings.model(),
        options=_loop_options(settings),
        sessions=PostgresSessions(resources.writer, keep_days=settings.session_days, keep_turns=settings.session_turns),
    )


def _loop_options(settings: Settings) -> LoopOptions:
    return LoopOptions(
        limits=_limits(settings),
        queries=_query_limits(settings),
        graph_tokens=settings.graph_schema_tokens,
        history_turns=settings.history_turns,
        history_tokens=settings.history_tokens,
        bands=_bands(settings),
        following=settings.following,
        fast_path=settings.fast_path,
    )


def run() -> None:
    """Serve until SIGTERM or SIGINT; with `--check`, exit 0 when a running service can answer."""
    parser = argparse.ArgumentParser(prog="enishi-agent-service", description="Answers questions over gRPC.")
    parser.add_argument("--check", action="store_true", help="exit 0 when the running service can answer")
    arguments = parser.parse_args()
    try:
        settings = Settings()
    except ValidationError as exc:
        sys.exit(f"enishi-agent-service: {exc}")
    configure_logging(level=settings.log_level)
    if arguments.check:
        sys.exit(0 if asyncio.run(_is_serving(settings)) else 1)
    try:
        uvloop.run(_serve(settings))
    except (
        PortInUse,
        EmbedderUnavailable,
        EndpointInUse,
        ModelNotUsable,
        ProviderNotInstalled,
        TracingNotInstalled,
    ) as exc:
        sys.exit(f"enishi-agent-service: {exc}")


async def _serve(settings: Settings) -> None:
    told_to_stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    async with open_agent(settings):
        await told_to_stop.wait()


async def _is_serving(settings: Settings) -> bool:
    client = AgentClient(f"127.0.0.1:{settings.agent_port}")
    try:
        return await client.is_serving(timeout=_CHECK_SECONDS)
    finally:
        await client.close()


async def _check_database(engine: ReadOnlyEngine) -> None:
    async with engine.connect(0.5) as conn:
        await conn.execute(sa.select(entities.c.id).order_by(entities.c.id).limit(1))


def _limits(settings: Settings) -> Limits:
    return Limits(
        turns=settings.max_turns,
        model_calls=settings.max_model_calls,
        tool_calls=settings.max_tool_calls,
        tokens=settings.max_tokens,
        cost=settings.max_cost,
        seconds=settings.request_seconds,
    )


def _bands(settings: Settings) -> Bands | None:
    if settings.passage_bands is None:
        return None
    high, medium, low = settings.passage_bands
    return Bands(high=high, medium=medium, low=low)


def _query_limits(settings: Settings) -> QueryLimits:
    return QueryLimits(rows=settings.graph_loop_rows, cost=settings.graph_max_cost)
