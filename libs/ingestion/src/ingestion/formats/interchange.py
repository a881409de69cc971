"""Enishi's own JSONL: one record a line, in a file or in a folder of files, packed with gzip or not."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from ingestion.errors import UnreadableInput
from ingestion.formats.json_values import as_object
from ingestion.formats.protocol import (
    DumpFile,
    Located,
    RecordFactory,
    dump_files,
    load_json,
    subject_of,
)
from ingestion.report import Place, ReportBuilder

_SUFFIXES = (".jsonl", ".jsonl.gz")
_MAX_LINE_BYTES = 4 * 1024 * 1024


class InterchangeFormat:
    """Reads interchange records; every record is complete."""

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
        number = 0
        while line := stream.readline(_MAX_LINE_BYTES + 1):
            number += 1
            place = Place(file=file.name, line=number)
            if len(line) > _MAX_LINE_BYTES:
                builder.record_refused(f"the line is longer than {_MAX_LINE_BYTES} bytes", place=place)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(_MAX_LINE_BYTES)
            elif line.strip():
                located = _read_line(line, place, factory, builder)
                if located is not None:
                    yield located


def _read_line(line: bytes, place: Place, factory: RecordFactory, builder: ReportBuilder) -> Located | None:
    try:
        cleaned = load_json(line)
    except UnreadableInput as error:
        builder.record_refused(str(error), place=place)
        return None
    raw = as_object(cleaned.value)
    if raw is None:
        builder.record_refused("the line is no JSON object", place=place)
        return None
    for kind, count in cleaned.repairs.by_kind():
        builder.repaired(kind, count=count, place=place, subject=subject_of(raw))
    return factory.build(raw, place)
