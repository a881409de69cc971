"""The runner asks every wording, judges the answers and checks them."""

from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
from agent_core.errors import SourceUnavailable
from agent_core.schemas import AgentResponse, AnswerStatus, ConfidenceBand, TerminationReason
from agent_evals.dataset import Case, GoldSpec, Kind, Match, NameBook
from agent_evals.evaluators import Outcome
from agent_evals.report import Result
from agent_evals.runner import NoAnswer, evaluate
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import NameKind
from ingestion.importing import import_path
from ingestion.records import AnimeRecord, NameRecord

BEBOP = AnimeRecord(ref="enishi:anime:b", names=(NameRecord(name="Cowboy Bebop", kind=NameKind.MAIN),), episodes=26)
CASE = Case(
    id="lookup-01",
    kind=Kind.LOOKUP,
    wordings=(
        "How many episodes does {name:enishi:anime:b:main} have?",
        "{name:enishi:anime:b:main:lower} episodes",
        "Length of {name:enishi:anime:b:main:upper}?",
    ),
    gold=GoldSpec(query="work_field", parameters={"work": BEBOP.ref, "field": "episodes"}),
    expect=(AnswerStatus.ANSWERED,),
    match=Match.VALUE,
)

type Connection = asyncpg.Connection[asyncpg.Record]


@pytest.fixture
async def connection(database_url: str) -> AsyncGenerator[Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


def response(answer: str, status: AnswerStatus) -> AgentResponse:
    return AgentResponse(
        answer=answer,
        status=status,
        confidence=0.5,
        confidence_band=ConfidenceBand.LOW,
        trace_id=UUID(int=1),
        termination_reason=TerminationReason.SUFFICIENT,
    )


async def test_every_wording_is_asked_judged_and_checked(
    read_write: ReadWriteEngine, connection: Connection, tmp_path: Path
) -> None:
    (tmp_path / "records.jsonl").write_text(BEBOP.model_dump_json(exclude_none=True), encoding="utf-8")
    await import_path("interchange", tmp_path, read_write)
    asked: list[str] = []

    sessions: set[UUID] = set()

    async def answer(question: str, /, *, session_id: UUID) -> AgentResponse:
        asked.append(question)
        sessions.add(session_id)
        if len(asked) == 2:
            raise SourceUnavailable("postgresql")
        if len(asked) == 3:
            return response("Nothing was found.", AnswerStatus.NOT_FOUND)
        return response("It has 99 episodes, says John Doe.", AnswerStatus.ANSWERED)

    told: list[Result] = []
    report = await evaluate([CASE], answer, connection, names=NameBook([BEBOP]), on_result=told.append)
    assert len(sessions) == 3
    assert tuple(told) == report.results
    assert asked == ["How many episodes does Cowboy Bebop have?", "cowboy bebop episodes", "Length of COWBOY BEBOP?"]
    assert [(result.outcome, result.reason) for result in report.results] == [
        (Outcome.WRONG, "about another entity"),
        (Outcome.UNANSWERED, "SourceUnavailable: postgresql is unavailable"),
        (Outcome.UNANSWERED, "status not_found"),
    ]
    assert report.results[0].expected == "Cowboy Bebop = 26"
    assert report.results[0].violations == ("unsupported_number: 99", "invented_name: John Doe")
    assert report.totals.invented == 1


async def test_earlier_turns_share_the_session_and_only_the_last_is_judged(
    read_write: ReadWriteEngine, connection: Connection, tmp_path: Path
) -> None:
    (tmp_path / "records.jsonl").write_text(BEBOP.model_dump_json(exclude_none=True), encoding="utf-8")
    await import_path("interchange", tmp_path, read_write)
    turns: dict[UUID, list[str]] = {}

    async def answer(question: str, /, *, session_id: UUID) -> AgentResponse:
        turns.setdefault(session_id, []).append(question)
        if question == "third":
            raise NoAnswer("out of order")
        return response("It has 26 episodes.", AnswerStatus.NOT_FOUND)

    case = CASE.model_copy(
        update={
            "kind": Kind.FOLLOW_UP,
            "before": ("Who is {name:enishi:anime:b:main}?",),
            "wordings": ("first", "second", "third"),
        }
    )
    report = await evaluate([case], answer, connection, names=NameBook([BEBOP]))
    assert list(turns.values()) == [["Who is Cowboy Bebop?", last] for last in ("first", "second", "third")]
    assert report.results[0].question == "Who is Cowboy Bebop? | first"
    assert [result.reason for result in report.results] == [
        "status not_found",
        "status not_found",
        "NoAnswer: out of order",
    ]
