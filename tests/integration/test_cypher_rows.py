"""Each feature of the language, with the rows that it gives on the film graph."""
# ruff: noqa: E501 -- a query and its rows stand on one line

import asyncio
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa
from cypher_sql import (
    CompiledQuery,
    Explain,
    Fault,
    Limits,
    QueryRefused,
    checked_cost,
    compile_query,
    parse,
    refusal_of,
)
from cypher_sql.schema import EdgeSource, GraphSchema, NodeSource
from fixtures.film_graph import edges, film_schema, films, nodes, people, write_film_graph
from fixtures.hostile_queries import HOSTILE, WRITES, Hostile, Write, hostile_queries
from fixtures.postgres import TestServer
from fixtures.sql import plan_outline, sql_text
from hypothesis import HealthCheck, given, settings
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from syrupy.assertion import SnapshotAssertion

PARAMETERS: Mapping[str, object] = {"year": 1995, "names": ["Ann", "Bob"], "one": 1, "mixed": [1, "a", None]}


class Films:
    """The film graph in a database, asked from synchronous tests."""

    def __init__(self, runner: asyncio.Runner, connection: AsyncConnection) -> None:
        self._runner = runner
        self._connection = connection
        self._schema = film_schema()

    def compiled(self, text: str, limits: Limits | None = None) -> CompiledQuery:
        """The query, ready to run."""
        return compile_query(parse(text), self._schema, PARAMETERS, limits)

    def rows(self, text: str, limits: Limits | None = None) -> list[tuple[object, ...]]:
        """The rows of a query."""
        return self.run(self.compiled(text, limits).statement)

    def run(self, statement: sa.Executable) -> list[tuple[object, ...]]:
        """The rows of a statement; a failing one leaves no trace."""

        async def run() -> list[tuple[object, ...]]:
            async with self._connection.begin_nested():
                return [tuple(row) for row in (await self._connection.execute(statement)).all()]

        return self._runner.run(run())

    def plan(self, statement: sa.Select[Any]) -> str:
        """The nodes of a statement's plan, one a line, children indented."""
        ((explained,),) = self.run(Explain(statement))
        return plan_outline(explained)

    def write(self, statement: Write, *, is_read_only: bool) -> int:
        """How many rows a statement changes, which is undone."""

        async def run() -> int:
            async with self._connection.begin_nested() as nested:
                if is_read_only:
                    await self._connection.exec_driver_sql("SET TRANSACTION READ ONLY")
                changed = (await self._connection.execute(statement)).rowcount
                await nested.rollback()
                return changed

        return self._runner.run(run())


@pytest.fixture(scope="module")
def film_rows(postgres_server: TestServer) -> Generator[Films]:
    """A database with the film graph, and one connection to it."""
    name = postgres_server.create()
    dsn = postgres_server.dsn(name).replace("postgresql://", "postgresql+asyncpg://")

    async def opened() -> AsyncConnection:
        connection = await engine.connect()
        await write_film_graph(connection)
        await connection.exec_driver_sql("SET statement_timeout = '2s'")
        return connection

    with asyncio.Runner() as runner:
        engine = create_async_engine(dsn)
        connection = runner.run(opened())
        yield Films(runner, connection)
        runner.run(connection.close())
        runner.run(engine.dispose())
    postgres_server.drop(name)


