"""`enishi bench`: measures the product beside its peers, over an invented catalogue in a database of its own."""

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from agent_evals.bench.areas.ai_lane import measure_ai_lane
from agent_evals.bench.areas.embeddings import measure_embeddings
from agent_evals.bench.areas.graph import measure_graph
from agent_evals.bench.areas.orchestration import measure_orchestration
from agent_evals.bench.areas.typeahead import measure_typeahead
from agent_evals.bench.areas.vectors import measure_vectors
from agent_evals.bench.bulk_load import LoadedStage, load_catalogue
from agent_evals.bench.bulk_rows import entity_ids
from agent_evals.bench.checkpoint import Checkpoint
from agent_evals.bench.code import measured_code
from agent_evals.bench.conditions import MEASURED_PACKAGES, PEER_PACKAGES, package_versions
from agent_evals.bench.context import OURS, BenchContext
from agent_evals.bench.goals import AI_LANE, EMBEDDINGS, GRAPH, HTTP, NESTED, ORCHESTRATION, START, TYPEAHEAD, VECTORS
from agent_evals.bench.invented_catalogue import DEFAULT_SEED, InventedCatalogue, invent_catalogue
from agent_evals.bench.kept import Keep
from agent_evals.bench.pictures import draw_area
from agent_evals.bench.report import AreaReport, BenchReport
from agent_evals.bench.run import FULL_RUN, QUICK_RUN, Area, RunOptions, measure_areas, report_run
from observability.logging import configure_logging
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from enishi.commands.bench_http import measure_http
from enishi.commands.bench_nested import measure_nested
from enishi.commands.bench_start import measure_start
from enishi.commands.bench_table import bench_tables
from enishi.commands.errors import UsageError
from enishi.migrating import upgrade_schema
from enishi.postgres_launcher import EmbeddedPostgres
from enishi.settings import Settings
from enishi.terminal import make_console

AREAS: Mapping[str, Area] = {
    TYPEAHEAD: measure_typeahead,
    GRAPH: measure_graph,
    VECTORS: measure_vectors,
    EMBEDDINGS: measure_embeddings,
    HTTP: measure_http,
    NESTED: measure_nested,
    ORCHESTRATION: measure_orchestration,
    AI_LANE: measure_ai_lane,
    START: measure_start,
}
"""What is measured, in order."""

_LOAD_STAGES = 8


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a run's database and scratch files are; `checkpoint` where it may be taken up again."""

    folder: Path
    checkpoint: Checkpoint | None


async def run_bench_quick(
    settings: Settings, *, as_json: bool, pictures: Path | None, areas: Sequence[str] = ()
) -> int:
    """Measure a small catalogue in a temporary folder. 0 when all could be measured, whatever the goals say.

    Raises:
        UsageError: there is no such area, or the pictures can't have their folder.
    """
    chosen = _chosen(areas)
    if pictures is not None:
        _make_folder(pictures)
    configure_logging(level=settings.log_level)
    with _temporary_folder() as folder:
        report = await _run(settings, QUICK_RUN, chosen, _Home(folder, None))
    if pictures is not None:
        _write_pictures(report, pictures, "quick")
    _show(report, as_json=as_json)
    return 0


async def run_bench_full(settings: Settings, file: Path, *, areas: Sequence[str] = ()) -> int:
    """Measure the full catalogue, kept in the cache folder, and write the report and its pictures beside each other.

    A run that was cut short goes on with the next area, as long as versions and the measured code stay; after one that
    was contended in some areas, the next measures only those. With `areas` those alone are measured, anew, and kept for
    the run of all.

    Raises:
        UsageError: the file can't be written, or there is no such area.
    """
    chosen = _chosen(areas)
    configure_logging(level=settings.log_level)
    _check_writable(file)
    folder = settings.cache / "bench" / FULL_RUN.scale.digest(DEFAULT_SEED)
    versions, _ = package_versions((*MEASURED_PACKAGES, *PEER_PACKAGES))
    key = [f"{name} {version}" for name, version in sorted(versions.items())]
    checkpoint = Checkpoint(folder, [*key, await asyncio.to_thread(measured_code)])
    if areas:
        checkpoint.forget(chosen)
    report = await _run(settings, FULL_RUN, chosen, _Home(folder, checkpoint))
    _write_report(report, file)
    if not areas and not report.contended:
        checkpoint.clear()
    elif not areas:
        checkpoint.forget([area.area for area in report.areas if any(series.contended for series in area.series)])
    _show(report, as_json=False)
    return 0


def _chosen(names: Sequence[str]) -> Mapping[str, Area]:
    """The areas of these names, all for none; a name may have hyphens for spaces, and small letters."""
    wanted = {_slug(name) for name in names}
    known = {_slug(name): name for name in AREAS}
    for unknown in sorted(wanted - known.keys()):
        raise UsageError(f"--area: {unknown} is none of {', '.join(known)}")
    return {name: AREAS[name] for slug, name in known.items() if slug in wanted or not wanted}


