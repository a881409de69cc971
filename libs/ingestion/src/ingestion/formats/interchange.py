"""Enishi's own JSONL: one record a line, in a file or in a folder of files, packed with gzip or not."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from ingestion.errors import UnreadableInput
from ingestion.formats.json_values import JsonObject, as_object
from ingestion.formats.protocol import (
    DumpFile,
    Located,
    RecordFactory,
    dump_files,
    load_json,
    reason_of,
    subject_of,
)
from ingestion.records import SourceSection
from ingestion.report import Place, ReportBuilder

_SUFFIXES = (".jsonl", ".jsonl.gz")
_MAX_LINE_BYTES = 4 * 1024 * 1024


class InterchangeFormat:
    """Reads interchange records; every record is complete, and of the source that the last section line named."""

    name = "interchange"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """One record a line; blank lines are skipped. See `CatalogueFormat.read`."""
        factory = RecordFactory(builder)
        for file in dump_files(path, _SUFFIXES):
            try:
                yield from _read_file(file, factory, builder)
            except (OSError, EOFError, zlib.error) as error:
                builder.record_refused(f"the file can't be read: {error}", place=Place(file=file.name))
            else:
                builder.file_read()


def _read_file(file: DumpFile, factory: RecordFactory, builder: ReportBuilder) -> Iterator[Located]:
    with file.open_bytes() as stream:
        number, source = 0, None
        while line := stream.readline(_MAX_LINE_BYTES + 1):
            number += 1
            place = Place(file=file.name, line=number)
            if len(line) > _MAX_LINE_BYTES:
                builder.record_refused(f"the line is longer than {_MAX_LINE_BYTES} bytes", place=place)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(_MAX_LINE_BYTES)
            elif line.strip():
                found = _read_line(line, place, factory, builder)
                if isinstance(found, SourceSection):
                    source = found.source
                elif found is not None:
                    yield replace(found, source=source)


def _read_line(
    line: bytes, place: Place, factory: RecordFactory, builder: ReportBuilder
) -> Located | SourceSection | None:
    try:
        cleaned = load_json(line)
    except UnreadableInput as error:
        builder.record_refused(str(error), place=place)
        return None
    raw = as_object(cleaned.value)
    if raw is None:
        builder.record_refused("the line is no JSON object", place=place)
        return None
    if raw.get("record") == "source":
        return _section(raw, place, builder)
    for kind, count in cleaned.repairs.by_kind():
        builder.repaired(kind, count=count, place=place, subject=subject_of(raw))
    return factory.build(raw, place)


def _section(raw: JsonObject, place: Place, builder: ReportBuilder) -> SourceSection | None:
    try:
        return SourceSection.model_validate(raw)
    except ValidationError as error:
        builder.record_refused(reason_of(error), place=place)
        return None
