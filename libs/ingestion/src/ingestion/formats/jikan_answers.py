"""One Jikan answer to raw records: the pages it holds, and the links of the page it is about."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from ingestion.formats.jikan_items import ItemKind, LeftOut, Subject, anime_of_episode, kind_of, subject_of_answer
from ingestion.formats.jikan_links import LinkReader
from ingestion.formats.jikan_nodes import Anime, Character, Episode, Manga, Node, Person, Producer
from ingestion.formats.jikan_people import character_fields, person_fields, producer_fields
from ingestion.formats.jikan_works import episode_fields, is_adult, work_fields
from ingestion.formats.json_values import JsonObject, as_list, as_object, objects_in
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import reason_of
from ingestion.formats.raw_records import RawRecord
from ingestion.report import Place, ReportBuilder

_Link = Callable[[LinkReader, JsonObject], Iterator[dict[str, Any]]]
# What an item of each kind is about, and how its links are read.
_LINKS: Mapping[ItemKind, tuple[frozenset[str], _Link]] = {
    ItemKind.CAST: (frozenset({"anime", "manga"}), LinkReader.cast),
    ItemKind.STAFF: (frozenset({"anime"}), LinkReader.staff),
    ItemKind.RELATION: (frozenset({"anime", "manga"}), LinkReader.relation),
    ItemKind.CHARACTER_WORK: (frozenset({"character"}), LinkReader.work_of_character),
    ItemKind.CHARACTER_VOICE: (frozenset({"character"}), LinkReader.voice_of_character),
    ItemKind.PERSON_WORK: (frozenset({"person"}), LinkReader.work_of_person),
    ItemKind.PERSON_VOICE: (frozenset({"person"}), LinkReader.voice_of_person),
}
_OF_EPISODES = frozenset({"anime"})
# Parts of a full page that are left out, and what each of their items is counted as.
_LEFT_OUT_PARTS = {"licensors": "licensors", "external": "external_links", "streaming": "streaming_links"}


class AnswerReader:
    """Reads one answer; reports what it refuses, counts what it leaves out."""

    def __init__(self, builder: ReportBuilder, place: Place, path: str) -> None:
        self._builder = builder
        self._place = place
        self._path = path
        self._subject: Subject | None = None

    def read(self, answer: JsonObject) -> Iterator[RawRecord]:
        """Everything in `data`, an item or a list of items."""
        data = answer.get("data")
        items = as_list(data) if isinstance(data, list) else [data]
        if data is None:
            self._refuse(_error_of(answer))
            return
        self._subject = subject_of_answer(answer, self._path)
        homeless: dict[ItemKind, int] = {}
        for number, value in enumerate(items, start=1):
            item = as_object(value) or {}
            kind = kind_of(item)
            if kind is None:
                self._refuse(f"data.{number}: looks like nothing that Jikan answers")
                continue
            self._builder.input_seen(kind.kind if isinstance(kind, LeftOut) else kind.value)
            if isinstance(kind, LeftOut):
                self._builder.not_imported(kind.kind)
            elif self._is_homeless(kind, item):
                homeless[kind] = homeless.get(kind, 0) + 1
            else:
                for fields in self._records(kind, item):
                    yield RawRecord(fields, self._place)
        for kind, count in homeless.items():
            self._refuse(f"{count} {kind.value}: neither the answer nor its path tells whose they are")

    def _is_homeless(self, kind: ItemKind, item: JsonObject) -> bool:
        """Whether an item says nothing without its subject, which isn't known."""
        if kind is ItemKind.EPISODE:
            allowed, subject = _OF_EPISODES, anime_of_episode(item) or self._subject
        elif kind in _LINKS:
            allowed, subject = _LINKS[kind][0], self._subject
        else:
            return False
        return subject is None or subject.kind not in allowed

    def _records(self, kind: ItemKind, item: JsonObject) -> Iterator[dict[str, Any]]:
        match kind:
            case ItemKind.ANIME:
                yield from self._work(Anime, item)
            case ItemKind.MANGA:
                yield from self._work(Manga, item)
            case ItemKind.CHARACTER:
                yield from self._page(Character, item, character_fields, "character")
            case ItemKind.PERSON:
                yield from self._page(Person, item, person_fields, "person")
            case ItemKind.PRODUCER:
                self._count_parts(item)
                yield from self._fields(Producer, item, producer_fields, "studio")
            case ItemKind.EPISODE:
                yield from self._episode(item)
            case _ if self._subject is not None:
                yield from _LINKS[kind][1](self._links(self._subject.ref), item)
            case _:
                return

    def _work(self, model: type[Anime] | type[Manga], item: JsonObject) -> Iterator[dict[str, Any]]:
        """The work, its companies and authors, and the relations that a full page holds."""
        ref = _ref("anime" if model is Anime else "manga", item)
        work = self._parse(model, item, ref)
        if work is None:
            return
        if is_adult(work):
            self._builder.not_imported("adult_works")
            return
        yield work_fields(work, self._notes(ref))
        self._count_parts(item)
        links = self._links(ref)
        for raw in objects_in(item.get("studios")):
            yield from links.company(raw, is_main=True)
        main = {raw.get("mal_id") for raw in objects_in(item.get("studios"))}
        for raw in objects_in(item.get("producers")):
            if raw.get("mal_id") not in main:
                yield from links.company(raw, is_main=False)
        for raw in objects_in(item.get("authors")):
            yield from links.author(raw)
        for raw in objects_in(item.get("relations")):
            yield from links.relation(raw)

    def _episode(self, item: JsonObject) -> Iterator[dict[str, Any]]:
        anime = anime_of_episode(item) or self._subject
        if anime is None:
            return
        ref = f"mal:episode:{anime.mal_id}-{item.get('mal_id')}"
        episode = self._parse(Episode, item, ref)
        if episode is not None:
            yield episode_fields(episode, anime.mal_id, self._notes(ref))

    def _page[N: Node](
        self, model: type[N], item: JsonObject, fields_of: Callable[[N, Notes], dict[str, Any]], record: str
    ) -> Iterator[dict[str, Any]]:
        """A character or a person, with the works and voices that a full page holds."""
        for fields in self._fields(model, item, fields_of, record):
            yield fields
            links = self._links(fields["ref"])
            for raw in (raw for part in ("anime", "manga", "voices") for raw in objects_in(item.get(part))):
                kind = kind_of(raw)
                if isinstance(kind, ItemKind) and kind in _LINKS and record in _LINKS[kind][0]:
                    yield from _LINKS[kind][1](links, raw)

    def _fields[N: Node](
        self, model: type[N], item: JsonObject, fields_of: Callable[[N, Notes], dict[str, Any]], record: str
    ) -> Iterator[dict[str, Any]]:
        ref = _ref(record, item)
        node = self._parse(model, item, ref)
        if node is not None:
            yield fields_of(node, self._notes(ref))

    def _count_parts(self, item: JsonObject) -> None:
        counts = {counted: len(objects_in(item.get(part))) for part, counted in _LEFT_OUT_PARTS.items()}
        themes = as_object(item.get("theme")) or {}
        counts["theme_songs"] = sum(len(as_list(songs)) for songs in themes.values())
        for counted, count in counts.items():
            if count:
                self._builder.not_imported(counted, count)

    def _links(self, ref: str) -> LinkReader:
        return LinkReader(self._builder, self._place, ref)

    def _notes(self, subject: str) -> Notes:
        return Notes(self._builder, place=self._place, subject=subject)

    def _parse[N: Node](self, model: type[N], item: JsonObject, ref: str) -> N | None:
        try:
            return model.model_validate(item)
        except ValidationError as error:
            self._builder.record_refused(reason_of(error), place=self._place, subject=ref[:200])
            return None

    def _refuse(self, reason: str) -> None:
        subject = None if self._subject is None else self._subject.ref
        self._builder.record_refused(reason, place=self._place, subject=subject)


def _ref(record: str, item: JsonObject) -> str:
    return f"mal:{record}:{item.get('mal_id')}"


def _error_of(answer: JsonObject) -> str:
    """What an answer without data says for itself."""
    if "status" in answer and ("message" in answer or "error" in answer):
        return f"answer {answer['status']}: {answer.get('message') or answer.get('error')}"
    return "data: missing"
