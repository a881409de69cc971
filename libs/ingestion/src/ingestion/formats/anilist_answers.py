"""One AniList answer to raw records: the works it holds, and the links of the work it is about."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from ingestion.formats.anilist_links import LinkReader
from ingestion.formats.anilist_mapping import SAME_TYPE_RELATIONS
from ingestion.formats.anilist_nodes import Media
from ingestion.formats.anilist_overview import WORK_TYPES, Overview
from ingestion.formats.anilist_works import WorkType, work_fields, work_ref
from ingestion.formats.json_values import JsonObject, as_object, objects_in
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import reason_of
from ingestion.formats.raw_records import RawRecord
from ingestion.report import Place, ReportBuilder

_LINK_CONNECTIONS = ("relations", "characters", "staff", "studios")
# What is understood and left out, and the name it is counted under.
_COUNTED_CONNECTIONS = {"airingSchedule": "airing_schedule_entries", "recommendations": "recommendations"}
_COUNTED_PAGE_LISTS = {"airingSchedules": "airing_schedule_entries", "recommendations": "recommendations"}


class AnswerReader:
    """Turns the `data` of one answer into raw records; reports what it refuses, counts what it leaves out."""

    def __init__(self, builder: ReportBuilder, place: Place, overview: Overview) -> None:
        self._builder = builder
        self._place = place
        self._overview = overview

    def refuse(self, reason: str, subject: str | None = None) -> None:
        """Report that the answer, or a part of it, is not taken."""
        self._builder.record_refused(reason, place=self._place, subject=subject)

    def read(self, data: JsonObject, variables: JsonObject, *, is_refused: bool) -> Iterator[RawRecord]:
        """Everything in `data`, under whatever aliases the query chose.

        `is_refused` says that the answer's errors are reported already: a null is no further refusal then.
        """
        for alias, value in data.items():
            root = as_object(value)
            if root is not None:
                yield from self._read_root(alias, root, variables)
            elif value is not None:
                self.refuse(f"data.{alias}: no object")
            elif not is_refused:
                self.refuse(f"data.{alias}: null")

    def _read_root(self, alias: str, root: JsonObject, variables: JsonObject) -> Iterator[RawRecord]:
        if "media" in root or any(isinstance(root.get(name), list) for name in _COUNTED_PAGE_LISTS):
            for name, kind in _COUNTED_PAGE_LISTS.items():
                self._builder.not_imported(kind, len(objects_in(root.get(name))))
            for item in objects_in(root.get("media")):
                yield from self._read_media(item)
        elif root.keys() & {"title", "type", *_LINK_CONNECTIONS, *_COUNTED_CONNECTIONS}:
            yield from self._read_media(_with_id(root, variables))
        elif root.keys() != {"pageInfo"}:
            self.refuse(f"data.{alias}: neither a page of media nor one media")

    def _read_media(self, raw: JsonObject) -> Iterator[RawRecord]:
        media = self._parse(raw)
        if media is None:
            return
        for name, kind in _COUNTED_CONNECTIONS.items():
            self._builder.not_imported(kind, len(edges_of(raw.get(name))))
        work_type = self._type_of(media) or _type_shown_by(raw, self._overview)
        if media.is_adult:
            self._builder.not_imported("adult_works")
        elif work_type is not None:
            yield from self._read_work(media, work_type)
            yield from self._read_links(raw, LinkReader(self._builder, self._place, work_ref(work_type, media.id)))
        elif media.title is not None or any(edges_of(raw.get(name)) for name in _LINK_CONNECTIONS):
            self.refuse("type: missing, and nothing here tells it", subject=f"anilist:media:{media.id}")

    def _read_links(self, raw: JsonObject, links: LinkReader) -> Iterator[RawRecord]:
        for edge in edges_of(raw.get("relations")):
            yield from self._read_relation(edge, links)
        for edge in edges_of(raw.get("characters")):
            yield from self._located(*links.character(edge))
        for edge in edges_of(raw.get("staff")):
            yield from self._located(*links.staff(edge))
        for edge in edges_of(raw.get("studios")):
            yield from self._located(*links.studio(edge))

    def _read_relation(self, edge: JsonObject, links: LinkReader) -> Iterator[RawRecord]:
        related = self._parse(as_object(edge.get("node")) or {})
        if related is None:
            return
        related_type = self._type_of(related)
        if related.is_adult:
            self._builder.not_imported("adult_works")
        elif related_type is None:
            self.refuse("relations.node.type: missing, and nothing here tells it", subject=links.work)
        else:
            yield from self._read_work(related, related_type)
            yield from self._located(links.relation(edge.get("relationType"), work_ref(related_type, related.id)))

    def _read_work(self, media: Media, work_type: WorkType) -> Iterator[RawRecord]:
        """The work's record, when the answer holds more than its id."""
        if media.title is not None:
            notes = Notes(self._builder, place=self._place, subject=work_ref(work_type, media.id))
            yield from self._located(work_fields(media, work_type, notes))

    def _located(self, *raws: JsonObject) -> Iterator[RawRecord]:
        return (RawRecord(raw, self._place) for raw in raws)

    def _type_of(self, media: Media) -> WorkType | None:
        return WORK_TYPES.get(media.type or "") or self._overview.work_types.get(media.id)

    def _parse(self, raw: JsonObject) -> Media | None:
        try:
            return Media.model_validate(raw)
        except ValidationError as error:
            self.refuse(reason_of(error), subject=f"anilist:media:{raw.get('id')}")
            return None


def edges_of(connection: Any) -> list[JsonObject]:
    """The edges of a connection; bare nodes count as edges that say nothing but their node."""
    fields = as_object(connection) or {}
    if "edges" in fields:
        return objects_in(fields["edges"])
    return [{"node": node} for node in objects_in(fields.get("nodes"))]


def _with_id(root: JsonObject, variables: JsonObject) -> JsonObject:
    """A work that its answer does not name is the one that the question asked for."""
    named = variables.get("mediaId", variables.get("id"))
    return root if "id" in root or named is None else {"id": named, **root}


def _type_shown_by(raw: JsonObject, overview: Overview) -> WorkType | None:
    """Anime have studios and voices; a sequel has the type of its prequel."""
    if edges_of(raw.get("studios")) or any(edge.get("voiceActors") for edge in edges_of(raw.get("characters"))):
        return "anime"
    for edge in edges_of(raw.get("relations")):
        node = as_object(edge.get("node")) or {}
        if edge.get("relationType") in SAME_TYPE_RELATIONS and isinstance(node.get("id"), int):
            return WORK_TYPES.get(str(node.get("type"))) or overview.work_types.get(node["id"])
    return None
