"""`enishi import`: a dump into the catalogue, and on into the index."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ingestion.demo import demo_catalogue_folder
from ingestion.demo.loading import DEMO_SOURCE
from ingestion.formats.npm_packages import NpmOptions, fetch_packages
from ingestion.importing import FORMATS, import_path
from ingestion.loss import LossLimit
from ingestion.report import ImportReport
from ingestion.report_table import report_table
from observability.logging import configure_logging
from rich.console import Console

from enishi.commands.errors import UsageError
from enishi.commands.reaching import writable_stack
from enishi.progress_bars import counting_bar, progress_bar
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.terminal import make_console

DEMO = "demo"
_PACKAGE_FORMAT, _PACKAGE_PREFIX = "bangumi-data", "npm:"


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import. `source` says whose word it is, where the dump is not to decide."""

    format_name: str
    path: Path | None
    source: str | None = None
    accept_loss: bool = False


async def run_import(settings: Settings, request: ImportRequest, *, as_json: bool) -> int:
    """The report's own exit status: 0 all kept, 1 partial, 2 nothing imported or held back.

    Raises:
        UsageError: There is no such format, or nothing at the path.
        PackageUnavailable: A package can't be had from its registry.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    path = _path_of(request)
    limit = LossLimit(settings.import_loss_share, settings.import_loss_minimum)
    async with _readable(settings, path) as dump, writable_stack(settings, console) as stack:
        report = await _import(stack, request, dump, limit, console)
        with progress_bar(console, "indexing") as advance:
            await stack.relay.drain(progress=advance)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        make_console().print(report_table(report))
    return report.exit_status.code


async def _import(
    stack: RunningStack, request: ImportRequest, path: Path, limit: LossLimit, console: Console
) -> ImportReport:
    is_demo = request.format_name == DEMO
    with counting_bar(console, "importing") as more:
        return await import_path(
            "interchange" if is_demo else request.format_name,
            path,
            stack.writer,
            source=request.source or (DEMO_SOURCE if is_demo else None),
            accept_loss=request.accept_loss,
            loss_limit=limit,
            progress=more,
        )


def _path_of(request: ImportRequest) -> Path:
    """What can be read, known before anything is started for it."""
    name, path = request.format_name, request.path
    if name == DEMO:
        return demo_catalogue_folder()
    if name not in FORMATS:
        known = ", ".join(sorted({DEMO, *FORMATS}))
        raise UsageError(f"FORMAT: '{name}' is not known; choose one of {known}")
    if path is None:
        raise UsageError("PATH: a file or a folder to import is needed")
    if not path.exists() and not (name == _PACKAGE_FORMAT and _packages(path)):
        raise UsageError(f"PATH: {path} does not exist")
    return path


def _packages(path: Path) -> str | None:
    """The packages that a path names in truth, joined by `+`."""
    text = str(path)
    return text.removeprefix(_PACKAGE_PREFIX) if text.startswith(_PACKAGE_PREFIX) and not path.exists() else None


@asynccontextmanager
async def _readable(settings: Settings, path: Path) -> AsyncGenerator[Path]:
    """The path itself, or a folder with the packages that it names; that one goes when the import is done."""
    packages = _packages(path)
    if packages is None:
        yield path
        return
    options = NpmOptions(registry=settings.npm_registry, seconds=settings.npm_seconds)
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.to_thread(fetch_packages, packages, Path(folder), options)
        yield Path(folder)
