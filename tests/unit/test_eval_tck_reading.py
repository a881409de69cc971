"""The TCK's notation, its outlines, its set-up statements and the choice among its scenarios."""

import pytest
from agent_evals.cypher.tck.chosen import is_read_scenario, without_writes
from agent_evals.cypher.tck.features import ExpectedError, ExpectedRows, Phase, Scenario, scenarios_of
from agent_evals.cypher.tck.made_graph import CannotMake, MadeEdge, MadeNode, made_graph
from agent_evals.cypher.tck.notation import NotationError, read_python, read_value, without_order

OUTLINE = '''
Feature: F1 - Whatever

  Scenario Outline: [1] With <kind>
    Given the binary-tree-1 graph
    And parameters are:
      | p | <value> |
    When executing query:
      """
      RETURN $p
        AS x
      """
    Then the result should be, in order (ignoring element order for lists):
      | x       |
      | <value> |
      | 'a\\|b' |

    Examples:
      | kind | value |
      | one  | 1     |
      | two  | [2]   |

    Examples:
      | kind  | value |
      | three | 'c'   |

  # Scenario: [2] Not there
  Scenario: [3] An error
    Given any graph
    When executing query:
      """
      RETURN x
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable
'''


def test_outlines_become_one_scenario_for_each_row_of_their_examples() -> None:
    first, second, third, error = scenarios_of("folder", "F1", OUTLINE)

    assert [each.name for each in (first, second, third, error)] == [
        "F1 [1] With <kind> #1",
        "F1 [1] With <kind> #2",
        "F1 [1] With <kind> #3",
        "F1 [3] An error",
    ]
    assert (second.graph, second.parameters, second.query) == (
        "binary-tree-1 graph",
        {"p": "[2]"},
        "RETURN $p\n  AS x",
    )
    assert third.expected == ExpectedRows(("x",), (("'c'",), ("'a|b'",)), is_ordered=True, lists_are_ordered=False)
    assert error.expected == ExpectedError("SyntaxError", Phase.COMPILE_TIME, "UndefinedVariable")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(:B:A {b: 1, a: 'x'})", "(:A:B {a: 'x', b: 1})"),
        ("{a: [1, null], b: {}}", "{b: {}, a: [1, null]}"),
        ("<(:A)-[:T]->()>", "<(:A) -[:T]-> ()>"),
        ("0x10", "16"),
        ("NaN", "NaN"),
        ("'it\\'s'", r"'it\'s'"),
    ],
)
def test_equal_values_are_equal_however_they_are_written(one: str, other: str) -> None:
    assert read_value(one) == read_value(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "true"),
        ("1", "'1'"),
        ("null", "'null'"),
        ("[1, 2]", "[2, 1]"),
        ("[:T]", "['T']"),
        ("[:T {a: 1}]", "[:T {a: 1.0}]"),
        ("<(:A)-[:T]->(:B)>", "<(:A)<-[:T]-(:B)>"),
        ("(:A)", "(:A {a: null})"),
        ("()", "{}"),
    ],
)
def test_other_values_differ(one: str, other: str) -> None:
    assert read_value(one) != read_value(other)


def test_members_may_be_compared_without_their_order() -> None:
    assert without_order(read_value("{a: [2, 1]}")) == without_order(read_value("{a: [1, 2]}"))
    assert without_order(read_value("[1, 1]")) != without_order(read_value("[1]"))


def test_parameters_are_plain_values() -> None:
    assert read_python("{a: [1, 2.5, 'x', null, true]}") == {"a": [1, 2.5, "x", None, True]}
    for text in ("(:A)", "1 1", "[1", "@"):
        with pytest.raises(NotationError):
            read_python(text)


def test_set_up_statements_make_a_graph() -> None:
    graph = made_graph(
        [
            "CREATE (a:B:A {num: -1, none: null})<-[:T {x: 'y'}]-(), // a comment\n (a)-[:SELF]->(a)",
            "UNWIND range(1, 2) AS i CREATE (s:S {i: i}) WITH s, i UNWIND [i, 7] AS j CREATE (s)-[:R]->({j: j})",
            "MATCH (s:S)-[r]->(t) WHERE NOT s:T DELETE r CREATE (t)-[:BACK {name: s.i + '!'}]->(s)",
        ]
    )

    nodes = list(graph.nodes.values())
    assert nodes[:2] == [MadeNode(1, ("A", "B"), {"num": -1}), MadeNode(2, (), {})]
    assert [node.properties for node in nodes[2:]] == [{"i": 1}, {"i": 2}, {"j": 1}, {"j": 7}, {"j": 2}, {"j": 7}]
    edges = list(graph.edges.values())
    assert edges[:2] == [MadeEdge(3, 2, "T", 1, {"x": "y"}), MadeEdge(4, 1, "SELF", 1, {})]
    assert [edge.properties["name"] for edge in edges[2:] if edge.type == "BACK"] == ["1!", "1!", "2!", "2!"]


@pytest.mark.parametrize(
    "statement",
    [
        "MERGE (n)",
        "CREATE (n {d: date('2020-01-01')})",
        "MATCH (a), (b) CREATE (a)-[:T]->(b)",
        "MATCH (a)-[:T]->(b) DELETE a",
        "CREATE (n) WITH collect(n) AS all CREATE (m)",
        "CREATE (n",
    ],
)
def test_a_set_up_beyond_that_is_said(statement: str) -> None:
    with pytest.raises(CannotMake):
        made_graph([statement])


def _scenario(folder: str, query: str) -> Scenario:
    return Scenario(folder, query, "", (), {}, query, ExpectedRows((), (), is_ordered=False, lists_are_ordered=True))


def test_scenarios_are_chosen_by_folder_and_by_what_their_query_says() -> None:
    asked = [
        _scenario("return", "RETURN 'CREATE' AS `set` // MERGE"),
        _scenario("return", "RETURN [x IN [1] | x] AS l"),
        _scenario("return", "RETURN [(a)-->(b) | b.name] AS l"),
        _scenario("return", "RETURN percentileDisc(1, 0.5)"),
        _scenario("return", "RETURN [(1)] AS l, 1 IN [2]"),
        _scenario("temporal", "RETURN 1"),
        _scenario("quantifier", "RETURN 1"),
    ]
    writing = [
        _scenario("merge", "RETURN 1"),
        _scenario("call", "CALL x()"),
        _scenario("return", "MATCH (n) SET n.x = 1"),
    ]

    assert without_writes([*asked, *writing]) == asked
    assert [is_read_scenario(each) for each in asked] == [True, False, False, False, True, False, False]
