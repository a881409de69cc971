"""Dated questions of the minutes of one committee: each is answered from the right meeting.

Two pairs of the files hold the same text under two dates; an answer from one of them says so. All of it runs through
the import, PostgreSQL, the index and the loop.
"""

from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path

import pytest
from agent_core.evidence import ChunkEvidence
from agent_core.schemas import AgentResponse, AnswerStatus, WarningCode
from embeddings.bundled import BundledEmbedder
from fixtures.document_files import write_files
from fixtures.postgres import TEMPLATE, TestServer
from fixtures.stored_documents import StoredDocuments, open_stored_documents

_QUESTIONS = [
    ("2021-01-27", "how much did the median 2021 GDP growth forecast rise?", "rose about 1 percentage point"),
    (
        "2021-03-17",
        "how many basis points did the implied target rate at the end of 2023 rise since the January meeting?",
        "rose around 50 basis points",
    ),
    ("2022-03-16", "how much did the ruble depreciate against the dollar?", "roughly 40 percent"),
    ("2022-06-15", "at how many basis points did the federal funds rate hold steady?", "83 basis points"),
    ("2022-06-15", "how much was the SOMA portfolio anticipated to decline by the end of 2022?", "$400 billion"),
    (
        "2024-01-31",
        "how much were the balances of the overnight reverse repurchase agreement facility?",
        "below $600 billion",
    ),
]
_TWINS = [
    (
        "2021-09-22",
        "to how much should the per-counterparty limit for the ON RRP facility increase?",
        "$160 billion",
        "2021-11-03",
    ),
    (
        "2021-11-03",
        "at how many basis points was the Secured Overnight Financing Rate steady?",
        "5 basis points",
        "2021-09-22",
    ),
    (
        "2021-12-15",
        "by how much did members decide to reduce the monthly pace of net asset purchases for Treasury securities?",
        "$20 billion for Treasury securities",
        "2022-01-26",
    ),
    (
        "2022-01-26",
        "at how many basis points did the effective federal funds rate remain throughout the period?",
        "8 basis points",
        "2021-12-15",
    ),
]


@pytest.fixture(scope="module")
def database(postgres_server: TestServer) -> str:
    """One database for the whole module."""
    return postgres_server.dsn(postgres_server.create(TEMPLATE))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One index for the whole module."""
    return tmp_path_factory.mktemp("index") / "store"


@pytest.fixture
async def minutes(
    database: str, index: Path, data_folder: Path, embedder: BundledEmbedder
) -> AsyncGenerator[StoredDocuments]:
    """All thirty minutes, which the first test imports."""
    async with open_stored_documents(database, index, embedder) as stored:
        await stored.add(data_folder / "docs" / "fomc_minutes", collection="fomc")
        yield stored


def _dated(day: str, question: str) -> str:
    return f"In the minutes of {datetime.fromisoformat(day):%B %Y}, {question}"


def _days(response: AgentResponse) -> list[str | None]:
    """The dates of the documents that are cited, in the order of their markers."""
    dates = {item.id: item.date for item in response.evidence if isinstance(item, ChunkEvidence)}
    return [dates[source.evidence_id] for source in response.sources]


def _codes(response: AgentResponse) -> set[WarningCode]:
    return {warning.code for warning in response.warnings}


def _conflicts(response: AgentResponse) -> list[str]:
    return [warning.message for warning in response.warnings if warning.code is WarningCode.DATA_CONFLICT]


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("day", "question", "said"), _QUESTIONS)
async def test_a_dated_question_is_answered_from_the_right_meeting(
    minutes: StoredDocuments, day: str, question: str, said: str
) -> None:
    response = await minutes.ask(_dated(day, question))
    assert response.status in (AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS), response.answer
    assert (_days(response)[0], said in response.answer) == (day, True), response.answer
    assert WarningCode.FILTER_RELAXED not in _codes(response)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("day", "question", "said", "other"), _TWINS)
async def test_one_whose_text_stands_under_another_date_too_is_in_conflict(
    minutes: StoredDocuments, day: str, question: str, said: str, other: str
) -> None:
    response = await minutes.ask(_dated(day, question))
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS, response.answer
    assert (_days(response)[0], said in response.answer) == (day, True), response.answer
    assert any(day in message and other in message for message in _conflicts(response))


_FORECAST = "Minutes of the board\n\nThe staff raised the forecast for lamps by {} percent. It ended at noon.\n"


async def test_a_few_minutes_are_told_apart_by_their_dates(
    database_url: str, short_folder: Path, tmp_path: Path, embedder: BundledEmbedder
) -> None:
    files = {
        "20210127_txt": _FORECAST.format(4),
        "20210317_txt": _FORECAST.format(7),
        "20210922_txt": _FORECAST.format(9),
        "20211103_txt": _FORECAST.format(9),
    }
    async with open_stored_documents(database_url, short_folder / "store", embedder) as stored:
        report = await stored.add(write_files(tmp_path / "in", **files), collection="board")
        question = "by how many percent did the staff raise the forecast for lamps?"
        march = await stored.ask(_dated("2021-03-17", question))
        twins = await stored.ask(_dated("2021-09-22", question))
    assert (report.created, report.duplicate_count) == (4, 1)
    assert (march.status, _days(march)) == (AnswerStatus.ANSWERED, ["2021-03-17"])
    assert march.answer == (
        "“Minutes of the board” (2021-03-17): “The staff raised the forecast for lamps by 7 percent” [1]."
    )
    assert (twins.status, _days(twins)) == (AnswerStatus.ANSWERED_WITH_CAVEATS, ["2021-09-22", "2021-11-03"])
    assert _conflicts(twins) == [
        "The same text stands in “Minutes of the board” (2021-09-22) and “Minutes of the board” (2021-11-03); "
        "which of them it belongs to can't be told."
    ]
