"""Every mistake of one letter has its correction among those that are looked up."""

import pytest
from datastore.name_keys import BLOCK_CHARS, gapped
from datastore.typos import NOTHING, Corrections, corrections, has_gap, near_blocks
from hypothesis import given
from hypothesis import strategies as st

_NAMES = st.text(alphabet="bdgklmnrst", min_size=7, max_size=16)


def _mistakes(name: str, place: int, letter: str) -> set[str]:
    return {
        name[:place] + letter + name[place:],
        name[:place] + letter + name[place + 1 :],
        name[:place] + name[place + 1 :],
        name[:place] + name[place : place + 2][::-1] + name[place + 2 :],
    } - {name}


def _reaches(found: Corrections, name: str) -> bool:
    blocks = gapped(name[:BLOCK_CHARS])
    return (
        any(name.startswith(text) for text in found.texts)
        or any(
            gap in blocks and name[BLOCK_CHARS:].startswith(rest)
            for gap, rest in zip(found.gapped, found.rests, strict=True)
        )
        or any(has_gap(name, form) for form in found.forms)
    )


@given(_NAMES, st.integers(0, 15), st.sampled_from("bklx"))
def test_a_mistake_of_one_letter_is_corrected(name: str, place: int, letter: str) -> None:
    for typed in _mistakes(name, place % len(name), letter):
        assert _reaches(corrections([typed]), name), typed


def test_texts_that_are_too_short_or_too_long_have_no_corrections() -> None:
    assert corrections(["abcd"]) == corrections(["x" * 60]) == corrections(["abc%%%"]) == NOTHING


def test_both_forms_of_a_text_are_corrected() -> None:
    both = corrections(["shoujo", "shojo"])
    assert both.forms == ("shoujo", "shojo")
    assert {*corrections(["shoujo"]).texts} < {*both.texts}


def test_blocks_near_a_word_are_its_first_letters_with_a_mistake() -> None:
    direct, gaps = near_blocks("alchemst")
    assert "alche" in direct
    assert "alch*" in gaps


@pytest.mark.parametrize(
    ("start", "is_near"),
    [
        ("alchemist\x01", True),
        ("alchexmst", True),
        ("alchexst", True),
        ("alchemst", False),
        ("alcxemst", False),
        ("alchexist", False),
        ("alche", False),
    ],
)
def test_one_letter_behind_the_first_ones_may_be_wrong_or_missing(start: str, *, is_near: bool) -> None:
    assert has_gap(start, "alchemst") is is_near
