"""AniList characters, staff and studios to raw records."""

from typing import Any

from datastore.vocabulary import NameKind

from ingestion.formats.anilist_mapping import LANGUAGES
from ingestion.formats.anilist_nodes import Character, Favourite, PersonName, Staff, Studio
from ingestion.formats.anilist_works import collect_names
from ingestion.formats.name_list import script_language
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind
from ingestion.text import light_markup_to_text


def character_fields(character: Character, notes: Notes) -> dict[str, Any]:
    """The raw record of a character; a field that the answer did not hold is missing."""
    raw = _common_fields("character", character)
    raw["names"] = _names(character.name, script_language(character.name.native or ""), notes)
    notes.not_imported("spoiler_names", len(character.name.alternative_spoiler or ()))
    if character.has("description"):
        raw["description"] = light_markup_to_text(character.description or "") or None
    if character.has("gender"):
        raw["gender"] = character.gender
    if character.age:
        raw["extra"] = raw.get("extra", {}) | {"age": character.age}
    return raw


def person_fields(staff: Staff, notes: Notes) -> dict[str, Any]:
    """The raw record of a staff member or voice actor."""
    raw = _common_fields("person", staff)
    raw["names"] = _names(staff.name, LANGUAGES.get(staff.language_v2 or ""), notes)
    if staff.has("description"):
        raw["description"] = light_markup_to_text(staff.description or "") or None
    if staff.has("primary_occupations"):
        raw["occupations"] = [occupation for occupation in staff.primary_occupations or () if occupation]
    return raw


def studio_fields(studio: Studio) -> dict[str, Any]:
    """The raw record of a studio."""
    raw = _common_fields("studio", studio)
    raw["names"] = [{"name": studio.name.strip(), "kind": NameKind.MAIN, "language": None}]
    if studio.has("is_animation_studio"):
        raw["is_animation_studio"] = studio.is_animation_studio
    return raw


def language_tag(language: str | None, notes: Notes) -> str:
    """The BCP 47 tag of AniList's word for a language; `und` when it is unknown, which is reported."""
    if language is None:
        return "und"
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(language not in LANGUAGES))
    return LANGUAGES.get(language, "und")


def _common_fields(record: str, node: Favourite) -> dict[str, Any]:
    raw: dict[str, Any] = {"record": record, "ref": f"anilist:{record}:{node.id}"}
    if node.has("favourites"):
        raw["popularity"] = node.favourites
    if node.site_url:
        raw["extra"] = {"site_url": node.site_url}
    return raw


def _names(name: PersonName, native_language: str | None, notes: Notes) -> list[dict[str, Any]]:
    official = [(NameKind.ENGLISH, name.full, None), (NameKind.NATIVE, name.native, native_language)]
    return collect_names(official, name.alternative or (), notes)
