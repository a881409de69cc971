"""The reader of the anime-offline-database: its JSON, its JSON Lines and both packed, by the published schema."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard
from fixtures.catalogue_imports import counted, refusals
from ingestion.formats.manami import ManamiFormat
from ingestion.records import AnimeRecord, AnyEntity, AnyLink, RelationRecord
from ingestion.report import ImportReport, ReportBuilder

HEAD = {
    "license": {"name": "ODbL", "url": "https://example.org"},
    "scoreRange": {"minInclusive": 1, "maxInclusive": 10},
}


def anime_entry(**changes: Any) -> dict[str, Any]:
    """An entry as the schema wants it, changed."""
    entry = {
        "sources": ["https://anilist.co/anime/7", "https://myanimelist.net/anime/3", "https://kitsu.app/anime/9"],
        "title": "Moon Gate",
        "type": "TV",
        "episodes": 26,
        "status": "FINISHED",
        "animeSeason": {"season": "SPRING", "year": 2001},
        "picture": "https://example.org/3.jpg",
        "thumbnail": "https://example.org/3t.jpg",
        "duration": {"value": 1_380, "unit": "SECONDS"},
        "score": {"arithmeticGeometricMean": 8.2, "arithmeticMean": 8.25, "median": 8.3},
        "synonyms": ["ムーンゲート", "月の門"],
        "studios": ["studio lantern"],
        "producers": [],
        "relatedAnime": ["https://anilist.co/anime/8", "https://myanimelist.net/anime/2", "https://kitsu.app/anime/1"],
        "tags": ["moon"],
    }
    return entry | changes


def read(path: Path) -> tuple[list[AnyEntity | AnyLink], ImportReport]:
    """The records of a dump, and the report of reading it."""
    builder = ReportBuilder(format_name="manami", source="manami")
    return [located.record for located in ManamiFormat().read(path, builder)], builder.build()


def as_object(entries: Sequence[Any]) -> bytes:
    """The form of one JSON object."""
    return json.dumps({**HEAD, "lastUpdate": "2025-05-02", "data": entries}).encode()


def as_lines(entries: Sequence[Any]) -> bytes:
    """The form of JSON Lines, whose first one tells about the file."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in (HEAD, *entries))


@pytest.mark.parametrize(
    ("name", "write", "pack"),
    [
        ("anime-offline-database-minified.json", as_object, bytes),
        ("anime-offline-database-minified.json.zst", as_object, zstandard.compress),
        ("anime-offline-database.json.gz", as_object, gzip.compress),
        ("anime-offline-database.jsonl", as_lines, bytes),
        ("anime-offline-database.jsonl.zst", as_lines, zstandard.compress),
    ],
)
def test_all_forms_of_a_release_hold_the_same(
    name: str, write: Callable[[Sequence[Any]], bytes], pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(pack(write([anime_entry()])))
    records, report = read(tmp_path)
    assert (report.files, report.refused_count, counted(report.input_totals)) == (1, 0, {"entries": 1})
    assert records == [
        AnimeRecord.model_validate(
            {
                "ref": "mal:anime:3",
                "external_ids": ["anilist:anime:7", "kitsu:anime:9"],
                "names": [
                    {"name": "Moon Gate", "kind": "main"},
                    {"name": "ムーンゲート", "kind": "alias", "language": "ja"},
                    {"name": "月の門", "kind": "alias", "language": "ja"},
                ],
                "format": "tv",
                "status": "finished",
                "season": "spring",
                "season_year": 2001,
                "start": "2001",
                "episodes": 26,
                "duration_minutes": 23,
                "score": 82.5,
                "score_source": "manami",
                "tags": ["moon"],
                "extra": {"studios": ["studio lantern"], "picture": "https://example.org/3.jpg"},
            }
        ),
        RelationRecord.model_validate(
            {"from": "mal:anime:2", "to": "mal:anime:3", "relation": "other_relation", "raw_type": "relatedAnime"}
        ),
    ]


def test_what_is_not_known_is_left_empty(tmp_path: Path) -> None:
    unknown = {"type": "UNKNOWN", "status": "UNKNOWN", "episodes": 0, "animeSeason": {"season": "UNDEFINED"}}
    bare = {
        key: value for key, value in anime_entry(relatedAnime=[], **unknown).items() if key not in ("score", "duration")
    }
    (tmp_path / "a.jsonl").write_bytes(as_lines([bare]))
    [record], report = read(tmp_path)
    assert isinstance(record, AnimeRecord)
    empty = (record.format, record.status, record.episodes, record.season, record.start, record.score)
    assert empty == (None,) * 6
    assert record.duration_minutes is None
    assert report.repaired == ()


def test_words_that_the_schema_does_not_have_are_told_and_kept_as_text(tmp_path: Path) -> None:
    strange = anime_entry(
        type="HOLOGRAM", relatedAnime=[], sources=["https://anidb.net/anime/1", "https://example.org/1"]
    )
    (tmp_path / "a.json").write_bytes(as_object([strange]))
    [record], report = read(tmp_path)
    assert isinstance(record, AnimeRecord)
    assert (record.ref, record.format, record.extra["raw_format"]) == ("anidb:anime:1", None, "HOLOGRAM")
    assert counted(report.repaired) == {"unknown_value_left_empty": 2}


def test_several_pages_at_one_provider_prove_nothing(tmp_path: Path) -> None:
    pages = ["https://myanimelist.net/anime/1", "https://myanimelist.net/anime/2", "https://anidb.net/anime/5"]
    (tmp_path / "a.json").write_bytes(as_object([anime_entry(sources=pages, relatedAnime=[])]))
    [record], _ = read(tmp_path)
    assert isinstance(record, AnimeRecord)
    assert (record.ref, record.external_ids) == ("anidb:anime:5", ())
    assert record.extra["pages_of_several"] == ["mal:anime:1", "mal:anime:2"]


def test_entries_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    entries = [anime_entry(episodes=-1), anime_entry(sources=["https://example.org/1"]), 7]
    (tmp_path / "a.json").write_bytes(as_object(entries))
    (tmp_path / "b.json").write_text('{"title": "a schema"}')
    (tmp_path / "c.json").write_text("{")
    (tmp_path / "d.jsonl.zst").write_bytes(b"not packed")
    records, report = read(tmp_path)
    assert records == []
    assert report.files == 1
    assert [(str(each.place), each.subject, each.reason.partition(";")[0]) for each in report.refused] == [
        ("a.json#1", "Moon Gate", "episodes: Input should be greater than or equal to 0"),
        ("a.json#2", "Moon Gate", "sources: no page of a known provider"),
        ("a.json#3", None, "sources: Field required"),
        ("b.json", None, "data: missing or empty"),
        ("c.json", None, "not JSON: the file ends too early"),
        ("d.jsonl.zst", None, "the file can't be read: zstd decompress error: Unknown frame descriptor"),
    ]


def test_dead_entries_are_counted(tmp_path: Path) -> None:
    (tmp_path / "dead.json").write_text(json.dumps({**HEAD, "deadEntries": ["1", "2", "3"]}))
    records, report = read(tmp_path)
    assert (records, refusals(report)) == ([], [])
    assert counted(report.not_imported) == {"dead_entries": 3}
