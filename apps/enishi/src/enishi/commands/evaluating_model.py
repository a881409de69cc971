"""`enishi eval demo --llm scripted`: the questions asked through a model, at every stage and with the fast path."""

import sys
from collections.abc import Sequence

from agent_evals.dataset import Case, NameBook
from agent_evals.model_report import ModelReport, ModelRun
from agent_evals.renamed import AnyCatalogueRecord, rename
from agent_evals.scripted_model.model import PromptModel
from agent_evals.scripted_model.server import serving
from agent_evals.shipped import Dataset, DocumentDataset, demo_records, load_shipped
from agent_service.main import open_agent
from agent_service.settings import Settings as AgentSettings
from ingestion.records import EntityRecord
from observability.logging import configure_logging
from pydantic import SecretStr
from rich.console import Console

from enishi.commands.evaluating import Evaluation, ask_all, dataset_of, load_and_index
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.stack_state import StackError
from enishi.temporary_home import temporary_home
from enishi.terminal import clean, make_console

_SCRIPTED = "scripted"


async def run_model_eval(settings: Settings, evaluation: Evaluation, model: str) -> int:
    """0 when all goals are met, 1 when one is missed. The folder of `settings` is not touched.

    Raises:
        StackError: there is no such model, catalogue or dataset.
        DatasetError: the question file is missing or wrong.
    """
    if model != _SCRIPTED:
        raise StackError(f"--llm: '{model}' is not known; choose {_SCRIPTED}")
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    dataset = dataset_of(evaluation)
    if isinstance(dataset, DocumentDataset):
        raise StackError(f"--dataset: '{dataset}' is not asked through a model; choose one of {', '.join(Dataset)}")
    cases = load_shipped(dataset)
    records: Sequence[AnyCatalogueRecord] = demo_records()
    if evaluation.renamed:
        records = rename(records)
    with temporary_home() as home:
        own = settings.model_copy(update={"home": home / "stack"})
        parts = Parts(answers=False, graphql=False, fixed_ports=False)
        async with open_stack(own, parts=parts, progress=print_progress(console)) as stack:
            await load_and_index(stack, records, home, console)
            every_stage = await _pass(stack, own, cases, records, console, fast_path=False)
            fast = await _pass(stack, own, cases, records, console, fast_path=True)
    report = ModelReport(every_stage, fast)
    _show(report, evaluation)
    return 1 if report.shortfalls else 0


async def _pass(
    stack: RunningStack,
    settings: Settings,
    cases: Sequence[Case],
    records: Sequence[AnyCatalogueRecord],
    console: Console,
    *,
    fast_path: bool,
) -> ModelRun:
    """All questions once, of an agent of its own. The model knows the catalogue's names, as a trained one would."""
    names = [name.name for record in records if isinstance(record, EntityRecord) for name in record.names]
    dsn = stack.state.postgres_dsn
    async with serving(PromptModel(names).reply) as model:
        agent_settings = AgentSettings(
            agent_host="127.0.0.1",
            agent_port=0,
            postgres_dsn=SecretStr(dsn),
            vector_socket=stack.state.vector_socket,
            qdrant_url=None,
            llm_model=_SCRIPTED,
            llm_base_url=model.base_url,
            llm_mode="json_schema",
            fast_path=fast_path,
        )
        async with open_agent(agent_settings) as agent:
            target = f"127.0.0.1:{agent.port}"
            report = await ask_all(target, dsn, cases, NameBook(records), console, seconds=settings.ask_seconds)
        return ModelRun(report, requests=model.calls, corrections=model.corrections)


def _show(report: ModelReport, evaluation: Evaluation) -> None:
    if evaluation.as_json:
        sys.stdout.write(report.to_json() + "\n")
        return
    console = make_console()
    if evaluation.show_failures:
        console.print(clean(report.every_stage.report.to_failures()), soft_wrap=True)
    console.print(report.to_table(), soft_wrap=True)
    for shortfall in report.shortfalls:
        console.print(f"missed: {shortfall}", style="red")