FEATURES: list[tuple[str, list[tuple[object, ...]]]] = [
    # Patterns
    ("MATCH (f:Film {year: 2000}) RETURN f.title ORDER BY f.title", [("Beta",), ("alphabet",)]),
    ("MATCH (n) WHERE n.name = 'Ann' RETURN labels(n), n.born", [(["Person"], 1950)]),
    ("MATCH (a)-[r:ACTED_IN {role: 'Hero'}]->(f) RETURN a.name, f.title ORDER BY f.title", [("Bob", "Alpha"), ("Cid", "Beta")]),
    ("MATCH (a)-[r]->(f) WHERE a.name = 'Bob' RETURN type(r), f.name ORDER BY type(r), f.name",
     [("ACTED_IN", "Alpha"), ("ACTED_IN", "Beta"), ("DIRECTED", "alphabet"), ("KNOWS", "Cid")]),
    ("MATCH (a {name: 'Ann'})-[:DIRECTED|KNOWS]->(b) RETURN b.name ORDER BY b.name", [("Alpha",), ("Beta",), ("Bob",)]),
    ("MATCH (a {name: 'Dee'})-[:KNOWS]-(b) RETURN b.name ORDER BY b.name", [("Cid",), ("Dee",)]),
    ("MATCH (a)-[:KNOWS]->(a) RETURN a.name", [("Dee",)]),
    # No relationship twice in one MATCH, but in two
    ("MATCH (a {name: 'Dee'})-[:KNOWS]-(b)-[:KNOWS]-(c) RETURN b.name, c.name ORDER BY b.name, c.name",
     [("Cid", "Ann"), ("Cid", "Bob"), ("Dee", "Cid")]),
    ("MATCH (a {name: 'Dee'})-[:KNOWS]->(b) MATCH (b)-[:KNOWS]->(c) RETURN c.name", [("Dee",)]),
    ("MATCH (a:Person), (b:Person) RETURN count(*)", [(16,)]),
    # Variable length and paths
    ("MATCH (a {name: 'Ann'})-[:KNOWS*2..3]->(b) RETURN b.name ORDER BY b.name", [("Ann",), ("Cid",), ("Dee",)]),
    ("MATCH (a {name: 'Dee'})-[:KNOWS*0..1]->(b) RETURN b.name", [("Dee",), ("Dee",)]),
    ("MATCH p = (b)<-[:KNOWS*2]-(:Person {name: 'Ann'}) RETURN [n IN nodes(p) | n.name], length(p)",
     [(["Cid", "Bob", "Ann"], 2)]),
    ("MATCH p = (:Film {title: 'Alpha'})-[:SEQUEL*1..2]->()<-[:DIRECTED]-(d) RETURN [n IN nodes(p) | n.name], "
     "[r IN relationships(p) | type(r)] ORDER BY length(p)",
     [(["Alpha", "Beta", "Ann"], ["SEQUEL", "DIRECTED"]), (["Alpha", "Beta", "alphabet", "Bob"], ["SEQUEL", "SEQUEL", "DIRECTED"])]),
    ("MATCH p = shortestPath((a {name: 'Ann'})-[:KNOWS*..4]-(b {name: 'Dee'})) RETURN [n IN nodes(p) | n.name]",
     [(["Ann", "Cid", "Dee"],)]),
    ("MATCH p = allShortestPaths((a {name: 'Cid'})-[:ACTED_IN*..4]-(b {name: 'alphabet'})) RETURN length(p)", [(1,), (1,)]),
    ("MATCH (a {name: 'Cid'})-[r:ACTED_IN*2]-(b {name: 'Bob'}) RETURN [x IN r | x.role]", [(["Hero", "Villain"],)]),
    # OPTIONAL MATCH
    ("MATCH (a:Person) OPTIONAL MATCH (a)-[r:DIRECTED]->(f) WHERE f.year = 2000 RETURN a.name, f.title, type(r) ORDER BY a.name",
     [("Ann", "Beta", "DIRECTED"), ("Bob", "alphabet", "DIRECTED"), ("Cid", None, None), ("Dee", None, None)]),
    ("OPTIONAL MATCH (x:Person {name: 'Nobody'}) RETURN x, x.name, x.name IS NULL", [(None, None, True)]),
    # Conditions
    ("MATCH (f:Film) WHERE f.year > $year AND f.title STARTS WITH 'B' RETURN f.title", [("Beta",)]),
    ("MATCH (f:Film) WHERE NOT f.year > 1995 RETURN f.title", [("Alpha",)]),
    ("MATCH (p:Person) WHERE p.name IN $names RETURN p.name ORDER BY p.name DESC", [("Bob",), ("Ann",)]),
    ("MATCH (f:Film) WHERE 'Drama' IN f.genres AND f.title CONTAINS 'et' RETURN f.title", [("Beta",)]),
    ("MATCH (p:Person) WHERE NOT (p)-[:ACTED_IN]->() AND (p)-[:DIRECTED]->(:Film) RETURN p.name", [("Ann",)]),
    ("MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:ACTED_IN]->(f) WHERE f.year = 1990 } RETURN p.name", [("Bob",)]),
    ("MATCH (p:Person) WHERE EXISTS { (p)-[:KNOWS]->(q) WHERE NOT EXISTS { (q)-[:KNOWS]->(p) } AND q.name > 'C' } "
     "RETURN p.name ORDER BY p.name", [("Bob",), ("Cid",)]),
    ("MATCH (f:Film) WITH f SKIP 0 WHERE 'Drama' IN f.genres AND 'Film' IN labels(f) RETURN f.title ORDER BY f.title",
     [("Alpha",), ("Beta",)]),
    ("MATCH (n) WHERE n:Film AND NOT n:Person RETURN count(n)", [(4,)]),
    ("RETURN null = 1, 1 = 'a', 1 < 'a', [1, null] = [1, 2], [1, null] = [2, null], null IN [], 1 IN [null], true XOR null",
     [(None, False, None, None, False, False, None, None)]),
    # Projections and aggregates
    ("MATCH (p:Person) RETURN DISTINCT p.born ORDER BY p.born", [(1950,), (1960,), (None,)]),
    ("MATCH (p:Person {name: 'Ann'}) RETURN p.name ORDER BY null, 1, 'a', [null]", [("Ann",)]),
    ("MATCH (p:Person) RETURN p.born AS b, p.name ORDER BY b DESC, p.name LIMIT 2", [(None, "Cid"), (1960, "Bob")]),
    ("MATCH (f:Film) RETURN f.year, count(*), collect(f.title) ORDER BY f.year SKIP 1 LIMIT 1", [(2000, 2, ["Beta", "alphabet"])]),
    ("MATCH (f:Film) RETURN avg(f.score) > 80, min(f.title), max(f.year), sum(f.year), count(DISTINCT f.year)",
     [(True, "Alpha", 2000, 5990, 2)]),
    ("MATCH (f:Film) WHERE f.year = 1 RETURN count(f), sum(f.year), avg(f.year), collect(f.year)", [(0, 0, None, [])]),
    ("MATCH (p:Person)-[:ACTED_IN]->(f) WITH p, count(DISTINCT f) AS n WHERE n > 1 RETURN p.name, n + 1 ORDER BY p.name",
     [("Bob", 3), ("Cid", 3)]),
    ("MATCH (f:Film) WITH f ORDER BY f.year, f.title LIMIT 2 MATCH (f)<-[:ACTED_IN]-(p) RETURN f.title, p.name ORDER BY f.title, p.name",
     [("Alpha", "Bob"), ("Beta", "Bob"), ("Beta", "Cid")]),
    ("UNWIND [[2, 1], [], null, ['a', null]] AS list UNWIND list AS x RETURN x ORDER BY x", [("a",), (1,), (2,), (None,)]),
    ("MATCH (f:Film) WITH collect([f, f.title]) AS lists UNWIND lists AS list UNWIND list AS x WITH x WHERE x = 'Beta' OR x.title = 'Beta' RETURN count(*)",
     [(2,)]),
    ("MATCH (p:Person) WITH collect(p) AS all UNWIND all AS p RETURN p.name ORDER BY p.name LIMIT 1", [("Ann",)]),
    ("MATCH (a)-[r:ACTED_IN]->(f) WITH a, r WHERE r.role = 'Extra' RETURN a.name, r.role, type(r), endNode(r).title",
     [("Cid", "Extra", "ACTED_IN", "alphabet")]),
    ("MATCH (f:Film) RETURN f.title AS t UNION MATCH (p:Person) WHERE p.born = 1960 RETURN 'Beta' AS t",
     [("Alpha",), ("Beta",), ("Zeta",), ("alphabet",)]),
    ("UNWIND [1, 1] AS x RETURN x UNION ALL RETURN 1.5 AS x", [(1.0,), (1.0,), (1.5,)]),
    # Values
    ("RETURN 7 / 2, -7 / 2, 7 % 3, 7.0 / 2, 2 ^ 3, 1 + 2 * 3, 'a' + 1", [(3, -3, 1, 3.5, 8.0, 7, "a1")]),
    ("RETURN [1, 2, 3][-1], [1, 2, 3][1..], [1, 2, 3][5], [1] + 2 + [3], size([1, null]), $mixed",
     [(3, [2, 3], None, [1, 2, 3], 2, [1, "a", None])]),
    ("RETURN {a: 1, b: [1, 'x'], c: null} AS m, {a: {b: 2}}.a.b = 2 AS deep", [({"a": 1, "b": [1, "x"], "c": None}, True)]),
    ("UNWIND [1, 'a', true, null, [1], 2.5] AS v RETURN v ORDER BY v", [([1],), ("a",), (True,), (1,), (2.5,), (None,)]),
    ("RETURN CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END, CASE WHEN null THEN 1 ELSE 2.5 END", [("b", 2.5)]),
    ("RETURN [x IN range(1, 5) WHERE x % 2 = 1 | x * 10], [x IN null | x], any(x IN [1, null] WHERE x > 0), "
     "all(x IN [1, null] WHERE x > 0), none(x IN [] WHERE true), single(x IN [1, 2] WHERE x > 1)",
     [([10, 30, 50], None, True, None, True, True)]),
    ("MATCH (a:Person) RETURN a.name, [(a)-[:KNOWS]->(b) WHERE b.name < 'D' | b.name], COUNT { (a)-[:KNOWS]-() } ORDER BY a.name",
     [("Ann", ["Bob"], 2), ("Bob", ["Cid"], 2), ("Cid", ["Ann"], 3), ("Dee", [], 2)]),
    ("RETURN toInteger('12'), toInteger('x'), toFloat('1.5'), coalesce(null, 3), split('a,b', ','), substring('hello', 1, 3)",
     [(12, None, 1.5, 3, ["a", "b"], "ell")]),
    ("RETURN toInteger('9007199254740993'), toInteger(['9007199254740993', 1][0]), toInteger('-2.9'), toFloat('1e-3'), toInteger([9007199254740993, 'a'][0])",
     [(9007199254740993, 9007199254740993, -2, 0.001, 9007199254740993)]),
    ("RETURN toUpper('a'), trim(' a '), replace('aa', 'a', 'b'), left('abc', 2), reverse('abc'), size('abc'), abs(-2), round(2.5)",
     [("A", "a", "bb", "ab", "cba", 3, 2, 3.0)]),
    ("RETURN date('2020-02-03').year, date('2020-02-03') > date('2019-12-31'), keys({a: 1}), head([1]), last([1, 2]), tail([1, 2])",
     [(2020, True, ["a"], 1, 2, [2])]),
    # Values whose type only the row knows
    ("UNWIND [1, 2.5, null] AS x RETURN x, x + 1, x * 2, -x, x / 2, x % 2, 'a' + x, [0] + x",
     [(1, 2, 2, -1, 0, 1, "a1", [0, 1]), (2.5, 3.5, 5.0, -2.5, 1.25, 0.5, "a2.5", [0, 2.5]), (None, None, None, None, None, None, None, None)]),
    ("UNWIND [1, 2, 2.0, 4.5] AS x RETURN sum(x), avg(x), min(x), max(x), sum(DISTINCT x), count(DISTINCT x)", [(9.5, 2.375, 1, 4.5, 7.5, 3)]),
    ("UNWIND [[1], [2], [1, 2], null] AS x RETURN min(x), max(x), collect(x[0])", [([1], [2], [1, 2, 1])]),
    ("UNWIND ['b', 2, 'a'] AS x RETURN min(x), max(x)", [("a", 2)]),
    ("WITH [[1, 2], 'x'] AS l RETURN l[0][1], 2 IN l[0], l[0][1..], [x IN l[0] | x + 1], head(l[0]), size(l[0])", [(2, True, [2], [2, 3], 1, 2)]),
    ("RETURN toString([1.0][0]), 'a' + 1.0, toString({a: 2.0}.a), 7 / CASE WHEN true THEN 2 ELSE 2.5 END, coalesce(1, 2.5) / 2", [("1.0", "a1.0", "2.0", 3, 0)]),
    ("MATCH (p:Person {name: 'Cid'})-[r:ACTED_IN {role: 'Hero'}]->(f) RETURN properties(p), properties(r), properties({a: 1}), p['na' + 'me'], {a: 1}[toLower('A')]",
     [({"name": "Cid"}, {"role": "Hero"}, {"a": 1}, "Cid", 1)]),
    # Comparisons with nulls inside
    ("RETURN {a: null} = {a: 1}, {a: null} = {}, {a: null, b: 1} = {a: 2, b: 2}, [1, 2] < [1, null], [1, null] < [2], [1, 2] < [1], ['a'] <= ['a'], [1] < ['a']",
     [(None, False, False, None, True, False, True, None)]),
    # WHERE after WITH still sees what WITH leaves behind
    ("MATCH (p:Person) OPTIONAL MATCH (p)-[r:DIRECTED]->() WITH p.name AS name WHERE r IS NULL RETURN name ORDER BY name", [("Cid",), ("Dee",)]),
    ("MATCH (p:Person) WITH p.name AS name ORDER BY name LIMIT 2 WHERE p.born = 1960 RETURN name", [("Bob",)]),
    ("MATCH (p:Person) WITH p.name AS name WHERE EXISTS { (p)-[:DIRECTED]->() } RETURN name ORDER BY name", [("Ann",), ("Bob",)]),
    ("MATCH (p:Person) WITH p.name AS name, [1, 2] AS l WHERE any(x IN l WHERE x > 1) AND p.born = 1950 RETURN name", [("Ann",)]),
    ("MATCH (f:Film) WITH DISTINCT f.year AS y WHERE f.year > 1990 RETURN y", [(2000,)]),
    # What comes back of entities
    ("MATCH (p:Person {name: 'Cid'})-[r:ACTED_IN {role: 'Hero'}]->(f) RETURN p, r",
     [({"id": 3, "labels": ["Person"], "properties": {"name": "Cid"}},
       {"id": 105, "type": "ACTED_IN", "start": 3, "end": 11, "properties": {"role": "Hero"}})]),
    ("WITH 1 AS x, 'a' AS y RETURN *", [(1, "a")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FEATURES, ids=[text for text, _ in FEATURES])
def test_feature(film_rows: Films, text: str, expected: list[tuple[object, ...]], snapshot: SnapshotAssertion) -> None:
    """Its rows, its SQL, and how that is planned on tables without statistics."""
    statement = film_rows.compiled(text).statement
    found = film_rows.run(statement)
    assert f"{sql_text(statement)}\n{film_rows.plan(statement)}" == snapshot

    assert (found if "ORDER BY" in text else sorted(found, key=repr)) == (
        expected if "ORDER BY" in text else sorted(expected, key=repr)
    )


def test_columns_say_names_and_types(film_rows: Films) -> None:
    compiled = film_rows.compiled("MATCH (f:Film) RETURN f, f.title, count(*) AS n, collect(f.year) AS years")

    assert [(column.name, str(column.type)) for column in compiled.columns] == [
        ("f", "node"),
        ("f.title", "string"),
        ("n", "integer"),
        ("years", "list of integer"),
    ]


def test_one_row_more_than_the_limit_says_that_the_answer_is_cut(film_rows: Films) -> None:
    limits = Limits(rows=3)

    assert len(film_rows.rows("MATCH (n) RETURN n.name", limits)) == 4
    assert len(film_rows.rows("MATCH (n) RETURN n.name LIMIT 3", limits)) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RETURN 1 / 0", "division by zero"),
        ("UNWIND [[1], 2] AS list UNWIND list AS x RETURN x", "cannot extract elements from a scalar"),
        ("RETURN 9223372036854775807 + 1", "out of range"),
        ("RETURN date('yesterday-ish')", "date"),
        ("RETURN size(range(1, 1000000))", "more than 10000"),
        ("UNWIND [1, {a: 2}] AS x RETURN x + 1", "+ can't take these: object, number"),
        ("UNWIND [1, true] AS x RETURN x * 2", "* can't take these: boolean, number"),
        ("UNWIND [1, 'a'] AS x RETURN sum(x)", "a number is needed, this is string"),
        ("UNWIND [[1], 2] AS x RETURN x[0]", "a list is needed, this is number"),
        ("UNWIND [true, 1.5] AS x RETURN toBoolean(x)", "boolean or string is needed, this is number"),
        ("WITH [[[1]], 'x'] AS l RETURN l < [[[2]], 'x']", "lists inside values of mixed type"),
        ("RETURN toUpper([1, 'a'][0])", "string is needed, this is number"),
        ("RETURN size([1, 'a'][0])", "array or string is needed, this is number"),
        ("RETURN date('201007')", "a date is written 1998-10-23, not 201007"),
    ],
)
def test_values_that_cannot_be_computed_are_refused(film_rows: Films, text: str, said: str) -> None:
    with pytest.raises(exc.DBAPIError) as caught:
        film_rows.rows(text)

    refusal = refusal_of(caught.value)
    assert refusal is not None
    assert said in refusal.message


