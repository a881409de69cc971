"""`enishi eval scifact`, `hotpot` and `musique`: the search in documents on public collections, each for itself."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent_evals.kept_vectors import KeptVectors
from agent_evals.retrieval import Collection, CollectionMissing
from agent_evals.retrieval_measures import LOADERS, given_vectors, measure, measure_given
from agent_evals.retrieval_report import Measured, RetrievalReport
from agent_evals.retrieval_run import load_passages, open_searcher
from embeddings.protocol import Embedder
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from enishi.commands.errors import UsageError
from enishi.embedding import open_stack_embedder
from enishi.migrating import upgrade
from enishi.postgres_launcher import EmbeddedPostgres
from enishi.settings import Settings
from enishi.temporary_home import temporary_home
from enishi.terminal import make_console


@dataclass(frozen=True, slots=True)
class RetrievalEvaluation:
    """Which collection, where its data are when the settings don't say, and how to show it."""

    collection: str
    data: Path | None
    as_json: bool


async def run_retrieval_eval(settings: Settings, evaluation: RetrievalEvaluation) -> int:
    """0 when all goals are met, 1 when one is missed. Vectors are kept in the cache folder for the next run.

    Raises:
        UsageError: there is no folder with the data.
        EmbedderUnavailable: the model of the settings can't be used.
    """
    data = evaluation.data or settings.data
    if data is None:
        raise UsageError(f"eval {evaluation.collection} needs a folder with its data: give --data or set ENISHI_DATA")
    folder_name, load = LOADERS[evaluation.collection]
    folder = data / "bench" / folder_name
    try:
        collection = load(folder)
    except CollectionMissing as missing:
        raise UsageError(str(missing)) from missing
    report = await _report(settings, collection, folder, make_console(stderr=True))
    if evaluation.as_json:
        sys.stdout.write(report.to_json() + "\n")
    else:
        make_console().print(report.to_table(), soft_wrap=True, highlight=False)
    return 1 if report.shortfalls else 0


async def _report(settings: Settings, collection: Collection, folder: Path, console: Console) -> RetrievalReport:
    opened = await open_stack_embedder(settings, None)
    identity = opened.embedder.identity
    path = settings.cache / "evals" / f"{collection.name}-{identity.short_hash}.npz"
    embedder = KeptVectors(opened.embedder, path)
    async with _own_stack(settings, collection, console) as (dsn, home):
        try:
            measured = await _measured(collection, dsn, home / "index", embedder, console)
        finally:
            await embedder.close()
        if collection.name == "scifact":
            given = given_vectors(collection, folder)
            async with open_searcher(collection, dsn, home / "given", given) as searcher:
                measured = (*measured, await measure_given(collection, searcher))
    return RetrievalReport(
        collection.name, len(collection.passages), len(collection.questions), str(identity), measured
    )


async def _measured(
    collection: Collection, dsn: str, folder: Path, embedder: Embedder, console: Console
) -> tuple[Measured, ...]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("indexing", total=len(collection.passages))
        async with open_searcher(
            collection, dsn, folder, embedder, on_points=lambda count: progress.update(task, completed=count)
        ) as searcher:
            progress.update(task, description="searching")
            return await measure(collection, searcher)


@asynccontextmanager
async def _own_stack(settings: Settings, collection: Collection, console: Console) -> AsyncGenerator[tuple[str, Path]]:
    """A database with the passages and a folder for indexes, both gone afterwards."""
    with temporary_home() as home:
        server = EmbeddedPostgres(home / "postgres", for_tests=True, start_timeout_seconds=settings.start_seconds)
        try:
            await asyncio.to_thread(server.start)
            await upgrade(server.dsn)
            with console.status("loading the passages"):
                await load_passages(collection, server.dsn)
            yield server.dsn, home
        finally:
            await asyncio.to_thread(server.stop)
