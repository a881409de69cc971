"""What a first look over a whole dump tells: which ids are anime or manga, and which ids occur more than once."""

from typing import Any

from ingestion.formats.anilist_works import WorkType
from ingestion.formats.json_values import as_list, as_object

WORK_TYPES: dict[str, WorkType] = {"ANIME": "anime", "MANGA": "manga"}

_MAX_DEPTH = 100


class Overview:
    """Facts about ids. AniList numbers anime and manga in one sequence."""

    def __init__(self) -> None:
        self.work_types: dict[int, WorkType] = {}
        self._seen: set[int] = set()
        self._repeated: set[int] = set()

    def add(self, value: Any, depth: int = 0) -> None:
        """Look at every object in a parsed file."""
        if depth > _MAX_DEPTH:
            return
        for item in as_list(value):
            self.add(item, depth + 1)
        fields = as_object(value) or {}
        number = fields.get("id")
        if isinstance(number, int):
            (self._repeated if number in self._seen else self._seen).add(number)
            if (work_type := WORK_TYPES.get(str(fields.get("type")))) is not None:
                self.work_types[number] = work_type
        for item in fields.values():
            self.add(item, depth + 1)

    def occurs_once(self, ref: str) -> bool:
        """True when no other object of the dump, of whatever kind, has the number of `source:kind:number`."""
        return int(ref.rpartition(":")[2]) not in self._repeated
