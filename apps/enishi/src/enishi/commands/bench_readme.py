"""`enishi bench table`: a report as the table of a README, shown or put in its place."""

import asyncio
import sys
from pathlib import Path

from agent_evals.bench.markdown import NoPlaceForTable, performance_table, with_table
from agent_evals.bench.report import BenchReport
from pydantic import ValidationError

from enishi.commands.errors import UsageError


async def run_bench_table(file: Path, into: Path | None) -> int:
    """Write the table of the report in `file` to standard output, or between the two lines for it in `into`.

    Raises:
        UsageError: there is no report in the file, or no place for a table in the document.
    """
    table = performance_table(await asyncio.to_thread(_read, file))
    if into is None:
        sys.stdout.write(table + "\n")
    else:
        await asyncio.to_thread(_put, table, into)
    return 0


def _put(table: str, into: Path) -> None:
    try:
        into.write_text(with_table(into.read_text(encoding="utf-8"), table), encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"--into: {into} can't be read and written") from exc
    except NoPlaceForTable as exc:
        raise UsageError(f"--into: {into}: {exc}") from exc


def _read(file: Path) -> BenchReport:
    try:
        return BenchReport.model_validate_json(file.read_bytes())
    except OSError as exc:
        raise UsageError(f"{file} can't be read") from exc
    except ValidationError as exc:
        raise UsageError(f"{file} is no report of this version of `enishi bench`") from exc
