"""`enishi export`: the catalogue as interchange JSONL, into a file or to standard output."""

import gzip
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from datastore.postgres.engine import PostgresOptions, open_read_only
from ingestion.errors import ExportNotWritten, NothingToExport
from ingestion.exporting import ExportReport, export_catalogue
from observability.logging import configure_logging
from rich.table import Table

from enishi.commands.errors import UsageError
from enishi.commands.reaching import writable_stack
from enishi.progress_bars import progress_bar
from enishi.settings import Settings
from enishi.terminal import make_console

_STANDARD_OUTPUT = Path("-")
_STATEMENT_MS = 600_000


async def run_export(settings: Settings, path: Path, *, source: str | None, as_json: bool) -> int:
    """0 when the export is written, whole; the report goes to standard error where the records go to standard output.

    Raises:
        UsageError: The file can't be written, or the catalogue holds nothing from the source.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    is_printed = path == _STANDARD_OUTPUT
    if not is_printed and not path.parent.is_dir():
        raise UsageError(f"PATH: there is no folder {path.parent}")
    async with writable_stack(settings, console) as stack:
        engine = open_read_only(PostgresOptions(dsn=stack.state.postgres_dsn, statement_timeout_ms=_STATEMENT_MS))
        try:
            with _written(path) as write, progress_bar(console, "exporting") as advance:
                report = await export_catalogue(engine, write, source=source, progress=advance)
        except NothingToExport as error:
            raise UsageError(f"--source: {error}") from error
        except (ExportNotWritten, OSError) as error:
            raise UsageError(f"PATH: {path} can't be written ({error})") from error
        finally:
            await engine.close()
    if as_json:
        (sys.stderr if is_printed else sys.stdout).write(report.model_dump_json() + "\n")
    else:
        make_console(stderr=is_printed).print(_table(report))
    return 0


@contextmanager
def _written(path: Path) -> Generator[Callable[[Sequence[str]], None]]:
    """Writes lines; a file is there under its name only once it is whole."""
    if path == _STANDARD_OUTPUT:
        yield lambda lines: _write(sys.stdout.buffer, lines)
        sys.stdout.buffer.flush()
        return
    partial = path.with_name(f".{path.name}.partial")
    try:
        with ExitStack() as opened:
            file: IO[bytes] = opened.enter_context(partial.open("wb"))
            if path.suffix == ".gz":
                # Without a time in it, the same catalogue makes the same file.
                packed = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
                file = cast("IO[bytes]", opened.enter_context(packed))
            yield lambda lines: _write(file, lines)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _write(file: IO[bytes], lines: Sequence[str]) -> None:
    file.write("".join(f"{line}\n" for line in lines).encode())


def _table(report: ExportReport) -> Table:
    table = Table("records", "written", title=f"from {', '.join(report.sources) or 'an empty catalogue'}")
    for each in report.records:
        table.add_row(each.kind, str(each.count))
    return table
