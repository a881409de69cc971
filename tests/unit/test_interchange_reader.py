"""The interchange reader on good and broken lines: what is yielded, refused by name and repaired."""

import gzip
import json
from pathlib import Path

import pytest
from ingestion.errors import NothingToImport
from ingestion.formats.interchange import InterchangeFormat
from ingestion.formats.protocol import Located
from ingestion.records import AnimeRecord
from ingestion.report import ImportReport, Place, ReportBuilder

GOOD = '{"record": "anime", "ref": "x:anime:1", "names": [{"name": " Moon Gate ", "kind": "main"}], "score": 71}'


def read(path: Path) -> tuple[list[Located], ImportReport]:
    builder = ReportBuilder(format_name="interchange", source="x")
    located = list(InterchangeFormat().read(path, builder))
    return located, builder.build()


def read_lines(folder: Path, *lines: str | bytes) -> tuple[list[Located], ImportReport]:
    content = [line.encode() if isinstance(line, str) else line for line in lines]
    (folder / "works.jsonl").write_bytes(b"\n".join(content))
    return read(folder)


def test_a_record_comes_with_its_place_and_is_complete(tmp_path: Path) -> None:
    located, report = read_lines(tmp_path, "", GOOD)
    assert [each.place for each in located] == [Place(file="works.jsonl", line=2)]
    assert not located[0].is_partial
    assert isinstance(located[0].record, AnimeRecord)
    assert located[0].record.main_name == "Moon Gate"
    assert report.files == 1
    assert [(each.kind, each.count) for each in report.read] == [("anime", 1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("null", "the line is no JSON object"),
        ("[1]", "the line is no JSON object"),
        ("{broken", "not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("[" * 100_000, "nested too deeply"),
        ('{"score": NaN}', "not usable JSON: NaN is no number"),
        ('{"score": 1' + "0" * 100_000 + "}", "not usable JSON: Exceeds the limit"),
        (GOOD.replace('"score": 71', '"score": 171'), "score: Input should be less than or equal to 100"),
        (GOOD.replace('"kind": "main"', '"kind": "alias"'), "names: exactly one must have kind 'main', found 0"),
        (GOOD.replace(" Moon Gate ", " \\u3000"), "names.0.name: String should have at least 1 character"),
        (GOOD.replace('"score": 71', '"colour": 1'), "colour: Extra inputs are not permitted"),
        (GOOD.replace('"anime", "ref"', '"book", "ref"'), "Input tag 'book' found using 'record' does not match"),
        (GOOD.replace("x:anime:1", "1"), "ref: String should match pattern"),
    ],
    ids=lambda value: value[:40],
)
def test_a_broken_line_is_refused_with_its_field_and_takes_no_other_with_it(
    tmp_path: Path, line: str, reason: str
) -> None:
    located, report = read_lines(tmp_path, line, GOOD)
    assert len(located) == 1
    assert report.refused_count == 1
    assert report.refused[0].place == Place(file="works.jsonl", line=1)
    assert report.refused[0].reason.startswith(reason)


def test_a_line_that_is_too_long_is_refused_and_skipped(tmp_path: Path) -> None:
    located, report = read_lines(tmp_path, b"x" * (9 * 1024 * 1024), GOOD)
    assert len(located) == 1
    assert report.refused[0].reason == "the line is longer than 4194304 bytes"


def test_unsafe_characters_are_repaired_and_named(tmp_path: Path) -> None:
    nul = json.dumps({**json.loads(GOOD), "synopsis": "act one\x00act two"})
    surrogate = GOOD.replace('"score": 71', r'"synopsis": "Moon \udcb0 Gate"').replace("x:anime:1", "x:anime:2")
    invalid = GOOD.encode().replace(b"71", b'71, "synopsis": "\xff"').replace(b"x:anime:1", b"x:anime:3")
    located, report = read_lines(tmp_path, nul, surrogate, invalid)
    synopses = [each.record.synopsis for each in located if isinstance(each.record, AnimeRecord)]
    assert synopses == ["act oneact two", "Moon \ufffd Gate", "\ufffd"]
    assert [(repair.kind, repair.subject) for repair in report.repairs] == [
        ("nul_removed", "x:anime:1"),
        ("lone_surrogate_replaced", "x:anime:2"),
        ("invalid_utf8_replaced", "x:anime:3"),
    ]


@pytest.mark.parametrize("date", ["0000-10-06", "0000-00-00", "99999-01-01", "0001-01-01 BC", "2016-13", ""])
def test_a_date_that_is_none_is_kept_as_text_and_reported_once(tmp_path: Path, date: str) -> None:
    located, report = read_lines(tmp_path, json.dumps({**json.loads(GOOD), "start": date}))
    record = located[0].record
    assert isinstance(record, AnimeRecord)
    assert (record.start, record.start_date) == (date, None)
    assert [(each.kind, each.count) for each in report.repaired] == [("unreadable_date_kept_as_text", 1)]


def test_folders_are_read_in_name_order_and_packed_files_unpacked(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "more.jsonl.gz").write_bytes(gzip.compress(GOOD.replace("x:anime:1", "x:anime:2").encode()))
    (tmp_path / "a.jsonl").write_text(GOOD)
    (tmp_path / "notes.txt").write_text("not a catalogue")
    located, report = read(tmp_path)
    assert [each.place for each in located] == [
        Place(file="a.jsonl", line=1),
        Place(file="b/more.jsonl.gz", line=1),
    ]
    assert report.files == 2


def test_a_damaged_packed_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "damaged.jsonl.gz").write_bytes(gzip.compress(GOOD.encode())[:-12])
    (tmp_path / "good.jsonl").write_text(GOOD)
    located, report = read(tmp_path)
    assert len(located) == 1
    assert [refusal.place for refusal in report.refused] == [Place(file="damaged.jsonl.gz")]
    assert report.refused[0].reason.startswith("the file can't be read: ")


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    located, _ = read_lines(tmp_path, b"\xef\xbb\xbf" + GOOD.encode())
    assert len(located) == 1


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NothingToImport, match="there is no file or folder at"):
        read(tmp_path / "missing")
