"""Random queries give the rows that trying every assignment gives."""

import asyncio
from collections import Counter
from collections.abc import Generator
from typing import cast

import pytest
from cypher_sql import GraphSchema, Limits, compile_query, parse
from fixtures.cypher_oracle import Datum, Row, answer
from fixtures.cypher_queries import queries
from fixtures.film_graph import film_schema, write_film_graph
from fixtures.postgres import TestServer
from hypothesis import HealthCheck, given, settings
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

# A query is many draws, and the machine may be slow.
UNCHECKED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)


class Films:
    """The film graph in a database, asked from synchronous tests."""

    def __init__(self, runner: asyncio.Runner, connection: AsyncConnection) -> None:
        self._runner = runner
        self._connection = connection
        self._schema: GraphSchema = film_schema()

    def rows(self, text: str) -> list[Row]:
        """All rows of a query."""
        compiled = compile_query(parse(text), self._schema, limits=Limits(rows=100_000, walk_steps=10**20))
        result = self._runner.run(self._connection.execute(compiled.statement))
        return [tuple(_plain(value) for value in row) for row in result.all()]


def _plain(value: object) -> Datum:
    if isinstance(value, list):
        return tuple(sorted((_plain(member) for member in cast("list[object]", value)), key=repr))
    assert value is None or isinstance(value, bool | int | float | str)
    return value


@pytest.fixture(scope="module")
def film_database(postgres_server: TestServer) -> Generator[Films]:
    """A database with the film graph, and one connection to it."""
    name = postgres_server.create()
    dsn = postgres_server.dsn(name).replace("postgresql://", "postgresql+asyncpg://")
    with asyncio.Runner() as runner:
        engine = create_async_engine(dsn)
        connection = runner.run(_opened(engine.connect()))
        runner.run(write_film_graph(connection))
        yield Films(runner, connection)
        runner.run(connection.close())
        runner.run(engine.dispose())
    postgres_server.drop(name)


async def _opened(connection: AsyncConnection) -> AsyncConnection:
    return await connection.start()


def _agrees(films: Films, text: str) -> None:
    expected = answer(parse(text))
    found = films.rows(text)
    if "ORDER BY" in text:
        assert found == expected
    else:
        assert Counter(found) == Counter(expected)


@pytest.mark.timeout(300)
@settings(max_examples=40, deadline=None, suppress_health_check=UNCHECKED, database=None, derandomize=True)
@given(text=queries())
def test_random_queries_agree_with_trying_everything(film_database: Films, text: str) -> None:
    _agrees(film_database, text)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=1000, deadline=None, suppress_health_check=UNCHECKED, database=None)
@given(text=queries())
def test_a_thousand_random_queries_agree_with_trying_everything(film_database: Films, text: str) -> None:
    _agrees(film_database, text)
