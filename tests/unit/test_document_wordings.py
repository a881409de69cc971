"""Questions of the demo documents in many wordings, some of which no document answers."""

import json
from pathlib import Path

import pytest
from agent_core.schemas import AnswerStatus
from fixtures.document_world import DocumentWorld, demo_documents

__all__ = ["demo_documents"]

_FILE = Path(__file__).parent.parent / "fixtures" / "document_wordings.jsonl"
_CASES: list[dict[str, str | None]] = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "question", [case["question"] for case in _CASES if case["quote"] is None], ids=lambda question: str(question)
)
async def test_what_no_document_says_is_refused(demo_documents: DocumentWorld, question: str) -> None:
    response = await demo_documents.ask(question)
    assert response.status is AnswerStatus.NOT_FOUND, response.answer


@pytest.mark.parametrize(
    ("question", "quote"), [(case["question"], case["quote"]) for case in _CASES if case["quote"] is not None]
)
async def test_what_a_document_says_is_quoted(demo_documents: DocumentWorld, question: str, quote: str) -> None:
    response = await demo_documents.ask(question)
    assert response.status is AnswerStatus.ANSWERED
    assert quote in response.answer
