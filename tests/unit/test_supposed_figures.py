"""Whether a figure is what a question supposes: a limit is held against the row, not taken for the number itself."""

import pytest
from fixtures.readings import brief, read
from fixtures.rule_based_world import RuleWorld

EPISODES, MINUTES = "Zorblax has 64 episodes [1].", "Zorblax Nights runs 105 minutes [1]."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Zorblax have more than 60 episodes?", f"Yes, {EPISODES}"),
        ("Does Zorblax have more than 64 episodes?", f"No, {EPISODES}"),
        ("Does Zorblax have at least 64 episodes?", f"Yes, {EPISODES}"),
        ("Does Zorblax have fewer than twenty episodes?", f"No, {EPISODES}"),
        ("Does Zorblax have 64 episodes?", f"Yes, {EPISODES}"),
        ("Does Zorblax have 12 episodes?", f"No, {EPISODES}"),
        ("Does Zorblax Nights have 64 episodes?", "No, Zorblax Nights has 1 episode [1]."),
        # Near a number is neither that number nor another.
        ("Does Zorblax have around 60 episodes?", EPISODES),
        ("Is Zorblax Nights longer than two hours?", f"No, {MINUTES}"),
        ("Is Zorblax Nights over 100 minutes long?", f"Yes, {MINUTES}"),
    ],
)
async def test_a_limit_is_held_against_the_figure(question: str, answer: str) -> None:
    assert (await RuleWorld().ask(question)).answer == answer


def test_two_names_are_still_compared() -> None:
    assert brief(read("Is Zorblax longer than Zorblax Nights?")).startswith("compare: Zorblax + Zorblax Nights")
