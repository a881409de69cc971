"""The demo catalogue and the demo documents into an empty stack."""

import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadWriteEngine
from ingestion.demo import demo_catalogue_folder, demo_documents_folders
from ingestion.documents.importing import DocumentImporter
from ingestion.importing import import_path
from rich.console import Console

from enishi.running_stack import RunningStack

_STATEMENT_SECONDS = 5.0


async def load_demo_if_empty(stack: RunningStack, console: Console) -> None:
    """Import the demo catalogue and documents unless there is anything already; then wait until all is indexed."""
    if await _is_empty(stack.writer):
        with console.status("loading the demo catalogue"):
            await import_path("interchange", demo_catalogue_folder(), stack.writer, source="demo")
            await load_demo_documents(stack.writer)
    with console.status("indexing"):
        await stack.relay.drain()


async def load_demo_documents(writer: ReadWriteEngine) -> None:
    """Import the demo documents; their index is left as it is."""
    importer = DocumentImporter(writer)
    for collection, folder in demo_documents_folders().items():
        await importer.add(folder, collection=collection)


async def _is_empty(writer: ReadWriteEngine) -> bool:
    async with writer.begin(_STATEMENT_SECONDS) as conn:
        found = await conn.execute(sa.select(entities.c.id).order_by(entities.c.id).limit(1))
        return found.first() is None
