"""Texts to trees, and texts that are in no way in the language."""

import pytest
from cypher_sql import QueryRefused, parse
from cypher_sql import syntax as s
from cypher_sql.syntax import Direction, Position


def _match(text: str) -> s.Match:
    (clause,) = parse(f"{text} RETURN 1").parts[0].clauses
    assert isinstance(clause, s.Match)
    return clause


def _expression(text: str) -> s.Expression:
    return parse(f"RETURN {text} AS x").parts[0].returns.items[0].expression


def test_a_pattern_has_nodes_relationships_and_values() -> None:
    (path,) = _match("MATCH p = (a:Person:Actor {name: 'Ann'})<-[r:KNOWS|:LIKES*1..3 {since: $y}]-(b)").patterns

    assert path == s.PathPattern(
        nodes=(
            s.NodePattern("a", ("Person", "Actor"), (s.MapEntry("name", s.Literal("Ann", "string")),)),
            s.NodePattern("b"),
        ),
        relationships=(
            s.RelationshipPattern(
                "r",
                ("KNOWS", "LIKES"),
                (s.MapEntry("since", s.Parameter("y")),),
                Direction.LEFT,
                s.Length(1, 3),
            ),
        ),
        variable="p",
    )


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("(a)-->(b)", Direction.RIGHT),
        ("(a)<--(b)", Direction.LEFT),
        ("(a)--(b)", Direction.EITHER),
        ("(a)<-->(b)", Direction.EITHER),
        ("(a)-[:X]->(b)", Direction.RIGHT),
        ("(a) <- [:X] - (b)", Direction.LEFT),
        ("(a)-[ ]-(b)", Direction.EITHER),
        ("(a)<-[]->(b)", Direction.EITHER),
    ],
)
def test_directions(text: str, direction: Direction) -> None:
    assert _match(f"MATCH {text}").patterns[0].relationships[0].direction is direction


@pytest.mark.parametrize(
    ("text", "length"),
    [("*", (1, None)), ("*2", (2, 2)), ("*2..", (2, None)), ("*..3", (1, 3)), ("*0..3", (0, 3))],
)
def test_lengths(text: str, length: tuple[int, int | None]) -> None:
    found = _match(f"MATCH ()-[{text}]-()").patterns[0].relationships[0].length

    assert found == s.Length(*length)


def test_operators_bind_as_usual() -> None:
    one, two, three = (s.Literal(number, "integer") for number in (1, 2, 3))

    assert _expression("1 + 2 * 3") == s.Binary("+", one, s.Binary("*", two, three))
    assert _expression("(1 + 2) * 3") == s.Binary("*", s.Binary("+", one, two), three)
    assert _expression("NOT 1 = 2 AND 2 < 3 OR 3 > 1") == s.Logic(
        "OR",
        (
            s.Logic("AND", (s.Unary("NOT", s.Binary("=", one, two)), s.Binary("<", two, three))),
            s.Binary(">", three, one),
        ),
    )
    assert _expression("1 < 2 <= 3") == s.Logic("AND", (s.Binary("<", one, two), s.Binary("<=", two, three)))


def test_minus_after_an_index_is_a_minus() -> None:
    listed = s.Index(s.Variable("x"), s.Variable("i"))

    assert _expression("x[i]-(1)") == s.Binary("-", listed, s.Literal(1, "integer"))


def test_a_parenthesised_node_before_a_relationship_is_a_pattern() -> None:
    predicate = _expression("(a:Person)-[:KNOWS]->()")

    assert isinstance(predicate, s.PatternPredicate)
    assert predicate.path.nodes == (s.NodePattern("a", ("Person",)), s.NodePattern())


def test_keywords_are_names_where_only_a_name_can_stand() -> None:
    assert _expression("n.order") == s.Property(s.Variable("n"), "order")
    assert parse("MATCH (match:Where) RETURN match.limit AS end").parts[0].returns.items[0].name == "end"


def test_items_without_alias_are_named_by_their_text() -> None:
    names = [item.name for item in parse("RETURN n . title, count( * ) , `a b`").parts[0].returns.items]

    assert names == ["n . title", "count( * )", "`a b`"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", None),
        (r"'it\'s'", "it's"),
        (r"'\u30a2\n'", "ア\n"),
        (r"'\uD83D\uDE00'", "😀"),
        ('"a\'b"', "a'b"),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5e3", 1500.0),
        ("-9223372036854775808", -(2**63)),
    ],
)
def test_literals(text: str, value: object) -> None:
    if value is None:
        with pytest.raises(QueryRefused):
            _expression(text)
    else:
        found = _expression(text)
        assert isinstance(found, s.Literal)
        assert found.value == value


