"""Text from outside: what is repaired, what is kept, and what HTML leaves behind."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingestion.report import RepairKind
from ingestion.text import (
    Repairs,
    clean_text,
    clean_values,
    html_to_text,
    light_markup_to_text,
    may_need_cleaning,
)


@pytest.mark.parametrize(
    ("text", "cleaned", "repairs"),
    [
        ("act one\x00act two", "act oneact two", Repairs(nuls=1)),
        ("Moon \udcb0 Gate", "Moon \ufffd Gate", Repairs(surrogates=1)),
        ("bell\x07 escape\x1b[31m", "bell escape[31m", Repairs(controls=2)),
        ("next\x85line", "nextline", Repairs(controls=1)),
        ("line\r\nline\rline", "line\nline\nline", Repairs()),
        ("tab\tnewline\n stay", "tab\tnewline\n stay", Repairs()),
        # No normalisation: decomposed, full-width and emoji text stays as given.
        ("Cafe\u0301 ＢＥＡＳＴ 🌙", "Cafe\u0301 ＢＥＡＳＴ 🌙", Repairs()),
        ("", "", Repairs()),
    ],
)
def test_unsafe_characters_are_repaired_and_counted(text: str, cleaned: str, repairs: Repairs) -> None:
    result = clean_text(text)
    assert result.value == cleaned
    assert result.repairs == repairs


@given(st.text(alphabet=st.characters(), max_size=200))
def test_cleaned_text_can_be_stored_and_stays_as_it_is(text: str) -> None:
    cleaned = clean_text(text).value
    assert "\x00" not in cleaned.encode("utf-8").decode("utf-8")
    assert clean_text(cleaned).value == cleaned
    assert clean_text(cleaned).repairs == Repairs()


@given(st.recursive(st.text(max_size=5), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner)))
def test_json_that_needs_no_cleaning_is_recognised(value: Any) -> None:
    for ensure_ascii in (True, False):
        text = json.dumps(value, ensure_ascii=ensure_ascii)
        if not may_need_cleaning(text):
            assert clean_values(json.loads(text)).value == value


def test_nested_values_are_cleaned_with_their_keys() -> None:
    result = clean_values({"a\x00": ["\x00b", {"c": "\udfff", "n": 1, "z": None}]})
    assert result.value == {"a": ["b", {"c": "\ufffd", "n": 1, "z": None}]}
    assert result.repairs.by_kind() == ((RepairKind.NUL_REMOVED, 2), (RepairKind.SURROGATE_REPLACED, 1))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("One.<br>\n<br>\nTwo &amp; three&mdash;four", "One.\n\nTwo & three—four"),
        ("<i>Note:</i> it's <b>bold</b>", "Note: it's bold"),
        ("I <3 you, a < b", "I <3 you, a < b"),
        ("The <<Fruitmaster>> <i>skill</i> of <Eve>", "The <<Fruitmaster>> skill of <Eve>"),
        ("https://example.org/page.html", "https://example.org/page.html"),
        ("AT&T.html", "AT&T.html"),
        ("<script>alert(1)</script><p>First</p><p>Second</p>", "First\nSecond"),
        ("  wide\u3000 space \n\n\n\n end ", "wide space\n\nend"),
        ("", ""),
    ],
)
def test_html_becomes_plain_text(markup: str, text: str) -> None:
    assert html_to_text(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("He is ~!the killer!~ of [Rose](https://example.org/c/1(2))", "He is the killer of Rose"),
        ("__Height:__ 155 cm (5'1)<br>**Bold** and *soft*", "Height: 155 cm (5'1)\nBold and soft"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
    ],
)
def test_light_markup_leaves_its_text(markup: str, text: str) -> None:
    assert light_markup_to_text(markup) == text
