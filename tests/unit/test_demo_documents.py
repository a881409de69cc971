"""The demo documents, and the questions of them that ship with the source."""

import re
from collections.abc import Sequence
from datetime import date

import pytest
from agent_core.schemas import AgentResponse, Strategy
from agent_evals.document_questions import DocumentCase, evaluate_documents
from agent_evals.evaluators import Outcome
from agent_evals.quotes import quote_faults
from agent_evals.report import EvalReport
from agent_evals.shipped import DocumentDataset, demo_records, load_shipped_documents
from fixtures.document_world import DocumentWorld, demo_documents, front_matter
from ingestion.demo import demo_documents_files
from ingestion.records import EntityRecord

__all__ = ["demo_documents"]

_ALL = tuple(DocumentDataset)


async def _evaluated(world: DocumentWorld, asked: Sequence[tuple[DocumentCase, str]]) -> EvalReport:
    async def answer(question: str, /) -> AgentResponse:
        return await world.ask(question, strategy=Strategy.DOCUMENTS)

    async def check(question: str, response: AgentResponse) -> list[str]:
        assert question
        return list(quote_faults(response, world.texts))

    return await evaluate_documents(asked, answer, check)


@pytest.mark.parametrize(
    "wording", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
async def test_the_questions_are_answered_by_quotes_that_stand_or_refused(
    demo_documents: DocumentWorld, wording: int
) -> None:
    cases = load_shipped_documents(DocumentDataset.DOCUMENTS)
    report = await _evaluated(demo_documents, [(case, case.wordings[wording]) for case in cases])
    wrong = [(result.question, result.reason) for result in report.results if result.outcome is not Outcome.RIGHT]
    assert wrong == []
    assert [result.violations for result in report.results if result.violations] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dataset", "share_right"),
    [
        (DocumentDataset.DOCUMENTS_MORE, 0.8),
        (DocumentDataset.DOCUMENTS_WIDE, 0.65),
        (DocumentDataset.DOCUMENTS_HELD_OUT, 0.45),
    ],
)
async def test_no_answer_is_without_its_source(
    demo_documents: DocumentWorld, dataset: DocumentDataset, share_right: float
) -> None:
    cases = load_shipped_documents(dataset)
    report = await _evaluated(demo_documents, [(case, wording) for case in cases for wording in case.wordings])
    assert [result.case_id for result in report.results if result.violations] == []
    assert report.totals.share_right >= share_right


def test_so_many_questions_have_no_answer() -> None:
    by_dataset = {dataset: load_shipped_documents(dataset) for dataset in _ALL}
    counts = {dataset: (len(cases), sum(case.is_negative for case in cases)) for dataset, cases in by_dataset.items()}
    assert counts == {
        DocumentDataset.DOCUMENTS: (20, 4),
        DocumentDataset.DOCUMENTS_MORE: (10, 2),
        DocumentDataset.DOCUMENTS_WIDE: (48, 16),
        DocumentDataset.DOCUMENTS_HELD_OUT: (30, 8),
    }
    asked = [wording.casefold() for cases in by_dataset.values() for case in cases for wording in case.wordings]
    assert len(set(asked)) == len(asked) == 324


def test_what_must_be_quoted_stands_in_the_documents() -> None:
    bodies = {fields["title"]: body for fields, body in _documents().values()}
    for case in (case for dataset in _ALL for case in load_shipped_documents(dataset)):
        for quote in case.quotes:
            assert any(quote in bodies[title] for title in case.documents), case.id
        for title in case.documents:
            assert any(quote in bodies[title] for quote in case.quotes), case.id


def test_every_document_has_its_fields_and_speaks_of_a_work_of_the_catalogue_or_of_another_document() -> None:
    documents = _documents()
    names = {name.name for record in demo_records() if isinstance(record, EntityRecord) for name in record.names} | {
        fields["title"] for fields, _ in documents.values()
    }
    assert len(documents) == 22
    for stem, (fields, body) in documents.items():
        assert set(fields) >= {"title", "date", "language"}, stem
        date.fromisoformat(fields["date"])
        assert any(len(name) > 3 and name in f"{fields['title']} {body}" for name in names), stem


def test_titles_that_are_quoted_are_those_of_documents_but_for_one_that_is_missing() -> None:
    documents = _documents()
    titles = {fields["title"] for fields, _ in documents.values()}
    quoted = {title for _, body in documents.values() for title in re.findall(r"[“„]([^”“]+)[”“]", body)}
    assert quoted - titles == {"The Lantern Room Index of 2011"}


def _documents() -> dict[str, tuple[dict[str, str], str]]:
    return {path.stem: front_matter(path.read_text(encoding="utf-8")) for path in demo_documents_files()}
