"""bangumi-data's `data.json`, and `arm.json` beside it for further ids of the same works."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ingestion.errors import UnreadableInput
from ingestion.formats.arm import ArmEntry, ArmTable, WorkIds, completed, contradicts
from ingestion.formats.bangumi_data_items import Item, ItemIds, item_fields, item_ids, item_ref
from ingestion.formats.json_stream import JsonPart, stream_file
from ingestion.formats.json_values import JsonObject, as_object
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import DumpFile, Located, RecordFactory, dump_files, reason_of
from ingestion.report import Conflict, Place, ReportBuilder

_SUFFIXES = (".json", ".json.gz", ".json.zst")
# How a site's links are counted, by the type that the dump gives the site.
_LINK_COUNTS = {"onair": "broadcaster_links", "resource": "download_links"}
_ID_SITE_TYPE = "info"


class BangumiDataFormat:
    """Reads bangumi-data. A file with an object is works, one with a list is `arm`; arm's files are read first."""

    name = "bangumi-data"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """One anime an item. See `CatalogueFormat.read`."""
        files = dump_files(path, _SUFFIXES)
        lists = [file for file in files if _holds_a_list(file)]
        table = _arm_table(lists, builder)
        for file in files:
            if file not in lists:
                yield from _WorkReader(file, table, builder).read()


def _holds_a_list(file: DumpFile) -> bool:
    """Whether the outermost value is a list; a file that can't be read holds none, and is reported as works."""
    try:
        first = next(stream_file(file), None)
    except UnreadableInput:
        return False
    return first is not None and first.member is None


def _arm_table(files: Sequence[DumpFile], builder: ReportBuilder) -> ArmTable:
    table = ArmTable()
    for file in files:
        try:
            for part in stream_file(file):
                _add_entry(part, table, builder, file.name)
        except UnreadableInput as error:
            builder.record_refused(str(error), place=Place(file=file.name))
        else:
            builder.file_read()
    return table


def _add_entry(part: JsonPart, table: ArmTable, builder: ReportBuilder, file: str) -> None:
    builder.input_seen("arm_entries")
    try:
        table.add(ArmEntry.model_validate(part.value.value))
    except ValidationError as error:
        builder.record_refused(reason_of(error), place=Place(file=file, part=part.number))


class _WorkReader:
    """Reads the works of one file."""

    def __init__(self, file: DumpFile, table: ArmTable, builder: ReportBuilder) -> None:
        self._file = file
        self._table = table
        self._builder = builder
        self._factory = RecordFactory(builder)
        self._site_types: dict[str, str] = {}

    def read(self) -> Iterator[Located]:
        """The works; a file without `items` is refused."""
        place = Place(file=self._file.name)
        has_items = False
        try:
            for part in stream_file(self._file):
                if part.member == "siteMeta":
                    self._site_types = _site_types(part.value.value)
                elif part.member == "items" and part.number:
                    has_items = True
                    if (located := self._read_item(part)) is not None:
                        yield located
        except UnreadableInput as error:
            self._builder.record_refused(str(error), place=place)
        else:
            if has_items:
                self._builder.file_read()
            else:
                self._builder.record_refused("items: missing or empty", place=place)

    def _read_item(self, part: JsonPart) -> Located | None:
        self._builder.input_seen("works")
        place = Place(file=self._file.name, part=part.number)
        raw = as_object(part.value.value) or {}
        try:
            item = Item.model_validate(raw)
        except ValidationError as error:
            self._builder.record_refused(reason_of(error), place=place, subject=_title(raw))
            return None
        notes = Notes(self._builder, place=place, subject=item.title[:200])
        for kind, count in part.value.repairs.by_kind():
            notes.repaired(kind, count)
        ids = item_ids(item, notes)
        ids = replace(ids, shared=self._with_arm(ids, item_ref(item, ids)))
        self._count_links(item)
        return self._factory.build(item_fields(item, ids, notes), place)

    def _with_arm(self, ids: ItemIds, ref: str) -> WorkIds:
        """The ids with those that arm has for the same work; an entry that contradicts them is left out and told."""
        known = ids.shared
        for entry in self._table.entries_of(known):
            if not contradicts(known, entry):
                known = completed(known, entry)
                continue
            self._builder.conflict(
                Conflict(
                    subject=ref,
                    field="external_ids",
                    kept=f"mal {known.mal}, anilist {known.anilist}",
                    other=f"mal {entry.mal_id}, anilist {entry.anilist_id}",
                    source="arm",
                )
            )
        return known

    def _count_links(self, item: Item) -> None:
        types = Counter(self._site_types.get(each.site, "") for each in item.sites)
        types.pop(_ID_SITE_TYPE, None)
        for site_type, count in types.items():
            self._builder.not_imported(_LINK_COUNTS.get(site_type, "other_links"), count)


def _site_types(value: Any) -> dict[str, str]:
    sites: JsonObject = as_object(value) or {}
    return {site: str((as_object(meta) or {}).get("type")) for site, meta in sites.items()}


def _title(raw: JsonObject) -> str | None:
    title = raw.get("title")
    return title[:200] if isinstance(title, str) else None
