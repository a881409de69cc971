"""The names of one entity on their way into a record: trimmed, without repetitions, one of them the main one."""

from typing import Any

from datastore.vocabulary import NameKind

from ingestion.formats.notes import Notes
from ingestion.report import RepairKind

_MAX_CHARACTERS = 500


class NameList:
    """Collects names in the order of their weight: the first one is the main name, whatever kind it was given as."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._fields: list[dict[str, Any]] = []
        self._known: set[str] = set()

    def official(self, name: str | None, kind: NameKind, language: str | None = None) -> None:
        """A name that the source vouches for; an empty one is passed over."""
        trimmed = (name or "").strip()
        if trimmed:
            self._notes.repaired(RepairKind.TRIMMED_NAME, int(trimmed != name))
            self._add(trimmed, kind, language)

    def alias(self, name: str | None, language: str | None = None, kind: NameKind = NameKind.ALIAS) -> None:
        """Another name. Empty ones are passed over; one that is longer than any name is dropped and reported."""
        if name and len(name) > _MAX_CHARACTERS:
            self._notes.repaired(RepairKind.JUNK_NAME)
        else:
            self.official(name, kind, language)

    def fields(self) -> list[dict[str, Any]]:
        """The names as raw fields; none when no name was given."""
        return self._fields

    def _add(self, name: str, kind: NameKind, language: str | None) -> None:
        if name not in self._known:
            self._known.add(name)
            self._fields.append({"name": name, "kind": kind if self._fields else NameKind.MAIN, "language": language})


def script_language(name: str) -> str | None:
    """Kana is Japanese and Hangul Korean; other scripts don't tell."""
    for character in name:
        # The middle dot after these is written in Chinese names as well.
        if "\u3041" <= character <= "\u30fa":
            return "ja"
        if "\uac00" <= character <= "\ud7a3":
            return "ko"
    return None
