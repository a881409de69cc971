"""Marks that belong to a title stay out of the grammar's way; what one side of a comparison is, the other is too."""

import pytest
from agent_core.schemas import AnswerKind, AskedField
from datastore.vocabulary import EntityType
from fixtures.readings import read

_NAMES = ("Vantor Peaks", "Mirelle Tides")


@pytest.mark.parametrize(
    "question",
    [
        "Which is longer, the Vantor Peaks!! manga or Mirelle Tides?",
        "Is the Vantor Peaks! manga longer than Mirelle Tides?",
        "Is Vantor Peaks longer than the Mirelle Tides manga?",
    ],
)
def test_both_sides_are_of_the_kind_that_one_is_said_to_be(question: str) -> None:
    rewrite = read(question, _NAMES)
    assert rewrite.answer_kind is AnswerKind.COMPARISON
    assert [mention.entity_types for mention in rewrite.mentions] == [(EntityType.MANGA,), (EntityType.MANGA,)]


def test_two_kinds_stay_two() -> None:
    rewrite = read("Which is longer, the Vantor Peaks anime or the Vantor Peaks manga?", _NAMES)
    assert [mention.entity_types for mention in rewrite.mentions] == [(EntityType.ANIME,), (EntityType.MANGA,)]


def test_a_mark_before_a_new_sentence_still_ends_one() -> None:
    rewrite = read("I love Vantor Peaks! Who directed it?", _NAMES)
    assert [relation.qualifier for relation in rewrite.relations] == ["director"]


@pytest.mark.parametrize("question", ["Who is taller, Vantor Peaks or Mirelle Tides?", "How tall is Vantor Peaks?"])
def test_heights_are_in_no_catalogue(question: str) -> None:
    assert read(question, _NAMES).asked_fields == (AskedField.UNSUPPORTED,)


@pytest.mark.parametrize(
    ("question", "is_film"),
    [
        ("Who directed the movie Vantor Peaks?", True),
        ("When did the Vantor Peaks film come out?", True),
        ("Who directed Vantor Peaks (movie)?", True),
        ("Who directed the anime Vantor Peaks?", False),
        ("Is Vantor Peaks a movie?", False),
    ],
)
def test_a_name_is_known_to_be_called_a_film(question: str, is_film: bool) -> None:
    (mention,) = read(question, _NAMES).mentions
    assert (mention.text, mention.is_film) == ("Vantor Peaks", is_film)
