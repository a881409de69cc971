"""The table `arm`: which ids of MyAnimeList, AniList, Annict and Syobocal are one work."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

ArmId = Annotated[int, Field(gt=0)]


class ArmEntry(BaseModel):
    """The ids of one work; at least one is known. Several works may share a Syobocal title."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    mal_id: ArmId | None = None
    anilist_id: ArmId | None = None
    annict_id: ArmId | None = None
    syobocal_tid: ArmId | None = None


@dataclass(frozen=True, slots=True)
class WorkIds:
    """What a work is known as at the places that the table knows."""

    mal: int | None = None
    anilist: int | None = None
    annict: int | None = None
    syobocal: int | None = None


class ArmTable:
    """The entries by the ids that they are looked up by."""

    def __init__(self) -> None:
        self._by_mal: dict[int, ArmEntry] = {}
        self._by_anilist: dict[int, ArmEntry] = {}

    def add(self, entry: ArmEntry) -> None:
        """Take one entry; where two entries have one id, the first counts."""
        if entry.mal_id is not None:
            self._by_mal.setdefault(entry.mal_id, entry)
        if entry.anilist_id is not None:
            self._by_anilist.setdefault(entry.anilist_id, entry)

    def entries_of(self, ids: WorkIds) -> Iterator[ArmEntry]:
        """The entries that have one of the ids, each once."""
        by_mal = self._by_mal.get(ids.mal) if ids.mal is not None else None
        by_anilist = self._by_anilist.get(ids.anilist) if ids.anilist is not None else None
        if by_mal is not None:
            yield by_mal
        if by_anilist is not None and by_anilist is not by_mal:
            yield by_anilist


def contradicts(ids: WorkIds, entry: ArmEntry) -> bool:
    """Whether the entry has another id for the work at MyAnimeList or AniList."""
    return _differ(ids.mal, entry.mal_id) or _differ(ids.anilist, entry.anilist_id)


def completed(ids: WorkIds, entry: ArmEntry) -> WorkIds:
    """The ids with those of the entry where the work had none."""
    return WorkIds(
        mal=ids.mal or entry.mal_id,
        anilist=ids.anilist or entry.anilist_id,
        annict=ids.annict or entry.annict_id,
        syobocal=ids.syobocal or entry.syobocal_tid,
    )


def _differ(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one != other
