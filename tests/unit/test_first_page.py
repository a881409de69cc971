"""The first hits out of the rows of prefixes."""

import json
import random
from collections import Counter
from uuid import UUID

import pytest
from datastore.first_page import END_OF_ENTRY, PART, SEPARATOR, WrittenHits, first_hits, read_hits
from datastore.name_keys import END, TypedKeys, typed_keys


def _hit(
    number: int, name: str, *, met: str = "", preference: int = 5, name_id: int = 1, popularity: float = 0.5
) -> str:
    stored = [str(UUID(int=number)), "anime", name, met or name, "main", "prefix", popularity, 1, preference, name_id]
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


def _row_of(prefix: str, keys: list[tuple[str, bool, int, str, float, int, int]]) -> str:
    """The row of a prefix: its keys in the order of search, each as it is stored."""
    met = [key for key in keys if key[0].startswith(prefix)]
    met.sort(key=lambda key: (key[1], -key[4], key[3], key[2], key[5], key[6]))
    lines: list[str] = []
    for text, is_part, number, name, popularity, preference, name_id in met:
        hit = _hit(number, name, met=str(name_id), preference=preference, name_id=name_id, popularity=popularity)
        hit = hit.replace('"prefix"', '"word_prefix"') if is_part else hit
        lines.append(f"{text}{PART if is_part else ''}{SEPARATOR}{hit}")
    return END_OF_ENTRY.join(lines)


def _ordered(typed: TypedKeys, keys: list[tuple[str, bool, int, str, float, int, int]]) -> list[tuple[str, str, str]]:
    """What search gives by its own words: class, popularity, name and id; of an entity its best name."""
    best: dict[int, tuple[int, float, str, int, int, int]] = {}
    for text, is_part, number, name, popularity, preference, name_id in keys:
        if not text.startswith(typed.prefixes):
            continue
        match = 0 if text == typed.exact and not is_part else 2 if is_part else 1
        place = (match, -popularity, name, number, preference, name_id)
        best[number] = min(best.get(number, place), place)
    classes = ("exact", "prefix", "word_prefix")
    return [(classes[match], name, str(name_id)) for match, _, name, _, _, name_id in sorted(best.values())]


def test_two_rows_give_what_search_means_whatever_is_in_them() -> None:
    typed = _keys("toukyo")
    chance = random.Random(20261129)
    roads: Counter[bool] = Counter()
    for _ in range(3_000):
        keys: list[tuple[str, bool, int, str, float, int, int]] = []
        for number in range(1, chance.randint(2, 9)):
            popularity = chance.choice((0.1, 0.2, 0.3))
            for name_id in range(number * 10, number * 10 + chance.randint(1, 3)):
                tail = chance.choice(("", "", "a", "b"))
                is_part, preference = chance.random() < 0.3, chance.randint(1, 3)
                # A name has both spellings of a beginning, or one where it ends within a sound.
                for start in chance.choice((("toukyo", "tokyo"), ("toukyo", "tokyo"), ("tokyo",), ("toukyo",))):
                    text = start + tail + END
                    keys.append((text, is_part, number, f"Name {number}", popularity, preference, name_id))
        limit = chance.randint(1, 9)
        hits = first_hits(typed, [_row_of(prefix, keys) for prefix in typed.prefixes], limit)
        found = [(hit.match, hit.name, hit.matched_name) for hit in read_hits(hits)]
        assert found == _ordered(typed, keys)[:limit]
        roads[isinstance(hits, WrittenHits)] += 1
    assert min(roads[True], roads[False]) > 300