def test_comments_and_strings_are_not_clauses() -> None:
    query = parse("MATCH (n) /* DELETE n */ WHERE n.x = 'CREATE (m)' // SET n.x = 1\n RETURN n")

    assert [type(clause) for clause in query.parts[0].clauses] == [s.Match]


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("MATCH (n) DELETE n", 1, 11, "only reads"),
        ("MATCH (n)\n  DETACH DELETE n", 2, 3, "only reads"),
        ("CREATE (n:Film) RETURN n", 1, 1, "only reads"),
        ("MATCH (n) SET n.x = 1 RETURN n", 1, 11, "only reads"),
        ("MERGE (n) RETURN n", 1, 1, "MATCH finds"),
        ("MATCH (n) REMOVE n.x RETURN n", 1, 11, "only reads"),
        ("RETURN 1; CREATE (n)", 1, 11, "only reads"),
        ("MATCH (n) CALL db.labels() YIELD label RETURN label", 1, 11, "Procedures"),
        ("CALL { MATCH (n) RETURN n } RETURN n", 1, 1, "sub-queries"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row", 1, 1, "Files"),
        ("FOREACH (x IN [1] | CREATE (n))", 1, 1, "UNWIND"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.a = x) RETURN n", 1, 11, "UNWIND"),
        ("RETURN apoc.text.join(['a'], ',')", 1, 22, "Procedures"),
        ("MATCH (n) WHERE n.x =~ '.*' RETURN n", 1, 21, "Regular expressions"),
        ("MATCH (n) WHERE n.x != 1 RETURN n", 1, 21, "<>"),
        ("MATCH (n) WHERE n.x == 1 RETURN n", 1, 22, "one ="),
        ("SELECT * FROM nodes", 1, 1, "not SQL"),
        ("MATCH (n) RETURN n GROUP BY n.x", 1, 20, "no GROUP BY"),
        ("MATCH (n) RETURN n {.name}", 1, 20, "map projections"),
        ("MATCH (n) RETURN 'abc", 1, 18, "not closed"),
        ("MATCH (n) /* RETURN n", 1, 11, "not closed"),
        ("MATCH (n", 1, 8, "Expected"),
        ("", 1, 1, "Expected"),
    ],
)
def test_refusals_point_at_the_place_and_say_what_to_write(text: str, line: int, column: int, hint: str) -> None:
    with pytest.raises(QueryRefused) as caught:
        parse(text)

    assert (caught.value.line, caught.value.column) == (line, column)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) ＤＥＬＥＴＥ n",
        "MATCH (n) ſET n.x = 1 RETURN n",
        "MATCH (n) D/**/ELETE n",
        "MATCH (n) RETURN n ; MATCH (m) DETACH DELETE m",
        "MATCH (n) RETURN n\u2028DELETE n",
        "MATCH (n) WHERE EXISTS { MATCH (m) DELETE m } RETURN n",
        "MATCH (n) WHERE EXISTS { CREATE (m) } RETURN n",
        "RETURN '\\u0000'",
        "RETURN '\\uD800'",
        "RETURN `a\x00b`",
        "RETURN 99999999999999999999",
        "RETURN 1e999",
        "RETURN '\\q'",
        f"RETURN {'(' * 200}1{')' * 200}",
        f"RETURN {'NOT ' * 500}true",
        f"RETURN {'[' * 100}{']' * 100}",
        f"RETURN 1{' + 1' * 3000}",
        "MATCH (n)" * 2000,
        "MATCH ()-[*99999999]-() RETURN 1",
        "RETURN 1 AS x UNION RETURN 2 AS x UNION ALL RETURN 3 AS x",
    ],
)
def test_nothing_is_smuggled_and_nothing_is_endless(text: str) -> None:
    with pytest.raises(QueryRefused):
        parse(text)


def test_equal_trees_are_equal_wherever_they_stand() -> None:
    early, late = _expression("n.x"), _expression("\n\n   n.x")

    assert early == late
    assert early.at == Position(1, 8)
    assert late.at == Position(3, 4)
