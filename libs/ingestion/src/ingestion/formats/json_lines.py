"""JSON, one object a line: lines of bounded length, bad ones refused by their number."""

from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.errors import UnreadableInput
from ingestion.formats.json_values import JsonObject, as_object
from ingestion.formats.protocol import UNPACKING_ERRORS, DumpFile, load_json
from ingestion.report import Place, ReportBuilder
from ingestion.text import Repairs

MAX_LINE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class JsonLine:
    """The object of one line, made safe, and what that took."""

    value: JsonObject
    place: Place
    repairs: Repairs

    def report_repairs(self, builder: ReportBuilder, subject: str | None) -> None:
        """Tell `builder` what was repaired in the line."""
        for kind, count in self.repairs.by_kind():
            builder.repaired(kind, count=count, place=self.place, subject=subject)


def json_lines(file: DumpFile, builder: ReportBuilder, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[JsonLine]:
    """The objects in `file`; whatever else it holds is refused by name. Counts the file as read when it was."""
    try:
        yield from _lines(file, builder, max_bytes)
    except UNPACKING_ERRORS as error:
        builder.record_refused(f"the file can't be read: {error}", place=Place(file=file.name))
    else:
        builder.file_read()


def _lines(file: DumpFile, builder: ReportBuilder, max_bytes: int) -> Iterator[JsonLine]:
    with file.open_bytes() as stream:
        number = 0
        while line := stream.readline(max_bytes + 1):
            number += 1
            place = Place(file=file.name, line=number)
            if len(line) > max_bytes:
                builder.record_refused(f"the line is longer than {max_bytes} bytes", place=place)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(max_bytes)
            elif line.strip() and (parsed := _parsed(line, place, builder)) is not None:
                yield parsed


def _parsed(line: bytes, place: Place, builder: ReportBuilder) -> JsonLine | None:
    try:
        cleaned = load_json(line)
    except UnreadableInput as error:
        builder.record_refused(str(error), place=place)
        return None
    value = as_object(cleaned.value)
    if value is None:
        builder.record_refused("the line is no JSON object", place=place)
        return None
    return JsonLine(value, place, cleaned.repairs)
