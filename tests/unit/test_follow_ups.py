"""Follow-up questions: what the turns before supply, and what they leave alone."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.evidence import EntityRef
from agent_core.schemas import Candidate, MatchKind
from agent_core.turns import PastMention, PastTurn
from datastore.vocabulary import EntityType


def entity(number: int, entity_type: EntityType, name: str) -> EntityRef:
    return EntityRef(id=UUID(int=number), entity_type=entity_type, name=name)


BEBOP = entity(1, EntityType.ANIME, "Cowboy Bebop")
WATANABE = entity(2, EntityType.PERSON, "Shinichiro Watanabe")
KURISU = entity(3, EntityType.CHARACTER, "Kurisu Makise")
HUNTER_2011 = entity(4, EntityType.ANIME, "Hunter × Hunter (2011)")
HUNTER_1999 = entity(5, EntityType.ANIME, "Hunter × Hunter")
HUNTER_MANGA = entity(6, EntityType.MANGA, "Hunter × Hunter")
MADHOUSE = entity(7, EntityType.STUDIO, "Madhouse")
SEQUEL = entity(8, EntityType.ANIME, "Nisemonogatari")
FIRST = entity(9, EntityType.ANIME, "Bakemonogatari")


def candidate(ref: EntityRef, *discriminators: str) -> Candidate:
    return Candidate(
        entity=ref, matched_name="Hunter x Hunter", match=MatchKind.FOLDED, score=0.9, discriminators=discriminators
    )


EPISODES = PastTurn(
    question="How many episodes does the anime Cowboy Bebop have?",
    mentions=(PastMention(text="Cowboy Bebop", entity=BEBOP),),
    results=(BEBOP,),
)
DIRECTOR = PastTurn(
    question="Who directed Cowboy Bebop?",
    mentions=(PastMention(text="Cowboy Bebop", entity=BEBOP),),
    results=(WATANABE,),
)
WHO = PastTurn(
    question="Who is Kurisu Makise?", mentions=(PastMention(text="Kurisu Makise", entity=KURISU),), results=(KURISU,)
)
HUNTER = PastTurn(
    question="How many episodes does Hunter x Hunter have?",
    mentions=(PastMention(text="Hunter x Hunter", entity=HUNTER_2011),),
    results=(HUNTER_2011,),
    alternatives=(candidate(HUNTER_1999, "1999", "tv"), candidate(HUNTER_MANGA, "1998", "manga")),
)
STUDIO = PastTurn(
    question="Which anime did Madhouse make?",
    mentions=(PastMention(text="Madhouse", entity=MADHOUSE),),
    results=(BEBOP, FIRST),
)
NEXT = PastTurn(
    question="What is the sequel of Bakemonogatari?",
    mentions=(PastMention(text="Bakemonogatari", entity=FIRST),),
    results=(SEQUEL,),
)


@pytest.mark.parametrize(
    ("last", "asked", "names", "complete"),
    [
        (EPISODES, "And the sequel?", (), "How many episodes does the sequel of the anime Cowboy Bebop have?"),
        (EPISODES, "What about its prequel?", (), "How many episodes does the prequel of the anime Cowboy Bebop have?"),
        (
            EPISODES,
            "how many does the sequel have",
            (),
            "How many episodes does the sequel of the anime Cowboy Bebop have?",
        ),
        (EPISODES, "Who directed it?", (), "Who directed the anime Cowboy Bebop?"),
        (EPISODES, "And the composer?", (), "The composer of the anime Cowboy Bebop?"),
        (EPISODES, "director?", (), "Director of the anime Cowboy Bebop?"),
        (EPISODES, "What about Trigun?", ("Trigun",), "How many episodes does Trigun have?"),
        (EPISODES, "trigun?", ("trigun",), "How many episodes does trigun have?"),
        (
            DIRECTOR,
            "What else has he directed?",
            (),
            "What else has Shinichiro Watanabe directed besides Cowboy Bebop?",
        ),
        (
            DIRECTOR,
            "What other anime did he direct besides that?",
            (),
            "What other anime did Shinichiro Watanabe direct besides Cowboy Bebop?",
        ),
        (DIRECTOR, "Who directed Her Blue Sky?", ("Her Blue Sky",), "Who directed Her Blue Sky?"),
        (DIRECTOR, "Who directed They Were Eleven?", ("They Were Eleven",), "Who directed They Were Eleven?"),
        (STUDIO, "What else did they make?", (), "What else did Madhouse make?"),
        (DIRECTOR, "Who wrote it?", (), "Who wrote the anime Cowboy Bebop?"),
        (WHO, "And who voices her?", (), "Who voices Kurisu Makise?"),
        (WHO, "Who is her voice actor?", (), "Who is Kurisu Makise's voice actor?"),
        (STUDIO, "Only the movies.", (), "Which movies did Madhouse make?"),
        (STUDIO, "Just those that started after 2010", (), "Which anime did Madhouse make, only started after 2010?"),
        (NEXT, "Who directed it?", (), "Who directed the anime Nisemonogatari?"),
        (HUNTER, "repeat the answer", (), "How many episodes does Hunter x Hunter have?"),
    ],
)
def test_what_is_left_out_comes_from_the_last_turn(
    last: PastTurn, asked: str, names: tuple[str, ...], complete: str
) -> None:
    assert complete_question(asked, names, (last,)).text == complete


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("No, the 1999 one.", HUNTER_1999),
        ("I meant the one from 1999", HUNTER_1999),
        ("I mean the manga.", HUNTER_MANGA),
        ("the second one", HUNTER_MANGA),
    ],
)
def test_another_bearer_of_the_name_is_settled_by_id(asked: str, meant: EntityRef) -> None:
    complete = complete_question(asked, (), (HUNTER,))
    assert complete.text == HUNTER.question
    assert complete.settled == (PastMention(text="Hunter x Hunter", entity=meant),)


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("Who composed the music of Spirited Away?", ("Spirited Away",)),
        ("Which anime did Bones make?", ("Bones",)),
        ("Recommend me a long and quiet fantasy series with travelling and magic", ()),
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(asked: str, names: tuple[str, ...]) -> None:
    complete = complete_question(asked, names, (EPISODES, DIRECTOR))
    assert complete.text == asked
    assert complete.settled == ()


def test_a_pronoun_without_an_antecedent_is_left_alone() -> None:
    assert complete_question("Who voices her?", (), (EPISODES,)).text == "Who voices her?"


def test_turns_without_a_name_are_passed_over() -> None:
    greeting = PastTurn(question="Hello")
    assert (
        complete_question("Who directed it?", (), (EPISODES, greeting)).text == "Who directed the anime Cowboy Bebop?"
    )
    assert complete_question("Who directed it?", (), (greeting,)).text == "Who directed it?"


def test_what_the_last_turn_cannot_supply_an_earlier_one_does() -> None:
    works = PastTurn(
        question="What else has Shinichiro Watanabe directed?",
        mentions=(PastMention(text="Shinichiro Watanabe", entity=WATANABE),),
        results=(BEBOP, FIRST),
    )
    assert complete_question("Who wrote it?", (), (DIRECTOR, works)).text == "Who wrote the anime Cowboy Bebop?"


@pytest.mark.parametrize(
    ("asked", "complete", "meant"),
    [
        ("When was the first one released?", "When was the anime Cowboy Bebop released?", BEBOP),
        ("And who directed the second one?", "Who directed the anime Nisemonogatari?", SEQUEL),
        ("Who directed the last one?", "Who directed the anime Nisemonogatari?", SEQUEL),
        ("Who directed the third one?", "Who directed the third one?", None),
    ],
)
def test_the_nth_one_of_several_names_asked_about(asked: str, complete: str, meant: EntityRef | None) -> None:
    last = PastTurn(
        question="When did Cowboy Bebop start and who directed Nisemonogatari?",
        mentions=(PastMention(text="Cowboy Bebop", entity=BEBOP), PastMention(text="Nisemonogatari", entity=SEQUEL)),
        results=(BEBOP, WATANABE),
    )
    completed = complete_question(asked, (), [last])
    assert completed.text == complete
    assert [each.entity for each in completed.settled] == ([meant] if meant else [])
