"""A month or a day that a question names is held against the row's own date, and is no name."""

import pytest
from agent_core.agents.rule_based.date_checks import is_then
from fixtures.readings import brief, read
from fixtures.rule_based_world import RuleWorld

STARTED, RELEASED = "Zorblax started on 5 April 2009 [1].", "Zorblax Nights was released in July 2011 [1]."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was Zorblax released in April 2009?", f"Yes, {STARTED}"),
        ("Was Zorblax released in May 2009?", f"No, {STARTED}"),
        ("Did Zorblax start on 5 April 2009?", f"Yes, {STARTED}"),
        ("Did Zorblax start on April 6, 2009?", f"No, {STARTED}"),
        ("Did Zorblax premiere before September 2010?", f"Yes, {STARTED}"),
        ("Was Zorblax Nights released in July 2011?", f"Yes, {RELEASED}"),
        # Of a month nobody knows the day.
        ("Was Zorblax Nights released on 3 July 2011?", RELEASED),
    ],
)
async def test_a_month_is_held_against_the_date(question: str, answer: str) -> None:
    assert (await RuleWorld().ask(question)).answer == answer


@pytest.mark.parametrize(
    ("value", "question", "verdict"),
    [
        ("2009", "Did it start in April 2009?", None),
        ("2010", "Did it start in April 2009?", False),
        ("no date", "Did it start in April 2009?", None),
        ("2009-04-05", "Did it start?", None),
    ],
)
def test_what_is_told_less_closely_decides_nothing(value: str, question: str, verdict: bool | None) -> None:
    assert is_then(value, question) is verdict


async def test_matches_of_another_month_are_left_out() -> None:
    world = RuleWorld()
    response = await world.ask("Which anime came out in April 2009?")
    assert [ref.name for ref in response.result_entities] == ["Zorblax"]


def test_a_month_beside_a_name_that_is_not_known_stays_out_of_it() -> None:
    assert brief(read("Who directed Zorblax in July 2009?")).startswith("Zorblax | has_staff[director]")


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("horror or drama anime about the sea with under 30 episodes", "The closest match found is Zorblax Nights"),
        ("good anime about the sea with 30 episodes", "Without all of the conditions, the closest match found is"),
    ],
)
async def test_matches_beyond_a_limit_are_left_out(question: str, start: str) -> None:
    assert (await RuleWorld().ask(question)).answer.startswith(start)
