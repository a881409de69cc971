"""Trees to SQL: what is refused, what is bound, and the text of the main shapes."""
# ruff: noqa: E501 -- a query stands on one line

from collections.abc import Mapping
from datetime import date
from uuid import UUID

import pytest
import sqlalchemy as sa
from cypher_sql import Fault, Limits, QueryRefused, compile_query, parse
from fixtures.film_graph import film_schema
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

_SCHEMA = film_schema()
_PARAMETERS: Mapping[str, object] = {"n": 3, "text": "x", "big": 2**63, "nul": "a\0b", "thing": object()}


def _refusal(text: str, limits: Limits | None = None) -> QueryRefused:
    with pytest.raises(QueryRefused) as caught:
        compile_query(parse(text), _SCHEMA, _PARAMETERS, limits)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("MATCH (f:Flim) RETURN f", 1, 7, "Film"),
        ("MATCH (f:Film) WHERE f:Persn RETURN f", 1, 22, "Person"),
        ("MATCH ()-[:ACTED]->() RETURN 1", 1, 9, "ACTED_IN"),
        ("MATCH (f:Film)\nRETURN f.titel", 2, 8, "title"),
        ("MATCH (p)-[:ACTED_IN]->(f)\nRETURN p.title", 2, 8, "Person"),
        ("MATCH ()-[r:ACTED_IN]->() RETURN r.rule", 1, 34, "role"),
        ("RETURN toUper('a')", 1, 8, "toupper"),
        ("MATCH (f:Film) RETURN g.title", 1, 23, "Defined: f"),
        ("MATCH (f:Film) RETURN f.title + count(*)", 1, 23, "neither a group"),
        ("MATCH (f:Film) RETURN count(count(f))", 1, 29, "inside another"),
        ("MATCH (f:Film) WHERE count(f) > 1 RETURN f", 1, 22, "Aggregate in WITH"),
        ("MATCH (f:Film) WITH f.title RETURN 1", 1, 21, "AS name"),
        ("MATCH (f:Film) RETURN f.title AS a, f.year AS a", 1, 37, "Two columns"),
        ("MATCH (f:Film) WHERE f.title RETURN f", 1, 22, "condition"),
        ("RETURN 'a' - 1", 1, 8, "can't take"),
        ("RETURN 1 IN 2", 1, 8, "needs a list"),
        ("UNWIND 3 AS x RETURN x", 1, 8, "needs a list"),
        ("RETURN $absent", 1, 8, "no value"),
        ("RETURN $big", 1, 8, "64 bits"),
        ("RETURN $nul", 1, 8, "can't be stored"),
        ("RETURN $thing", 1, 8, "object"),
        ("MATCH (f:Film) RETURN f LIMIT -1", 1, 31, "whole number"),
        ("MATCH (f:Film) RETURN f SKIP $text", 1, 30, "whole number"),
        ("MATCH (a)-[*]->(b) RETURN a", 1, 12, "upper bound"),
        ("MATCH (a)-[*1..7]->(b) RETURN a", 1, 12, "longer than 6"),
        ("MATCH (a)-[*..4]->(b)-[*..4]->(c) RETURN a", 1, 24, "smaller upper bounds"),
        ("MATCH (a)-[r:KNOWS]->(b)-[r:KNOWS]->(c) RETURN a", 1, 25, "two relationships"),
        ("MATCH (a) MATCH ()-[a]->() RETURN a", 1, 19, "is a node"),
        ("MATCH p = (a)-->(b) MATCH p = (c) RETURN p", 1, 31, "bound already"),
        ("MATCH (a) WHERE (a)-->(b) RETURN a", 1, 23, "defines nothing"),
        ("MATCH p = shortestPath((a)-->(b)) RETURN p", 1, 24, "variable-length"),
        ("MATCH (a) RETURN (a)-->()", 1, 18, "EXISTS"),
        ("RETURN 1 AS x UNION RETURN 2 AS y", 1, 28, "different columns"),
        ("RETURN *", 1, 8, "nothing that *"),
        ("RETURN toUpper()", 1, 8, "takes 1 arguments"),
        ("RETURN toUpper(*)", 1, 8, "not an aggregate"),
    ],
)
def test_refusals_point_at_the_place_and_say_what_to_write(text: str, line: int, column: int, said: str) -> None:
    refusal = _refusal(text)

    assert (refusal.line, refusal.column) == (line, column)
    assert said in f"{refusal.message} {refusal.hint}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("MATCH (n) RETURN m", Fault.SYNTAX),
        ("MATCH (n) RETURN n n", Fault.SYNTAX),
        ("MATCH ()-[r*]->(), (r) RETURN 1", Fault.SYNTAX),
        ("RETURN shout('a')", Fault.SYNTAX),
        ("MATCH (p:Person) RETURN p.born + 1, p.born + 1 + count(*)", Fault.SYNTAX),
        ("MATCH (p:Person) RETURN p.name, count(*) ORDER BY sum(p.born)", Fault.SYNTAX),
        ("RETURN [1, 2]['a']", Fault.TYPE),
        ("RETURN (1).name", Fault.TYPE),
        ("RETURN $absent", Fault.PARAMETER),
        ("RETURN duration('P1D')", Fault.BEYOND),
        ("MATCH ()-[*]->() RETURN 1", Fault.BEYOND),
        ("MATCH (f:Flim) RETURN f", Fault.BEYOND),
        ("CREATE (n)", Fault.BEYOND),
        ("RETURN 'a' =~ 'b'", Fault.BEYOND),
        ("MATCH (n) RETURN n LIMIT toInteger(1.5)", Fault.BEYOND),
    ],
)
def test_a_mistake_is_told_apart_from_what_the_language_merely_lacks(text: str, fault: Fault) -> None:
    refusal = _refusal(text)

    assert refusal.fault is fault
    assert not refusal.at_run_time


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("MATCH ()--()--()--() RETURN 1", Limits(relationships=2)),
        ("MATCH (a) WHERE EXISTS { (a)--()--() } RETURN a", Limits(relationships=1)),
        ("WITH 1 AS a WITH 2 AS b RETURN b", Limits(clauses=2)),
        ("MATCH ()-[*..2]-() RETURN 1", Limits(fan_out=100, walk_steps=9_999)),
    ],
)
def test_limits_are_the_caller_s(text: str, limits: Limits) -> None:
    compile_query(parse(text), _SCHEMA)

    assert _refusal(text, limits).message


