"""What a question leaves out by name is no part of its answer."""

import pytest
from fixtures.rule_based_world import RuleWorld


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Besides Zorblax, what did Mirelle Ostrander direct?", "Mirelle Ostrander directed Zorblax Nights [1]."),
        ("What did Mirelle Ostrander direct apart from Zorblax?", "Mirelle Ostrander directed Zorblax Nights [1]."),
        ("Who besides Yuna Brask voices Tavrik?", "The catalogue doesn't list another voice actor of Tavrik than"),
        (
            "Did anyone other than Brennick Sorrel write the music for Zorblax?",
            "No, the catalogue doesn't list another composer of Zorblax than Brennick Sorrel [1].",
        ),
        ("Who voices Tavrik?", "Tavrik is voiced by Yuna Brask [1]."),
        ("Which characters besides Tavrik and Nemmi appear in Zorblax?", "Zorblax features Ossa [1]."),
        # A person goes by one name of two; a title by all of it.
        ("Who besides Ostrander directed Zorblax?", "doesn't list another director of Zorblax than Mirelle Ostrander"),
    ],
)
async def test_what_is_excepted_is_left_out(question: str, answer: str) -> None:
    assert answer in (await RuleWorld().ask(question)).answer
