"""CSVs of the anime of seasons, as they are collected from AniList and from Jikan, one anime a row."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TextIO, cast

from ingestion.formats.notes import Notes
from ingestion.formats.protocol import UNPACKING_ERRORS, DumpFile, Located, RecordFactory, dump_files
from ingestion.formats.season_csv_rows import Row, anilist_fields, is_adult, jikan_fields, whole_number
from ingestion.report import Place, RepairKind, ReportBuilder

_SUFFIXES = (".csv", ".csv.gz", ".csv.zst")
_COMMON = (
    "anime_id title english_title japanese_title type episodes duration status source season studios genres rating "
    "score members start_date end_date broadcast_day broadcast_time synopsis"
)
# Bytes that are no UTF-8 are carried as these until their row is known.
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
_JIKAN_SOURCE = "jikan-csv"
_MAX_FIELD = 1024 * 1024
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class _Layout(Enum):
    """The columns that a CSV has at least, by where its values come from."""

    ANILIST = frozenset(
        f"{_COMMON} mal_id user_preferred_title season_year main_studios tags popularity country_of_origin is_licensed "
        "hashtag main_characters main_staff streaming_sites is_adult synonyms site_url".split()
    )
    JIKAN = frozenset(f"{_COMMON} producers themes demographics explicit_genres".split())


class SeasonCsvFormat:
    """Reads season CSVs. Rows of Jikan's are the word of a source of their own, `jikan-csv`."""

    name = "anilist-csv"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """One anime a row. See `CatalogueFormat.read`."""
        files = dump_files(path, _SUFFIXES)
        shared = _shared_mal_ids(files)
        factory = RecordFactory(builder)
        for file in files:
            for layout, row, place in _rows(file, builder):
                located = _read_row(layout, row, place, shared, factory, builder)
                if located is not None:
                    yield located


def _shared_mal_ids(files: Sequence[DumpFile]) -> frozenset[int]:
    """The MyAnimeList ids that several works have; files are read once for that."""
    works: dict[int, str] = {}
    shared: set[int] = set()
    unreported = ReportBuilder(format_name=SeasonCsvFormat.name, source=SeasonCsvFormat.name)
    for file in files:
        for layout, row, _ in _rows(file, unreported):
            mal_id = whole_number(row["mal_id"]) if layout is _Layout.ANILIST else None
            if mal_id is not None and works.setdefault(mal_id, row["anime_id"]) != row["anime_id"]:
                shared.add(mal_id)
    return frozenset(shared)


def _read_row(
    layout: _Layout,
    row: Row,
    place: Place,
    shared: frozenset[int],
    factory: RecordFactory,
    builder: ReportBuilder,
) -> Located | None:
    builder.input_seen("works" if layout is _Layout.ANILIST else "jikan_works")
    if whole_number(row["anime_id"]) is None:
        builder.record_refused("anime_id: no number", place=place, subject=row["title"][:200] or None)
        return None
    if is_adult(row):
        builder.not_imported("adult_works")
        return None
    if layout is _Layout.JIKAN:
        notes = Notes(builder, place=place, subject=f"mal:anime:{whole_number(row['anime_id'])}")
        located = factory.build(jikan_fields(row, notes), place)
        return located and replace(located, source=_JIKAN_SOURCE)
    notes = Notes(builder, place=place, subject=f"anilist:anime:{whole_number(row['anime_id'])}")
    return factory.build(anilist_fields(row, notes, mal_id_is_shared=whole_number(row["mal_id"]) in shared), place)


def _rows(file: DumpFile, builder: ReportBuilder) -> Iterator[tuple[_Layout, Row, Place]]:
    """The rows that have all columns; others are refused by the line that they start in."""
    try:
        with (
            file.open_bytes() as stream,
            io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as text,
        ):
            yield from _rows_in(text, file, builder)
    except UNPACKING_ERRORS as error:
        builder.record_refused(f"the file can't be read: {error}", place=Place(file=file.name))


def _rows_in(text: TextIO, file: DumpFile, builder: ReportBuilder) -> Iterator[tuple[_Layout, Row, Place]]:
    csv.field_size_limit(_MAX_FIELD)
    reader = csv.reader(text)
    line = 1
    try:
        header: list[str] = next(reader, None) or []
        layout = next((each for each in _Layout if cast("frozenset[str]", each.value) <= set(header)), None)
        if layout is None:
            reason = "the first line doesn't name the columns of a season CSV"
            builder.record_refused(reason, place=Place(file=file.name))
            return
        line = reader.line_num + 1
        for values in reader:
            place = Place(file=file.name, line=line)
            line = reader.line_num + 1
            if values and len(values) != len(header):
                builder.record_refused(f"{len(values)} values in {len(header)} columns", place=place)
            elif values:
                yield layout, _sound(dict(zip(header, values, strict=True)), place, builder), place
    except csv.Error as error:
        builder.record_refused(f"no CSV from here on: {error}", place=Place(file=file.name, line=line))
        return
    builder.file_read()


def _sound(row: dict[str, str], place: Place, builder: ReportBuilder) -> Row:
    """The row with U+FFFD for each byte that is no UTF-8."""
    broken = {name: value for name, value in row.items() if _ESCAPED_BYTE.search(value)}
    if not broken:
        return row
    count = sum(len(_ESCAPED_BYTE.findall(value)) for value in broken.values())
    builder.repaired(RepairKind.INVALID_UTF8_REPLACED, count=count, place=place, subject=row["title"][:200] or None)
    return row | {name: _ESCAPED_BYTE.sub(_REPLACEMENT, value) for name, value in broken.items()}
