"""Whatever is sent, GraphQL answers in its own form, and never with a failure of its own."""

import asyncio
from collections import Counter

import pytest
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.vocabulary import AppearanceRole
from factories import CatalogueFactory
from fixtures.graphql import GraphqlClient, serving_graphql
from fixtures.graphql_documents import bodies
from hypothesis import HealthCheck, given, settings

TELL_TALES = ("Traceback", 'File "', "asyncpg", "sqlalchemy", "SELECT ", "set_int_max_str_digits", "postgresql://")


def check_answers(database_url: str, examples: int) -> None:
    """Sends so many bodies to one app."""
    with asyncio.Runner() as runner:
        runner.run(write_catalogue(database_url))
        serving = serving_graphql(database_url)
        graphql = runner.run(serving.__aenter__())
        outcomes: Counter[str] = Counter()
        try:

            @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
            @given(body=bodies())
            def answers(body: bytes) -> None:
                outcomes[runner.run(check_answer(graphql, body))] += 1

            answers()
            # The bodies must be good enough to get somewhere.
            assert outcomes["data"] > examples / 10, outcomes
        finally:
            runner.run(serving.__aexit__(None, None, None))


async def write_catalogue(database_url: str) -> None:
    """Something to find."""
    engine = open_read_write(PostgresOptions(dsn=database_url))
    async with engine.begin() as conn:
        make = CatalogueFactory(conn)
        await make.appears(await make.make_character("Luffy"), await make.make_anime("One Piece"), AppearanceRole.MAIN)
    await engine.close()


async def check_answer(graphql: GraphqlClient, body: bytes) -> str:
    """One answer: whether it held data, or the code of its first error."""
    answer = await graphql.http.post("/graphql", content=body, headers={"Content-Type": "application/json"})
    document = answer.json()
    assert answer.status_code in (200, 400), answer.text
    assert document.get("data") is not None or document["errors"]
    for error in document.get("errors", ()):
        assert error["message"]
        assert error["extensions"]["code"] != "INTERNAL", answer.text
    assert not any(text in answer.text for text in TELL_TALES), answer.text
    return "data" if document.get("data") else document["errors"][0]["extensions"]["code"]


@pytest.mark.timeout(300)
def test_any_body_is_answered(database_url: str) -> None:
    check_answers(database_url, 300)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_any_of_very_many_bodies_is_answered(database_url: str) -> None:
    check_answers(database_url, 5_000)
