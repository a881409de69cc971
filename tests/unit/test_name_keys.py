"""The keys that names are kept under, and what a typed text asks for."""

import pytest
from datastore.name_keys import END, PLAIN, SPACED, NameKey, TypedKeys, gapped, name_keys, typed_keys
from hypothesis import given
from hypothesis import strategies as st

_PERCENT, _UNDERSCORE = 2, 4


def test_a_name_has_a_key_for_each_beginning_in_both_romanisations() -> None:
    keys = name_keys("Mahou Shoujo")
    assert set(keys.keys) == {
        NameKey(PLAIN, "mahoshojo" + END, is_part=False),
        NameKey(PLAIN, "mahoushoujo" + END, is_part=False),
        NameKey(PLAIN, "shojo" + END, is_part=True),
        NameKey(PLAIN, "shoujo" + END, is_part=True),
        # "mahou s" is long enough to lose its space.
        NameKey(SPACED, "maho shojo" + END, is_part=False),
    }
    assert keys.blocks == ("mahos", "mahou", "shojo", "shouj")


def test_a_short_text_with_a_space_asks_for_the_space() -> None:
    assert typed_keys("to h") == TypedKeys(SPACED, "to h" + END, ("to h",))
    assert typed_keys("to heart") == TypedKeys(PLAIN, "toheart" + END, ("toheart",))
    assert NameKey(SPACED, "to heart" + END, is_part=False) in name_keys("To Heart").keys


def test_another_romanisation_begins_names_from_four_letters_on() -> None:
    assert typed_keys("ti") == TypedKeys(PLAIN, "chi" + END, ("ti", "chi" + END))
    assert typed_keys("tita") == TypedKeys(PLAIN, "chita" + END, ("tita", "chita"))
    assert typed_keys("nar") == TypedKeys(PLAIN, "nar" + END, ("nar",))


def test_signs_have_shelves_of_their_own() -> None:
    shelves = {key.shelf for key in name_keys("100%_Hero").keys}
    assert shelves == {
        shelf + signs for shelf in (PLAIN, SPACED) for signs in (0, _PERCENT, _UNDERSCORE, _PERCENT + _UNDERSCORE)
    }
    typed = typed_keys("100%")
    assert typed == TypedKeys(_PERCENT, "100" + END, ("100",))
    assert typed is not None
    assert typed.signless == TypedKeys(PLAIN, "100" + END, ("100",))


@pytest.mark.parametrize("text", ["", "  ", "\u200b"])
def test_nothing_visible_asks_for_nothing(text: str) -> None:
    assert typed_keys(text) is None


@given(st.text(max_size=60), st.integers(1, 60))
def test_every_beginning_of_a_name_meets_a_key_of_it(name: str, length: int) -> None:
    typed = typed_keys(name)
    if typed is None:
        return
    texts = {key.text for key in name_keys(name).keys if key.shelf == typed.shelf}
    assert typed.exact in texts or len(typed.exact) > 200
    begun = typed_keys(name.casefold()[:length])
    if begun is not None and name.isascii() and name.isalpha():
        assert any(text.startswith(begun.prefixes) for text in texts)


def test_a_block_has_a_gap_for_each_letter() -> None:
    assert gapped("abc") == ["*bc", "a*c", "ab*"]
