"""Follow-ups about a set, its makers, another season or another of two: what the complete question is."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.evidence import EntityRef
from agent_core.schemas import Candidate, MatchKind
from agent_core.turns import PastMention, PastTurn
from datastore.vocabulary import EntityType


def entity(number: int, entity_type: EntityType, name: str) -> EntityRef:
    return EntityRef(id=UUID(int=number), entity_type=entity_type, name=name)


def turn(question: str, *mentions: EntityRef, results: tuple[EntityRef, ...] = ()) -> PastTurn:
    return PastTurn(
        question=question,
        mentions=tuple(PastMention(text=each.name or "", entity=each) for each in mentions),
        results=results,
    )


ORO = entity(1, EntityType.ANIME, "Oro")
VELA = entity(2, EntityType.ANIME, "Vela")
VELA_MANGA = entity(3, EntityType.MANGA, "Vela")
MIRU = entity(4, EntityType.PERSON, "Miru Sato")
KIBO = entity(5, EntityType.STUDIO, "Kibo Works")
RIN = entity(6, EntityType.CHARACTER, "Rin Aoba")
OLD = entity(7, EntityType.ANIME, "Tomo")
NEW = entity(8, EntityType.ANIME, "Tomo (2015)")

MADE = turn("Which anime did Kibo Works make?", KIBO, results=(ORO, VELA))
MADE_THEN = turn("Which anime did Kibo Works make in 2006?", KIBO, results=(ORO, VELA))
MADE_SINCE = turn("What did Kibo Works make from 2013 on?", KIBO, results=(ORO, VELA))
LISTED = turn("List all the Kibo Works movies?", KIBO, results=(ORO, VELA))
OLDEST = turn("Which films did Miru Sato direct, only the oldest?", MIRU, results=(ORO,))
EPISODES = turn("How many episodes does Oro have?", ORO, results=(ORO,))
STUDIO = turn("Which studio made Oro?", ORO, results=(KIBO,))
DIRECTOR = turn("Who directed Oro?", ORO, results=(MIRU,))
VOICE = turn("Who voices Rin Aoba in Oro?", RIN, ORO, results=(MIRU,))
SOURCE = turn("What is the anime Vela based on?", VELA, results=(VELA_MANGA,))
SEASON = turn("How many episodes does the second season of the anime Oro have?", ORO, results=(VELA,))


def candidate(ref: EntityRef, year: str) -> Candidate:
    return Candidate(entity=ref, matched_name="Tomo", match=MatchKind.FOLDED, score=0.9, discriminators=(year, "tv"))


NAMESAKES = PastTurn(
    question="Who directed Tomo?",
    mentions=(PastMention(text="Tomo"),),
    alternatives=(candidate(NEW, "2015"), candidate(OLD, "1999")),
)


@pytest.mark.parametrize(
    ("last", "asked", "complete"),
    [
        (MADE, "which of those are films?", "Which films did Kibo Works make?"),
        (MADE, "any films among them?", "Which films did Kibo Works make?"),
        (MADE, "Of these, which are films?", "Which films did Kibo Works make?"),
        (MADE, "Show me the films among them.", "Which films did Kibo Works make?"),
        (MADE, "films only, please", "Which films did Kibo Works make?"),
        (MADE_SINCE, "films only", "Which films did Kibo Works make from 2013 on?"),
        (MADE, "which of them came out before 2010", "Which anime did Kibo Works make, only came out before 2010?"),
        (MADE, "the ones after 2000", "Which anime did Kibo Works make, only after 2000?"),
        (MADE, "without the movies", "Which anime did Kibo Works make, without movies?"),
        (MADE, "exclude the ovas", "Which anime did Kibo Works make, without ovas?"),
        (MADE, "how many are there?", "How many anime did Kibo Works make?"),
        (MADE, "How many of them are movies?", "How many anime did Kibo Works make, only movies?"),
        (LISTED, "how many is that", "How many Kibo Works movies?"),
        (MADE, "which one is the oldest?", "Which anime did Kibo Works make, only the oldest?"),
        (MADE, "and the longest?", "Which anime did Kibo Works make, only the longest?"),
        (MADE, "which of them came out first", "Which anime did Kibo Works make, only came out first?"),
        (
            MADE,
            "which one has the most episodes?",
            "Which anime did Kibo Works make, only has the most episodes?",
        ),
        (OLDEST, "and how many are there?", "How many films did Miru Sato direct?"),
        (OLDEST, "the newest one", "Which films did Miru Sato direct, only the newest?"),
        (MADE_THEN, "and in 2007?", "Which anime did Kibo Works make in 2007?"),
        (MADE_THEN, "what about the 90s?", "Which anime did Kibo Works make the 90s?"),
        (MADE, "and before 2010?", "Which anime did Kibo Works make, only before 2010?"),
    ],
)
def test_a_set_is_asked_for_again_a_little_different(last: PastTurn, asked: str, complete: str) -> None:
    assert complete_question(asked, (), (last,)).text == complete


@pytest.mark.parametrize(
    ("last", "asked", "complete"),
    [
        (STUDIO, "what other shows did they make?", "What other shows did Kibo Works make besides Oro?"),
        (STUDIO, "what else has that studio done", "What else has Kibo Works done besides Oro?"),
        (STUDIO, "how many films have they made", "How many films have Kibo Works made?"),
        (STUDIO, "when did that air?", "When did the anime Oro air?"),
        (DIRECTOR, "what else did this director make", "What else did Miru Sato make besides Oro?"),
        (DIRECTOR, "anything else of theirs?", "Anything else by Miru Sato besides Oro?"),
        (DIRECTOR, "and what did he direct besides that?", "What else did Miru Sato direct besides Oro?"),
        (SOURCE, "who wrote that?", "Who wrote the manga Vela?"),
        (EPISODES, "how many chapters does it have?", "How many chapters does Oro have?"),
    ],
)
def test_words_that_stand_for_an_answer(last: PastTurn, asked: str, complete: str) -> None:
    assert complete_question(asked, (), (last,)).text == complete


@pytest.mark.parametrize(
    ("last", "asked", "complete"),
    [
        (EPISODES, "what about season 2", "How many episodes does the second season of the anime Oro have?"),
        (EPISODES, "and the third one?", "How many episodes does the third season of the anime Oro have?"),
        (SEASON, "and the third one?", "How many episodes does the third season of the anime Oro have?"),
    ],
)
def test_seasons_by_number(last: PastTurn, asked: str, complete: str) -> None:
    assert complete_question(asked, (), (last,)).text == complete


@pytest.mark.parametrize(
    ("asked", "name", "complete"),
    [
        ("and Mori?", "Mori", "Who voices Mori in Oro?"),
        ("what about mori", "mori", "Who voices mori in Oro?"),
        ("same question for Mori", "Mori", "Who voices Mori in Oro?"),
        ("And for Mori?", "Mori", "Who voices Mori in Oro?"),
    ],
)
def test_another_subject_keeps_its_place(asked: str, name: str, complete: str) -> None:
    assert complete_question(asked, (name,), (VOICE,)).text == complete


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("not that one, the newer one", NEW),
        ("I was talking about the older version", OLD),
        ("I want the original", OLD),
        ("I was talking about the 2015 version", NEW),
        ("no, the latest one", NEW),
    ],
)
def test_namesakes_are_told_apart_by_age(asked: str, meant: EntityRef) -> None:
    complete = complete_question(asked, (), (NAMESAKES,))
    assert complete.text == NAMESAKES.question
    assert [each.entity for each in complete.settled] == [meant]


def test_which_of_the_last_two() -> None:
    history = (EPISODES, turn("How many episodes does Vela have?", VELA, results=(VELA,)))
    for asked in ("which of the two is longer?", "which one is longer", "And which is longer?"):
        complete = complete_question(asked, (), history)
        assert complete.text == "Which is longer, the anime Oro or the anime Vela?"
        assert [each.entity for each in complete.settled] == [ORO, VELA]


def test_which_of_two_needs_two_of_a_kind() -> None:
    assert complete_question("which of the two is longer?", (), (EPISODES,)).text == "which of the two is longer?"
