"""No text takes longer than its length: what makes patterns of others backtrack is read in one pass."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.citations import find_entries
from references.detection import Detector
from references.registry import KnownDocument, Registry

_DETECTOR = Detector(Registry([KnownDocument(1, "A A A A A A A A"), KnownDocument(2, "Style Guide for Python Code")]))
_SECTIONS = ("§", "§ 1, ", "§§ 1 ", "§ 1 Abs. 1, ", "§" + " " * 50, "Art. 1 bis ", "1.1.", "RFC 1 § 1 ", "#", "0")
_LAWS = ("§ 1 des Gesetzes über ", "§ 1 der Aaaen ", "§ 1 of the A B ", "Verordnung (", "§ 1 der " + "A" * 90)
_CITATIONS = ("[1, ", "[1]\n", "[^1]: a ", "(Aa, Bb, ", "Aa and ", "Aa (2000) ", "(" + "Aa, " * 6)
_NAMES = (":pep:`", "PEP 1, ", "PEPs 1-", "A ", "Style Guide ", "a" * 100, "https://)", "https://a.b/(", "](", "](#")
_PIECES = (
    "§ 1",
    " Abs. 2",
    ", 3",
    " und 4",
    " bis 5",
    " of ",
    "PEP 8",
    "RFC 2119",
    " (Aa, 2000)",
    "[1, 2–3]",
    "TMG",
    "\n",
    "PEP: 9\n",
    "Requires: 8\n",
    "Style Guide for Python Code",
    "https://a.b/",
    "𝔘",
    "# ",
    ").",
    " des Gesetzes",
    "Section 4.2",
)
_HEADERS = ("A: b\n", " ", "\n", "A: 1\n ")


@pytest.mark.slow
@pytest.mark.parametrize("unit", [*_SECTIONS, *_LAWS, *_CITATIONS, *_NAMES, *_HEADERS])
def test_fifty_thousand_characters(unit: str) -> None:
    assert _seconds(_filled(unit, 50_000)) < 3


@pytest.mark.slow
def test_a_million_characters() -> None:
    units = (*_SECTIONS, *_LAWS, *_CITATIONS, *_NAMES, *_HEADERS)

    assert _seconds("".join(_filled(unit, 1_000_000 // len(units)) for unit in units)) < 30


@pytest.mark.parametrize("unit", ["§ 1 Abs. 1, ", "(Aa, Bb, ", "[1, ", "§ 1 des Gesetzes über ", "A A B "])
def test_four_times_the_text_takes_about_four_times_the_time(unit: str) -> None:
    once, four_times = (min(_seconds(_filled(unit, length)) for _ in range(2)) for length in (4_000, 16_000))

    assert four_times < 10 * once + 0.1


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_spans_are_of_the_text_and_in_order(text: str) -> None:
    found = _DETECTOR.detect(text, with_header=True)

    assert all(text[each.start : each.end] == each.text != "" for each in found)
    assert all(each.target for each in found)
    assert [each.start for each in found] == sorted(each.start for each in found)
    assert len({(each.type, each.start, each.end, each.target) for each in found}) == len(found)


def _filled(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def _seconds(text: str) -> float:
    start = time.process_time()
    _DETECTOR.detect(text, with_header=True)
    find_entries(text)
    return time.process_time() - start
