"""Names that are lists, markup or nothing at all: what becomes of them, and what a report counts."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingestion import formats
from ingestion.formats.protocol import RecordFactory
from ingestion.name_repair import is_junk_name, repair_names
from ingestion.records import AnimeRecord
from ingestion.report import Place, RepairKind, ReportBuilder

MAIN = {"name": "Moon Gate", "kind": "main"}


def aliases(*given: str) -> tuple[list[str], dict[str, int]]:
    """The aliases that are left of `given`, and the repairs by kind."""
    repaired = repair_names([MAIN, *({"name": name, "kind": "alias"} for name in given)])
    assert repaired.names[0] == MAIN
    return [each["name"] for each in repaired.names[1:]], {str(kind): n for kind, n in repaired.repairs.items()}


@pytest.mark.parametrize(
    ("alias", "expected"),
    [
        ("Star Gate; Sun Gate", ["Star Gate", "Sun Gate"]),
        ("月の門；太陽の門", ["月の門", "太陽の門"]),
        ("Star Gate\nSun Gate\r\n Sky Gate", ["Star Gate", "Sun Gate", "Sky Gate"]),
        ("['Star Gate', 'Sun Gate']", ["Star Gate", "Sun Gate"]),
        ('["Star Gate", "O\'Hara"]', ["Star Gate", "O'Hara"]),
        (r"['Moon\'s Gate']", ["Moon's Gate"]),
        ("['Star Gate', '', '...']", ["Star Gate"]),
        ("[]", []),
        ("Star Gate; ; -", ["Star Gate"]),
    ],
)
def test_a_list_in_one_alias_is_taken_apart(alias: str, expected: list[str]) -> None:
    names, repairs = aliases(alias)
    assert names == expected
    assert repairs["list_of_names_split"] == 1


@pytest.mark.parametrize("alias", ["Steins;Gate", "[Oshi no Ko]", "[C]", "86", "K", "Ranma ½", "ब", "A, B & C", 'I"s'])
def test_a_name_that_only_looks_like_a_list_is_left_alone(alias: str) -> None:
    assert aliases(alias) == ([alias], {})


@pytest.mark.parametrize("alias", ["", "...", "?!", "☆", "\u200b", " \u3000", "- -"])
def test_an_alias_that_names_nothing_is_dropped_and_counted(alias: str) -> None:
    assert is_junk_name(alias)
    assert aliases(alias) == ([], {"junk_name_dropped": 1})


@pytest.mark.parametrize(
    ("alias", "expected"),
    [
        ("TIGER &amp; BUNNY", "TIGER & BUNNY"),
        ("&quot;LIP&quot; &amp;amp; MORE", '"LIP" & MORE'),
        ("<i>Moon</i><br/>Gate", "Moon Gate"),
        ("Chidori &lt;Gaiden&gt;", "Chidori <Gaiden>"),
    ],
)
def test_markup_in_a_name_is_made_plain_and_never_taken_for_a_list(alias: str, expected: str) -> None:
    assert aliases(alias) == ([expected], {"html_made_plain": 1})


def test_an_official_name_is_split_only_where_it_is_a_quoted_list() -> None:
    repaired = repair_names([{"name": "Act one; act two", "kind": "main"}, {"name": "['A', 'B']", "kind": "english"}])
    assert [(each["name"], each["kind"]) for each in repaired.names] == [
        ("Act one; act two", "main"),
        ("A", "english"),
        ("B", "alias"),
    ]


def test_a_main_name_of_punctuation_stays_and_an_invisible_one_makes_room() -> None:
    assert repair_names([{"name": "!?", "kind": "main"}]).names == [{"name": "!?", "kind": "main"}]
    repaired = repair_names([{"name": "\u200b", "kind": "main"}, {"name": "Moon", "kind": "english"}])
    assert repaired.names == [{"name": "Moon", "kind": "main"}]
    assert repaired.repairs == {RepairKind.JUNK_NAME: 1}


@given(st.lists(st.text(alphabet="A;, []'\"&amp;<br/>\n\\・☆\u200b", max_size=30), max_size=4))
@settings(max_examples=150, deadline=None)
def test_repaired_names_are_repaired_for_good(names: list[str]) -> None:
    once = repair_names([MAIN, *({"name": name, "kind": "alias"} for name in names)])
    again = repair_names(once.names)
    assert (again.names, dict(again.repairs)) == (once.names, {})


def test_whatever_a_reader_passes_in_becomes_a_record_that_every_store_takes() -> None:
    builder = ReportBuilder(format_name="test", source="test")
    raw: dict[str, Any] = {
        "record": "anime",
        "ref": "x:anime:1",
        "names": ({"name": "Moon\x00 Gate", "kind": "main"}, {"name": "A; B", "kind": "alias"}),
        "synopsis": "Act <i>one</i><br>\udcb0 &amp; two",
        "genres": ("Dra\x00ma",),
        "extra": {"note": ["\x07"]},
    }
    located = RecordFactory(builder).build(raw, Place(file="a"))
    assert located is not None
    assert isinstance(located.record, AnimeRecord)
    assert [name.name for name in located.record.names] == ["Moon Gate", "A", "B"]
    assert located.record.synopsis == "Act one\n\ufffd & two"
    assert (located.record.genres, located.record.extra) == (("Drama",), {"note": [""]})
    assert {each.kind: each.count for each in builder.build().repaired} == {
        "nul_removed": 2,
        "control_character_removed": 1,
        "lone_surrogate_replaced": 1,
        "html_made_plain": 1,
        "list_of_names_split": 1,
    }


def test_every_format_makes_its_records_in_the_one_place() -> None:
    modules = sorted(Path(formats.__file__).parent.glob("*.py"))
    texts = {module.name: module.read_text(encoding="utf-8") for module in modules}
    assert [name for name, text in texts.items() if "RECORD_ADAPTER" in text or " Located(" in text] == ["protocol.py"]
