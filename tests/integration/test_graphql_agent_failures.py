"""The AI lane over GraphQL when something is wrong: the agent away, failing, slow, refusing; the caller gone."""

import asyncio

import pytest
from agent_core.errors import InvalidRequest, SourceUnavailable
from agent_core.schemas import AgentRequest, AgentResponse
from datastore.postgres.engine import ReadWriteEngine
from factories import CatalogueFactory
from fixtures.agents import Work, agent_response
from fixtures.graphql import NOBODY, Json, serving_graphql
from fixtures.services import serving_both
from structlog.testing import capture_logs

ASK = "query($question: String!) { searchAi(question: $question) { answer } }"
CANARY = "postgresql://canary:secret@inside/tables"


async def test_without_the_agent_the_name_lane_answers(database_url: str, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        await CatalogueFactory(conn).make_anime("One Piece")
    document = """{ search(query: "one") { name } searchAi(question: "Who?") { answer } }"""
    async with serving_graphql(database_url, agent_target=NOBODY) as graphql:
        assert await graphql.data('{ search(query: "one p") { name } }') == {"search": [{"name": "One Piece"}]}
        assert await graphql.error(ASK, question="Who?") == {
            "message": "the answer service is unavailable",
            "code": "UNAVAILABLE",
        }
        both = (await graphql.post(document)).json()
    assert [error["path"] for error in both["errors"]] == [["searchAi"]]


async def fail(_request: AgentRequest) -> AgentResponse:
    raise RuntimeError(CANARY)


async def lose_a_source(_request: AgentRequest) -> AgentResponse:
    raise SourceUnavailable("postgresql") from RuntimeError(CANARY)


async def refuse(_request: AgentRequest) -> AgentResponse:
    raise InvalidRequest("max_turns", "must be at least 1")


async def sleep(_request: AgentRequest) -> AgentResponse:
    await asyncio.sleep(60)
    return agent_response()


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (fail, {"code": "INTERNAL", "message": "the answer service failed"}),
        (lose_a_source, {"code": "UNAVAILABLE", "message": "the answer service is unavailable"}),
        (sleep, {"code": "DEADLINE_EXCEEDED", "message": "the deadline passed before an answer came"}),
        (
            refuse,
            {
                "code": "BAD_INPUT",
                "message": "budgets.maxTurns: must be at least 1",
                "field": "budgets.maxTurns",
            },
        ),
    ],
)
async def test_a_failure_of_the_agent_has_a_code_and_no_text_of_its_own(work: Work, expected: Json) -> None:
    async with serving_both(work, agent_timeout_seconds=0.5) as (graphql, _):
        with capture_logs():  # a traceback printed for people takes longer than the deadline
            answer = await graphql.post(ASK, {"question": "Who?"})
    (error,) = answer.json()["errors"]
    assert {"message": error["message"], **error["extensions"]} == expected
    assert answer.status_code == 200
    assert "canary" not in answer.text


async def test_limits_of_the_agent_are_named_as_the_schema_names_them() -> None:
    document = '{ searchAi(question: "Who?", budgets: {maxTurns: 0}) { answer } }'
    async with serving_both() as (graphql, agent):
        error = await graphql.error(document)
    assert (error["code"], error["field"]) == ("BAD_INPUT", "budgets.maxTurns")
    assert agent.requests == []


async def test_a_caller_who_leaves_ends_the_work() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def wait(_request: AgentRequest) -> AgentResponse:
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return agent_response()

    async with serving_both(wait) as (graphql, _):
        scope = {
            "type": "http", "method": "POST", "path": "/graphql", "query_string": b"", "http_version": "1.1",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")], "scheme": "http",
        }  # fmt: skip
        messages: asyncio.Queue[Json] = asyncio.Queue()
        messages.put_nowait({"type": "http.request", "body": b'{"query": "{searchAi(question: \\"W\\"){answer}}"}'})
        sent: list[object] = []

        async def send(message: object) -> None:
            sent.append(message)

        call = asyncio.create_task(graphql.app(scope, messages.get, send))
        await started.wait()
        messages.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(5):
            await ended.wait()
            await call
    assert sent == []
