"""The edges of an AniList work to raw records: entities at the other end first, then the links to them."""

from typing import Any

from datastore.edges import EdgeType
from pydantic import ValidationError

from ingestion.formats.anilist_mapping import APPEARANCE_ROLES, RELATIONS, staff_role
from ingestion.formats.anilist_nodes import CharacterEdge, Node, StaffEdge, StudioEdge
from ingestion.formats.anilist_people import character_fields, language_tag, person_fields, studio_fields
from ingestion.formats.anilist_works import mapped
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import reason_of
from ingestion.report import Place, RepairKind, ReportBuilder


class LinkReader:
    """Reads the edges that start at `work`."""

    def __init__(self, builder: ReportBuilder, place: Place, work: str) -> None:
        self._builder = builder
        self._place = place
        self.work = work

    def relation(self, raw_type: Any, related: str) -> dict[str, Any]:
        """The relation to another work.

        AniList marks both ends of an adaptation alike: between anime and manga the anime is the adaptation, between
        two works of one type nobody can tell.
        """
        name = raw_type if isinstance(raw_type, str) else ""
        edge = RELATIONS.get(name, EdgeType.OTHER_RELATION)
        if name == "ADAPTATION" and _kind(self.work) != _kind(related):
            edge = EdgeType.ADAPTATION_OF if _kind(self.work) == "anime" else EdgeType.HAS_ADAPTATION
        elif name not in RELATIONS and name != "ADAPTATION":
            self._notes(self.work).repaired(RepairKind.UNKNOWN_VALUE)
        return {"record": "relation", "from": self.work, "to": related, "relation": edge, "raw_type": name or None}

    def character(self, raw: dict[str, Any]) -> list[dict[str, Any]]:
        """The character, the appearance, and each voice actor with the voice."""
        edge = self._parse(CharacterEdge, raw, "characters")
        if edge is None:
            return []
        ref = f"anilist:character:{edge.node.id}"
        notes = self._notes(ref)
        role = mapped(APPEARANCE_ROLES, edge.role, notes)
        records = [
            character_fields(edge.node, notes),
            {"record": "appearance", "character": ref, "work": self.work, "role": role},
        ]
        for actor in edge.voices:
            person = f"anilist:person:{actor.id}"
            actor_notes = self._notes(person)
            language = language_tag(actor.language_v2, actor_notes)
            voice = {"record": "voice", "person": person, "character": ref, "work": self.work, "language": language}
            records += [person_fields(actor, actor_notes), voice]
        return records

    def staff(self, raw: dict[str, Any]) -> list[dict[str, Any]]:
        """The person and the credit."""
        edge = self._parse(StaffEdge, raw, "staff")
        if edge is None:
            return []
        person = f"anilist:person:{edge.node.id}"
        credit = (edge.role or "").strip()
        link = {"record": "staff", "person": person, "work": self.work, "role": staff_role(credit)}
        return [person_fields(edge.node, self._notes(person)), link | {"raw_role": credit or None}]

    def studio(self, raw: dict[str, Any]) -> list[dict[str, Any]]:
        """The studio and its credit; without a word on it, an animation studio counts as a main one."""
        edge = self._parse(StudioEdge, raw, "studios")
        if edge is None:
            return []
        is_main = bool(edge.node.is_animation_studio) if edge.is_main is None else edge.is_main
        studio = f"anilist:studio:{edge.node.id}"
        link = {"record": "studio_credit", "studio": studio, "work": self.work, "is_main": is_main}
        return [studio_fields(edge.node), link]

    def _parse[N: Node](self, model: type[N], raw: dict[str, Any], connection: str) -> N | None:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            reason = f"{connection}: {reason_of(error)}"
            self._builder.record_refused(reason, place=self._place, subject=self.work)
            return None

    def _notes(self, subject: str) -> Notes:
        return Notes(self._builder, place=self._place, subject=subject)


def _kind(ref: str) -> str:
    return ref.split(":")[1]