def test_a_plan_beyond_the_ceiling_is_refused(film_rows: Films) -> None:
    explain = Explain(film_rows.compiled("MATCH (a), (b), (c) RETURN count(*)").statement)
    ((plan,),) = film_rows.run(explain)

    checked_cost(plan, ceiling=1e15)
    with pytest.raises(QueryRefused, match="more than the 1 that are allowed"):
        checked_cost(plan, ceiling=1.0)


def test_an_open_graph_takes_unknown_names_for_empty(film_rows: Films) -> None:
    closed = film_schema()
    everything = NodeSource(
        sa.select(
            nodes.c.id,
            pg.array([nodes.c.kind]).label("labels"),
            sa.func.jsonb_build_object("name", nodes.c.name, type_=pg.JSONB()).label("bag"),
        ),
        bag="bag",
    )
    links = closed.relationships[0].edges.rows.subquery()
    by_name = sa.select(links.c.id, links.c.source, links.c.target, sa.cast(links.c.type, sa.Text()).label("type"))
    schema = GraphSchema(everything, open_edges=EdgeSource(by_name))

    def rows(text: str) -> list[tuple[object, ...]]:
        return film_rows.run(compile_query(parse(text), schema).statement)

    assert rows("MATCH (n:Nothing) RETURN n") == []
    assert rows("MATCH (n)-[:NOTHING]->() RETURN n") == []
    assert rows("MATCH (n:Person) WHERE n.name < 'B' RETURN n.name, n.nothing") == [("Ann", None)]
    assert rows("MATCH (:Person {name: 'Dee'})-[r]->(m) RETURN type(r), m.name") == [("3", "Dee")]


