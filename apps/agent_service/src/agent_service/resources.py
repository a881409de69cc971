"""What the service holds open: databases, vectors, models of meaning and of pictures, the web."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

import structlog
from agent_core.retrieval.web_search import WebSearchClient
from datastore.errors import DatastoreError
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only, open_read_write
from datastore.postgres.hot import HotPool
from datastore.vectors.collections import models_in_use
from datastore.vectors.connect import connect_vector_store
from datastore.vectors.protocol import VectorStore
from embeddings.images.opening import open_image_embedder
from embeddings.images.protocol import ImageEmbedder
from embeddings.opening import open_embedder
from embeddings.protocol import Embedder

from agent_service.settings import Settings

_MODELS_SECONDS = 3.0
_LOG = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Resources:
    """Made by `open_resources`. `writer` is for nothing but sessions and records of runs."""

    read_only: ReadOnlyEngine
    writer: ReadWriteEngine
    hot: HotPool
    store: VectorStore
    embedder: Embedder
    images: ImageEmbedder | None
    web: WebSearchClient | None


async def open_resources(settings: Settings, opened: AsyncExitStack, embedder: Embedder | None) -> Resources:
    """All that the settings name, closed with `opened`; a given embedder stays open.

    Raises:
        EmbedderUnavailable: The embedding model that the settings name can't be used.
    """
    read_only = open_read_only(_postgres_options(settings))
    opened.push_async_callback(read_only.close)
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
    hot = HotPool(_hot_options(settings))
    opened.push_async_callback(hot.close)
    return Resources(
        read_only=read_only,
        writer=writer,
        hot=hot,
        store=store,
        embedder=embedder,
        images=_open_images(settings, opened),
        web=_open_web(settings, opened),
    )


async def _open_embedder(settings: Settings, store: VectorStore) -> Embedder:
    """The embedder that the settings name. A store that is away is asked again by the first search."""
    try:
        in_use = await models_in_use(store, timeout=_MODELS_SECONDS)
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
