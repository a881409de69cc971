"""Which model-written queries are asked, how their rows are compared, and what the report says."""

import json

import pytest
from agent_evals.cypher.agreement import HandWritten, disagreement
from agent_evals.cypher.database import Cells
from agent_evals.cypher.hand_written import HAND_WRITTEN
from agent_evals.cypher.refusal_classes import reason_class
from agent_evals.cypher.selection import CypherQuestion, Selection, select
from agent_evals.cypher.text2cypher_report import Answered, Compared, Text2CypherReport
from cypher_sql import QueryRefused, parse


def row(cypher: str, **changes: str) -> dict[str, str]:
    usual = {
        "database": "movies",
        "syntax_error": "False",
        "timeout": "False",
        "false_schema": "",
        "returns_results": "True",
    }
    return {"cypher": cypher, **usual, **changes}


def test_each_step_of_the_selection_leaves_what_it_should() -> None:
    selection = select(
        [
            row("other", database="twitter"),
            row("fine, 'set' and \"create\" are texts"),
            row("broken", syntax_error="True"),
            row("slow", timeout="True"),
            row("strange", false_schema="Person.roles"),
            row("MATCH (m) Set m.x = 1"),
            row("MATCH (m) WHERE m.Votes > 1 RETURN m"),
            row("MATCH (m) RETURN m.devotes", returns_results="False"),
        ]
    )

    assert (selection.on_movies, selection.clean, selection.read_only) == (7, 4, 3)
    assert [(each.number, each.has_rows) for each in selection.questions] == [(1, True), (7, False)]
    assert [each.number for each in selection.with_rows] == [1]


def test_a_seed_draws_the_same_questions_again() -> None:
    selection = Selection(9, 9, 9, tuple(CypherQuestion(number, "", number % 2 == 0) for number in range(100)))

    drawn = selection.drawn(7, 10)

    assert drawn == selection.drawn(7, 10) != selection.drawn(8, 10)
    assert len({each.number for each in drawn}) == 10
    assert all(each.has_rows for each in drawn)
    assert len(selection.drawn(7, 1000)) == 50


@pytest.mark.parametrize(
    ("found", "expected", "limit", "keys", "said"),
    [
        ([("a",), ("b",)], [("b",), ("a",)], None, 0, ""),
        ([("a",)], [("b",), ("a",)], None, 0, "1 rows instead of 2"),
        ([("a",)], [("b",), ("a",)], 1, 0, ""),
        ([("a",), ("a",)], [("a",), ("b",), ("c",)], 2, 0, '["a"] is wrong here'),
        ([("a", 2), ("b", 1)], [("a", 2, 2), ("b", 1, 1), ("c", 1, 1)], 2, 1, ""),
        ([("a", 2), ("c", 1)], [("a", 2, 2), ("b", 1, 1), ("c", 1, 1)], 2, 1, ""),
        ([("c", 1), ("a", 2)], [("a", 2, 2), ("b", 1, 1), ("c", 1, 1)], 2, 1, '["c", 1.0] is wrong here'),
        ([(["x", "y"], 0.5)], [(["y", "x"], 0.5)], None, 0, ""),
        ([(["x", "x"],)], [(["x"],)], None, 0, '[["x", "x"]] is wrong here'),
        ([({"id": 3, "labels": ["P"], "properties": {"name": "A"}},)], [('{"name": "A"}',)], None, 0, ""),
        ([(None,)], [("",)], None, 0, "[null] is wrong here"),
        ([(True,)], [(1,)], None, 0, "[true] is wrong here"),
    ],
)
def test_rows_agree_up_to_ties_and_open_orders(
    found: list[Cells], expected: list[Cells], limit: int | None, keys: int, said: str
) -> None:
    assert disagreement(found, expected, HandWritten("", limit, keys)) == said


def test_the_report_counts_rows_refusals_and_agreement() -> None:
    questions = tuple(CypherQuestion(number, f"q{number}", number < 4) for number in range(5))
    rows = (3, 1, 0, None, 0)
    answered = [Answered(question, count) for question, count in zip(questions, rows, strict=True)]
    answered[3] = Answered(questions[3], None, "line 1, column 2: Why.", "other")
    compared = (Compared(questions[0], ""), Compared(questions[1], "1 rows instead of 2"))

    report = Text2CypherReport(Selection(9, 8, 7, questions), tuple(answered), compared)

    assert report.share_with_rows == 0.5
    assert report.shortfalls == ("50.0% return rows, 95% wanted", "1 of 2 drawn agree with SQL by hand, all wanted")
    said = json.loads(report.to_json())
    assert said["selection"] == {"on_movies": 9, "clean": 8, "read_only": 7, "asked": 5, "with_rows": 4}
    assert said["refused_by_reason"] == {"other": 1}
    assert [each["question"]["number"] for each in said["without_rows"]] == [2]
    assert report.to_failures().splitlines() == [
        "REFUSED 3: q3",
        "    line 1, column 2: Why.",
        "WITHOUT ROWS 2: q2",
        "DIFFERENT 1: q1",
        "    1 rows instead of 2",
    ]


def test_all_goals_met_is_no_shortfall() -> None:
    question = CypherQuestion(0, "q", has_rows=True)
    report = Text2CypherReport(Selection(1, 1, 1, (question,)), (Answered(question, 1),), (Compared(question, ""),))

    assert report.shortfalls == ()
    assert report.to_table().splitlines()[-1].split() == ["agree", "with", "SQL", "by", "hand", "1", "of", "1"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MATCH (m) WHERE m.t =~ 'x' RETURN m", "regular expression"),
        ("CALL db.labels()", "procedure or namespaced function"),
        ("RETURN apoc.coll.toSet([1])", "procedure or namespaced function"),
        ("MATCH (m) RETURN m {.title}", "sub-query or map projection"),
        ("MATCH (m) RETURN m m", "other"),
    ],
)
def test_refusals_have_a_class(text: str, reason: str) -> None:
    with pytest.raises(QueryRefused) as caught:
        parse(text)

    assert reason_class(caught.value) == reason


def test_sql_by_hand_only_reads_and_sorts_where_it_names_keys() -> None:
    assert len(HAND_WRITTEN) == 40
    for each in HAND_WRITTEN.values():
        assert each.sql.startswith("SELECT ")
        assert ("ORDER BY" in each.sql) == (each.keys > 0)
