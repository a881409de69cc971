"""How several sources' records of one entity become one."""

import itertools
from typing import Any

import pytest
from datastore.vocabulary import NameKind
from ingestion.merging import Disagreement, MergedName, Said, SourceRecord, combine, merge, source_json
from ingestion.records import AnimeRecord, NameRecord


def said(source: str, *names: tuple[str, str], **fields: Any) -> SourceRecord:
    given = names or (("main", "Moon"),)
    listed = [{"name": name, "kind": kind, "language": None} for kind, name in given]
    return SourceRecord(source, {"record": "anime", "ref": f"{source}:anime:1", "names": listed, **fields})


def test_the_source_of_higher_rank_is_shown_and_the_others_fill() -> None:
    merged = merge(
        [said("demo", episodes=12, genres=["Drama"]), said("anilist", episodes=13, season="fall", genres=["War"])]
    )
    assert merged.values == {"episodes": 12, "season": "fall", "genres": ["Drama"]}
    assert merged.disagreements == (Disagreement("episodes", Said("demo", "12"), (Said("anilist", "13"),)),)


def test_an_own_source_stands_before_every_dump_and_own_sources_go_by_name() -> None:
    sources = [said("anilist", episodes=12), said("zine", episodes=14), said("archive", episodes=13)]
    merged = merge(sources)
    assert merged.values["episodes"] == 13
    [disagreement] = merged.disagreements
    assert disagreement.shown == Said("archive", "13")
    assert disagreement.others == (Said("zine", "14"), Said("anilist", "12"))


def test_broadcast_dates_have_an_order_of_their_own() -> None:
    sources = [said("bangumi", start="2001-04-02", episodes=12), said("bangumi-data", start="2001-04-01", episodes=13)]
    assert merge(sources).values == {"start": "2001-04-01", "episodes": 12}


def test_no_order_of_import_changes_anything() -> None:
    sources = [
        said("demo", ("main", "Moon Gate"), start="1995", extra={"a": 1}),
        said("anilist", ("main", "Moongate"), ("native", "月の門"), start="1995-10", episodes=12, popularity=3),
        said("manami", ("main", "Gate of the Moon"), start="1995-10-04", episodes=13, extra={"a": 2, "b": 3}),
        said("bangumi", ("main", "月の門"), start="1995-11", episodes=12, score=70.0, gender="Female"),
    ]
    expected = merge(sources)
    assert all(merge(order) == expected for order in itertools.permutations(sources))
    assert expected.values["start"] == "1995-10-04"
    assert expected.disagreements == (
        Disagreement("episodes", Said("anilist", "12"), (Said("manami", "13"),)),
        Disagreement("start", Said("manami", "1995-10-04"), (Said("bangumi", "1995-11"),)),
    )


def test_empty_values_neither_keep_nor_disagree() -> None:
    merged = merge([said("demo", episodes=None, genres=[]), said("anilist", episodes=13, genres=["War"])])
    assert merged.values == {"episodes": 13, "genres": ["War"]}
    assert merged.disagreements == ()


@pytest.mark.parametrize(
    ("first", "second", "kept", "disagreements"),
    [
        ("1995-10", "1995-10-04", "1995-10-04", 0),
        ("1995-10-04", "1995", "1995-10-04", 0),
        ("1995-10-04", "1995-10-03", "1995-10-04", 1),
        ("1995", "1996-01", "1995", 1),
        ("0000-10-04", "1995-10-03", "1995-10-03", 0),
        ("1995-10-04", "0000-00-00", "1995-10-04", 0),
        ("0000-10-04", "0000-00-00", "0000-10-04", 0),
        ("1995-4", "1995-04", "1995-4", 0),
    ],
)
def test_a_more_precise_date_fills_and_another_date_disagrees(
    first: str, second: str, kept: str, disagreements: int
) -> None:
    merged = merge([said("demo", start=first), said("anilist", start=second)])
    assert merged.values["start"] == kept
    assert len(merged.disagreements) == disagreements


def test_names_add_up_and_only_one_main_name_stays_main() -> None:
    merged = merge(
        [
            said("demo", ("main", "Moon Gate"), ("romaji", "Tsuki no Mon")),
            said("anilist", ("main", "Tsuki no Mon"), ("english", "The Moon Gate"), ("alias", "Moon Gate")),
            said("bangumi", ("main", "Gate of the Moon")),
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
    merged = merge([said("demo"), said("anilist", popularity=900, score=71.0, score_source=None)])
    assert (merged.popularity, merged.popularity_source) == (900, "anilist")
    assert (merged.values["score"], merged.values["score_source"]) == (71.0, "anilist")


def test_popularity_is_no_content() -> None:
    few, many = merge([said("demo", popularity=1)]), merge([said("demo", popularity=900)])
    assert few.content(["a:b:c"]) == many.content(["a:b:c"])
    assert few.content(["a:b:c"]) != few.content(["a:b:d"])


def test_extra_fields_merge_key_by_key() -> None:
    merged = merge([said("demo", extra={"a": 1}), said("anilist", extra={"a": 2, "b": 3})])
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


def test_case_is_no_contradiction() -> None:
    assert merge([said("demo", gender="Female"), said("anilist", gender="female")]).disagreements == ()


def test_two_records_of_one_source_become_one() -> None:
    older = said("demo", ("main", "Moon"), ("native", "月"), episodes=None, start="1995", extra={"a": 1}).record
    younger = said("demo", ("main", "Luna"), ("native", "月"), episodes=12, start="1996", extra={"a": 2, "b": 3}).record
    combined = combine(older, younger)
    assert [(name["name"], name["kind"]) for name in combined["names"]] == [
        ("Moon", "main"),
        ("月", "native"),
        ("Luna", "alias"),
    ]
    assert (combined["episodes"], combined["start"], combined["extra"]) == (12, "1995", {"a": 1, "b": 3})