@pytest.mark.parametrize(
    "text",
    [
        "WITH 'a' AS x " + "WITH x + x + x + x AS x " * 8 + "RETURN x",
        "RETURN [[[1]]]" + "[0..]" * 12,
        "RETURN " + "trim(" * 15 + "'a'" + ")" * 15,
    ],
)
def test_expressions_that_would_grow_without_bound_are_refused(text: str) -> None:
    assert _refusal(text).message == "The expression grows too large."


def test_nothing_that_a_query_says_becomes_sql_text() -> None:
    names = '`x"; DROP TABLE nodes; --`'
    text = (
        f"MATCH ({names}:Film {{title: 'secret-1'}}) WHERE {names}.year > 424242 RETURN 'secret-2' AS {names}, $p AS q"
    )
    parameters: Mapping[str, object] = {
        "p": ["secret-3", {"secret-4": 434343}, date(1999, 1, 2), UUID(int=7), 2.5, None, True]
    }

    statement = compile_query(parse(text), _SCHEMA, parameters).statement
    written = sql_text(statement)

    for said in ("secret", "424242", "434343", "DROP", "1999", "2.5"):
        assert said not in written
    assert {"secret-1", 424242, "secret-2", "secret-3", "secret-4"} <= set(statement.compile().params.values())


SHAPES = {
    "filter": "MATCH (f:Film) WHERE f.year >= 1990 AND f.title CONTAINS 'a' RETURN f.title ORDER BY f.title LIMIT 5",
    "group": "MATCH (p)-[:DIRECTED]->(f) RETURN p.name, count(f) AS films ORDER BY films DESC, p.name LIMIT 3",
    "intersection": "MATCH (f:Film {title: 'A'})<-[:ACTED_IN]-(p)-[:ACTED_IN]->(g:Film {title: 'B'}) RETURN p.name",
    "exclusion": "MATCH (p:Person) WHERE NOT (p)-[:ACTED_IN]->(:Film {year: 2000}) RETURN p.name",
    "exists": "MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(q) WHERE q.born > 1950 } RETURN p.name",
    "optional": "MATCH (p:Person) OPTIONAL MATCH (p)-[:DIRECTED]->(f) RETURN p.name, f.title",
    "either_way": "MATCH (p:Person)-[:KNOWS|DIRECTED]-(q) RETURN q.name",
    "walk": "MATCH (p:Person {name: 'Ann'})-[:KNOWS*1..3]->(q) RETURN DISTINCT q.name",
    "shortest": "MATCH p = shortestPath((a:Person {name: 'Ann'})-[:KNOWS*..4]-(b:Person {name: 'Dee'})) RETURN length(p)",
    "pipeline": "MATCH (p:Person)-[:ACTED_IN]->(f) WITH p, count(f) AS n WHERE n > 1 MATCH (p)-[:KNOWS]->(q) RETURN q.name, n",
    "union": "MATCH (f:Film) RETURN f.title AS name UNION MATCH (p:Person) RETURN p.name AS name",
    "entity": "MATCH (f:Film) RETURN f",
    "mixed_numbers": "UNWIND [1, 2.5] AS x RETURN sum(x + 1) AS total, max(x) AS most",
    "where_after_with": "MATCH (p:Person) WITH p.name AS name WHERE p.born = 1950 RETURN name",
    "lists_of_lists": "MATCH (f:Film) WITH collect(f.genres) AS lists UNWIND lists AS list UNWIND list AS genre RETURN genre, count(*) AS n",
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_sql_of_the_main_shapes(shape: str, sql_snapshot: SnapshotAssertion) -> None:
    statement: sa.ClauseElement = compile_query(parse(SHAPES[shape]), _SCHEMA, limits=Limits(rows=50)).statement

    assert sql_text(statement) == sql_snapshot
