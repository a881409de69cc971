"""Many ways to ask: each question of fixtures/phrasings gets its reading, whatever the names in it are."""

import re

import pytest
from agent_core.schemas import QueryRewrite
from fixtures.readings import INVENTED_NAMES, brief, phrasings, read

PHRASINGS = phrasings()
PARTS = 12
"""Tests for all of them: a test for each would cost more than what it looks at."""

OTHER_NAMES = {
    "Zorblax": "Mumbrel",
    "Zorblax Nights": "Mumbrel Tides",
    "Quindle Vortex": "Oskar Pavane",
    "Vrell of the Marsh": "Thane of the Weir",
    "Mirelle Ostrander": "Jorun Vask",
    "Studio Plimf": "Studio Grendo",
    "Plimf": "Grendo",
    "Tavrik": "Lissel",
    "Nemmi": "Burdock",
    "Grindle & Wax": "Fenwick & Ash",
    "Kirro: Second Dawn": "Dello: First Frost",
    "The Hollow Lantern": "The Sunken Bell",
    "Hallow-9": "Sable-7",
    "Yuna Brask": "Kaoru Wend",
    "Brennick Sorrel": "Aldis Quorn",
    "霧の果て": "月の庭園",
    "ミルカ": "サリナ",
}
"""Names as unlike the first ones as possible: what is read must not depend on them."""


@pytest.mark.parametrize("part", range(PARTS))
def test_questions_are_read_as_meant(part: int) -> None:
    asked = PHRASINGS[part::PARTS]
    assert {each.question: brief(read(each.question)) for each in asked} == {
        each.question: each.reading for each in asked
    }


def test_there_are_many_phrasings_and_none_twice() -> None:
    assert len(PHRASINGS) >= 700
    assert len({phrasing.question for phrasing in PHRASINGS}) == len(PHRASINGS)


@pytest.mark.parametrize("part", range(PARTS))
def test_readings_do_not_depend_on_the_names(part: int) -> None:
    names = [OTHER_NAMES.get(name, name) for name in INVENTED_NAMES]
    asked = {_renamed(each.question): _renamed(each.reading).casefold() for each in PHRASINGS[part::PARTS]}
    assert {question: brief(read(question, names)).casefold() for question in asked} == asked


def test_a_reading_says_what_it_was_and_keeps_the_names_as_written() -> None:
    rewrite = read("could you tell me who directed  zorblax nights, please?")
    assert rewrite == QueryRewrite(
        rewritten_query="Who directed zorblax nights?",
        needs_external_context=True,
        rationale="relation about zorblax nights",
        answer_kind=rewrite.answer_kind,
        mentions=rewrite.mentions,
        relations=rewrite.relations,
        is_whole=True,
    )
    assert [mention.text for mention in rewrite.mentions] == ["zorblax nights"]
    assert [str(kind) for kind in rewrite.mentions[0].entity_types] == ["anime", "manga"]


def _renamed(text: str) -> str:
    by_length = sorted(OTHER_NAMES, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, by_length)), re.IGNORECASE)
    other = {name.casefold(): new for name, new in OTHER_NAMES.items()}

    def replace(match: re.Match[str]) -> str:
        new = other[match.group().casefold()]
        return new.lower() if match.group().islower() else new.upper() if match.group().isupper() else new

    return pattern.sub(replace, text)
