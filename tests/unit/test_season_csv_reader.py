"""The reader of season CSVs on hand-made rows: numbers as text, joined lists, shared ids, broken lines."""

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fixtures.catalogue_imports import counted
from ingestion.formats.protocol import Located
from ingestion.formats.season_csv import SeasonCsvFormat
from ingestion.formats.season_csv_rows import listed, whole_number
from ingestion.report import ImportReport, ReportBuilder

Row = dict[str, str]

ANILIST: Row = {
    "anime_id": "7",
    "mal_id": "58567.0",
    "title": "Tsuki no Mon",
    "english_title": "Moon Gate",
    "japanese_title": "月の門",
    "user_preferred_title": "Tsuki no Mon",
    "type": "TV",
    "episodes": "13.0",
    "duration": "24.0",
    "status": "FINISHED",
    "source": "OTHER",
    "season": "WINTER 2025",
    "season_year": "2025",
    "studios": "Purse;Lantern;Lantern",
    "main_studios": "Lantern",
    "genres": "Action;Drama",
    "tags": "Dungeon;Swordplay",
    "rating": "",
    "score": "84.0",
    "popularity": "304265",
    "members": "304265",
    "start_date": "2025-01-05",
    "end_date": "",
    "broadcast_day": "",
    "broadcast_time": "",
    "synopsis": 'The <i>gate</i>,<br><br>\n"and" the moon.',
    "country_of_origin": "JP",
    "is_licensed": "True",
    "hashtag": "",
    "main_characters": "Rabbit",
    "main_staff": "Yuuto Suzuki (Original Creator);Masaki Watanabe (Director)",
    "streaming_sites": "Official Site",
    "is_adult": "False",
    "synonyms": "달의 문; בוא איתי;ประตู",
    "site_url": "https://anilist.co/anime/7",
}
JIKAN: Row = {
    "anime_id": "58567",
    "title": "Tsuki no Mon",
    "english_title": "",
    "japanese_title": "月のもん",
    "type": "ONA",
    "episodes": "12.0",
    "duration": "0",
    "status": "Finished Airing",
    "source": "Web manga",
    "season": "None None",
    "studios": "Lantern",
    "producers": "Purse;TV",
    "genres": "Action",
    "rating": "PG-13 - Teens 13 or older",
    "score": "8.86",
    "members": "0",
    "start_date": "2025-01-05",
    "end_date": "2025-03-30",
    "broadcast_day": "Fridays",
    "broadcast_time": "23:00",
    "synopsis": "A gate.",
    "explicit_genres": "",
    "themes": "Gore;School",
    "demographics": "Shounen",
}


def as_csv(rows: Sequence[Row]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def read(path: Path) -> tuple[list[Located], ImportReport]:
    builder = ReportBuilder(format_name="anilist-csv", source="anilist-csv")
    return list(SeasonCsvFormat().read(path, builder)), builder.build()


def read_rows(folder: Path, *rows: Row) -> tuple[list[Located], ImportReport]:
    (folder / "season.csv").write_bytes(as_csv(rows))
    return read(folder)


def said(located: Located) -> dict[str, Any]:
    return located.record.model_dump(mode="json", exclude_unset=True)


ANILIST_EXTRA = {
    "site_url": "https://anilist.co/anime/7",
    "is_licensed": True,
    "studios": ["Purse", "Lantern"],
    "main_studios": ["Lantern"],
    "credits": ["Yuuto Suzuki (Original Creator)", "Masaki Watanabe (Director)"],
    "main_characters": ["Rabbit"],
    "streaming_sites": ["Official Site"],
}


def test_a_row_of_anilist_is_an_anime(tmp_path: Path) -> None:
    [located], report = read_rows(tmp_path, ANILIST)
    assert (located.is_partial, located.source) == (False, None)
    assert said(located) == {
        "record": "anime",
        "ref": "anilist:anime:7",
        "external_ids": ["mal:anime:58567"],
        "names": [
            {"name": "Moon Gate", "kind": "main", "language": "en"},
            {"name": "Tsuki no Mon", "kind": "romaji", "language": "ja-Latn"},
            {"name": "月の門", "kind": "native", "language": "ja"},
            {"name": "달의 문", "kind": "alias", "language": "ko"},
            {"name": "בוא איתי", "kind": "alias", "language": None},
            {"name": "ประตู", "kind": "alias", "language": None},
        ],
        "format": "tv",
        "status": "finished",
        "source": "other",
        "season": "winter",
        "season_year": 2025,
        "score": 84.0,
        "score_source": "anilist",
        "popularity": 304_265,
        "tags": ["Dungeon", "Swordplay"],
        "country": "JP",
        "episodes": 13,
        "duration_minutes": 24,
        "start": "2025-01-05",
        "end": None,
        "genres": ["Action", "Drama"],
        "synopsis": 'The gate,\n\n"and" the moon.',
        "extra": ANILIST_EXTRA,
    }
    assert counted(report.repaired) == {"html_made_plain": 1, "name_trimmed": 1}
    assert (report.files, report.refused_count, counted(report.input_totals)) == (1, 0, {"works": 1})


def test_a_row_of_jikan_is_the_word_of_another_source(tmp_path: Path) -> None:
    [located], report = read_rows(tmp_path, JIKAN)
    assert (located.is_partial, located.source) == (False, "jikan-csv")
    assert said(located) == {
        "record": "anime",
        "ref": "mal:anime:58567",
        "names": [
            {"name": "Tsuki no Mon", "kind": "main", "language": "ja-Latn"},
            {"name": "月のもん", "kind": "native", "language": "ja"},
        ],
        "format": "ona",
        "status": "finished",
        "source": "manga",
        "season": None,
        "season_year": None,
        "score": 88.6,
        "score_source": "mal",
        "popularity": None,
        "tags": ["Gore", "School", "Shounen"],
        "episodes": 12,
        "duration_minutes": None,
        "start": "2025-01-05",
        "end": "2025-03-30",
        "genres": ["Action"],
        "synopsis": "A gate.",
        "extra": {
            "studios": ["Lantern"],
            "producers": ["Purse", "TV"],
            "rating": "PG-13 - Teens 13 or older",
            "broadcast": "Fridays at 23:00 (JST)",
            "raw_source": "Web manga",
        },
    }
    assert counted(report.repaired) == {}


def test_empty_values_are_unknown_and_strange_ones_are_reported(tmp_path: Path) -> None:
    empty = dict.fromkeys(("mal_id", "score", "episodes", "type", "synopsis", "genres", "synonyms"), "")
    strange = {"anime_id": "8", "mal_id": "9", "type": "HOLOGRAM", "episodes": "many", "score": "high"}
    [first, second], report = read_rows(tmp_path, ANILIST | empty, ANILIST | strange)
    said_first = said(first)
    assert [said_first[name] for name in ("external_ids", "genres")] == [[], []]
    assert {said_first[name] for name in ("score", "score_source", "episodes", "format", "synopsis")} == {None}
    said_second = said(second)
    assert [said_second[name] for name in ("format", "episodes", "score")] == [None, None, None]
    assert said_second["extra"]["raw_format"] == "HOLOGRAM"
    unknown = [each.subject for each in report.repairs if each.kind == "unknown_value_left_empty"]
    assert unknown == ["anilist:anime:8"] * 3


def test_an_id_that_several_works_have_proves_nothing(tmp_path: Path) -> None:
    rows = [ANILIST | {"anime_id": number} for number in ("7", "8")]
    (tmp_path / "a.csv").write_bytes(as_csv(rows[:1]))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(as_csv(rows[1:])))
    located, report = read(tmp_path)
    assert [said(each)["external_ids"] for each in located] == [[], []]
    assert [said(each)["extra"]["pages_of_several"] for each in located] == [["mal:anime:58567"]] * 2
    assert report.files == 2

    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(as_csv(rows[:1])))
    assert [said(each)["external_ids"] for each in read(tmp_path)[0]] == [["mal:anime:58567"]] * 2


