"""One entry of the anime-offline-database to raw records: the anime, and the works it is related to somehow."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from datastore.edges import EdgeType
from datastore.vocabulary import NameKind, Season, WorkFormat, WorkStatus
from pydantic import BaseModel, ConfigDict, Field

from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind

FORMATS: dict[str, WorkFormat] = {
    "TV": WorkFormat.TV,
    "MOVIE": WorkFormat.MOVIE,
    "OVA": WorkFormat.OVA,
    "ONA": WorkFormat.ONA,
    "SPECIAL": WorkFormat.SPECIAL,
}
STATUSES: dict[str, WorkStatus] = {
    "FINISHED": WorkStatus.FINISHED,
    "ONGOING": WorkStatus.RELEASING,
    "UPCOMING": WorkStatus.NOT_YET_RELEASED,
}
SEASONS: dict[str, Season] = {season.name: season for season in Season}
_NOT_KNOWN = frozenset({"UNKNOWN", "UNDEFINED"})

# The page of a work at each provider and the id in it, the weightiest provider first.
_PROVIDERS: dict[str, re.Pattern[str]] = {
    provider: re.compile(rf"https?://(?:www\.)?{page}/?")
    for provider, page in {
        "mal": r"myanimelist\.net/anime/(\d+)",
        "anilist": r"anilist\.co/anime/(\d+)",
        "anidb": r"anidb\.net/anime/(\d+)",
        "kitsu": r"kitsu\.(?:app|io)/anime/(\d+)",
        "livechart": r"livechart\.me/anime/(\d+)",
        "anisearch": r"anisearch\.com/anime/(\d+)",
        "anime_planet": r"anime-planet\.com/anime/([\w.-]+)",
        "ann": r"animenewsnetwork\.com/encyclopedia/anime\.php\?id=(\d+)",
        "notify": r"notify\.moe/anime/([\w-]+)",
        "simkl": r"simkl\.com/anime/(\d+)",
        "animecountdown": r"animecountdown\.com/(\d+)",
    }.items()
}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class AnimeSeason(_Part):
    """When an anime was first shown."""

    season: str = "UNDEFINED"
    year: int | None = None


class Duration(_Part):
    """The length of one episode."""

    value: int
    unit: Literal["SECONDS"] = "SECONDS"


class Score(_Part):
    """The providers' scores, averaged in three ways."""

    arithmetic_mean: float = Field(alias="arithmeticMean")


class ScoreRange(_Part):
    """What scores run from and to."""

    min_inclusive: float = Field(alias="minInclusive")
    max_inclusive: float = Field(alias="maxInclusive", gt=0)


class Entry(_Part):
    """One anime as the published schemas describe it."""

    sources: tuple[str, ...] = Field(min_length=1)
    title: str
    type: str
    episodes: int = Field(ge=0)
    status: str
    anime_season: AnimeSeason = Field(alias="animeSeason")
    picture: str | None = None
    duration: Duration | None = None
    score: Score | None = None
    synonyms: tuple[str, ...] = ()
    studios: tuple[str, ...] = ()
    producers: tuple[str, ...] = ()
    related_anime: tuple[str, ...] = Field(default=(), alias="relatedAnime")
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pages:
    """The references behind the addresses of an entry, and how many addresses were not understood."""

    by_provider: dict[str, tuple[str, ...]]
    unknown: int

    @property
    def single(self) -> list[str]:
        """The references of providers that have one page for the work, the weightiest first."""
        return [refs[0] for refs in self.by_provider.values() if len(refs) == 1]


def pages(addresses: Iterable[str]) -> Pages:
    """The references of the pages at `addresses`, by provider in the order of their weight."""
    found: dict[str, list[str]] = {provider: [] for provider in _PROVIDERS}
    unknown = 0
    for address in addresses:
        for provider, pattern in _PROVIDERS.items():
            if (match := pattern.fullmatch(address)) is not None:
                found[provider].append(f"{provider}:anime:{match[1]}")
                break
        else:
            unknown += 1
    return Pages({provider: tuple(refs) for provider, refs in found.items() if refs}, unknown)


def entry_ref(own: Pages) -> str | None:
    """What an entry is known as: the weightiest reference that is its alone, else the first of several."""
    known = own.single or [refs[0] for refs in own.by_provider.values()]
    return known[0] if known else None


def entry_fields(entry: Entry, ref: str, *, own: Pages, score_range: ScoreRange | None, notes: Notes) -> dict[str, Any]:
    """The raw record of an entry that claims `ref`."""
    season = entry.anime_season
    notes.repaired(RepairKind.UNKNOWN_VALUE, _unknown(entry.type, FORMATS) + _unknown(entry.status, STATUSES))
    notes.repaired(RepairKind.UNKNOWN_VALUE, own.unknown + _unknown(season.season, SEASONS))
    score = _score(entry, score_range)
    return {
        "record": "anime",
        "ref": ref,
        "external_ids": [each for each in own.single if each != ref],
        "names": _names(entry, notes),
        "format": FORMATS.get(entry.type),
        "status": STATUSES.get(entry.status),
        "season": SEASONS.get(season.season),
        "season_year": season.year,
        "start": None if season.year is None else str(season.year),
        # The database writes 0 for what it does not know.
        "episodes": entry.episodes or None,
        "duration_minutes": round(entry.duration.value / 60) or None if entry.duration else None,
        "score": score,
        "score_source": None if score is None else "manami",
        "tags": list(entry.tags),
        "extra": _extra(entry, own),
    }


def related_fields(ref: str, related: Pages) -> Iterator[dict[str, Any]]:
    """A relation to each related work, by the one provider that is its weightiest: the others name the same works.

    Both works tell of it in the same words, so that it is one fact.
    """
    chosen: Sequence[str] = next(iter(related.by_provider.values()), ())
    for other in chosen:
        first, second = sorted((ref, other))
        if first != second:
            yield {
                "record": "relation",
                "from": first,
                "to": second,
                "relation": EdgeType.OTHER_RELATION,
                "raw_type": "relatedAnime",
            }


def _names(entry: Entry, notes: Notes) -> list[dict[str, Any]]:
    names = NameList(notes)
    names.official(entry.title, NameKind.MAIN, script_language(entry.title))
    for synonym in entry.synonyms:
        names.alias(synonym, script_language(synonym))
    return names.fields()


def _score(entry: Entry, score_range: ScoreRange | None) -> float | None:
    """The mean as a part of a hundred; None when the file does not say what scores run to."""
    if entry.score is None or score_range is None:
        return None
    return round(entry.score.arithmetic_mean / score_range.max_inclusive * 100, 2)


def _extra(entry: Entry, own: Pages) -> dict[str, Any]:
    several = [ref for refs in own.by_provider.values() if len(refs) > 1 for ref in refs]
    extra: dict[str, Any] = {
        # Names in lower case without ids: too little to make studios of.
        "studios": list(entry.studios),
        "producers": list(entry.producers),
        "picture": entry.picture,
        "pages_of_several": several,
        "raw_format": entry.type if entry.type not in FORMATS and entry.type not in _NOT_KNOWN else None,
        "raw_status": entry.status if entry.status not in STATUSES and entry.status not in _NOT_KNOWN else None,
    }
    return {name: value for name, value in extra.items() if value not in (None, "", [])}


def _unknown(word: str, table: dict[str, Any]) -> int:
    return int(word not in table and word not in _NOT_KNOWN)
