"""Reading scenarios of the openCypher TCK, on a graph without declared labels, types and properties."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlalchemy as sa
from cypher_sql import EdgeSource, GraphSchema, NodeSource, QueryRefused, compile_query, parse, refusal_of
from fixtures.postgres import TestServer
from fixtures.tck_scenarios import CannotMake, MadeGraph, Scenario, expected_text, made_graph, scenarios, shown
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

_METADATA = sa.MetaData()
_nodes = sa.Table(
    "tck_nodes",
    _METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("labels", pg.ARRAY(sa.Text), nullable=False),
    sa.Column("bag", pg.JSONB, nullable=False),
)
_edges = sa.Table(
    "tck_edges",
    _METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("source", sa.Integer, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("bag", pg.JSONB, nullable=False),
)
_SCHEMA = GraphSchema(
    NodeSource(sa.select(*_nodes.c), bag="bag"), open_edges=EdgeSource(sa.select(*_edges.c), bag="bag")
)
_CLAUSES = (
    "match",
    "match-where",
    "return",
    "return-orderby",
    "return-skip-limit",
    "union",
    "unwind",
    "with",
    "with-orderBy",
    "with-skip-limit",
    "with-where",
)
_EXPRESSIONS = (
    "aggregation",
    "boolean",
    "comparison",
    "conditional",
    "existentialSubqueries",
    "graph",
    "list",
    "literals",
    "map",
    "mathematical",
    "null",
    "path",
    "pattern",
    "precedence",
    "quantifier",
    "string",
    "typeConversion",
)


@dataclass(slots=True)
class Outcome:
    """How many scenarios passed or were refused, and the names of those answered wrongly."""

    passed: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list[str])


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("folders", "least"), [(_CLAUSES, 226), (_EXPRESSIONS, 437)], ids=["clauses", "expressions"])
def test_scenarios_are_answered_rightly_or_refused(
    postgres_server: TestServer, data_folder: Path, folders: tuple[str, ...], least: int
) -> None:
    name = postgres_server.create()
    dsn = postgres_server.dsn(name).replace("postgresql://", "postgresql+asyncpg://")
    found = scenarios(data_folder / "bench" / "opencypher_tck" / "tck.tar.gz", folders)

    outcome = asyncio.run(_all(dsn, found))

    postgres_server.drop(name)
    assert outcome.wrong == []
    assert outcome.passed >= least


async def _all(dsn: str, found: list[Scenario]) -> Outcome:
    engine = create_async_engine(dsn)
    outcome = Outcome()
    async with engine.connect() as connection:
        await connection.run_sync(_METADATA.create_all)
        for scenario in found:
            try:
                graph = made_graph(scenario.setup)
                expected = _expected(scenario)
            except CannotMake:
                continue
            await _write(connection, graph)
            await _judge(connection, scenario, expected, outcome)
    await engine.dispose()
    return outcome


def _expected(scenario: Scenario) -> list[tuple[str, ...]] | None:
    if scenario.expected is None:
        return None
    return [tuple(expected_text(cell) for cell in row) for row in scenario.expected]


async def _write(connection: AsyncConnection, graph: MadeGraph) -> None:
    await connection.execute(_nodes.delete())
    await connection.execute(_edges.delete())
    for number, labels, bag in graph.nodes:
        await connection.execute(_nodes.insert().values(id=number, labels=labels, bag=bag))
    for number, source, kind, target, bag in graph.edges:
        await connection.execute(_edges.insert().values(id=number, source=source, type=kind, target=target, bag=bag))


async def _judge(
    connection: AsyncConnection, scenario: Scenario, expected: list[tuple[str, ...]] | None, outcome: Outcome
) -> None:
    try:
        rows = await _rows(connection, scenario)
    except QueryRefused:
        outcome.passed += expected is None
        outcome.refused += expected is not None
        return
    is_right = rows == expected if scenario.is_ordered or expected is None else Counter(rows) == Counter(expected)
    outcome.passed += is_right
    if not is_right:
        outcome.wrong.append(scenario.name)


async def _rows(connection: AsyncConnection, scenario: Scenario) -> list[tuple[str, ...]]:
    """The rows with the columns in the scenario's order."""
    compiled = compile_query(parse(scenario.query), _SCHEMA)
    names = [column.name for column in compiled.columns]
    assert sorted(names) == sorted(scenario.columns) or scenario.expected is None
    try:
        async with connection.begin_nested():
            found = (await connection.execute(compiled.statement)).all()
    except exc.DBAPIError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error
    places = [names.index(name) for name in scenario.columns]
    return [tuple(shown(row[place]) for place in places) for row in found]
