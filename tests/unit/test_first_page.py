"""The first hits out of the rows of prefixes."""

import json
from uuid import UUID

import pytest
from datastore.first_page import END_OF_ENTRY, EXACT, PART, PREFIX, SEPARATOR, WORD_PREFIX, first_hits
from datastore.name_keys import END, TypedKeys, typed_keys


def _hit(number: int, name: str, *, preference: int = 5, name_id: int = 1, popularity: float = 0.5) -> str:
    return json.dumps([preference, name_id, str(UUID(int=number)), "anime", name, None, "main", popularity, 1])


def _page(starts: list[str], hits: list[str]) -> str:
    return END_OF_ENTRY.join(f"{start}{SEPARATOR}{hit}" for start, hit in zip(starts, hits, strict=True))


def _keys(text: str) -> TypedKeys:
    keys = typed_keys(text)
    assert keys is not None
    return keys


def _found(keys: TypedKeys, pages: list[str], limit: int = 20) -> list[tuple[int, str]]:
    return [(match, hit.name) for match, hit in first_hits(keys, pages, limit)]


_LEAF = _page(
    starts=["sunrise" + END, "sun" + END, "sung" + END, "sun" + END + PART, "sunrise" + END + PART],
    hits=[_hit(1, "Sunrise"), _hit(3, "Sun"), _hit(4, "Sung"), _hit(2, "The Sun"), _hit(3, "Sun")],
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sun", [(EXACT, "Sun"), (PREFIX, "Sunrise"), (PREFIX, "Sung"), (WORD_PREFIX, "The Sun")]),
        ("sunr", [(PREFIX, "Sunrise"), (WORD_PREFIX, "Sun")]),
        ("sunx", []),
    ],
)
def test_a_row_is_read_by_class_each_entity_once(text: str, names: list[tuple[int, str]]) -> None:
    assert _found(_keys(text), [_LEAF]) == names
    assert _found(_keys(text), [_LEAF], limit=1) == names[:1]


def test_a_longer_text_meets_nothing_in_the_first_hits_of_a_prefix() -> None:
    common = _page(starts=["su" + END, "su", "su" + PART], hits=[_hit(1, "Su"), _hit(2, "Sun"), _hit(3, "A Sun")])
    assert _found(_keys("su"), [common]) == [(EXACT, "Su"), (PREFIX, "Sun"), (WORD_PREFIX, "A Sun")]
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
    assert _found(keys, [spelled, folded]) == [(EXACT, "Toukyo"), (PREFIX, "Tokyo B"), (PREFIX, "Toukyo A")]
    assert [hit.preference for _, hit in first_hits(keys, [spelled, folded], 3)] == [5, 5, 4]


def test_no_row_no_hit() -> None:
    assert first_hits(_keys("sun"), [], 20) == []
