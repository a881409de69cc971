"""The comparison of the demo catalogue with other catalogues: what agrees, what is reported, what is explained."""

import gzip
import json
from pathlib import Path

import pytest
from datastore.dates import PartialDate
from ingestion.demo.compare import (
    Difference,
    Explanation,
    Work,
    compare,
    demo_works,
    known_explanations,
    main,
)
from ingestion.demo.reference_works import ReferenceWork, broadcast_dates, read_reference_works
from ingestion.records import AnimeRecord, MangaRecord, parse_record


def anime(**overrides: object) -> AnimeRecord:
    fields: dict[str, object] = {
        "record": "anime",
        "ref": "enishi:anime:sea",
        "external_ids": ["anilist:anime:7", "mal:anime:70"],
        "names": [{"name": "Sea × Sky", "kind": "main"}, {"name": "海と空", "kind": "native"}],
        "format": "tv",
        "start": "2010-04-04",
        "episodes": 12,
    }
    record = parse_record(json.dumps({**fields, **overrides}))
    assert isinstance(record, AnimeRecord)
    return record


def media(**overrides: object) -> dict[str, object]:
    return {
        "id": 7,
        "idMal": 70,
        "type": "ANIME",
        "format": "TV",
        "episodes": 12,
        "title": {"native": "海と空", "romaji": "SEA x SKY", "english": None},
        "startDate": {"year": 2010, "month": 4, "day": 4},
        **overrides,
    }


def item(**overrides: object) -> dict[str, object]:
    return {
        "title": "海と空",
        "titleTranslate": {"en": ["Sea x Sky"], "zh-Hans": ["海与天"]},
        "type": "tv",
        "begin": "2010-04-03T16:30:00.000Z",
        "sites": [{"site": "mal", "id": "70"}, {"site": "aniList", "id": "7"}, {"site": "qq"}],
        **overrides,
    }


def references(
    tmp_path: Path, media_list: list[dict[str, object]], item_list: list[dict[str, object]]
) -> list[ReferenceWork]:
    anilist, bangumi = tmp_path / "anime" / "anilist_json", tmp_path / "anime" / "bangumi-data"
    anilist.mkdir(parents=True)
    bangumi.mkdir()
    answer = [{"request": {"query": ""}, "response": {"data": {"page1": {"media": media_list}}}}]
    (anilist / "media.json.gz").write_bytes(gzip.compress(json.dumps(answer).encode()))
    (bangumi / "data.json.gz").write_bytes(gzip.compress(json.dumps({"siteMeta": {}, "items": item_list}).encode()))
    return read_reference_works(tmp_path)


def differences(works: list[Work], found: list[ReferenceWork]) -> list[tuple[str, str, str, str]]:
    return [(one.field, one.ours, one.theirs, one.source) for one in compare(works, found).unexplained]


def test_equal_works_have_no_difference(tmp_path: Path) -> None:
    result = compare([anime()], references(tmp_path, [media()], [item()]))
    assert (result.matched, result.unmatched, result.unexplained) == (2, (), ())


def test_every_compared_field_is_reported(tmp_path: Path) -> None:
    other = media(
        format="ONA",
        episodes=13,
        title={"native": "海と空", "romaji": "Umi to Sora"},
        startDate={"year": 2010, "month": 4, "day": 5},
    )
    assert differences([anime()], references(tmp_path, [other], [])) == [
        ("title", "Sea × Sky", "Umi to Sora", "anilist"),
        ("start", "2010-04-04", "2010-04-05", "anilist"),
        ("format", "tv", "ona", "anilist"),
        ("episodes", "12", "13", "anilist"),
    ]


def test_english_translations_of_bangumi_data_are_compared_and_chinese_ones_not(tmp_path: Path) -> None:
    other = item(titleTranslate={"en": ["Sea and Sky"], "zh-Hans": ["海与天"]})
    assert differences([anime()], references(tmp_path, [], [other])) == [
        ("title", "Sea × Sky", "Sea and Sky", "bangumi-data")
    ]


@pytest.mark.parametrize(
    ("begin", "days"),
    [
        ("2013-04-06T16:58:00.000Z", ["2013-04-07", "2013-04-06"]),  # Saturday 25:58 in the listings
        ("2010-04-03T19:59:59Z", ["2010-04-04", "2010-04-03"]),
        ("2010-04-03T20:00:00Z", ["2010-04-04"]),
        ("2010-04-03T15:00:00Z", ["2010-04-04", "2010-04-03"]),
        ("2010-04-03T14:59:00Z", ["2010-04-03"]),
        ("", []),
    ],
)
def test_broadcast_day_is_read_in_tokyo_and_ends_at_five(begin: str, days: list[str]) -> None:
    assert [str(day) for day in broadcast_dates(begin)] == days


