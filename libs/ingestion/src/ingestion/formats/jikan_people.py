"""Characters, people and companies of Jikan to raw records, and things that are only mentioned."""

from typing import Any

from datastore.vocabulary import NameKind

from ingestion.formats.jikan_nodes import Character, Meta, Person, Producer
from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes

_FIRST_HAN, _LAST_HANGUL = "\u2e80", "\ud7a3"


def mention(record: str, meta: Meta, notes: Notes) -> dict[str, Any]:
    """The raw record of something that is told of in passing: its name and nothing else.

    In passing, the site writes people and characters with the family name first: `Kirigaya, Kazuto`.
    """
    names = NameList(notes)
    label = meta.label
    names.official(given_name_first(label) if record in ("character", "person") else label, NameKind.MAIN)
    return {"record": record, "ref": f"mal:{record}:{meta.mal_id}", "names": names.fields()}


def given_name_first(name: str | None) -> str | None:
    """`Kirigaya, Kazuto` as `Kazuto Kirigaya`, as the page of its own writes it; other names stay as they are."""
    family, comma, given = (name or "").partition(", ")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() and "," not in given else name


def character_fields(character: Character, notes: Notes) -> dict[str, Any]:
    """The raw record of a character; a field that the answer did not hold is missing."""
    names = NameList(notes)
    names.official(character.name, NameKind.MAIN)
    names.official(character.name_kanji, NameKind.NATIVE, script_language(character.name_kanji or ""))
    for nickname in character.nicknames or ():
        names.alias(nickname, script_language(nickname or ""))
    return _with_common({"record": "character", "names": names.fields()}, character)


def person_fields(person: Person, notes: Notes) -> dict[str, Any]:
    """The raw record of a person. Birthdays and the like are nobody's business here."""
    names = NameList(notes)
    names.official(person.name, NameKind.MAIN)
    native = _native_name(person)
    names.official(native, NameKind.NATIVE, script_language(native or ""))
    for alternative in person.alternate_names or ():
        names.alias(alternative, script_language(alternative or ""))
    return _with_common({"record": "person", "names": names.fields()}, person)


def producer_fields(producer: Producer, notes: Notes) -> dict[str, Any]:
    """The raw record of a company."""
    names = NameList(notes)
    titles = producer.titles or ()
    for title in (each.title for each in titles if each.type == "Default"):
        names.official(title, NameKind.MAIN)
    names.official(producer.name, NameKind.MAIN)
    for title in (each.title for each in titles if each.type == "Japanese"):
        names.official(title, NameKind.NATIVE, script_language(title or "") or "ja")
    for each in titles:
        names.alias(each.title)
    return _with_common({"record": "studio", "names": names.fields()}, producer)


def _with_common(raw: dict[str, Any], page: Character | Person | Producer) -> dict[str, Any]:
    raw["ref"] = f"mal:{raw['record']}:{page.mal_id}"
    if page.has("favorites"):
        raw["popularity"] = page.favorites
    if not isinstance(page, Producer) and page.has("about"):
        raw["description"] = (page.about or "").strip() or None
    if page.url:
        raw["extra"] = {"site_url": page.url}
    return raw


def _native_name(person: Person) -> str | None:
    """The family name and the given name where both are in the scripts of East Asia, which need no space."""
    parts = (person.family_name or "", person.given_name or "")
    if all(part and all(_FIRST_HAN <= character <= _LAST_HANGUL for character in part) for part in parts):
        return "".join(parts)
    return None
