"""The demo catalogue into an empty stack."""

import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadWriteEngine
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path
from rich.console import Console

from enishi.local_stack import RunningStack

_STATEMENT_SECONDS = 5.0


async def load_demo_if_empty(stack: RunningStack, console: Console) -> None:
    """Import the demo catalogue unless there is anything already; then wait until all is indexed."""
    if await _is_empty(stack.writer):
        with console.status("loading the demo catalogue"):
            await import_path("interchange", demo_catalogue_folder(), stack.writer, source="demo")
    with console.status("indexing"):
        await stack.relay.drain()


async def _is_empty(writer: ReadWriteEngine) -> bool:
    async with writer.begin(_STATEMENT_SECONDS) as conn:
        found = await conn.execute(sa.select(entities.c.id).order_by(entities.c.id).limit(1))
        return found.first() is None
