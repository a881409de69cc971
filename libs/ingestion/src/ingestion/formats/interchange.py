"""Enishi's own JSONL: one record a line, in a file or in a folder of files, packed or not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from ingestion.formats.json_lines import json_lines
from ingestion.formats.json_values import JsonObject
from ingestion.formats.protocol import (
    DumpFile,
    Located,
    RecordFactory,
    dump_files,
    reason_of,
    subject_of,
)
from ingestion.records import SourceSection
from ingestion.report import Place, ReportBuilder

_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


class InterchangeFormat:
    """Reads interchange records; every record is complete, and of the source that the last section line named."""

    name = "interchange"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """One record a line; blank lines are skipped. See `CatalogueFormat.read`."""
        factory = RecordFactory(builder)
        for file in dump_files(path, _SUFFIXES):
            yield from _read_file(file, factory, builder)


def _read_file(file: DumpFile, factory: RecordFactory, builder: ReportBuilder) -> Iterator[Located]:
    source: str | None = None
    for line in json_lines(file, builder):
        if line.value.get("record") == "source":
            section = _section(line.value, line.place, builder)
            source = section.source if section else source
        else:
            line.report_repairs(builder, subject_of(line.value))
            if (located := factory.build(line.value, line.place)) is not None:
                yield replace(located, source=source)


def _section(raw: JsonObject, place: Place, builder: ReportBuilder) -> SourceSection | None:
    try:
        return SourceSection.model_validate(raw)
    except ValidationError as error:
        builder.record_refused(reason_of(error), place=place)
        return None
