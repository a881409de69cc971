"""Dated questions of the minutes of one committee: each is answered from the right meeting.

Two pairs of the files hold the same text under two dates; an answer from one of them says so.
"""

from datetime import datetime
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from agent_core.schemas import AnswerStatus, WarningCode
from fixtures.document_world import DocumentWorld

pytestmark = pytest.mark.data

_PARAGRAPH = 1_500


@pytest.fixture(scope="module")
def minutes(data_folder: Path) -> DocumentWorld:
    """All thirty minutes, a heading before every stretch of sentences, so that they are cut into passages."""
    world = DocumentWorld()
    for file in sorted((data_folder / "docs" / "fomc_minutes").glob("*.txt")):
        dated = datetime.strptime(file.stem, "%Y%m%d").date().isoformat()  # noqa: DTZ007 -- a day has no zone
        world.add(f"Minutes of {dated}", _in_parts(file.read_text(encoding="utf-8")), dated=dated)
    return world


def _in_parts(text: str) -> str:
    parts: list[str] = [""]
    for sentence in text.split(". "):
        if len(parts[-1]) > _PARAGRAPH:
            parts.append("")
        parts[-1] += f"{sentence}. "
    return "\n\n".join(f"## Part {number}\n\n{part.strip()}" for number, part in enumerate(parts, start=1))


_QUESTIONS: list[tuple[str, ...]] = [
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
_TWINS: list[tuple[str, ...]] = [
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


def _dated(day: str, question: str) -> str:
    return f"In the minutes of {datetime.fromisoformat(day):%B %Y}, {question}"


def _one_and_the_rest(cases: list[tuple[str, ...]]) -> list[ParameterSet]:
    return [pytest.param(*case, marks=() if place == 0 else pytest.mark.slow) for place, case in enumerate(cases)]


@pytest.mark.parametrize(("day", "question", "said"), _one_and_the_rest(_QUESTIONS))
async def test_a_dated_question_is_answered_from_the_right_meeting(
    minutes: DocumentWorld, day: str, question: str, said: str
) -> None:
    response = await minutes.ask(_dated(day, question))
    assert response.status in (AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS)
    assert (response.sources[0].title, said in response.answer) == (f"Minutes of {day}", True)
    assert WarningCode.FILTER_RELAXED not in {warning.code for warning in response.warnings}


@pytest.mark.parametrize(("day", "question", "said", "other"), _one_and_the_rest(_TWINS))
async def test_one_whose_text_stands_under_another_date_too_is_in_conflict(
    minutes: DocumentWorld, day: str, question: str, said: str, other: str
) -> None:
    response = await minutes.ask(_dated(day, question))
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert (response.sources[0].title, said in response.answer) == (f"Minutes of {day}", True)
    conflicts = [warning.message for warning in response.warnings if warning.code is WarningCode.DATA_CONFLICT]
    assert any(f"Minutes of {day}" in message and f"Minutes of {other}" in message for message in conflicts)
