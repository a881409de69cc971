"""`enishi eval`: a file of questions with known answers, asked of a stack of its own that is gone afterwards."""

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from agent_api.errors import AgentError
from agent_core.schemas import AgentResponse, Strategy
from agent_evals.checker import Checker
from agent_evals.dataset import Case, NameBook
from agent_evals.document_questions import DocumentCase, evaluate_documents
from agent_evals.renamed import AnyCatalogueRecord, rename, to_jsonl
from agent_evals.report import EvalReport, Result
from agent_evals.runner import NoAnswer, catalogue_connection, evaluate
from agent_evals.shipped import (
    Dataset,
    DocumentDataset,
    demo_records,
    goals_of,
    load_shipped,
    load_shipped_documents,
)
from ingestion.demo.loading import load_demo_documents
from ingestion.importing import import_path
from observability.logging import configure_logging
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from enishi.asking import Asker
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.stack_state import StackError
from enishi.temporary_home import temporary_home
from enishi.terminal import clean, make_console

_DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What to ask, of what, and how to show it."""

    catalogue: str
    dataset: str
    renamed: bool
    show_failures: bool
    as_json: bool


async def run_eval(settings: Settings, evaluation: Evaluation) -> int:
    """0 when all goals are met, 1 when one is missed. The folder of `settings` is not touched.

    Raises:
        StackError: there is no such catalogue or dataset.
        DatasetError: the question file is missing or wrong.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    dataset = dataset_of(evaluation)
    if isinstance(dataset, DocumentDataset):
        return await _run_documents(settings, evaluation, dataset, console)
    cases = load_shipped(dataset)
    records: Sequence[AnyCatalogueRecord] = demo_records()
    if evaluation.renamed:
        records = rename(records)
    with temporary_home() as home:
        own = settings.model_copy(update={"home": home / "stack"})
        parts = Parts(graphql=False, fixed_ports=False)
        async with open_stack(own, parts=parts, progress=print_progress(console)) as stack:
            await load_and_index(stack, records, home, console, with_documents=not evaluation.renamed)
            state, seconds = stack.state, own.ask_seconds
            report = await ask_all(
                state.agent_target, state.postgres_dsn, cases, NameBook(records), console, seconds=seconds
            )
            report = replace(report, goals=goals_of(dataset))
    _show(report, evaluation)
    return 1 if report.shortfalls else 0


async def _run_documents(settings: Settings, evaluation: Evaluation, dataset: DocumentDataset, console: Console) -> int:
    asked = [(case, wording) for case in load_shipped_documents(dataset) for wording in case.wordings]
    with temporary_home() as home:
        own = settings.model_copy(update={"home": home / "stack"})
        parts = Parts(graphql=False, fixed_ports=False)
        async with open_stack(own, parts=parts, progress=print_progress(console)) as stack:
            await load_and_index(stack, demo_records(), home, console)
            report = await _ask_documents(stack, own, asked, console)
    _show(report, evaluation)
    return 1 if report.shortfalls else 0


async def _ask_documents(
    stack: RunningStack, settings: Settings, asked: Sequence[tuple[DocumentCase, str]], console: Console
) -> EvalReport:
    asker = Asker(stack.state.agent_target, seconds=settings.ask_seconds)
    try:
        async with catalogue_connection(stack.state.postgres_dsn) as connection:
            checker = await Checker.open(connection)

            async def answer(question: str, /) -> AgentResponse:
                return await _asked(asker, question, strategy=Strategy.DOCUMENTS)

            async def check(question: str, response: AgentResponse) -> list[str]:
                return [str(violation) for violation in (await checker.check(question, response)).violations]

            with _progress(console, len(asked)) as on_result:
                return await evaluate_documents(asked, answer, check, on_result=on_result)
    finally:
        await asker.close()


def dataset_of(evaluation: Evaluation) -> Dataset | DocumentDataset:
    """The named dataset. Raises StackError for a catalogue or dataset that there isn't."""
    if evaluation.catalogue != _DEMO:
        raise StackError(f"CATALOGUE: '{evaluation.catalogue}' is not known; see 'enishi eval --help'")
    if evaluation.dataset in DocumentDataset and not evaluation.renamed:
        return DocumentDataset(evaluation.dataset)
    if evaluation.dataset not in Dataset:
        known = ", ".join((*Dataset, *DocumentDataset))
        raise StackError(f"--dataset: '{evaluation.dataset}' is not known; choose one of {known}")
    return Dataset(evaluation.dataset)


async def load_catalogue(
    stack: RunningStack, records: Sequence[AnyCatalogueRecord], home: Path, console: Console
) -> None:
    """Import records into a stack; its index is left as it is."""
    catalogue = home / "catalogue"
    catalogue.mkdir()
    (catalogue / "catalogue.jsonl").write_text(to_jsonl(records), encoding="utf-8")
    with console.status("loading the catalogue"):
        await import_path("interchange", catalogue, stack.writer, source=_DEMO)


async def load_and_index(
    stack: RunningStack,
    records: Sequence[AnyCatalogueRecord],
    home: Path,
    console: Console,
    *,
    with_documents: bool = True,
) -> None:
    """Import records, and the documents that speak of their works by name, and bring the index up to date."""
    await load_catalogue(stack, records, home, console)
    if with_documents:
        await load_demo_documents(stack.writer)
    with console.status("indexing"):
        await stack.relay.drain()


async def ask_all(
    target: str, dsn: str, cases: Sequence[Case], names: NameBook, console: Console, *, seconds: float
) -> EvalReport:
    """Ask every wording of the agent at `target`, whose catalogue is read at `dsn`."""
    asker = Asker(target, seconds=seconds)

    async def answer(question: str, /, *, session_id: UUID) -> AgentResponse:
        return await _asked(asker, question, session_id=session_id)

    try:
        async with catalogue_connection(dsn) as connection:
            with _progress(console, sum(len(case.wordings) for case in cases)) as on_result:
                return await evaluate(cases, answer, connection, names=names, on_result=on_result)
    finally:
        await asker.close()


async def _asked(
    asker: Asker, question: str, *, session_id: UUID | None = None, strategy: Strategy = Strategy.AUTO
) -> AgentResponse:
    try:
        return await asker.ask(question, session_id=session_id, strategy=strategy)
    except (AgentError, ValidationError) as error:
        # One answer that is missing or can't be read is not the end of the evaluation.
        raise NoAnswer(" ".join(str(error).split())) from error


@contextmanager
def _progress(console: Console, total: int) -> Generator[Callable[[Result], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("asking", total=total)
        yield lambda result: progress.update(task, advance=1, description=f"asking {result.kind.value}")


def _show(report: EvalReport, evaluation: Evaluation) -> None:
    if evaluation.as_json:
        sys.stdout.write(report.to_json() + "\n")
        return
    console = make_console()
    if evaluation.show_failures:
        console.print(clean(report.to_failures()), soft_wrap=True)
    console.print(report.to_table(), soft_wrap=True)
    for shortfall in report.shortfalls:
        console.print(f"missed: {shortfall}", style="red")
