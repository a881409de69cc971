"""One item of bangumi-data to a raw anime record."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from datastore.vocabulary import NameKind, WorkFormat
from pydantic import BaseModel, ConfigDict, Field

from ingestion.formats.arm import WorkIds
from ingestion.formats.name_list import NameList
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind

FORMATS: dict[str, WorkFormat] = {
    "tv": WorkFormat.TV,
    "movie": WorkFormat.MOVIE,
    "ova": WorkFormat.OVA,
    "web": WorkFormat.ONA,
}

_JAPAN = timezone(timedelta(hours=9))
# The project's own word for an end that nobody should rely on.
_DOUBTED_END = frozenset({"end unknown", "end may be wrong"})
_ID_SITES = frozenset({"bangumi", "mal", "aniList", "anidb", "tmdb"})


class Site(BaseModel):
    """Where a work can be read about or watched."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    site: str
    id: str | None = None


class Item(BaseModel):
    """A work. `begin` and `end` are instants in UTC, empty when not known."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str
    title_translate: dict[str, list[str]] = Field(default_factory=dict, alias="titleTranslate")
    type: str = ""
    lang: str = ""
    official_site: str | None = Field(default=None, alias="officialSite")
    begin: str = ""
    end: str = ""
    broadcast: str | None = None
    comment: str | None = None
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemIds:
    """An item's ids. `tmdb` is as given: only a film's is one work's alone."""

    bangumi: int | None
    anidb: int | None
    tmdb: str | None
    shared: WorkIds

    @property
    def refs(self) -> list[str]:
        """The references that name this work and no other, the weightiest first."""
        film = self.tmdb.removeprefix("movie/") if self.tmdb and self.tmdb.startswith("movie/") else None
        named = {
            "bangumi:subject": self.bangumi,
            "mal:anime": self.shared.mal,
            "anilist:anime": self.shared.anilist,
            "anidb:anime": self.anidb,
            "annict:anime": self.shared.annict,
            "tmdb:movie": film if film and film.isascii() and film.isdigit() else None,
        }
        return [f"{space}:{value}" for space, value in named.items() if value is not None]


def item_ids(item: Item, notes: Notes) -> ItemIds:
    """The ids among an item's sites; one that is no number is left out and reported."""
    given = {each.site: each.id for each in reversed(item.sites) if each.site in _ID_SITES and each.id}
    tmdb = given.pop("tmdb", None)
    numbers = {site: _positive(text) for site, text in given.items()}
    notes.repaired(RepairKind.UNKNOWN_VALUE, sum(number is None for number in numbers.values()))
    return ItemIds(
        bangumi=numbers.get("bangumi"),
        anidb=numbers.get("anidb"),
        tmdb=tmdb,
        shared=WorkIds(mal=numbers.get("mal"), anilist=numbers.get("aniList")),
    )


def item_ref(item: Item, ids: ItemIds) -> str:
    """The reference that the item claims: its weightiest id, else one made from its title, type, begin and TMDB id."""
    refs = ids.refs
    if refs:
        return refs[0]
    content = "\n".join((item.title, item.type, item.begin, ids.tmdb or ""))
    return f"bangumi_data:anime:{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def item_fields(item: Item, ids: ItemIds, notes: Notes) -> dict[str, Any]:
    """The raw record of an item."""
    ref = item_ref(item, ids)
    known_format = FORMATS.get(item.type)
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(known_format is None))
    has_end = bool(item.end) and item.type != "movie" and (item.comment or "").strip() not in _DOUBTED_END
    return {
        "record": "anime",
        "ref": ref,
        "external_ids": [other for other in ids.refs if other != ref],
        "names": _names(item, notes),
        "format": known_format,
        "start": japan_date(item.begin),
        "end": japan_date(item.end, is_end=True) if has_end else None,
        "extra": _extra(item, ids),
    }


def japan_date(instant: str, *, is_end: bool = False) -> str:
    """The day in Japan at an instant; one without a zone is in UTC. A text that is no instant stays as it is.

    What ends at midnight ends on the day before.
    """
    try:
        moment = datetime.fromisoformat(instant)
        in_japan = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(_JAPAN)
        return (in_japan - timedelta(seconds=is_end)).date().isoformat()
    except (ValueError, OverflowError):
        return instant


def _names(item: Item, notes: Notes) -> list[dict[str, Any]]:
    names = NameList(notes)
    names.official(item.title, NameKind.MAIN, _language(item.lang))
    for language, titles in item.title_translate.items():
        for position, title in enumerate(titles):
            is_english = language == "en" and not position
            names.alias(title, _language(language), NameKind.ENGLISH if is_english else NameKind.ALIAS)
    return names.fields()


def _language(tag: str) -> str | None:
    return tag if 0 < len(tag) <= 16 else None


def _extra(item: Item, ids: ItemIds) -> dict[str, Any]:
    extra: dict[str, Any] = {
        "official_site": item.official_site,
        "broadcast": item.broadcast,
        "begin": item.begin,
        "end": item.end,
        "comment": item.comment,
        "tmdb": ids.tmdb,
        "syobocal_tid": ids.shared.syobocal,
        "raw_format": None if item.type in FORMATS else item.type,
    }
    return {name: value for name, value in extra.items() if value not in (None, "")}


def _positive(text: str) -> int | None:
    """The number that an id is written as, short enough for any table."""
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 18 and int(text) else None
