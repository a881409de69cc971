"""What the text of an answer states."""

from decimal import Decimal

import pytest
from agent_evals.stated import is_quantity_stated, is_stated, names_in_order, said_of


@pytest.mark.parametrize(
    ("value", "text", "stated"),
    [
        ("26", "26 episodes", True),
        ("26", "26.", True),
        ("26", "2026-04-26", False),
        ("26", "26.5 points", False),
        ("26", "126", False),
        ("2009-04-05", "on 2009-04-05", True),
        ("2009-04-05", "on April 5, 2009", True),
        ("2009-04-05", "on 5 April 2009", True),
        ("2009-10-05", "am 5. Oktober 2009", True),
        ("2009-01-05", "el 5 de enero de 2009", True),
        ("2009-04-05", "2009年4月5日", True),
        ("2009-04-05", "in April 2009", False),
        ("2009-04", "in April 2009", True),
        ("2009-04", "2009-04-05", False),
        ("light_novel", "a light novel", True),
        ("tv", "TV series", True),
        ("tv", "ITV", False),
    ],
)
def test_values_are_recognised_as_people_write_them(value: str, text: str, stated: bool) -> None:
    assert is_stated(value, text) is stated


@pytest.mark.parametrize(
    ("quantity", "text", "stated"),
    [
        ("7", "There are seven anime.", True),
        ("7", "There are 7 titles. They are anime.", False),
        ("1500", "1,500 anime", True),
        ("12.5", "On average 12.5 anime", True),
        ("12.5", "On average 13 anime", True),
        ("12.5", "On average 12 anime", False),
        ("7", "7.5 anime", False),
    ],
)
def test_a_quantity_needs_its_unit_in_the_same_sentence(quantity: str, text: str, stated: bool) -> None:
    assert is_quantity_stated(Decimal(quantity), ["anime"], text) is stated


NAMES = {"z": ("Dragon Ball Z", "DBZ"), "first": ("Dragon Ball", "DB"), "name": ("Your Name.",)}


def test_the_longest_name_is_the_one_that_is_meant() -> None:
    assert names_in_order(NAMES, "dbz, then Dragon Ball, Dragon Ball Z again, and Your Name. (2016)") == (
        "z",
        "first",
        "name",
    )
    assert names_in_order(NAMES, "Dragon Balls") == ()


def test_a_shared_name_is_whose_main_name_it_is() -> None:
    assert names_in_order({"new": ("Hunter (2011)", "Hunter"), "old": ("Hunter",)}, "Hunter") == ("old",)


def test_what_is_said_of_whom_ends_where_the_next_name_comes() -> None:
    said = said_of(NAMES, "Try these. Your Name. is a romance [1]. It is short.\nDragon Ball and DBZ are long.")
    assert said["name"].split() == ["is", "a", "romance", "[1].", "It", "is", "short."]
    assert said["first"] == said["z"]
    assert "long" in said["z"]
