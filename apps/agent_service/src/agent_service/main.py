"""Open, build, serve, drain."""

import argparse
import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import sqlalchemy as sa
import structlog
import uvloop
from agent_api.client import AgentClient
from agent_core.bootstrap import FurtherSources, Pictures, build_graph_access, build_orchestrator
from agent_core.budget import Limits, QueryLimits
from agent_core.document_contracts import Bands
from agent_core.llm.providers import ProviderNotInstalled
from agent_core.orchestrator import LoopOptions
from agent_core.retrieval.web_search import WebSearchClient
from datastore.errors import DatastoreError
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only, open_read_write
from datastore.postgres.hot import HotPool
from datastore.vectors.collections import models_in_use
from datastore.vectors.connect import connect_vector_store
from datastore.vectors.protocol import VectorStore
from embeddings.images.opening import open_image_embedder
from embeddings.images.protocol import ImageEmbedder
from embeddings.images.reading import PictureReader
from embeddings.opening import open_embedder
from embeddings.protocol import Embedder, EmbedderUnavailable
from observability.logging import configure_logging
from observability.tracing import TracingNotInstalled
from pydantic import ValidationError

from agent_service.metrics import EndpointInUse
from agent_service.model_settings import ModelNotUsable
from agent_service.server import AgentServer, PortInUse
from agent_service.sessions import PostgresSessions
from agent_service.settings import Settings
from agent_service.telemetry import observe, open_kept_runs, open_telemetry

_CHECK_SECONDS = 3.0
_LOG = structlog.get_logger(__name__)


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
        engine = open_read_only(_postgres_options(settings))
        opened.push_async_callback(engine.close)
        writer = open_read_write(_session_options(settings))
        opened.push_async_callback(writer.close)
        store = connect_vector_store(
            url=settings.qdrant_url,
            api_key=settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None,
            socket=settings.vector_socket,
        )
        opened.push_async_callback(store.close)
        if embedder is None:
            embedder = await _open_embedder(settings, store)
            opened.push_async_callback(embedder.close)
        images = _open_images(settings, opened)
        hot = HotPool(_hot_options(settings))
        opened.push_async_callback(hot.close)
        orchestrator = build_orchestrator(
            read_only=engine,
            hot=hot,
            vector_store=store,
            embedder=embedder,
            further=FurtherSources(
                pictures=Pictures(images, PictureReader(settings.picture_limits)) if images else None,
                web=_open_web(settings, opened),
            ),
            model=settings.model(),
            options=LoopOptions(
                limits=_limits(settings),
                queries=_query_limits(settings),
                graph_tokens=settings.graph_schema_tokens,
                history_turns=settings.history_turns,
                history_tokens=settings.history_tokens,
                bands=_bands(settings),
                following=settings.following,
                fast_path=settings.fast_path,
            ),
            sessions=PostgresSessions(writer, keep_days=settings.session_days, keep_turns=settings.session_turns),
        )
        opened.push_async_callback(orchestrator.close)
        graph = build_graph_access(engine, _query_limits(settings))
        metrics = open_telemetry(settings, engine, opened)
        observed, traces = observe(orchestrator, settings, writer, metrics, opened)
        server = AgentServer(
            observed,
            settings,
            is_ready=lambda: _check_database(engine),
            graph=graph,
            traces=traces,
            kept_runs=open_kept_runs(settings, writer, opened),
        )
        await server.start()
        opened.push_async_callback(server.stop)
        yield server


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


async def _open_embedder(settings: Settings, store: VectorStore) -> Embedder:
    """The embedder that the settings name. A store that is away is asked again by the first search."""
    try:
        in_use = await models_in_use(store, timeout=_CHECK_SECONDS)
    except DatastoreError:
        in_use = frozenset[str]()
    opened = await open_embedder(settings.embedder_options(settings.cache), index_models=in_use)
    _LOG.info("embedder_opened", model=str(opened.embedder.identity), note=opened.note)
    return opened.embedder


def _open_images(settings: Settings, opened: AsyncExitStack) -> ImageEmbedder | None:
    """What compares pictures, closed with the rest."""
    embedder = open_image_embedder(settings.image_options(settings.cache))
    if embedder is not None:
        opened.push_async_callback(embedder.close)
    return embedder


def _open_web(settings: Settings, opened: AsyncExitStack) -> WebSearchClient | None:
    """What searches the web, closed with the rest; None where nothing does."""
    if settings.web is None:
        return None
    client = WebSearchClient(settings.web)
    opened.push_async_callback(client.close)
    return client


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


def _postgres_options(settings: Settings) -> PostgresOptions:
    return PostgresOptions(
        dsn=settings.postgres_dsn.get_secret_value(),
        pool_min_size=settings.pool_min_size,
        pool_max_size=settings.pool_max_size,
        statement_timeout_ms=settings.statement_timeout_ms,
        application_name="enishi-agent",
        role=settings.postgres_role,
    )


def _hot_options(settings: Settings) -> PostgresOptions:
    options = _postgres_options(settings)
    dsn = settings.hot_postgres_dsn
    return replace(
        options,
        dsn=dsn.get_secret_value() if dsn else options.dsn,
        pool_min_size=0,
        pool_max_size=settings.hot_pool_max_size,
    )


def _session_options(settings: Settings) -> PostgresOptions:
    """The one pool that writes, for nothing but sessions and records of runs: small, and as the login user."""
    return PostgresOptions(
        dsn=settings.postgres_dsn.get_secret_value(),
        pool_min_size=0,
        pool_max_size=settings.session_pool_size,
        statement_timeout_ms=settings.statement_timeout_ms,
        application_name="enishi-agent-sessions",
    )


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
