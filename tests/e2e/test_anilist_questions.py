"""AniList files beside the demo: ten questions about works that only they hold, by command line, GraphQL and gRPC.

What is right is read from the stack's own database by statements of this module.
"""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pytest
from agent_api.client import AgentClient, Caller
from agent_api.v1 import search_pb2
from agent_core.schemas import AgentResponse, AnswerStatus
from fixtures.stack import Home

pytestmark = [pytest.mark.data, pytest.mark.timeout(900)]

ANSWERED = {AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS}
WORK = "SELECT entity_id FROM external_ids WHERE source = 'anilist' AND kind = 'anime' AND external_id = $1"
UNIVERSE, TITAN, HAIBANE, LAIN = "99426", "16498", "387", "339"

_QUERY = """query Ask($question: String!) {
  searchAi(question: $question) { answer status resultEntities { id name } sources { marker evidenceId quote } }
}"""

FACTS = {
    "How many episodes does A Place Further than the Universe have?": (
        f"SELECT episodes::text FROM anime WHERE id = ({WORK})",
        UNIVERSE,
    ),
    "In which year did Haibane Renmei start?": (f"SELECT start_year::text FROM anime WHERE id = ({WORK})", HAIBANE),
    "Which studio is behind A Place Further than the Universe?": (
        "SELECT e.name FROM studio_credits c JOIN entities e ON e.id = c.studio_id"
        f" WHERE c.is_main AND c.work_id = ({WORK})",
        UNIVERSE,
    ),
}
ENTITIES = {
    "Who are the main characters of A Place Further than the Universe?": (
        f"SELECT character_id FROM appearances WHERE role = 'main' AND work_id = ({WORK})",
        UNIVERSE,
    ),
    "Who voices Shirase Kobuchizawa in Japanese?": (
        "SELECT v.person_id FROM voices v JOIN entities e ON e.id = v.character_id"
        f" WHERE e.name = 'Shirase Kobuchizawa' AND v.language = 'ja' AND v.work_id = ({WORK})",
        UNIVERSE,
    ),
    "Which work is a spin-off of Attack on Titan?": (
        f"SELECT related_work_id FROM work_relations WHERE relation = 'spin_off' AND work_id = ({WORK})",
        TITAN,
    ),
}
FILTERS = {
    "Which movies from 1988 are in the catalogue?": (
        "SELECT id FROM anime WHERE format = 'movie' AND year = $1::int",
        1988,
    ),
    "Name sports anime from 2005": (
        "SELECT id FROM anime WHERE 'Sports' = ANY(genres) AND year = $1::int",
        2005,
    ),
}
NEGATIVES = ("Who directed Serial Experiments Lain?", "How many episodes does Haibane Renzoku Gakuen have?")


@pytest.fixture(scope="module")
def imported_home(running_home: Home, data_folder: Path) -> Home:
    """The running stack with the AniList files beside the demo."""
    folder = data_folder / "anime" / "anilist_json"
    report = json.loads(running_home.call("import", "--json", "anilist", str(folder)).stdout)
    assert report["refused_count"] == 3, report["refused"]
    return running_home


async def gold(home: Home, statement: str, parameter: object) -> list[Any]:
    """The first column, sorted as text."""
    connection = await asyncpg.connect(home.state["postgres_dsn"])
    try:
        rows = await connection.fetch(statement, parameter)
    finally:
        await connection.close()
    assert rows, statement
    return sorted((row[0] for row in rows), key=str)


async def ask_everywhere(home: Home, question: str) -> AgentResponse:
    """The command line's answer, once GraphQL and gRPC have given the same."""
    done = await asyncio.to_thread(home.call, "ask", "--json", question)
    assert done.returncode == 0, done.stderr
    response = AgentResponse.model_validate_json(done.stdout)
    async with httpx.AsyncClient(timeout=60) as http:
        body = {"query": _QUERY, "variables": {"question": question}}
        graphql = (await http.post(home.state["graphql_url"], json=body)).json()
    assert "errors" not in graphql, graphql
    answer = graphql["data"]["searchAi"]
    client = AgentClient(home.state["agent_target"])
    try:
        request = search_pb2.SearchAIRequest(query=question)
        message = await client.search_ai(request, caller=Caller(request_id=uuid4()), timeout=60)
    finally:
        await client.close()
    assert answer["answer"] == message.answer == response.answer
    assert answer["status"].lower() == message.status == response.status
    assert [ref["id"] for ref in answer["resultEntities"]] == [str(ref.id) for ref in response.result_entities]
    return response


@pytest.mark.parametrize("question", FACTS)
async def test_facts(imported_home: Home, question: str) -> None:
    values = await gold(imported_home, *FACTS[question])

    response = await ask_everywhere(imported_home, question)

    assert response.status in ANSWERED
    assert response.sources
    assert all(value.casefold() in response.answer.casefold() for value in values), response.answer


@pytest.mark.parametrize("question", ENTITIES)
async def test_relations(imported_home: Home, question: str) -> None:
    ids = await gold(imported_home, *ENTITIES[question])

    response = await ask_everywhere(imported_home, question)

    assert response.status in ANSWERED
    assert response.sources
    assert sorted((ref.id for ref in response.result_entities), key=str) == ids, response.answer


@pytest.mark.parametrize("question", FILTERS)
async def test_filters(imported_home: Home, question: str) -> None:
    ids = await gold(imported_home, *FILTERS[question])

    response = await ask_everywhere(imported_home, question)

    assert response.status in ANSWERED
    assert response.sources
    assert sorted((ref.id for ref in response.result_entities), key=str) == ids, response.answer


@pytest.mark.parametrize("question", NEGATIVES)
async def test_what_the_catalogue_does_not_hold(imported_home: Home, question: str) -> None:
    response = await ask_everywhere(imported_home, question)

    assert response.status in {AnswerStatus.NOT_FOUND, AnswerStatus.UNANSWERABLE}
    assert not any(ref.entity_type == "person" for ref in response.result_entities)
