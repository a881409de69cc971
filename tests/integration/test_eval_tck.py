"""`enishi eval tck`: every verdict on scenarios of our own, some drawn from the TCK, and the whole of it."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from agent_evals.cypher.tck.chosen import is_read_scenario, without_writes
from agent_evals.cypher.tck.evaluate import ask_scenarios, tck_archive
from agent_evals.cypher.tck.features import read_archive, scenarios_of
from agent_evals.cypher.tck.judging import Outcome
from agent_evals.cypher.tck.report import TckReport
from enishi.commands.evaluating_language import LanguageData, LanguageEvaluation, run_language_eval
from enishi.settings import Settings

SEED = 2026

FEATURE = '''
Feature: Own1 - Every verdict

  Background:
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {num: 1})-[:T {x: 2.0}]->(b:B:C {list: [1, 'x']})
      """

  Scenario: [1] Rows in any order
    When executing query:
      """
      MATCH (n) RETURN n, n.num + 1 AS more
      """
    Then the result should be, in any order:
      | n                           | more |
      | (:C:B {list: [1, 'x']})     | null |
      | (:A {num: 1})               | 2    |
    And no side effects

  Scenario: [2] A path
    When executing query:
      """
      MATCH p = (:B)<-[r]-(:A) RETURN p, r
      """
    Then the result should be, in any order:
      | p                                                      | r              |
      | <(:B:C {list: [1, 'x']})<-[:T {x: 2.0}]-(:A {num: 1})> | [:T {x: 2.0}] |

  Scenario: [3] Another order
    When executing query:
      """
      UNWIND [1, 2] AS x RETURN x ORDER BY x
      """
    Then the result should be, in order:
      | x |
      | 2 |
      | 1 |

  Scenario Outline: [4] A whole number is no float
    When executing query:
      """
      RETURN <value> AS x
      """
    Then the result should be, in any order:
      | x   |
      | 1.0 |

    Examples:
      | value |
      | 1.0   |
      | 1     |

  Scenario: [5] The order of members doesn't count
    When executing query:
      """
      RETURN [1, 2] AS x
      """
    Then the result should be (ignoring element order for lists):
      | x      |
      | [2, 1] |

  Scenario Outline: [6] Errors
    When executing query:
      """
      RETURN <value> AS x
      """
    Then a <class> should be raised at <phase>: Any

    Examples:
      | value             | class           | phase        |
      | nothing           | SyntaxError     | compile time |
      | nothing           | TypeError       | compile time |
      | nothing           | SyntaxError     | runtime      |
      | 1 / 0             | ArithmeticError | runtime      |
      | [1, 2]['a']       | TypeError       | any time     |
      | 1                 | SyntaxError     | compile time |
      | localtime('10')   | SyntaxError     | compile time |

  Scenario: [7] Nothing
    And parameters are:
      | kinds | ['A', 'Z'] |
    When executing query:
      """
      MATCH (n) WHERE n.num > 7 AND labels(n)[0] IN $kinds RETURN n
      """
    Then the result should be empty

  Scenario: [8] A set-up that isn't read
    And having executed:
      """
      MATCH (n) SET n.num = 2
      """
    When executing query:
      """
      RETURN 1 AS x
      """
    Then the result should be, in any order:
      | x |
      | 1 |
'''


async def test_scenarios_pass_are_refused_or_are_wrong(empty_database_url: str) -> None:
    scenarios = list(scenarios_of("own", "Own1", FEATURE))

    verdicts = await ask_scenarios({}, scenarios, empty_database_url)

    outcomes = {each.scenario.name.removeprefix("Own1 "): each.outcome for each in verdicts}
    passed, refused, wrong = Outcome.PASSED, Outcome.REFUSED, Outcome.WRONG
    assert list(outcomes.values()) == [
        *(passed, passed, wrong),
        *(passed, wrong),
        passed,
        *(passed, refused, refused, passed, passed, wrong, refused),
        *(passed, refused),
    ]
    said = {each.scenario.name: each.said for each in verdicts}
    assert said["Own1 [3] Another order"] == "in another order"
    assert said["Own1 [6] Errors #6"] == "answered instead of SyntaxError"
    report = TckReport(20, verdicts)
    assert report.shortfalls == ("53.3% of the read scenarios pass, 85% wanted", "3 are wrong, none may be")
    assert report.to_table().splitlines()[-1] == "tck: 8 passed, 4 refused, 3 wrong"
    assert json.loads(report.to_json())["refused_by_class"]["read"] == {
        "other": 2,
        "times and durations": 1,
        "set-up that isn't read": 1,
    }


@pytest.mark.data
async def test_drawn_scenarios_are_answered_rightly_or_refused(data_folder: Path, empty_database_url: str) -> None:
    with tck_archive(data_folder).open("rb") as file:
        archive = read_archive(file)
    asked = without_writes(archive.scenarios)
    read = [each for each in asked if is_read_scenario(each)]
    assert (len(archive.scenarios), len(asked), len(read)) == (3897, 3527, 1857)

    verdicts = await ask_scenarios(archive.graphs, Random(SEED).sample(read, 40), empty_database_url)

    outcomes = Counter(each.outcome for each in verdicts)
    assert [each.scenario.name for each in verdicts if each.outcome is Outcome.WRONG] == []
    assert outcomes[Outcome.PASSED] >= 32


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(900)
async def test_the_whole_tck_meets_its_goals(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = LanguageEvaluation(LanguageData.TCK, data_folder, show_failures=False, as_json=True)

    assert await run_language_eval(Settings(), evaluation) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["expanded"] == 3897
    assert report["without_writes"]["scenarios"] == 3527
    assert report["read"]["scenarios"] == 1857
    assert report["read"]["passed"] >= 1640
    assert report["wrong"] == []
    assert "other" not in report["refused_by_class"]["without_writes"]
