"""What no row holds is said to be unknown: whoever is on the way to it is no answer."""

import pytest
from agent_core.schemas import AnswerStatus
from datastore.edges import EdgeType
from fixtures.rule_based_world import RuleWorld


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "What did the studio pay for the music of Zorblax?",
            "The catalogue doesn't record a payment for Zorblax [1].",
        ),
        ("Why did the director of Zorblax leave?", "The catalogue doesn't record a reason for Zorblax [1]."),
        (
            "How many weeks did it take to animate Zorblax?",
            "The catalogue doesn't record such a count for Zorblax [1].",
        ),
    ],
)
async def test_an_asked_amount_or_reason_is_not_answered_by_a_person(question: str, answer: str) -> None:
    response = await RuleWorld().ask(question)
    assert (response.status, response.answer) == (AnswerStatus.NOT_FOUND, answer)


async def test_of_two_parts_the_known_one_is_answered() -> None:
    response = await RuleWorld().ask("Who directed Zorblax and what was the director paid?")
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == (
        "Zorblax was directed by Mirelle Ostrander [1]. The catalogue doesn't record a payment for Zorblax [2]."
    )


async def test_beside_a_known_field_the_unknown_one_is_named() -> None:
    response = await RuleWorld().ask("How many episodes does Zorblax have and what was its budget?")
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == ("Zorblax has 64 episodes [1]. The catalogue doesn't record a budget for Zorblax [1].")


@pytest.mark.parametrize(
    "other", ["who hung the layout sheets?", "is photography allowed?", "may I borrow the layout sheets?"]
)
async def test_a_part_without_a_word_for_it_is_missing_all_the_same(other: str) -> None:
    response = await RuleWorld().ask(f"How many episodes does Zorblax have, and {other}")
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == (
        "Zorblax has 64 episodes [1]. The catalogue doesn't record the other part of the question for Zorblax [1]."
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The kind of its source is no more than the source says itself.
        (
            "What is the movie Zorblax Nights based on?",
            "Zorblax Nights is an adaptation of Quindle Vortex [1].",
        ),
        ("If I want to buy the whole Zorblax anime, how many episodes is that?", "Zorblax has 64 episodes [1]."),
    ],
)
async def test_a_complete_answer_denies_nothing(question: str, answer: str) -> None:
    world = RuleWorld()
    world.catalogue.link(world.nights, EdgeType.ADAPTATION_OF, world.quindle)
    response = await world.ask(question)
    assert (response.status, response.answer) == (AnswerStatus.ANSWERED, answer)
