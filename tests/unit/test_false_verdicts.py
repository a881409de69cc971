"""A question about something that the catalogue lacks is not answered with `Yes` for what it has."""

import pytest
from agent_core.schemas import AnswerStatus
from fixtures.readings import read
from fixtures.rule_based_world import RuleWorld


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Did Mirelle Ostrander direct Our House?", "Our House"),
        ("Was Your Other Side directed by Mirelle Ostrander?", "Your Other Side"),
        ("Does Tavrik appear in Our House?", "Our House"),
        ("Did Tavrik appear in The Other Side?", "The Other Side"),
        ("Which characters does Yuna Brask voice in Our House?", "Our House"),
        ("Is Zorblax based on Our House?", "Our House"),
    ],
)
async def test_a_title_of_ordinary_words_that_nothing_bears_is_missed(question: str, name: str) -> None:
    response = await RuleWorld().ask(question)
    assert response.status is AnswerStatus.NOT_FOUND
    assert f"mention:{name}" in response.missing
    assert "Yes" not in response.answer


@pytest.mark.parametrize(
    "question",
    [
        "did mirelle ostrander direct our house?",
        "Did Mirelle Ostrander direct your other film?",
        "Did Mirelle Ostrander direct that one about the sea?",
        "Has Mirelle Ostrander directed any of these?",
        "Did Brennick Sorrel write it?",
        "Did the same studio make both seasons of Zorblax?",
    ],
)
async def test_what_no_name_stands_for_is_not_said_to_be_so(question: str) -> None:
    response = await RuleWorld().ask(question)
    assert not response.answer.removeprefix("Among the matches found: ").startswith(("Yes", "No,"))


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Did Mirelle Ostrander direct Zorblax?", "Yes, "),
        ("Did Mirelle Ostrander direct anything?", "Yes, "),
        ("Did Brennick Sorrel direct Zorblax?", "No, "),
        ("Does Tavrik appear in Zorblax Nights?", "Yes, "),
        ("Did anyone other than Brennick Sorrel write the music for Zorblax?", "No, "),
    ],
)
async def test_what_can_be_told_is_told(question: str, opening: str) -> None:
    assert (await RuleWorld().ask(question)).answer.startswith(opening)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who directed Our House?", ["Our House"]),
        ("What is the source of The Other Side?", ["The Other Side"]),
        ("Which TV series by Plimf have the genres Comedy and Slice of Life?", ["Plimf"]),
        ("Who voices Hope and Faith?", ["Hope", "Faith"]),
        ("Who wrote Zorblax and Hope?", ["Zorblax", "Hope"]),
        ("Compare Quargo and Blixen.", ["Quargo", "Blixen"]),
        # Whoever writes all words large tells no names from words by it.
        ("Who Directed The Movie Zorblax?", ["Zorblax"]),
        ("WHO DIRECTED ZORBLAX?", ["ZORBLAX"]),
        ("Who directed the Movie Zorblax?", ["Zorblax"]),
    ],
)
def test_capitals_tell_names_where_other_words_have_none(question: str, names: list[str]) -> None:
    assert [mention.text for mention in read(question).mentions] == names
