"""What is asked beside a picture: what it is, or more about what it shows."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.picture_questions import about_what_is_shown, only_asks_what_it_is
from agent_core.evidence import EntityRef
from datastore.vocabulary import EntityType

WORK = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="Moon Gate")
PRINTED = EntityRef(entity_type=EntityType.MANGA, id=UUID(int=3), name="Paper Comet")
SOMEBODY = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=2), name="Ruri Tano")


@pytest.mark.parametrize(
    "question",
    [
        "What is this?",
        "Which anime is this picture from?",
        "who's this character",
        "Source?",
        "sauce please",
        "Can you tell me the name of the movie in this screenshot?",
        "What does this look like?",
        "これは何のアニメですか",
        "?",
    ],
)
def test_questions_that_ask_what_is_shown(question: str) -> None:
    assert only_asks_what_it_is(question)


@pytest.mark.parametrize(
    "question", ["Who directed this?", "How many episodes does it have?", "Is this from Moon Gate?", "When did it air?"]
)
def test_questions_that_ask_more(question: str) -> None:
    assert not only_asks_what_it_is(question)


@pytest.mark.parametrize(
    ("question", "shown", "read"),
    [
        ("Who directed this anime?", WORK, "Who directed the anime Moon Gate?"),
        ("Who directed the anime in this picture?", WORK, "Who directed the anime Moon Gate?"),
        ("Who made the show this poster is from?", WORK, "Who made the anime Moon Gate?"),
        ("What genre is the anime shown here?", WORK, "What genre is the anime Moon Gate?"),
        ("How many episodes does it have?", WORK, "How many episodes does the anime Moon Gate have?"),
        ("When did this come out?", WORK, "When did the anime Moon Gate come out?"),
        ("Which studio made this?", WORK, "Which studio made the anime Moon Gate?"),
        ("Is this a movie?", WORK, "Is the anime Moon Gate a movie?"),
        ("Who wrote this manga?", PRINTED, "Who wrote the manga Paper Comet?"),
        ("Who voices this character?", SOMEBODY, "Who voices Ruri Tano?"),
        ("Who voices the girl in the picture?", SOMEBODY, "Who voices Ruri Tano?"),
        ("What anime is this guy from?", SOMEBODY, "What anime is Ruri Tano from?"),
        ("Which works is she in?", SOMEBODY, "Which works is Ruri Tano in?"),
        ("Who plays this?", SOMEBODY, "Who plays Ruri Tano?"),
        ("sequel?", WORK, "Who or what is the sequel of the anime Moon Gate?"),
        ("Who is the composer?", WORK, "Who is the composer of the anime Moon Gate?"),
    ],
)
def test_what_is_shown_takes_the_place_of_the_words_that_point_at_it(
    question: str, shown: EntityRef, read: str
) -> None:
    complete = about_what_is_shown(question, (), shown)
    assert complete.text == read
    assert [each.entity for each in complete.settled] == [shown]


def test_a_question_with_names_of_its_own_stays_as_it_is() -> None:
    complete = about_what_is_shown("Is Ken Oda the director?", ("Ken Oda",), WORK)
    assert (complete.text, complete.settled) == ("Is Ken Oda the director?", ())


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Who voices this character?", WORK),
        ("Who voices her?", WORK),
        ("How many episodes does this anime have?", SOMEBODY),
        ("Would you rather fight one horse or a hundred ducks?", WORK),
    ],
)
def test_what_points_elsewhere_or_nowhere_is_not_understood(question: str, shown: EntityRef) -> None:
    assert about_what_is_shown(question, (), shown).text == ""
