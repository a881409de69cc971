"""References that a model finds in imported documents: asked over HTTP, checked word by word, within a budget."""

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from agent_core.agents.references import MAX_FAILURES, ModelReferences
from agent_core.budget import Budget, Limits
from agent_core.llm.stage_runner import ModelStageRunner
from datastore.postgres.documents import document_references
from datastore.postgres.engine import ReadWriteEngine
from enishi.commands.documents import AddRequest, run_add
from enishi.commands.errors import UsageError
from enishi.settings import Settings
from fixtures.catalogue_imports import fetch
from fixtures.document_files import write_files
from fixtures.modelled_loop import opened
from fixtures.scripted_llm import Fill, ScriptedLLM, Status, scripted_llm
from ingestion.documents.importing import DocumentImporter

__all__ = ["scripted_llm"]

NOTE = "# Note\n\nLamps are cleaned as the circular of May says, and after RFC 2119.\n"
CIRCULAR = "# Circular of May\n\nLamps are cleaned with silk.\n"


def place(text: str, kind: str = "document_mention", document: str | None = None) -> dict[str, Any]:
    return {"type": kind, "text": text, "document": document, "section": None}


NOTHING: dict[str, Any] = {"rationale": "r", "references": []}
FOUND: dict[str, Any] = {
    "rationale": "r",
    "references": [
        place("the circular of May", document="Circular of May"),
        place("RFC 2119", "document", "RFC 2119"),
        place("the decree of June", document="Decree of June"),
    ],
}


async def add(engine: ReadWriteEngine, folder: Path, llm: ScriptedLLM, **limits: Any) -> ModelReferences:
    async with opened(llm) as client:
        model = ModelReferences(ModelStageRunner(client), Budget.start(Limits(**limits), time.monotonic))
        await DocumentImporter(engine, model=model).add(folder, collection="notes")
    return model


async def stored(engine: ReadWriteEngine) -> list[tuple[str, str, bool]]:
    columns = document_references.c
    statement = sa.select(columns.target_text, columns.method, columns.target_id.is_not(None)).order_by(
        columns.start_offset
    )
    return [(name, method, is_linked) for name, method, is_linked in await fetch(engine, statement)]


async def test_what_a_model_finds_is_merged_with_what_the_rules_find(
    read_write: ReadWriteEngine, tmp_path: Path, scripted_llm: ScriptedLLM
) -> None:
    folder = write_files(tmp_path / "in", note_md=NOTE, circular_md=CIRCULAR)
    scripted_llm.script("ReferencesWire", Fill(lambda body: FOUND if "silk" not in str(body) else NOTHING))
    model = await add(read_write, folder, scripted_llm, model_calls=9)
    assert (model.calls, model.failures, model.is_spent) == (2, 0, False)
    assert scripted_llm.asked() == ["ReferencesWire"] * 2
    assert await stored(read_write) == [("Circular of May", "llm", True), ("RFC 2119", "hybrid", False)]


@pytest.mark.parametrize(("calls", "asked"), [(1, 1), (9, MAX_FAILURES)])
async def test_a_spent_budget_or_a_failing_model_leaves_what_the_rules_find(
    read_write: ReadWriteEngine, tmp_path: Path, scripted_llm: ScriptedLLM, calls: int, asked: int
) -> None:
    folder = write_files(tmp_path / "in", **{f"note{each}_md": NOTE for each in range(MAX_FAILURES + 2)})
    scripted_llm.script("ReferencesWire", Fill(NOTHING) if calls == 1 else Status(400))
    model = await add(read_write, folder, scripted_llm, model_calls=calls)
    assert model.calls == len(scripted_llm.requests) == asked
    assert model.is_spent is (calls == 1)
    assert set(await stored(read_write)) == {("RFC 2119", "rules", False)}


async def test_calls_without_a_model_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", reference_model_calls=1)
    with pytest.raises(UsageError, match="ENISHI_LLM_MODEL names one"):
        await run_add(settings, AddRequest(tmp_path, "notes"), as_json=True)
