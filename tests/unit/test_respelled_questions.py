"""Misspelt cue words are put right; names, quotations and what could be two things are left as they are."""

import pytest
from agent_core.agents.rule_based.spelling import respelled
from agent_core.schemas import Mention


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Who directd Spirited Awya?", "Who directed Spirited Awya?"),
        ("Who wrtoe Zorblax?", "Who wrote Zorblax?"),
        ("How many epsiodes does Zorblax have?", "How many episodes does Zorblax have?"),
        ("Who is the directr of Zorblax", "Who is the director of Zorblax"),
        ("Recomend me a comedy", "Recommend me a comedy"),
        ("relase date of Zorblax", "release date of Zorblax"),
        ("protaganist of Zorblax", "protagonist of Zorblax"),
        ("Wer ist der Regiseur von Zorblax?", "Wer ist der Regisseur von Zorblax?"),
        ("¿Quién dirijió Zorblax?", "¿Quién dirigió Zorblax?"),
    ],
)
def test_a_slip_in_a_cue_word_is_put_right(asked: str, meant: str) -> None:
    assert respelled(asked, ()) == meant


@pytest.mark.parametrize(
    "asked",
    [
        "Who directed Zorblax?",
        "Who voiced the director's sister in Zorblax?",
        "Who drew Directr?",
        "Is there a film called 'directd'?",
        'Who wrote "the directr"?',
        "Wer ist der Regisseur des Films Zorblax?",
    ],
)
def test_words_names_and_quotations_stay(asked: str) -> None:
    assert respelled(asked, ()) == asked


def test_a_known_name_stays_although_it_looks_like_a_slip() -> None:
    assert respelled("who made directd", [Mention(text="directd")]) == "who made directd"
    assert respelled("who made directd", ()) == "who made directed"


def test_nothing_is_repaired_where_two_meanings_are_equally_near() -> None:
    assert respelled("the xother of them", ()) == "the mother of them"
    assert respelled("the fother of them", ()) == "the fother of them"


def test_short_words_need_no_repair_and_long_ones_take_two_slips() -> None:
    assert respelled("the carakters of them", ()) == "the characters of them"
    assert respelled("a studoi, a stdoi", ()) == "a studio, a stdoi"
    assert respelled("the voce of them", ()) == "the voce of them"
