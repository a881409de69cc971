"""`enishi eval peps`: an archive of PEPs is imported, and what is stored of its references compared with a list."""

import asyncio
import sys
from pathlib import Path
from uuid import UUID, uuid4

from agent_core.bootstrap import build_orchestrator
from agent_core.retrieval.postgres_graph_executor import PostgresGraphExecutor
from agent_core.schemas import AgentRequest, AgentResponse
from agent_evals.cypher.files import DataMissing
from agent_evals.peps import Collected, PepFiles, compare, pep_files, published_edges, read_documents
from agent_evals.peps_questions import ask_edges
from agent_evals.peps_report import MENTIONS, PepEdge, PepQuestions, PepReport
from agent_evals.peps_stored import stored_edges, stored_numbers, unanswered
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only, open_read_write
from datastore.vectors.collections import CollectionName, alias_of, collection_spec
from datastore.vectors.edge import open_edge_store
from datastore.vocabulary import EntityType
from embeddings.bundled import BundledEmbedder
from ingestion.documents.importing import DocumentImporter
from observability.logging import configure_logging
from rich.console import Console

from enishi.commands.errors import UsageError
from enishi.commands.own_database import own_database
from enishi.migrating import upgrade
from enishi.progress_bars import progress_bar
from enishi.settings import Settings
from enishi.temporary_home import temporary_home
from enishi.terminal import clean, make_console

_COLLECTION = "peps"
_STATEMENT_MS = 60_000
_STORE_SECONDS = 30.0


async def run_peps_eval(settings: Settings, data: Path | None, *, show_failures: bool, as_json: bool) -> int:
    """0 when all goals are met, 1 when one is missed.

    Raises:
        UsageError: there is no folder with the data.
    """
    configure_logging(level=settings.log_level)
    folder = data or settings.data
    if folder is None:
        raise UsageError("eval peps needs a folder with its data: give --data or set ENISHI_DATA")
    try:
        files = pep_files(folder)
    except DataMissing as missing:
        raise UsageError(f"{missing} is not there; --data or ENISHI_DATA name the folder above docs/") from missing
    report = await _evaluate(settings, files, make_console(stderr=True))
    _show(report, show_failures=show_failures, as_json=as_json)
    return 1 if report.shortfalls else 0


async def _evaluate(settings: Settings, files: PepFiles, console: Console) -> PepReport:
    """The list of edges is opened after everything is stored: nothing of it can be of help."""
    documents = await asyncio.to_thread(read_documents, files.archive)
    async with own_database(settings) as dsn:
        await upgrade(dsn)
        await _import(dsn, documents, console)
        published = await asyncio.to_thread(published_edges, files)
        stated = [edge for edge in published if edge.relation != MENTIONS]
        with console.status("asking"):
            collected = await _collected(dsn, stated)
    return compare(collected, published, documents)


async def _import(dsn: str, documents: dict[int, str], console: Console) -> None:
    engine = open_read_write(PostgresOptions(dsn=dsn, statement_timeout_ms=_STATEMENT_MS))
    try:
        with temporary_home() as home, progress_bar(console, "reading") as advance:
            done = 0

            def on_batch(count: int) -> None:
                nonlocal done
                done += count
                advance(done, len(documents))

            for number, text in documents.items():
                (home / f"pep-{number:04}.rst").write_text(text, encoding="utf-8")
            await DocumentImporter(engine).add(home, collection=_COLLECTION, progress=on_batch)
    finally:
        await engine.close()


async def _collected(dsn: str, stated: list[PepEdge]) -> Collected:
    engine = open_read_only(PostgresOptions(dsn=dsn, statement_timeout_ms=_STATEMENT_MS))
    try:
        async with engine.connect() as connection:
            numbers = await stored_numbers(connection, _COLLECTION)
            edges = await stored_edges(connection, numbers)
        failed = await unanswered(PostgresGraphExecutor(engine), stated, numbers)
        questions = await _asked(engine, stated, numbers)
    finally:
        await engine.close()
    return Collected(frozenset(numbers), edges, failed, questions)


async def _asked(engine: ReadOnlyEngine, stated: list[PepEdge], numbers: dict[int, UUID]) -> PepQuestions:
    """The edges asked in words of the whole loop. Documents are offered too, but their index is empty: only the
    catalogue's edges can answer.
    """
    embedder = BundledEmbedder()
    with temporary_home() as home:
        store = await open_edge_store(home / "index")
        try:
            name = CollectionName(EntityType.DOCUMENT, embedder.identity.short_hash, 1)
            await store.ensure_collection(collection_spec(name, embedder.identity.dimensions), timeout=_STORE_SECONDS)
            await store.switch_alias(alias_of(EntityType.DOCUMENT), str(name), timeout=_STORE_SECONDS)
            loop = build_orchestrator(read_only=engine, vector_store=store, embedder=embedder)

            async def ask(question: str, /) -> AgentResponse:
                return await loop.run(AgentRequest(query=question, request_id=uuid4()))

            return await ask_edges(stated, numbers, ask)
        finally:
            await store.close()
            await embedder.close()


def _show(report: PepReport, *, show_failures: bool, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(report.to_json() + "\n")
        return
    console = make_console()
    if show_failures:
        console.print(clean(report.to_failures()), soft_wrap=True)
    for shortfall in report.shortfalls:
        console.print(f"missed: {shortfall}", style="red")
    console.print(report.to_table(), soft_wrap=True)