def test_broken_rows_are_refused_by_their_line(tmp_path: Path) -> None:
    rows = [ANILIST, ANILIST | {"anime_id": "none", "mal_id": "1"}, ANILIST | {"anime_id": "9", "mal_id": "2"}]
    text = as_csv(rows).replace("\u6708\u306e\u9580".encode(), b"\xe6\x9c", 1) + b"one,two\r\n"
    (tmp_path / "season.csv").write_bytes(b"\xef\xbb\xbf" + text)
    located, report = read(tmp_path)
    assert [said(each)["ref"] for each in located] == ["anilist:anime:7", "anilist:anime:9"]
    assert said(located[0])["names"][2]["name"] == "\ufffd\ufffd"
    assert counted(report.repaired)["invalid_utf8_replaced"] == 2
    # Each synopsis has two lines.
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("season.csv:4", "anime_id: no number"),
        ("season.csv:8", "2 values in 35 columns"),
    ]


def test_files_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a_other.csv").write_text("id,name\n1,One\n")
    (tmp_path / "b_empty.csv").write_text("")
    (tmp_path / "c_cut.csv.gz").write_bytes(gzip.compress(as_csv([ANILIST]))[:-6])
    (tmp_path / "d_long.csv").write_bytes(as_csv([ANILIST | {"synopsis": "x" * 1_100_000}, ANILIST]))
    _, report = read(tmp_path)
    no_columns = "the first line doesn't name the columns of a season CSV"
    reasons = [(str(each.place), each.reason) for each in report.refused]
    assert reasons[:2] == [("a_other.csv", no_columns), ("b_empty.csv", no_columns)]
    assert [(place, reason.partition(":")[0]) for place, reason in reasons[2:]] == [
        ("c_cut.csv.gz", "the file can't be read"),
        ("d_long.csv:2", "no CSV from here on"),
    ]
    assert report.files == 0


@pytest.mark.parametrize("adult", [{"is_adult": "True"}, {"rating": "Rx - Hentai"}], ids=["flagged", "rated"])
def test_works_for_adults_are_counted_and_left_out(tmp_path: Path, adult: Row) -> None:
    located, report = read_rows(tmp_path, ANILIST | adult)
    assert (located, counted(report.not_imported)) == ([], {"adult_works": 1})


@pytest.mark.parametrize(
    ("text", "number"),
    [("58567.0", 58_567), (" 7 ", 7), ("0", None), ("0.0", None), ("1.5", None), ("", None), ("-3", None), ("٣", None)],
)
def test_whole_numbers_may_be_written_as_floats(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_lists_lose_empty_and_repeated_items() -> None:
    assert listed("Twitter;Twitter; Official Site ;;") == ["Twitter", "Official Site"]
