"""The stack a command works with: the one that runs on the folder already, or one of its own for its lifetime."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from rich.console import Console

from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.stack_state import StackAlreadyRunning, StackFolder, StackState

# The stack's parts are imported where one is started: a question to a running stack needs none of them.

_POLL_SECONDS = 0.1


@asynccontextmanager
async def answering_stack(settings: Settings, console: Console) -> AsyncGenerator[StackState]:
    """Where questions can be asked. A stack of its own loads the demo unless it holds something else.

    Raises:
        StackError: The folder can't be used.
    """
    running = await _running_stack(settings)
    if running is not None:
        yield running
        return
    from enishi.demo_loading import load_demo_if_wanted
    from enishi.local_stack import Parts, open_stack, print_progress

    parts = Parts(graphql=False, fixed_ports=False)
    async with open_stack(settings, parts=parts, progress=print_progress(console)) as stack:
        await load_demo_if_wanted(stack, console)
        yield stack.state


@asynccontextmanager
async def writable_stack(settings: Settings, console: Console) -> AsyncGenerator[RunningStack]:
    """A catalogue that can be written and an index that follows.

    Raises:
        StackError: The folder can't be used.
    """
    running = await _running_stack(settings)
    if running is None:
        from enishi.local_stack import Parts, open_stack, print_progress

        parts = Parts(answers=False, graphql=False)
        async with open_stack(settings, parts=parts, progress=print_progress(console)) as stack:
            yield stack
        return
    from datastore.postgres.engine import PostgresOptions, open_read_write
    from datastore.vectors.owned import OwnedVectorStore
    from ingestion.index_sync import IndexRelay

    from enishi.embedding import open_stack_embedder

    writer = open_read_write(PostgresOptions(dsn=running.postgres_dsn, statement_timeout_ms=60_000))
    store = OwnedVectorStore(running.vector_socket)
    try:
        embedder = (await open_stack_embedder(settings, store)).embedder
        # Many relays can run at once: this one helps the running stack's.
        yield RunningStack(running, writer, IndexRelay(writer, store, embedder))
    finally:
        await store.close()
        await writer.close()


async def _running_stack(settings: Settings) -> StackState | None:
    """The state of the stack that owns the folder; one that is still starting is waited for."""
    folder = StackFolder(settings.home)
    if not folder.is_owned:
        return None
    try:
        async with asyncio.timeout(settings.start_seconds):
            while folder.is_owned:
                state = folder.running_stack()
                if state is not None and state.agent_target:
                    return state
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError:
        raise StackAlreadyRunning(settings.home, None) from None
    return None
