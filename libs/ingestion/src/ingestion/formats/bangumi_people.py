"""People, companies and characters of a Bangumi archive to raw records."""

import html
import re
from typing import Any

from datastore.vocabulary import NameKind

from ingestion.formats.bangumi_infobox import Infobox, parse_infobox
from ingestion.formats.bangumi_lines import Character, Person
from ingestion.formats.bangumi_mapping import GENDERS, OCCUPATIONS
from ingestion.formats.bangumi_works import plain_text
from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes

COMPANY = 2
"""The type of a person that is a company. Groups of people count as people."""

_KINDS = {"英文名": NameKind.ENGLISH, "罗马字": NameKind.ROMAJI, "日文名": NameKind.NATIVE}
_LANGUAGES = {
    "英文名": "en",
    "罗马字": "ja-Latn",
    "日文名": "ja",
    "纯假名": "ja",
    "第二中文名": "zh-Hans",
}
_NICKNAMES = "昵称"
_NICKNAME_SEPARATOR = re.compile(r"[、，；]")


class PageIndex:
    """What links have to know of the pages they name: which were merged into another one, and which are marked."""

    def __init__(self) -> None:
        self._targets: dict[int, int] = {}
        self._marked: set[int] = set()

    def redirect(self, page: int, target: int) -> None:
        """`page` was merged into `target`."""
        self._targets[page] = target

    def mark(self, page: int) -> None:
        """The page is of the kind that makes a difference: a company among people, no being among characters."""
        self._marked.add(page)

    def target(self, page: int) -> int:
        """The page that stands for this one now."""
        return self._targets.get(page, page)

    def is_marked(self, page: int) -> bool:
        """Whether the page was marked."""
        return page in self._marked


def person_ref(person_id: int) -> str:
    """`bangumi:person:1`: people and companies share one sequence of numbers."""
    return f"bangumi:person:{person_id}"


def character_ref(character_id: int) -> str:
    """`bangumi:character:1`."""
    return f"bangumi:character:{character_id}"


def person_fields(person: Person, notes: Notes) -> dict[str, Any]:
    """The raw record of a person, or of a studio for a company."""
    infobox = parse_infobox(person.infobox)
    common = {
        "ref": person_ref(person.id),
        "names": _names(person.name, infobox, notes),
        "popularity": person.collects,
    }
    if person.type == COMPANY:
        return {"record": "studio", **common}
    return {
        "record": "person",
        **common,
        "occupations": [OCCUPATIONS.get(career, career) for career in person.career],
        "description": plain_text(person.summary),
    }


def character_fields(character: Character, notes: Notes) -> dict[str, Any]:
    """The raw record of a character."""
    infobox = parse_infobox(character.infobox)
    return {
        "record": "character",
        "ref": character_ref(character.id),
        "names": _names(character.name, infobox, notes),
        "popularity": character.collects,
        "description": plain_text(character.summary),
        # Whatever else stands there is a remark more often than a gender.
        "gender": GENDERS.get(infobox.text("性别") or ""),
    }


def _names(given: str, infobox: Infobox, notes: Notes) -> list[dict[str, Any]]:
    names = NameList(notes)
    name = html.unescape(given)
    names.official(name, NameKind.MAIN, script_language(name))
    names.alias(html.unescape(infobox.text("简体中文名") or ""), "zh-Hans")
    for item in infobox.items("别名"):
        values = _NICKNAME_SEPARATOR.split(item.value) if item.label == _NICKNAMES else [item.value]
        for value in values:
            alias = html.unescape(value)
            language = _LANGUAGES.get(item.label) or script_language(alias)
            names.alias(alias, language, _KINDS.get(item.label, NameKind.ALIAS))
    return names.fields()
