"""`enishi import`: a dump into the catalogue, and on into the index."""

import sys
from pathlib import Path

from ingestion.demo import demo_catalogue_folder
from ingestion.importing import FORMATS, import_path
from ingestion.report_table import report_table
from observability.logging import configure_logging

from enishi.commands.reaching import writable_stack
from enishi.settings import Settings
from enishi.stack_state import StackError
from enishi.terminal import make_console

DEMO = "demo"


async def run_import(settings: Settings, *, format_name: str, path: Path | None, as_json: bool) -> int:
    """The report's own exit status: 0 all taken, 1 something refused, 2 nothing imported."""
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    source = DEMO if format_name == DEMO else None
    reader, folder = _what_to_read(format_name, path)
    async with writable_stack(settings, console) as stack:
        with console.status("importing"):
            report = await import_path(reader, folder, stack.writer, source=source)
        with console.status("indexing"):
            await stack.relay.drain()
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        make_console().print(report_table(report))
    return report.exit_status.code


def _what_to_read(format_name: str, path: Path | None) -> tuple[str, Path]:
    if format_name == DEMO:
        return "interchange", demo_catalogue_folder()
    if format_name not in FORMATS:
        known = ", ".join(sorted({DEMO, *FORMATS}))
        raise StackError(f"FORMAT: '{format_name}' is not known; choose one of {known}")
    if path is None:
        raise StackError("PATH: a file or a folder to import is needed")
    if not path.exists():
        raise StackError(f"PATH: {path} does not exist")
    return format_name, path
