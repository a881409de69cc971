"""The demo's questions on a real model, if a compatible server answers at ENISHI_LLM_BASE_URL; skipped otherwise.

Run it with `--slow -rP` to read the figures. A server beyond loopback needs `--allow-hosts` with its address.
"""

import json
import os
import time
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.budget import Limits
from agent_core.errors import ModelErrorKind
from agent_core.orchestrator import LoopOptions
from agent_core.schemas import AgentRequest, AgentResponse
from agent_evals.dataset import NameBook
from agent_evals.renamed import to_jsonl
from agent_evals.runner import evaluate
from agent_evals.shipped import Dataset, demo_records, load_shipped
from agent_service.settings import Settings
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vectors.edge import EdgeVectorStore
from embeddings.bundled import BundledEmbedder
from ingestion.importing import import_path
from ingestion.index_sync import IndexRelay

QUESTION_SECONDS = 240.0
UNUSABLE = frozenset({ModelErrorKind.BAD_OUTPUT.value, ModelErrorKind.TRUNCATED.value})


@pytest.fixture
def real_model() -> Settings:
    """The settings of a model that answers now; skips the test where there is none."""
    settings = Settings()
    if not os.environ.get("ENISHI_LLM_BASE_URL") or settings.llm_model is None:
        pytest.skip("[other] set ENISHI_LLM_BASE_URL and ENISHI_LLM_MODEL to ask a real model")
    try:
        httpx.get(f"{settings.llm_base_url}/models", timeout=3.0, trust_env=False).raise_for_status()
    except httpx.HTTPError as error:
        pytest.skip(f"[other] no model server answers at ENISHI_LLM_BASE_URL: {type(error).__name__}")
    return settings


class Measured:
    """What the answers of a run cost, and how often the model's output was usable."""

    def __init__(self) -> None:
        self.calls = self.prompt_tokens = self.completion_tokens = self.outputs = self.unusable = 0
        self.seconds: list[float] = []

    def add(self, response: AgentResponse, seconds: float) -> None:
        self.calls += response.usage.model_calls
        self.prompt_tokens += response.usage.prompt_tokens
        self.completion_tokens += response.usage.completion_tokens
        by_model = [step.error for step in response.steps if step.action == "model"]
        self.outputs += len(by_model)
        self.unusable += sum(error in UNUSABLE for error in by_model)
        self.seconds.append(seconds)

    def as_json(self) -> dict[str, float]:
        return {
            "schema_validity": 1 - self.unusable / max(1, self.outputs),
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "seconds": round(sum(self.seconds), 1),
            "seconds_of_the_slowest": round(max(self.seconds, default=0.0), 1),
        }


@pytest.mark.slow
@pytest.mark.timeout(7_200)
async def test_a_real_model_answers_the_demo_and_invents_nothing(
    real_model: Settings,
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    database_url: str,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    tmp_path: Path,
) -> None:
    records = demo_records()
    (tmp_path / "catalogue.jsonl").write_text(to_jsonl(records), encoding="utf-8")
    await import_path("interchange", tmp_path, read_write)
    await IndexRelay(read_write, edge_store, embedder).drain(timeout=300)
    limits = LoopOptions(limits=Limits(seconds=QUESTION_SECONDS))
    model, measured = real_model.model(), Measured()
    loop = build_orchestrator(
        read_only=read_only, vector_store=edge_store, embedder=embedder, model=model, options=limits
    )

    async def answer(question: str, /, *, session_id: UUID) -> AgentResponse:
        began = time.perf_counter()
        response = await loop.run(AgentRequest(query=question, session_id=session_id, request_id=uuid4()))
        measured.add(response, time.perf_counter() - began)
        return response

    connection = await asyncpg.connect(database_url)
    try:
        report = await evaluate(load_shipped(Dataset.DEMO), answer, connection, names=NameBook(records))
    finally:
        await connection.close()
        await loop.close()
    figures = {"accuracy": report.totals.share_right, "asked": report.totals.asked, **measured.as_json()}
    print(json.dumps(figures, indent=1))
    assert report.totals.invented == 0
    assert not [result for result in report.results if result.violations]
