"""An answer that rests on what sources contradict each other in says so, and shows what precedence chose."""

from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, WarningCode
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from fixtures.catalogue_imports import entity, import_records, record
from fixtures.postgres import seeded


async def write_world(read_write: ReadWriteEngine) -> None:
    """A work of two sources that disagree on its length, its format and its last day, not on its first; and a loop."""
    work = {"start": "2004-10", "end": "2005-03-26", "episodes": 26, "format": "tv", "source": "manga"}
    await import_records(
        read_write,
        entity("anime", "demo:anime:moon", "Moon Gate", **work),
        entity("anime", "demo:anime:sun", "Sun Gate"),
        entity("anime", "demo:anime:star", "Star Gate"),
        entity("anime", "demo:anime:dusk", "Dusk Gate"),
        entity("person", "demo:person:aoi", "Aoi Mori"),
        record("staff", person="demo:person:aoi", work="demo:anime:moon", role="director"),
        record("relation", from_="demo:anime:sun", to="demo:anime:star", relation="sequel"),
        record("relation", from_="demo:anime:star", to="demo:anime:dusk", relation="sequel"),
        record("relation", from_="demo:anime:dusk", to="demo:anime:sun", relation="sequel"),
        source="demo",
    )
    other = {"start": "2004-10-05", "end": "2005-03-27", "episodes": 25, "format": "ona", "source": "manga"}
    second = entity("anime", "anilist:anime:1", "Moon Gate", external_ids=["demo:anime:moon"], **other)
    await import_records(read_write, second, source="anilist")


template, _ = seeded(write_world)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def ask(loop: Orchestrator, query: str) -> AgentResponse:
    response = await loop.run(AgentRequest(query=query, request_id=uuid4()))
    assert violations(response) == []
    return response


def conflicts(response: AgentResponse) -> list[tuple[str, str]]:
    return [(each.subject, each.message) for each in response.warnings if each.code is WarningCode.DATA_CONFLICT]


@pytest.mark.parametrize(
    ("question", "answer", "subject", "message"),
    [
        (
            "How many episodes does Moon Gate have?",
            "26",
            "Moon Gate: episodes",
            "Sources disagree on the episodes of Moon Gate: demo says 26, which is shown; anilist says 25.",
        ),
        (
            "When did Moon Gate end?",
            "2005",
            "Moon Gate: end_date",
            "Sources disagree on the end date of Moon Gate: "
            "demo says 2005-03-26, which is shown; anilist says 2005-03-27.",
        ),
        (
            "What format is Moon Gate?",
            "TV",
            "Moon Gate: format",
            "Sources disagree on the format of Moon Gate: demo says TV, which is shown; anilist says ONA.",
        ),
    ],
)
async def test_a_contradicted_field_is_shown_with_a_warning(
    loop: Orchestrator, question: str, answer: str, subject: str, message: str
) -> None:
    response = await ask(loop, question)
    assert answer in response.answer
    assert conflicts(response) == [(subject, message)]
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who directed Moon Gate?", "Aoi Mori"),
        ("When did Moon Gate start?", "2004"),
        ("What is Moon Gate based on?", "manga"),
    ],
)
async def test_a_question_that_touches_none_has_no_warning(loop: Orchestrator, question: str, answer: str) -> None:
    response = await ask(loop, question)
    assert answer in response.answer
    assert conflicts(response) == []


@pytest.mark.parametrize(
    "question",
    ["What is the sequel of Sun Gate?", "How is Sun Gate related to Star Gate?", "List the whole series of Sun Gate"],
)
async def test_a_loop_of_sequels_is_told_where_an_answer_follows_it(loop: Orchestrator, question: str) -> None:
    response = await ask(loop, question)
    assert "Star Gate" in response.answer
    assert conflicts(response) == [
        (
            "Sun Gate: sequel",
            "The sequels of Sun Gate lead back to it: Sun Gate -> Star Gate -> Dusk Gate -> Sun Gate (source: demo).",
        )
    ]
