"""`enishi eval metaqa` and `text2cypher`: small graphs of our own asked in the language, and the whole public ones."""

import json
from pathlib import Path

import pytest
from agent_evals.cypher.agreement import HandWritten
from agent_evals.cypher.create_statements import created_graph
from agent_evals.cypher.database import fill
from agent_evals.cypher.metaqa import TEXTS, ask_questions
from agent_evals.cypher.metaqa_graph import METADATA as FACTS
from agent_evals.cypher.metaqa_graph import metaqa_rows
from agent_evals.cypher.metaqa_report import HopQuestion
from agent_evals.cypher.movies_graph import METADATA as MOVIES
from agent_evals.cypher.movies_graph import movies_rows
from agent_evals.cypher.selection import CypherQuestion, Selection
from agent_evals.cypher.text2cypher import ask_selection
from enishi.commands.errors import UsageError
from enishi.commands.evaluating_language import LanguageData, LanguageEvaluation, run_language_eval
from enishi.settings import Settings

LINES = (
    "Heat|directed_by|Mann\n",
    "Ali|directed_by|Mann\n",
    "Mann|starred_actors|Mann\n",
    "Ali|release_year|2001\n",
    "Heat|release_year|1995\n",
    "Heat|starred_actors|Pacino\n",
    "Heat|has_tags|crime\n",
)
STATEMENTS = """
CREATE (Heat:Movie {title:'Heat', released:1995}), (Ali:Movie {title:'Ali', released:2001})
CREATE (Mann:Person {name:'Mann', born:1943}), (Al:Person {name:'Al'})
CREATE (Mann)-[:DIRECTED]->(Heat), (Mann)-[:DIRECTED]->(Ali), (Al)-[:ACTED_IN {roles:['Vincent', 'V']}]->(Heat);
"""


async def test_answers_are_whole_sets_without_the_topic_itself(empty_database_url: str) -> None:
    await fill(empty_database_url, FACTS, metaqa_rows(LINES))
    questions = [
        HopQuestion("1", "movie_to_director_to_movie_to_year", "Heat", frozenset({"2001"})),
        HopQuestion("2", "director_to_movie", "Mann", frozenset({"Heat", "Ali"})),
        HopQuestion("3", "actor_to_movie", "Mann", frozenset()),
        HopQuestion("4", "tag_to_movie", "crime", frozenset({"Heat", "Ali"})),
        HopQuestion("5", "movie_to_actor", "Heat", frozenset()),
        HopQuestion("6", "movie_to_price", "Heat", frozenset({"5"})),
    ]

    report = await ask_questions(empty_database_url, questions)

    assert (report.asked, report.right) == (6, 3)
    assert report.to_failures().splitlines() == [
        "WRONG 6 Heat: there is no text for its type",
        "WRONG 5 Heat: missing [], too many ['Pacino']",
        "WRONG 4 crime: missing ['Ali'], too many []",
    ]
    assert report.shortfalls[-1] == "tag_to_movie: 0 of 1 right"
    said = json.loads(report.to_json())
    assert said["by_hops"]["1"] == {"asked": 4, "right": 2}
    assert said["totals"] == {"asked": 6, "right": 3, "types": 6}


def test_each_type_has_a_text_of_as_many_steps_as_its_name() -> None:
    assert len(TEXTS) == 47
    for name, text in TEXTS.items():
        assert text.count("-[:") == name.count("_to_"), name


async def test_queries_are_run_and_compared_with_sql(empty_database_url: str) -> None:
    await fill(empty_database_url, MOVIES, movies_rows(created_graph(STATEMENTS)))
    texts = (
        "MATCH (p:Person)-[:DIRECTED]->(m) RETURN p.name, count(m) AS n",
        "MATCH (p:Person)-[r:ACTED_IN]->() RETURN p, r.roles",
        "MATCH (m:Movie) RETURN m.title ORDER BY m.released",
        "MATCH (m:Movie) WHERE m.released > 3000 RETURN m.title",
        "MATCH (m:Movie) RETURN m.votes",
        "MATCH (m:Movie) RETURN m.released / (m.released - 1995)",
    )
    questions = tuple(CypherQuestion(number, text, has_rows=True) for number, text in enumerate(texts))
    by_hand = {
        0: HandWritten("SELECT 'Mann', 2"),
        1: HandWritten("""SELECT '{"name": "Al"}', ARRAY['Vincent', 'V']"""),
        2: HandWritten("SELECT title, -released FROM movie ORDER BY released DESC", keys=1),
        4: HandWritten("SELECT 1"),
    }

    report = await ask_selection(empty_database_url, Selection(6, 6, 6, questions), by_hand)

    assert [each.rows for each in report.answered] == [1, 1, 2, 0, None, None]
    assert report.reasons == {"unknown label, type or property": 1, "failed when it ran": 1}
    differences = {each.question.number: each.difference for each in report.compared}
    assert differences[0] == differences[1] == ""
    assert differences[2] == '["Heat"] is wrong here'
    assert differences[3] == "no SQL was written for it"
    assert differences[4].startswith("refused: line 1, column 24")


@pytest.mark.parametrize("questions", LanguageData)
async def test_missing_data_is_said_with_both_ways_to_name_it(questions: LanguageData, tmp_path: Path) -> None:
    def asked(data: Path | None) -> LanguageEvaluation:
        return LanguageEvaluation(questions, data, show_failures=False, as_json=True)

    with pytest.raises(UsageError, match=f"{questions} needs a folder.*--data .*ENISHI_DATA"):
        await run_language_eval(Settings(data=None), asked(None))
    with pytest.raises(UsageError, match=r"bench/.* is not there; --data or ENISHI_DATA"):
        await run_language_eval(Settings(data=tmp_path), asked(None))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(300)
async def test_model_written_queries_return_rows_and_agree_with_sql(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation = LanguageEvaluation(LanguageData.TEXT2CYPHER, data_folder, show_failures=False, as_json=True)

    assert await run_language_eval(Settings(), evaluation) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["selection"] == {"on_movies": 767, "clean": 722, "read_only": 722, "asked": 640, "with_rows": 476}
    assert report["agreeing"] == len(report["compared"]) == 40
    assert report["without_rows"] == []


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1800)
async def test_every_question_of_metaqa_gets_exactly_its_answers(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation = LanguageEvaluation(LanguageData.METAQA, data_folder, show_failures=False, as_json=False)

    assert await run_language_eval(Settings(), evaluation) == 0

    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 1 + 47 + 1
    assert shown[-1].split() == ["all", "30186", "30186"]