def test_a_failure_says_what_opencypher_calls_it(film_rows: Films) -> None:
    refusals: list[QueryRefused] = []
    for text in ("UNWIND [1, true] AS x RETURN x * 2", "RETURN 1 / 0", "RETURN size(range(1, 1000000))"):
        with pytest.raises(QueryRefused) as caught:
            _run_or_refuse(film_rows, text)
        refusals.append(caught.value)

    assert [each.fault for each in refusals] == [Fault.TYPE, Fault.ARITHMETIC, Fault.BEYOND]
    assert all(each.at_run_time for each in refusals)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_queries_are_answered_or_refused(film_rows: Films, text: str) -> None:
    counts = sa.select(*(sa.select(sa.func.count()).select_from(table).scalar_subquery() for table in (nodes, edges)))
    with suppress(QueryRefused):
        _run_or_refuse(film_rows, text)

    assert film_rows.run(counts) == [(8, 15)]


UNCHECKED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)
LONGEST_SECONDS = 10.0
"""For one query, on a busy machine; the database gives up after two."""

CEILING = 1_000_000.0
_TIMED_OUT = "57014"


@settings(max_examples=60, deadline=None, suppress_health_check=UNCHECKED, database=None, derandomize=True)
@given(hostile=hostile_queries())
def test_random_hostile_queries_are_answered_or_refused(film_rows: Films, hostile: Hostile) -> None:
    _withstands(film_rows, hostile)


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=1000, deadline=None, suppress_health_check=UNCHECKED, database=None)
@given(hostile=hostile_queries())
def test_a_thousand_random_hostile_queries_are_answered_or_refused(film_rows: Films, hostile: Hostile) -> None:
    _withstands(film_rows, hostile)


