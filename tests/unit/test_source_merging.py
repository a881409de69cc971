"""How several sources' records of one entity become one."""

from typing import Any

import pytest
from datastore.vocabulary import NameKind
from ingestion.merging import MergedName, SourceRecord, merge, source_json
from ingestion.records import AnimeRecord, NameRecord


def said(source: str, *names: tuple[str, str], **fields: Any) -> SourceRecord:
    given = names or (("main", "Moon"),)
    listed = [{"name": name, "kind": kind, "language": None} for kind, name in given]
    return SourceRecord(source, {"record": "anime", "ref": f"{source}:anime:1", "names": listed, **fields})


def test_the_first_source_keeps_its_values_and_later_ones_fill() -> None:
    merged = merge(
        [said("demo", episodes=12, genres=["Drama"]), said("other", episodes=13, season="fall", genres=["War"])]
    )
    assert merged.values == {"episodes": 12, "season": "fall", "genres": ["Drama"]}
    assert [(each.field, each.kept, each.other, each.source) for each in merged.disagreements] == [
        ("episodes", "12", "13", "other")
    ]


def test_empty_values_neither_keep_nor_disagree() -> None:
    merged = merge([said("demo", episodes=None, genres=[]), said("other", episodes=13, genres=["War"])])
    assert merged.values == {"episodes": 13, "genres": ["War"]}
    assert merged.disagreements == ()


@pytest.mark.parametrize(
    ("first", "second", "kept", "disagreements"),
    [
        ("1995-10", "1995-10-04", "1995-10-04", 0),
        ("1995-10-04", "1995", "1995-10-04", 0),
        ("1995-10-04", "1995-10-03", "1995-10-04", 1),
        ("1995", "1996-01", "1995", 1),
    ],
)
def test_a_more_precise_date_fills_and_another_date_disagrees(
    first: str, second: str, kept: str, disagreements: int
) -> None:
    merged = merge([said("demo", start=first), said("other", start=second)])
    assert merged.values["start"] == kept
    assert len(merged.disagreements) == disagreements


def test_names_add_up_and_only_the_first_main_name_stays_main() -> None:
    merged = merge(
        [
            said("demo", ("main", "Moon Gate"), ("romaji", "Tsuki no Mon")),
            said("other", ("main", "Tsuki no Mon"), ("english", "The Moon Gate"), ("alias", "Moon Gate")),
            said("third", ("main", "Gate of the Moon")),
        ]
    )
    assert merged.names == (
        MergedName("Moon Gate", NameKind.MAIN, None),
        MergedName("Tsuki no Mon", NameKind.ROMAJI, None),
        MergedName("The Moon Gate", NameKind.ENGLISH, None),
        MergedName("Gate of the Moon", NameKind.ALIAS, None),
    )
    assert merged.main_name == "Moon Gate"


def test_one_source_may_give_a_name_in_two_kinds() -> None:
    merged = merge([said("demo", ("main", "Moon"), ("english", "Moon"), ("english", "Moon"))])
    assert [name.kind for name in merged.names] == [NameKind.MAIN, NameKind.ENGLISH]


def test_popularity_and_score_name_their_source() -> None:
    merged = merge([said("demo"), said("other", popularity=900, score=71.0, score_source=None)])
    assert (merged.popularity, merged.popularity_source) == (900, "other")
    assert (merged.values["score"], merged.values["score_source"]) == (71.0, "other")


def test_popularity_is_no_content() -> None:
    few, many = merge([said("demo", popularity=1)]), merge([said("demo", popularity=900)])
    assert few.content(["a:b:c"]) == many.content(["a:b:c"])
    assert few.content(["a:b:c"]) != few.content(["a:b:d"])


def test_extra_fields_merge_key_by_key() -> None:
    merged = merge([said("demo", extra={"a": 1}), said("other", extra={"a": 2, "b": 3})])
    assert merged.extra == {"a": 1, "b": 3}


def test_a_complete_record_replaces_and_a_partial_one_updates() -> None:
    names = (NameRecord(name="Moon", kind=NameKind.MAIN),)
    stored = source_json(AnimeRecord(ref="a:anime:1", names=names, episodes=12, extra={"x": 1}), None, is_partial=False)
    new = AnimeRecord(ref="a:anime:1", names=names, duration_minutes=24, extra={"y": 2})
    partial = source_json(new, stored, is_partial=True)
    complete = source_json(new, stored, is_partial=False)
    assert (partial["episodes"], partial["duration_minutes"], partial["extra"]) == (12, 24, {"x": 1, "y": 2})
    assert (complete["episodes"], complete["duration_minutes"], complete["extra"]) == (None, 24, {"y": 2})
    assert source_json(new, None, is_partial=True)["record"] == "anime"
