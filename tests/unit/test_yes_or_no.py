"""Yes and no stand only where they answer what was asked."""

import pytest
from fixtures.rule_based_world import RuleWorld


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Zorblax a movie or an anime?", "Zorblax is a TV series [1]."),
        ("Is Zorblax a movie?", "No, Zorblax is a TV series [1]."),
        ("Did any woman direct a Studio Plimf film?", "The catalogue doesn't record that for Studio Plimf [1]."),
        (
            "Has Mirelle Ostrander worked with Brennick Sorrel?",
            "Yes, Mirelle Ostrander directed Zorblax [1]. Brennick Sorrel composed the music of Zorblax [2].",
        ),
        (
            "Has Mirelle Ostrander worked with Yuna Brask?",
            "No, the catalogue doesn't list a work that Mirelle Ostrander and Yuna Brask share",
        ),
    ],
)
async def test_yes_and_no_answer_what_was_asked(question: str, answer: str) -> None:
    assert answer in (await RuleWorld().ask(question)).answer