@pytest.mark.parametrize("clause", WRITES)
def test_a_write_would_succeed_without_the_guards(film_rows: Films, clause: str) -> None:
    before = film_rows.run(_FINGERPRINT)
    with pytest.raises(QueryRefused):
        film_rows.compiled(clause)
    with pytest.raises(exc.DBAPIError, match="read-only transaction"):
        film_rows.write(WRITES[clause], is_read_only=True)
    assert film_rows.write(WRITES[clause], is_read_only=False) >= 1
    assert film_rows.run(_FINGERPRINT) == before


_FINGERPRINT = sa.select(
    *(
        sa.select(
            sa.func.md5(
                sa.func.string_agg(
                    sa.cast(sa.literal_column(table.name), sa.Text()),
                    pg.aggregate_order_by(sa.literal(";"), table.c.id),
                )
            )
        )
        .select_from(table)
        .scalar_subquery()
        for table in (nodes, films, people, edges)
    )
)
"""One value for each table that changes with any of its rows."""


def _withstands(database: Films, hostile: Hostile) -> None:
    """The query is answered or refused in time, changes nothing, and raises nothing else."""
    before = database.run(_FINGERPRINT)
    started = time.monotonic()
    is_answered = _is_answered(database, hostile.text)
    assert not (is_answered and hostile.write is not None), hostile.text
    assert time.monotonic() - started < LONGEST_SECONDS, hostile.text
    assert database.run(_FINGERPRINT) == before, hostile.text


def _is_answered(database: Films, text: str) -> bool:
    try:
        compiled = database.compiled(text)
        ((plan,),) = database.run(Explain(compiled.statement))
        checked_cost(plan, CEILING)
        database.run(compiled.statement)
    except QueryRefused:
        return False
    except exc.DBAPIError as error:
        if refusal_of(error) is None and getattr(error.orig, "sqlstate", None) != _TIMED_OUT:
            raise
        return False
    return True


def _run_or_refuse(films: Films, text: str) -> None:
    try:
        films.rows(text)
    except exc.DBAPIError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error
