"""Everything in one process: PostgreSQL's child, the index's owner, the relay, the agent, the GraphQL backend."""

import asyncio
import hashlib
import os
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent_service.main import open_agent
from agent_service.settings import Settings as AgentSettings
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_write
from datastore.vectors.edge import open_edge_store
from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.owner import VectorStoreOwner
from datastore.vectors.protocol import VectorStore
from embeddings.protocol import Embedder
from graphql_bff.server import EmbeddedGraphqlServer
from graphql_bff.settings import Settings as GraphqlSettings
from ingestion.index_sync import IndexRelay
from pydantic import SecretStr
from rich.console import Console

from enishi.embedding import open_stack_embedder
from enishi.migrating import upgrade
from enishi.postgres_launcher import EmbeddedPostgres
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.stack_state import StackFolder, StackState

type Progress = Callable[[str], None]
"""Told what is being done, in a few words."""

_MAX_SOCKET_PATH_BYTES = 107
_MAINTAIN_EVERY_SECONDS = 30.0


def print_progress(console: Console) -> Progress:
    """Each step on a line of its own."""
    return lambda message: console.print(f"… {message}", style="dim")


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of the stack to run, beside the database and the index that every command needs."""

    answers: bool = True
    graphql: bool = True
    fixed_ports: bool = True


@asynccontextmanager
async def open_stack(settings: Settings, *, parts: Parts, progress: Progress) -> AsyncGenerator[RunningStack]:
    """The whole stack on the folder of `settings`, for as long as the block runs.

    Raises:
        StackError: The folder can't be used; its children say why.
        PostgresLauncherError: The embedded PostgreSQL can't be used.
        PortInUse: A port is taken; the message says which setting changes it.
    """
    async with AsyncExitStack() as opened:
        folder, postgres = await _own_database(settings, progress, opened)
        progress("opening the vector index")
        socket = await _own_vectors(folder, opened)
        store = OwnedVectorStore(socket)
        opened.push_async_callback(store.close)
        embedder = (await open_stack_embedder(settings, store)).embedder
        opened.push_async_callback(embedder.close)
        writer, relay = await _open_relay(postgres.dsn, store, embedder, opened)
        agent_target, graphql_url = "", None
        if parts.answers:
            progress("starting the answer service")
            agent_target = await _open_agent(settings, parts, postgres.dsn, socket, embedder, opened)
        if parts.graphql:
            progress("starting the GraphQL backend")
            graphql_url = await _open_graphql(settings, parts, postgres.dsn, agent_target, opened)
        state = StackState(
            pid=os.getpid(),
            agent_target=agent_target,
            graphql_url=graphql_url,
            postgres_dsn=postgres.dsn,
            vector_socket=socket,
        )
        folder.publish(state)
        yield RunningStack(state, writer, relay)


@asynccontextmanager
async def open_catalogue(
    settings: Settings, *, progress: Progress
) -> AsyncGenerator[tuple[ReadWriteEngine, VectorStore]]:
    """The database and the index alone, with nothing that runs beside them, for as long as the block runs.

    Raises:
        StackError: The folder can't be used, or a stack is running on it.
        PostgresLauncherError: The embedded PostgreSQL can't be used.
    """
    async with AsyncExitStack() as opened:
        folder, postgres = await _own_database(settings, progress, opened)
        writer = open_read_write(_writer_options(postgres.dsn))
        opened.push_async_callback(writer.close)
        store = await open_edge_store(folder.vectors_dir)
        opened.push_async_callback(store.close)
        yield writer, store


async def _own_database(
    settings: Settings, progress: Progress, opened: AsyncExitStack
) -> tuple[StackFolder, EmbeddedPostgres]:
    """The locked folder and its PostgreSQL, at the newest schema."""
    folder = StackFolder(settings.home).lock()
    opened.callback(folder.unlock)
    progress("starting PostgreSQL")
    postgres = EmbeddedPostgres(folder.postgres_dir, start_timeout_seconds=settings.start_seconds)
    await asyncio.to_thread(postgres.start)
    opened.push_async_callback(asyncio.to_thread, postgres.stop)
    progress("bringing the schema up to date")
    await upgrade(postgres.dsn)
    return folder, postgres


def _writer_options(dsn: str) -> PostgresOptions:
    return PostgresOptions(dsn=dsn, statement_timeout_ms=60_000, application_name="enishi-writer")


async def _own_vectors(folder: StackFolder, opened: AsyncExitStack) -> Path:
    store = await open_edge_store(folder.vectors_dir)
    opened.push_async_callback(store.close)
    owner = VectorStoreOwner(store, _socket_path(folder), maintain_every=_MAINTAIN_EVERY_SECONDS)
    await owner.start()
    opened.push_async_callback(owner.close)
    return _socket_path(folder)


def _socket_path(folder: StackFolder) -> Path:
    """In the stack's folder, or in a private temporary one when that path would be too long for a socket."""
    path = folder.home / "run" / "vectors.sock"
    if len(os.fsencode(path)) <= _MAX_SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(folder.home)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"enishi-{os.getuid()}-{digest}" / "vectors.sock"


async def _open_relay(
    dsn: str, store: VectorStore, embedder: Embedder, opened: AsyncExitStack
) -> tuple[ReadWriteEngine, IndexRelay]:
    """The relay over the same socket that other processes use; it runs in the background until the stack ends."""
    writer = open_read_write(_writer_options(dsn))
    opened.push_async_callback(writer.close)
    relay = IndexRelay(writer, store, embedder)
    await relay.prepare()
    told_to_stop = asyncio.Event()
    running = asyncio.create_task(relay.run_forever(told_to_stop))

    async def stop() -> None:
        told_to_stop.set()
        await running

    opened.push_async_callback(stop)
    return writer, relay


async def _open_agent(
    settings: Settings, parts: Parts, dsn: str, socket: Path, embedder: Embedder, opened: AsyncExitStack
) -> str:
    agent_settings = AgentSettings(
        agent_host="127.0.0.1",
        agent_port=settings.agent_port if parts.fixed_ports else 0,
        postgres_dsn=SecretStr(dsn),
        vector_socket=socket,
        qdrant_url=None,
    )
    server = await opened.enter_async_context(open_agent(agent_settings, embedder=embedder))
    return f"127.0.0.1:{server.port}"


async def _open_graphql(settings: Settings, parts: Parts, dsn: str, agent_target: str, opened: AsyncExitStack) -> str:
    graphql_settings = GraphqlSettings(
        graphql_host=settings.graphql_host,
        graphql_port=settings.graphql_port if parts.fixed_ports else 0,
        dev_mode=True,
        agent_target=agent_target,
        postgres_dsn=SecretStr(dsn),
    )
    server = EmbeddedGraphqlServer(graphql_settings)
    await server.start()
    opened.push_async_callback(server.stop)
    return f"http://{settings.graphql_host}:{server.port}/graphql"
