"""What goes wrong inside stays inside: no text of an exception, no name of a table, no secret reaches a caller."""

import io
from collections.abc import AsyncGenerator, Generator

import pytest
import structlog
from fixtures.graphql import GraphqlClient, serving_graphql
from observability.logging import configure_logging

SECRET = "canary-secret"
TELL_TALES = (
    SECRET, "Traceback", 'File "', "asyncpg", "sqlalchemy", "SELECT", "relation", "does not exist", "entities_",
    "Error", "/src/", ".py",
)  # fmt: skip
DOCUMENTS = (
    '{ search(query: "one") { id } }',
    '{ anime(id: "01234567-89ab-cdef-0123-456789abcdef") { name } }',
    '{ entities(ids: ["01234567-89ab-cdef-0123-456789abcdef"]) { name } }',
    '{ searchAi(question: "Who?") { answer } }',
)


@pytest.fixture
def log() -> Generator[io.StringIO]:
    """What the app logs, as it would in production."""
    written = io.StringIO()
    configure_logging(level="info")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(written), cache_logger_on_first_use=False)
    yield written
    structlog.reset_defaults()


async def check_nothing_is_told(graphql: GraphqlClient, log: io.StringIO, code: str) -> None:
    """Every document fails with `code`, except the agent's, and says nothing of why; nor does the log tell secrets."""
    for document in DOCUMENTS:
        answer = await graphql.post(document)
        assert answer.status_code == 200
        assert not any(text in answer.text for text in TELL_TALES), answer.text
        (error,) = answer.json()["errors"]
        assert error["extensions"]["code"] == ("UNAVAILABLE" if "searchAi" in document else code)
    assert SECRET not in log.getvalue()


async def test_an_unreachable_database_is_not_described(log: io.StringIO) -> None:
    dsn = f"postgresql://{SECRET}:{SECRET}@127.0.0.1:1/{SECRET}"
    async with serving_graphql(dsn, internal_token=SECRET) as graphql:
        await check_nothing_is_told(graphql, log, "UNAVAILABLE")


async def test_a_database_without_tables_is_not_described(empty_database_url: str, log: io.StringIO) -> None:
    async with serving_graphql(empty_database_url) as graphql:
        await check_nothing_is_told(graphql, log, "INTERNAL")


async def test_a_role_that_is_missing_is_not_described(database_url: str, log: io.StringIO) -> None:
    async with serving_graphql(database_url, postgres_role="nobody_of_that_name") as graphql:
        await check_nothing_is_told(graphql, log, "INTERNAL")
        assert (await graphql.http.get("/healthz/ready")).json()["database"] is False


@pytest.fixture
async def graphql(database_url: str) -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(database_url) as client:
        yield client


async def test_what_is_asked_is_not_logged(graphql: GraphqlClient, log: io.StringIO) -> None:
    for document in (f'{{ search(query: "{SECRET}") {{ id }} }}', f'{{ searchAi(question: "{SECRET}") {{ answer }} }}'):
        assert (await graphql.post(document)).status_code == 200
    assert SECRET not in log.getvalue()
