"""`enishi eval peps`: the references between PEPs, found in the documents, beside the published edges."""

import asyncio
import sys
from pathlib import Path

from agent_evals.cypher.files import DataMissing
from agent_evals.peps import evaluate_peps, pep_files
from agent_evals.peps_report import PepReport

from enishi.commands.errors import UsageError
from enishi.settings import Settings
from enishi.terminal import clean, make_console


async def run_peps_eval(settings: Settings, data: Path | None, *, show_failures: bool, as_json: bool) -> int:
    """0 when all goals are met, 1 when one is missed.

    Raises:
        UsageError: there is no folder with the data.
    """
    folder = data or settings.data
    if folder is None:
        raise UsageError("eval peps needs a folder with its data: give --data or set ENISHI_DATA")
    try:
        files = pep_files(folder)
    except DataMissing as missing:
        raise UsageError(f"{missing} is not there; --data or ENISHI_DATA name the folder above docs/") from missing
    report = await asyncio.to_thread(evaluate_peps, files)
    _show(report, show_failures=show_failures, as_json=as_json)
    return 1 if report.shortfalls else 0


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
