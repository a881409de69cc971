"""`enishi eval tck`, `metaqa` and `text2cypher`: the graph language on public data, in a database of its own."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from agent_evals.cypher.files import DataMissing
from agent_evals.cypher.metaqa import evaluate_metaqa, metaqa_files
from agent_evals.cypher.metaqa_report import MetaQaReport
from agent_evals.cypher.tck.evaluate import evaluate_tck, tck_archive
from agent_evals.cypher.tck.report import TckReport
from agent_evals.cypher.text2cypher import evaluate_text2cypher, text2cypher_files
from agent_evals.cypher.text2cypher_report import Text2CypherReport
from rich.console import Console

from enishi.commands.errors import UsageError
from enishi.commands.own_database import own_database
from enishi.settings import Settings
from enishi.terminal import clean, make_console


class LanguageData(StrEnum):
    """Public questions about public graphs."""

    TCK = "tck"
    METAQA = "metaqa"
    TEXT2CYPHER = "text2cypher"


type LanguageReport = TckReport | MetaQaReport | Text2CypherReport


@dataclass(frozen=True, slots=True)
class LanguageEvaluation:
    """What to ask, where its data are when the settings don't say, and how to show it."""

    questions: LanguageData
    data: Path | None
    show_failures: bool
    as_json: bool


async def run_language_eval(settings: Settings, evaluation: LanguageEvaluation) -> int:
    """0 when all goals are met, 1 when one is missed.

    Raises:
        UsageError: there is no folder with the data.
    """
    data = evaluation.data or settings.data
    if data is None:
        raise UsageError(f"eval {evaluation.questions} needs a folder with its data: give --data or set ENISHI_DATA")
    try:
        report = await _report(evaluation.questions, data, settings, make_console(stderr=True))
    except DataMissing as missing:
        raise UsageError(f"{missing} is not there; --data or ENISHI_DATA name the folder above bench/") from missing
    _show(report, evaluation)
    return 1 if report.shortfalls else 0


async def _report(questions: LanguageData, data: Path, settings: Settings, console: Console) -> LanguageReport:
    ask = _ASKERS[questions](data)
    async with own_database(settings) as dsn:
        with console.status("asking") as status:
            return await ask(dsn, lambda done: status.update(f"asked {done}"))


# Asks a database, and tells how far it is.
type _Ask = Callable[[str, Callable[[str], None]], Awaitable[LanguageReport]]


def _tck(data: Path) -> _Ask:
    archive = tck_archive(data)
    return lambda dsn, on_done: evaluate_tck(archive, dsn, on_done=lambda count: on_done(f"{count} scenarios"))


def _metaqa(data: Path) -> _Ask:
    files = metaqa_files(data)
    return lambda dsn, on_done: evaluate_metaqa(files, dsn, on_type=lambda done: on_done(done.type))


def _text2cypher(data: Path) -> _Ask:
    files = text2cypher_files(data)
    return lambda dsn, _: evaluate_text2cypher(files, dsn)


_ASKERS: Mapping[LanguageData, Callable[[Path], _Ask]] = {
    LanguageData.TCK: _tck,
    LanguageData.METAQA: _metaqa,
    LanguageData.TEXT2CYPHER: _text2cypher,
}


def _show(report: LanguageReport, evaluation: LanguageEvaluation) -> None:
    if evaluation.as_json:
        sys.stdout.write(report.to_json() + "\n")
        return
    console = make_console()
    if evaluation.show_failures:
        console.print(clean(report.to_failures()), soft_wrap=True)
    for shortfall in report.shortfalls:
        console.print(f"missed: {shortfall}", style="red")
    console.print(report.to_table(), soft_wrap=True)
