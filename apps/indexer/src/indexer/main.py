"""Runs the relay until told to stop."""

import asyncio
import signal
import sys
from contextlib import AbstractContextManager, AsyncExitStack, closing, nullcontext

import structlog
import uvloop
from datastore.errors import DatastoreError, VectorStoreUnavailable
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.vectors.collections import models_in_use
from datastore.vectors.connect import connect_vector_store
from datastore.vectors.protocol import VectorStore
from embeddings.opening import open_embedder
from embeddings.protocol import Embedder, EmbedderUnavailable
from ingestion.index_sync import IndexRelay, RelayOptions, RelayReport
from observability.logging import configure_logging
from observability.tracing import SpanTarget, TracingNotInstalled, start_tracing
from pydantic import ValidationError

from indexer.settings import Settings

_LOG = structlog.get_logger(__name__)
_RETRY_SECONDS = 1.0
_ASK_SECONDS = 3.0


def run() -> None:
    """Serve until SIGTERM or SIGINT; the batch in hand is finished first."""
    try:
        settings = Settings()
    except ValidationError as error:
        sys.exit(f"enishi-indexer: {error}")
    configure_logging(level=settings.log_level)
    try:
        with _tracing(settings):
            uvloop.run(_serve(settings))
    except (DatastoreError, EmbedderUnavailable, TracingNotInstalled, ValueError) as error:
        sys.exit(f"enishi-indexer: {error}")


def _tracing(settings: Settings) -> AbstractContextManager[object]:
    endpoint = settings.otlp_endpoint
    return closing(start_tracing(SpanTarget(endpoint, "enishi-indexer"))) if endpoint else nullcontext()


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    report = await relay_until(stop, settings)
    _LOG.info("indexer_stopped", claimed=report.claimed, upserted=report.upserted, deleted=report.deleted)


async def relay_until(stop: asyncio.Event, settings: Settings) -> RelayReport:
    """Open the resources, carry changes over until `stop` is set, close the resources.

    Raises:
        VectorStoreRefused: the index belongs to another model.
        EmbedderUnavailable: the embedding model that the settings name can't be used.
        ValueError: no vector store is configured.
    """
    async with AsyncExitStack() as opened:
        engine = open_read_write(_postgres_options(settings))
        opened.push_async_callback(engine.close)
        store = connect_vector_store(
            url=settings.qdrant_url,
            api_key=settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None,
            socket=settings.vector_socket,
        )
        opened.push_async_callback(store.close)
        embedder = await _open_embedder(settings, store, stop)
        opened.push_async_callback(embedder.close)
        relay = IndexRelay(engine, store, embedder, _relay_options(settings))
        await _prepare(relay, stop)
        _LOG.info("indexer_started", model=str(embedder.identity))
        return await relay.run_forever(stop)


async def _open_embedder(settings: Settings, store: VectorStore, stop: asyncio.Event) -> Embedder:
    """The embedder that the settings name, once the store has said which models its vectors are of."""
    in_use = frozenset[str]()
    while not stop.is_set():
        try:
            in_use = await models_in_use(store, timeout=_ASK_SECONDS)
        except VectorStoreUnavailable as error:
            _LOG.warning("vector_store_away", error=str(error))
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            break
    opened = await open_embedder(settings.embedder_options(settings.cache), index_models=in_use)
    return opened.embedder


async def _prepare(relay: IndexRelay, stop: asyncio.Event) -> None:
    """Wait for the store: at the start of a stack it may be the last to come up."""
    while not stop.is_set():
        try:
            await relay.prepare()
        except VectorStoreUnavailable as error:
            _LOG.warning("vector_store_away", error=str(error))
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            return


def _postgres_options(settings: Settings) -> PostgresOptions:
    return PostgresOptions(
        dsn=settings.postgres_dsn.get_secret_value(),
        pool_max_size=settings.pool_max_size,
        statement_timeout_ms=settings.statement_timeout_ms,
        application_name="enishi-indexer",
    )


def _relay_options(settings: Settings) -> RelayOptions:
    return RelayOptions(
        batch_size=settings.index_batch_size,
        lease_seconds=settings.index_lease_seconds,
        max_attempts=settings.index_max_attempts,
        poll_seconds=settings.index_poll_seconds,
    )