def _slug(area: str) -> str:
    return area.lower().replace(" ", "-")


async def _run(settings: Settings, options: RunOptions, areas: Mapping[str, Area], home: _Home) -> BenchReport:
    started_at = datetime.now(UTC)
    console = make_console(stderr=True)
    scratch = await asyncio.to_thread(_fresh_scratch, home.folder)
    postgres = EmbeddedPostgres(home.folder / "postgres", start_timeout_seconds=settings.start_seconds)
    with _progress(console, len(areas)) as bars:
        catalogue = await asyncio.to_thread(invent_catalogue, options.scale, progress=bars.say)
        ids = await asyncio.to_thread(entity_ids, catalogue)
        bars.say("starting PostgreSQL")
        await asyncio.to_thread(postgres.start)
        try:
            stages = await _loaded(postgres.dsn, catalogue, ids, bars)
            context = BenchContext(
                dsn=postgres.dsn,
                catalogue=catalogue,
                ids=ids,
                folder=scratch,
                keep=Keep(home.folder / "kept"),
                plan=options.plan,
                queries=options.queries,
                clock=time.perf_counter,
                progress=bars.say,
                peers=settings.cache / "bench" / "peers",
                fetches_peers=options.mode == "full",
            )
            reports = await measure_areas(context, bars.counted(areas), home.checkpoint)
            return await report_run(context, options, reports, started_at=started_at, stages=stages)
        finally:
            await asyncio.to_thread(postgres.stop)


async def _loaded(dsn: str, catalogue: InventedCatalogue, ids: Sequence[UUID], bars: "_Bars") -> dict[str, float]:
    bars.say("bringing the schema up to date")
    # Search rows that a migration has emptied are made by their stage.
    await upgrade_schema(dsn)
    stages: tuple[LoadedStage, ...] = await load_catalogue(
        dsn, catalogue, ids, progress=lambda stage: bars.load(stage), clock=time.perf_counter
    )
    return {stage.name: round(stage.seconds, 2) for stage in stages}


class _Bars:
    """Two bars: the stages of the load, and the areas. What is going on stands on the second one.

    Where nobody watches, it is a line in the log.
    """

    def __init__(self, progress: Progress, areas: int) -> None:
        self._progress = progress
        self._began = time.monotonic()
        self._loading = progress.add_task("loading", total=_LOAD_STAGES)
        self._measuring = progress.add_task("measuring", total=areas)

    def say(self, what: str) -> None:
        """What is being done now."""
        self._progress.update(self._measuring, description=what)
        self._log(what)

    def load(self, stage: str) -> None:
        """A stage of the load begins."""
        self._progress.update(self._loading, advance=1, description=f"loading {stage}")
        self._log(f"loading {stage}")

    def _log(self, what: str) -> None:
        if self._progress.disable:
            self._progress.console.print(f"{time.monotonic() - self._began:6.0f} s  {what}", highlight=False)

    def counted(self, areas: Mapping[str, Area]) -> dict[str, Area]:
        """The same areas, each moving the bar when it is done."""
        return {name: self._counting(area) for name, area in areas.items()}

    def _counting(self, area: Area) -> Area:
        async def measure(context: BenchContext) -> AreaReport:
            self._progress.update(self._loading, visible=False)
            report = await area(context)
            self._progress.update(self._measuring, advance=1)
            return report

        return measure


@contextmanager
def _progress(console: Console, areas: int) -> Generator[_Bars]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _Bars(progress, areas)


def _fresh_scratch(home: Path) -> Path:
    """An empty folder inside, whatever a run that was killed has left, that the server's account can enter, too."""
    scratch = home / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    scratch.chmod(0o711)
    return scratch


@contextmanager
def _temporary_folder() -> Generator[Path]:
    """A folder that the database server's account can enter, too."""
    with tempfile.TemporaryDirectory(prefix="enishi-bench-") as folder:
        path = Path(folder)
        path.chmod(0o711)
        yield path


def _check_writable(file: Path) -> None:
    """By trying: what a run of 45 minutes has found must have a place."""
    try:
        was_there = file.exists()
        file.open("a").close()
        if not was_there:
            file.unlink()
    except OSError as exc:
        raise UsageError(f"--json: {file} can't be written") from exc


def _make_folder(pictures: Path) -> None:
    try:
        pictures.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"--pictures: {pictures} can't be a folder") from exc


def _write_report(report: BenchReport, file: Path) -> None:
    file.write_text(report.to_json() + "\n", encoding="utf-8")
    _write_pictures(report, file.parent, file.stem)


def _write_pictures(report: BenchReport, folder: Path, stem: str) -> None:
    for area in report.areas:
        path = folder / f"{stem}.{area.area.replace(' ', '-')}.svg"
        path.write_text(draw_area(area, ours=OURS), encoding="utf-8")


def _show(report: BenchReport, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(report.to_json() + "\n")
        return
    console = make_console()
    for table in bench_tables(report):
        console.print(table)
