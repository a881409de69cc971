"""`enishi import`: a dump into the catalogue, and on into the index."""

import sys
from dataclasses import dataclass
from pathlib import Path

from ingestion.demo import demo_catalogue_folder
from ingestion.importing import FORMATS, import_path
from ingestion.report import ImportReport
from ingestion.report_table import report_table
from observability.logging import configure_logging
from rich.console import Console

from enishi.commands.errors import UsageError
from enishi.commands.reaching import writable_stack
from enishi.local_stack import RunningStack
from enishi.progress_bars import progress_bar
from enishi.settings import Settings
from enishi.terminal import make_console

DEMO = "demo"
_PACKAGE_PREFIX = "npm:"


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
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    path = _path_of(request)
    async with writable_stack(settings, console) as stack:
        report = await _import(stack, request, path, console)
        with progress_bar(console, "indexing") as advance:
            await stack.relay.drain(progress=advance)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        make_console().print(report_table(report))
    return report.exit_status.code


async def _import(stack: RunningStack, request: ImportRequest, path: Path, console: Console) -> ImportReport:
    is_demo = request.format_name == DEMO
    done = 0
    with progress_bar(console, "importing") as advance:

        def on_batch(records: int) -> None:
            nonlocal done
            done += records
            advance(done, None)

        return await import_path(
            "interchange" if is_demo else request.format_name,
            path,
            stack.writer,
            source=request.source or (DEMO if is_demo else None),
            accept_loss=request.accept_loss,
            progress=on_batch,
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
    if not path.exists() and not str(path).startswith(_PACKAGE_PREFIX):
        raise UsageError(f"PATH: {path} does not exist")
    return path
