"""The anime-offline-database of manami-project: its JSON and its JSON Lines, packed or not."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from ingestion.errors import UnreadableInput
from ingestion.formats.json_lines import JsonLine, json_lines
from ingestion.formats.json_stream import stream_file
from ingestion.formats.json_values import JsonObject, as_list, as_object
from ingestion.formats.manami_entries import Entry, ScoreRange, entry_fields, entry_ref, pages, related_fields
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import DumpFile, Located, RecordFactory, dump_files, reason_of
from ingestion.report import Place, ReportBuilder

_LINES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_OBJECTS = (".json", ".json.gz", ".json.zst")


class ManamiFormat:
    """Reads releases of the database and its lists of dead entries, which are counted and left out."""

    name = "manami"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """One anime an entry, each followed by its relations. See `CatalogueFormat.read`."""
        for file in dump_files(path, (*_LINES, *_OBJECTS)):
            reader = _FileReader(file, builder)
            yield from reader.read_lines() if file.path.name.endswith(_LINES) else reader.read_object()


class _FileReader:
    """Reads one file. What scores run to stands before the entries."""

    def __init__(self, file: DumpFile, builder: ReportBuilder) -> None:
        self._file = file
        self._builder = builder
        self._factory = RecordFactory(builder)
        self._score_range: ScoreRange | None = None

    def read_lines(self) -> Iterator[Located]:
        """A first line about the file, then an entry a line."""
        for line in json_lines(self._file, self._builder):
            if "scoreRange" in line.value or "license" in line.value:
                self._read_range(line.value.get("scoreRange"), line.place)
            elif "deadEntries" in line.value:
                self._count_dead(len(as_list(line.value["deadEntries"])))
            else:
                yield from self._read_entry(line)

    def read_object(self) -> Iterator[Located]:
        """One object with the entries in `data`, or with `deadEntries`."""
        place = Place(file=self._file.name)
        is_known = False
        try:
            for part in stream_file(self._file):
                is_known |= part.member in ("data", "deadEntries") and part.number > 0
                if part.member == "scoreRange":
                    self._read_range(part.value.value, place)
                elif part.member == "deadEntries":
                    self._count_dead(int(part.number > 0))
                elif part.member == "data" and part.number:
                    value = as_object(part.value.value) or {}
                    entry_place = Place(file=self._file.name, part=part.number)
                    yield from self._read_entry(JsonLine(value, entry_place, part.value.repairs))
        except UnreadableInput as error:
            self._builder.record_refused(str(error), place=place)
        else:
            if is_known:
                self._builder.file_read()
            else:
                self._builder.record_refused("data: missing or empty", place=place)

    def _count_dead(self, count: int) -> None:
        self._builder.input_seen("dead_entries", count)
        self._builder.not_imported("dead_entries", count)

    def _read_range(self, value: object, place: Place) -> None:
        try:
            self._score_range = ScoreRange.model_validate(value)
        except ValidationError as error:
            self._builder.record_refused(f"scoreRange: {reason_of(error)}", place=place)

    def _read_entry(self, found: JsonLine) -> Iterator[Located]:
        self._builder.input_seen("entries")
        title = _title(found.value)
        try:
            entry = Entry.model_validate(found.value)
        except ValidationError as error:
            self._builder.record_refused(reason_of(error), place=found.place, subject=title)
            return
        found.report_repairs(self._builder, title)
        own = pages(entry.sources)
        ref = entry_ref(own)
        if ref is None:
            self._builder.record_refused("sources: no page of a known provider", place=found.place, subject=title)
            return
        notes = Notes(self._builder, place=found.place, subject=ref)
        raws: list[JsonObject] = [entry_fields(entry, ref, own=own, score_range=self._score_range, notes=notes)]
        raws += related_fields(ref, pages(entry.related_anime))
        for raw in raws:
            if (located := self._factory.build(raw, found.place)) is not None:
                yield located


def _title(raw: JsonObject) -> str | None:
    title = raw.get("title")
    return title[:200] if isinstance(title, str) else None
