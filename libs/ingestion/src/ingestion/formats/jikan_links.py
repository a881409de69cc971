"""What a Jikan answer tells of other things to raw records: those at the other end first, then the links to them."""

from collections.abc import Iterator
from typing import Any

from datastore.edges import EdgeType
from datastore.vocabulary import StaffRole
from pydantic import ValidationError

from ingestion.formats.anilist_mapping import staff_role
from ingestion.formats.jikan_mapping import ADAPTATION, APPEARANCE_ROLES, RELATIONS, language_tag, mapped
from ingestion.formats.jikan_nodes import CastEntry, Meta, Node, RelationEntry, StaffEntry, VoiceActor, WorkEntry
from ingestion.formats.jikan_people import mention
from ingestion.formats.jikan_works import work_ref
from ingestion.formats.json_values import JsonObject
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import reason_of
from ingestion.report import Place, RepairKind, ReportBuilder

_WORK_KINDS = ("anime", "manga")


class LinkReader:
    """Reads the links of one thing, which `subject` names: `mal:anime:1`, `mal:character:1`, `mal:person:1`."""

    def __init__(self, builder: ReportBuilder, place: Place, subject: str) -> None:
        self._builder = builder
        self._place = place
        self._subject = subject

    def cast(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A character of the work, the appearance, and each voice actor with the voice."""
        entry = self._parse(CastEntry, raw)
        if entry is None:
            return
        character = self._mention("character", entry.character)
        yield character
        yield self._appearance(character["ref"], self._subject, entry.role)
        for actor in entry.voice_actors:
            yield from self._voice(actor, character["ref"], work=self._subject)

    def staff(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A person and each of the credits for the work."""
        entry = self._parse(StaffEntry, raw)
        if entry is not None:
            person = self._mention("person", entry.person)
            yield person
            for position in entry.positions:
                yield _credit(person["ref"], self._subject, position)

    def relation(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """Each related work and the relation to it; what is neither anime nor printed work is counted."""
        entry = self._parse(RelationEntry, raw)
        if entry is None:
            return
        for meta in entry.entry:
            if meta.type in _WORK_KINDS:
                yield self._mention(meta.type, meta)
                yield self._relation(entry.relation, work_ref(meta.type, meta.mal_id))
            else:
                self._builder.not_imported("relations_to_other_things")

    def author(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A person and the credit as an author, whose exact part the site does not tell here."""
        meta = self._parse(Meta, raw)
        if meta is not None:
            person = self._mention("person", meta)
            yield person
            link = {"record": "staff", "person": person["ref"], "work": self._subject}
            yield link | {"role": StaffRole.AUTHOR, "raw_role": None}

    def company(self, raw: JsonObject, *, is_main: bool) -> Iterator[dict[str, Any]]:
        """A studio, or a producer when it is not `is_main`, and its credit."""
        meta = self._parse(Meta, raw)
        if meta is not None:
            studio = self._mention("studio", meta)
            yield studio
            yield {"record": "studio_credit", "studio": studio["ref"], "work": self._subject, "is_main": is_main}

    def work_of_character(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A work that the character appears in, and the appearance."""
        entry = self._parse(WorkEntry, raw)
        work = entry and self._work(entry)
        if entry is not None and work is not None:
            yield work
            yield self._appearance(self._subject, work["ref"], entry.role)

    def voice_of_character(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A person who voices the character, in no work in particular."""
        actor = self._parse(VoiceActor, raw)
        if actor is not None:
            yield from self._voice(actor, self._subject, work=None)

    def work_of_person(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A work that the person worked on, and the credit."""
        entry = self._parse(WorkEntry, raw)
        work = entry and self._work(entry)
        if entry is not None and work is not None:
            yield work
            yield _credit(self._subject, work["ref"], entry.position)

    def voice_of_person(self, raw: JsonObject) -> Iterator[dict[str, Any]]:
        """A work and a character in it, the appearance, and the person's voice, whose language is not told."""
        entry = self._parse(WorkEntry, raw)
        work = entry and self._work(entry)
        if entry is None or work is None or entry.character is None:
            return
        character = self._mention("character", entry.character)
        yield from (work, character, self._appearance(character["ref"], work["ref"], entry.role))
        yield _voice(self._subject, character["ref"], work["ref"], "und")

    def _voice(self, actor: VoiceActor, character: str, *, work: str | None) -> Iterator[dict[str, Any]]:
        person = self._mention("person", actor.person)
        yield person
        yield _voice(person["ref"], character, work, language_tag(actor.language, self._notes(person["ref"])))

    def _appearance(self, character: str, work: str, role: str | None) -> dict[str, Any]:
        known = mapped(APPEARANCE_ROLES, role, self._notes(character))
        return {"record": "appearance", "character": character, "work": work, "role": known}

    def _relation(self, word: str | None, related: str) -> dict[str, Any]:
        """MyAnimeList marks both ends of an adaptation alike; between anime and print the anime is the adaptation."""
        spelled = (word or "").casefold()
        edge = RELATIONS.get(spelled, EdgeType.OTHER_RELATION)
        if spelled == ADAPTATION:
            if _kind(self._subject) != _kind(related):
                edge = EdgeType.ADAPTATION_OF if _kind(self._subject) == "anime" else EdgeType.HAS_ADAPTATION
        elif spelled not in RELATIONS:
            self._notes(self._subject).repaired(RepairKind.UNKNOWN_VALUE)
        return {"record": "relation", "from": self._subject, "to": related, "relation": edge, "raw_type": word}

    def _work(self, entry: WorkEntry) -> dict[str, Any] | None:
        if entry.anime is not None:
            return self._mention("anime", entry.anime)
        return None if entry.manga is None else self._mention("manga", entry.manga)

    def _mention(self, record: str, meta: Meta) -> dict[str, Any]:
        return mention(record, meta, self._notes(f"mal:{record}:{meta.mal_id}"))

    def _parse[N: Node](self, model: type[N], raw: JsonObject) -> N | None:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            self._builder.record_refused(reason_of(error), place=self._place, subject=self._subject)
            return None

    def _notes(self, subject: str) -> Notes:
        return Notes(self._builder, place=self._place, subject=subject)


def _credit(person: str, work: str, position: str | None) -> dict[str, Any]:
    # Pages of people carry the word of a button before the position.
    credit = (position or "").strip().removeprefix("add ")
    link = {"record": "staff", "person": person, "work": work}
    return link | {"role": staff_role(credit), "raw_role": credit or None}


def _voice(person: str, character: str, work: str | None, language: str) -> dict[str, Any]:
    return {"record": "voice", "person": person, "character": character, "work": work, "language": language}


def _kind(ref: str) -> str:
    return ref.split(":")[1]
