"""Answers of the Jikan v4 API: envelopes with one page or a list, in files or folders."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ingestion.errors import UnreadableInput
from ingestion.formats.jikan_answers import AnswerReader
from ingestion.formats.json_values import JsonObject, as_list, as_object
from ingestion.formats.protocol import (
    UNPACKING_ERRORS,
    DumpFile,
    Located,
    RecordFactory,
    dump_files,
    load_json,
)
from ingestion.formats.raw_records import RawRecord, link_key, united
from ingestion.report import Place, ReportBuilder
from ingestion.text import Cleaned

_SUFFIXES = (".json", ".json.gz", ".json.zst")
# How much of a path tells what an answer is about: `anime/1/characters.json`.
_TELLING_PARTS = 3


class JikanFormat:
    """Reads Jikan answers. Records are partial, since an answer holds only what its address stands for."""

    name = "jikan"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """All entities, each once and with the fields of all its occurrences, then all links, each once.

        Of two answers on one entity the fuller counts, then the first one in the order of file names. Files are parsed
        three times, so that memory holds only what occurs repeatedly. See `CatalogueFormat.read`.
        """
        files = dump_files(path, _SUFFIXES)
        unreported = ReportBuilder(format_name=self.name, source=self.name)
        overview = _Overview(_raw_records(files, unreported))
        factory = RecordFactory(builder)
        for raw in _entities(_raw_records(files, builder), overview):
            if (located := factory.build(raw.fields, raw.place, is_partial=True)) is not None:
                yield located
        for raw in _links(_raw_records(files, unreported), overview):
            if (located := factory.build(raw.fields, raw.place, is_partial=True)) is not None:
                yield located


class _Overview:
    """What a first look over all answers tells: what is told of more than once, and which links say all they can."""

    def __init__(self, raws: Iterator[RawRecord]) -> None:
        seen: set[str] = set()
        self.repeated: set[str] = set()
        self._exact: set[tuple[Any, ...]] = set()
        for raw in raws:
            if raw.ref is not None:
                (self.repeated if raw.ref in seen else seen).add(raw.ref)
            elif (key := _vague_key(raw.fields)) is not None and not _is_vague(raw.fields):
                self._exact.add(key)

    def is_told_better(self, link: JsonObject) -> bool:
        """Whether the link leaves open what another answer tells of the same fact."""
        return _is_vague(link) and _vague_key(link) in self._exact


def _vague_key(link: JsonObject) -> tuple[Any, ...] | None:
    """What a voice is without its language, and a credit without its wording."""
    match link["record"]:
        case "voice":
            return ("voice", link["person"], link["character"], link["work"])
        case "staff":
            return ("staff", link["person"], link["work"], link["role"])
        case _:
            return None


def _is_vague(link: JsonObject) -> bool:
    return link.get("language") == "und" or (link["record"] == "staff" and link["raw_role"] is None)


def _entities(raws: Iterator[RawRecord], overview: _Overview) -> Iterator[RawRecord]:
    repeated: dict[str, RawRecord] = {}
    for raw in raws:
        if raw.ref is None:
            continue
        if raw.ref not in overview.repeated:
            yield raw
        elif (first := repeated.get(raw.ref)) is None:
            repeated[raw.ref] = raw
        elif len(raw.fields) > len(first.fields):
            repeated[raw.ref] = RawRecord(united(raw.fields, first.fields), first.place)
        else:
            repeated[raw.ref] = RawRecord(united(first.fields, raw.fields), first.place)
    yield from repeated.values()


def _links(raws: Iterator[RawRecord], overview: _Overview) -> Iterator[RawRecord]:
    seen: set[tuple[Any, ...]] = set()
    for raw in raws:
        if raw.ref is not None or overview.is_told_better(raw.fields):
            continue
        key = link_key(raw.fields)
        if key not in seen:
            seen.add(key)
            yield raw


def _raw_records(files: Sequence[DumpFile], builder: ReportBuilder) -> Iterator[RawRecord]:
    for file in files:
        place = Place(file=file.name)
        try:
            loaded = _load(file)
        except UnreadableInput as error:
            builder.record_refused(str(error), place=place)
            continue
        builder.file_read()
        for kind, count in loaded.repairs.by_kind():
            builder.repaired(kind, count=count, place=place)
        path = "/".join(file.path.parts[-_TELLING_PARTS:])
        answers = as_list(loaded.value) or [loaded.value]
        for number, value in enumerate(answers, start=1):
            part = place if len(answers) == 1 else Place(file=file.name, part=number)
            answer = as_object(value)
            if answer is None:
                builder.record_refused("not an answer: no JSON object", place=part)
            else:
                yield from AnswerReader(builder, part, path).read(answer)


def _load(file: DumpFile) -> Cleaned[Any]:
    try:
        with file.open_bytes() as stream:
            return load_json(stream.read())
    except UNPACKING_ERRORS as error:
        raise UnreadableInput(f"the file can't be read: {error}") from None
