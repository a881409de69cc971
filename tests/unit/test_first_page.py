"""The first hits out of the rows of prefixes."""

import json
from uuid import UUID

import pytest
from datastore.first_page import END_OF_ENTRY, PART, SEPARATOR, first_hits, read_hits
from datastore.name_keys import END, TypedKeys, typed_keys


def _hit(number: int, name: str, *, preference: int = 5, name_id: int = 1, popularity: float = 0.5) -> str:
    stored = [str(UUID(int=number)), "anime", name, name, "main", "prefix", popularity, 1, preference, name_id]
    return json.dumps(stored)


def _part(number: int, name: str) -> str:
    return _hit(number, name).replace('"prefix"', '"word_prefix"')


def _page(starts: list[str], hits: list[str]) -> str:
    return END_OF_ENTRY.join(f"{start}{SEPARATOR}{hit}" for start, hit in zip(starts, hits, strict=True))


def _keys(text: str) -> TypedKeys:
    keys = typed_keys(text)
    assert keys is not None
    return keys


def _found(keys: TypedKeys, pages: list[str], limit: int = 20) -> list[tuple[str, str]]:
    return [(hit.match, hit.name) for hit in read_hits(first_hits(keys, pages, limit))]


_LEAF = _page(
    starts=["sunrise" + END, "sun" + END, "sung" + END, "sun" + END + PART, "sunrise" + END + PART],
    hits=[_hit(1, "Sunrise"), _hit(3, "Sun"), _hit(4, "Sung"), _part(2, "The Sun"), _part(3, "Sun")],
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sun", [("exact", "Sun"), ("prefix", "Sunrise"), ("prefix", "Sung"), ("word_prefix", "The Sun")]),
        ("sunr", [("prefix", "Sunrise"), ("word_prefix", "Sun")]),
        ("sunx", []),
    ],
)
def test_a_row_is_read_by_class_each_entity_once(text: str, names: list[tuple[str, str]]) -> None:
    assert _found(_keys(text), [_LEAF]) == names
    assert _found(_keys(text), [_LEAF], limit=1) == names[:1]


def test_a_longer_text_meets_nothing_in_the_first_hits_of_a_prefix() -> None:
    common = _page(starts=["su" + END, "su", "su" + PART], hits=[_hit(1, "Su"), _hit(2, "Sun"), _part(3, "A Sun")])
    assert _found(_keys("su"), [common]) == [("exact", "Su"), ("prefix", "Sun"), ("word_prefix", "A Sun")]
    assert _found(_keys("sun"), [common]) == []


def test_rows_of_two_spellings_are_merged_by_the_order_of_search() -> None:
    keys = _keys("toukyo")
    assert keys.prefixes == ("toukyo", "tokyo")
    spelled = _page(
        starts=["toukyo" + END, "toukyoa" + END],
        hits=[_hit(1, "Toukyo", popularity=0.2), _hit(2, "Toukyo A", popularity=0.1)],
    )
    folded = _page(
        starts=["tokyo" + END, "tokyob" + END, "tokyoa" + END],
        hits=[
            _hit(1, "Toukyo", popularity=0.2),
            _hit(3, "Tokyo B", popularity=0.9),
            _hit(2, "Toukyo A", preference=4, popularity=0.1),
        ],
    )
    assert _found(keys, [spelled, folded]) == [("exact", "Toukyo"), ("prefix", "Tokyo B"), ("prefix", "Toukyo A")]
    assert [hit.matched_name for hit in read_hits(first_hits(keys, [spelled, folded], 3))] == [
        "Toukyo",
        "Tokyo B",
        "Toukyo A",
    ]


def test_no_row_no_hit() -> None:
    assert first_hits(_keys("sun"), [], 20) == []
