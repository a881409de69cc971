"""Questions of the demo documents in many wordings, some of which no document answers."""

import pytest
from agent_core.schemas import AnswerStatus
from agent_evals.shipped import load_shipped_wordings
from fixtures.document_world import DocumentWorld, demo_documents

__all__ = ["demo_documents"]

_WORDINGS = load_shipped_wordings()


@pytest.mark.parametrize(
    "question", [wording.question for wording in _WORDINGS if wording.quote is None], ids=lambda question: str(question)
)
async def test_what_no_document_says_is_refused(demo_documents: DocumentWorld, question: str) -> None:
    response = await demo_documents.ask(question)
    assert response.status is AnswerStatus.NOT_FOUND, response.answer


@pytest.mark.parametrize(
    ("question", "quote"),
    [(wording.question, wording.quote) for wording in _WORDINGS if wording.quote is not None],
)
async def test_what_a_document_says_is_quoted(demo_documents: DocumentWorld, question: str, quote: str) -> None:
    response = await demo_documents.ask(question)
    assert response.status is AnswerStatus.ANSWERED
    assert quote in response.answer