def test_partial_dates_agree_as_far_as_they_are_known(tmp_path: Path) -> None:
    found = references(tmp_path, [media(startDate={"year": 2010, "month": 4, "day": None})], [])
    assert differences([anime(start="2010")], found) == []
    assert differences([anime(start="2010-04-09")], found) == []
    assert differences([anime(start="2011")], found) == [("start", "2011", "2010-04", "anilist")]


def test_work_without_ids_is_found_by_its_native_title_if_that_is_unique(tmp_path: Path) -> None:
    work = anime(external_ids=[], start="2009")
    found = references(tmp_path, [media()], [item(), item(sites=[])])
    assert differences([work], found) == [("start", "2009", "2010-04-04", "anilist")]


def test_printed_work_is_not_compared_with_an_anime_of_its_title(tmp_path: Path) -> None:
    work = MangaRecord.model_validate(
        {"ref": "enishi:manga:sea", "names": [{"name": "海と空", "kind": "main"}], "start": "2001"}
    )
    assert compare([work], references(tmp_path, [media()], [item()])).unmatched == ("enishi:manga:sea",)


def test_anilist_id_comes_before_a_shared_myanimelist_id(tmp_path: Path) -> None:
    second_half = item(
        title="海と空 後編",
        begin="2011-01-01T10:00:00Z",
        sites=[{"site": "mal", "id": "70"}, {"site": "aniList", "id": "8"}],
    )
    assert differences([anime()], references(tmp_path, [], [second_half, item()])) == []


def test_arc_listed_again_under_the_same_id_is_not_the_start(tmp_path: Path) -> None:
    arc = item(title="海と空 第二章", begin="2019-04-05T14:15:00Z")
    assert differences([anime()], references(tmp_path, [], [arc, item()])) == []


def test_explanation_silences_exactly_its_difference(tmp_path: Path) -> None:
    found = references(tmp_path, [media(episodes=13)], [])
    fitting = Explanation(
        ref="enishi:anime:sea", field="episodes", ours="12", theirs="13", source="anilist", reason="Counts a special."
    )
    other = fitting.model_copy(update={"theirs": "14"})
    assert compare([anime()], found, [fitting]).explained == (fitting,)
    assert compare([anime()], found, [fitting]).unexplained == ()
    result = compare([anime()], found, [other])
    assert result.unexplained == (Difference("enishi:anime:sea", "episodes", "12", "13", "anilist"),)
    assert result.stale == (other,)


def test_folder_without_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"no AniList answers and no bangumi-data below {tmp_path / 'anime'}\n"


def test_unexplained_difference_sets_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = media(id=21, idMal=21, title={"native": "ONE PIECE"}, startDate={"year": 1998}, episodes=None)
    references(tmp_path, [found], [])
    assert main(["--data", str(tmp_path)]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "UNEXPLAINED enishi:anime:one-piece start: ours '1999-10-20', anilist '1998'"


@pytest.mark.data
def test_shipped_works_have_no_unexplained_difference(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data_folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["unexplained"] == []
    assert result["stale"] == []
    assert result["matched"] >= 80
    # The second half of Fate/Zero is in none of the sources.
    unmatched = [ref for ref in result["unmatched"] if ref.startswith("enishi:anime:")]
    assert unmatched == ["enishi:anime:fate-zero-season-2"]


@pytest.mark.data
def test_planted_wrong_date_is_reported(data_folder: Path) -> None:
    works = [
        work.model_copy(update={"start": "2002-10-02"}) if work.ref == "enishi:anime:naruto" else work
        for work in demo_works()
    ]
    result = compare(works, read_reference_works(data_folder), known_explanations())
    assert result.unexplained == (
        Difference("enishi:anime:naruto", "start", "2002-10-02", "2002-10-03", "anilist"),
        Difference("enishi:anime:naruto", "start", "2002-10-02", "2002-10-03", "bangumi-data"),
    )


@pytest.mark.data
def test_late_night_series_starts_on_the_day_after_its_listing(data_folder: Path) -> None:
    works = [work for work in read_reference_works(data_folder) if work.anilist_id == "anilist:anime:16498"]
    assert [(work.source, work.starts) for work in works] == [
        ("bangumi-data", (PartialDate(2013, 4, 7), PartialDate(2013, 4, 6)))
    ]
