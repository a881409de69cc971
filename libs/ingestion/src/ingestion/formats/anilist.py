"""AniList GraphQL answers: recorded exchanges `{status, request, response}` or bare answers, in files or folders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingestion.errors import UnreadableInput
from ingestion.formats.anilist_answers import AnswerReader
from ingestion.formats.anilist_overview import Overview
from ingestion.formats.json_values import JsonObject, as_list, as_object, objects_in
from ingestion.formats.protocol import UNPACKING_ERRORS, DumpFile, Located, RecordFactory, dump_files, load_json
from ingestion.formats.raw_records import RawRecord, link_key, united
from ingestion.report import Place, ReportBuilder
from ingestion.text import Cleaned

_SUFFIXES = (".json", ".json.gz")


class AniListFormat:
    """Reads AniList answers. Records are partial, since an answer holds only what its query asked for."""

    name = "anilist"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """All entities, each once and with the fields of all its occurrences, then all links, each once.

        Where two answers differ, the first one in the order of file names counts. Files are parsed three times, so that
        memory holds only what occurs repeatedly. See `CatalogueFormat.read`.
        """
        files = dump_files(path, _SUFFIXES)
        overview = Overview()
        for file in files:
            try:
                overview.add(_load(file).value)
            except UnreadableInput:
                continue  # reported below
        factory = RecordFactory(builder)
        for raw in _entities(_raw_records(files, builder, overview), overview):
            if (located := factory.build(raw.fields, raw.place, is_partial=True)) is not None:
                yield located
        reported_already = ReportBuilder(format_name=self.name, source=self.name)
        for raw in _links(_raw_records(files, reported_already, overview)):
            if (located := factory.build(raw.fields, raw.place, is_partial=True)) is not None:
                yield located


def _entities(raws: Iterator[RawRecord], overview: Overview) -> Iterator[RawRecord]:
    repeated: dict[str, RawRecord] = {}
    for raw in raws:
        if raw.ref is None:
            continue
        if overview.occurs_once(raw.ref):
            yield raw
        elif (first := repeated.get(raw.ref)) is None:
            repeated[raw.ref] = raw
        else:
            repeated[raw.ref] = RawRecord(united(first.fields, raw.fields), first.place)
    yield from repeated.values()


def _links(raws: Iterator[RawRecord]) -> Iterator[RawRecord]:
    seen: set[tuple[Any, ...]] = set()
    for raw in raws:
        if raw.ref is None and (key := link_key(raw.fields)) not in seen:
            seen.add(key)
            yield raw


@dataclass(frozen=True, slots=True)
class _Exchange:
    """One question to AniList and its answer. `status` is the HTTP status, when it was recorded."""

    response: Any
    variables: JsonObject
    status: int | None = None


def _raw_records(files: Sequence[DumpFile], builder: ReportBuilder, overview: Overview) -> Iterator[RawRecord]:
    for file in files:
        place = Place(file=file.name)
        try:
            loaded = _load(file)
            exchanges = tuple(_exchanges(loaded.value))
        except UnreadableInput as error:
            builder.record_refused(str(error), place=place)
            continue
        builder.file_read()
        for kind, count in loaded.repairs.by_kind():
            builder.repaired(kind, count=count, place=place)
        for number, exchange in enumerate(exchanges, start=1):
            part = place if len(exchanges) == 1 else Place(file=file.name, part=number)
            yield from _read_exchange(exchange, AnswerReader(builder, part, overview))


def _load(file: DumpFile) -> Cleaned[Any]:
    try:
        with file.open_bytes() as stream:
            return load_json(stream.read())
    except UNPACKING_ERRORS as error:
        raise UnreadableInput(f"the file can't be read: {error}") from None


def _exchanges(value: Any) -> Iterator[_Exchange]:
    for item in as_list(value) if isinstance(value, list) else [value]:
        fields = as_object(item) or {}
        if not fields.keys() & {"response", "data", "errors"}:
            raise UnreadableInput("neither recorded exchanges nor GraphQL answers")
        if "response" not in fields:
            yield _Exchange(response=fields, variables={})
            continue
        request, status = as_object(fields.get("request")) or {}, fields.get("status")
        code = (as_object(status) or {}).get("code", status)
        yield _Exchange(
            response=fields["response"],
            variables=as_object(request.get("variables")) or {},
            status=code if isinstance(code, int) else None,
        )


def _read_exchange(exchange: _Exchange, reader: AnswerReader) -> Iterator[RawRecord]:
    answer = as_object(exchange.response)
    if answer is None:
        reader.refuse(f"answer {exchange.status or 'without status'}: no JSON object")
        return
    messages = tuple(_error_messages(answer, exchange.status))
    for message in messages:
        reader.refuse(f"answer {message}")
    data = as_object(answer.get("data"))
    if data is not None:
        yield from reader.read(data, exchange.variables, is_refused=bool(messages))
    elif not messages:
        reader.refuse("data: missing")


def _error_messages(answer: JsonObject, status: int | None) -> Iterator[str]:
    errors = objects_in(answer.get("errors"))
    for error in errors:
        yield f"{error.get('status') or status or 'error'}: {error.get('message') or 'no message'}"
    if not errors and status is not None and status >= 400:
        yield f"{status}: no message"
