"""The product against its questions: rule-based, on the demo catalogue under its own names and under nonsense."""

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.schemas import AgentRequest, AgentResponse
from agent_evals.dataset import Case, NameBook
from agent_evals.renamed import AnyCatalogueRecord, rename, to_jsonl
from agent_evals.report import EvalReport
from agent_evals.runner import evaluate
from agent_evals.shipped import Dataset, demo_records, load_shipped
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vectors.edge import EdgeVectorStore
from embeddings.bundled import BundledEmbedder
from enishi.commands.evaluating import Evaluation, run_eval
from enishi.settings import Settings
from ingestion.importing import import_path
from ingestion.index_sync import IndexRelay

MIN_SHARE_RIGHT = 0.80
MAX_LOSS_RENAMED = 0.02
MIN_SHARE_HELD_OUT = 0.70
MIN_SHARE_HELD_OUT_KINDS = 0.60

type Evaluate = Callable[[Sequence[AnyCatalogueRecord], Sequence[Case]], Awaitable[EvalReport]]


@pytest.fixture
def evaluated(
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    database_url: str,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    tmp_path: Path,
) -> Evaluate:
    """Imports records, brings the index up to them, and asks every question about them."""

    async def run(records: Sequence[AnyCatalogueRecord], cases: Sequence[Case]) -> EvalReport:
        (tmp_path / "catalogue.jsonl").write_text(to_jsonl(records), encoding="utf-8")
        await import_path("interchange", tmp_path, read_write)
        await IndexRelay(read_write, edge_store, embedder).drain(timeout=300)
        loop = build_orchestrator(read_only=read_only, vector_store=edge_store, embedder=embedder)

        async def answer(question: str, /, *, session_id: UUID) -> AgentResponse:
            return await loop.run(AgentRequest(query=question, session_id=session_id, request_id=uuid4()))

        connection = await asyncpg.connect(database_url)
        try:
            return await evaluate(cases, answer, connection, names=NameBook(records))
        finally:
            await connection.close()
            await loop.close()

    return run


def summary(report: EvalReport) -> str:
    return f"\n{report.to_table()}\n\n{report.to_failures()}"


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_the_demo_questions_are_answered_under_any_names(
    evaluated: Evaluate, capsys: pytest.CaptureFixture[str]
) -> None:
    records, cases = demo_records(), load_shipped(Dataset.DEMO)
    report = await evaluated(records, cases)
    with capsys.disabled():
        print(f"\ndemo:\n{report.to_table()}")
    assert report.totals.share_right >= MIN_SHARE_RIGHT, summary(report)
    assert report.totals.invented == 0, summary(report)
    renamed = await evaluated(rename(records), cases)
    with capsys.disabled():
        print(f"\ndemo, all names replaced:\n{renamed.to_table()}")
    assert renamed.totals.share_right >= report.totals.share_right - MAX_LOSS_RENAMED, summary(renamed)
    assert renamed.totals.invented == 0, summary(renamed)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_questions_that_nobody_tuned_on(evaluated: Evaluate, capsys: pytest.CaptureFixture[str]) -> None:
    cases = load_shipped(Dataset.HELD_OUT)
    report = await evaluated(demo_records(), cases)
    with capsys.disabled():
        print(f"\nheld out:\n{report.to_table()}")
    assert report.totals.share_right >= MIN_SHARE_HELD_OUT, summary(report)
    assert report.totals.invented == 0, summary(report)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "untouched", start_seconds=300, ask_seconds=120, log_level="error")


async def asked_of_a_stack(
    settings: Settings, dataset: Dataset, capsys: pytest.CaptureFixture[str], *, renamed: bool = False
) -> dict[str, Any]:
    """The report of `enishi eval demo`, whose stack has sessions, too."""
    evaluation = Evaluation("demo", dataset.value, renamed=renamed, show_failures=False, as_json=True)
    status = await run_eval(settings, evaluation)
    report = json.loads(capsys.readouterr().out)
    assert status == (1 if report["shortfalls"] else 0)
    with capsys.disabled():
        print(f"\n{dataset.value}{', all names replaced' * renamed}: {report['totals']}")
        for kind, totals in report["by_kind"].items():
            print(f"{kind:<16}{totals['right']:>4} of {totals['asked']:>3}, {totals['wrong']:>3} wrong")
    return report


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_questions_of_all_kinds_are_answered_under_any_names(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    report = await asked_of_a_stack(settings, Dataset.KINDS, capsys)
    assert report["shortfalls"] == []
    renamed = await asked_of_a_stack(settings, Dataset.KINDS, capsys, renamed=True)
    assert renamed["totals"]["share_right"] >= report["totals"]["share_right"] - MAX_LOSS_RENAMED
    assert renamed["totals"]["invented"] == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("dataset", [Dataset.KINDS_MORE, Dataset.KINDS_HELD_OUT])
async def test_questions_of_all_kinds_in_other_words(
    settings: Settings, capsys: pytest.CaptureFixture[str], dataset: Dataset
) -> None:
    report = await asked_of_a_stack(settings, dataset, capsys)
    assert report["totals"]["share_right"] >= MIN_SHARE_HELD_OUT_KINDS
    assert report["totals"]["invented"] == 0
