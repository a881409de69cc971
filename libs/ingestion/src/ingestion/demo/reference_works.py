"""Works as other catalogues describe them, read from a folder of shared data, in terms that ours are compared in."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path

from datastore.dates import PartialDate
from datastore.vocabulary import EntityType, WorkFormat
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

# Fixed: Japan has no summer time, and a machine may lack the time zone database.
TOKYO = timezone(timedelta(hours=9), "Asia/Tokyo")
END_OF_BROADCAST_DAY = time(5)


@dataclass(frozen=True, slots=True)
class ReferenceWork:
    """One work in one source.

    `native` is the title in the work's language. `titles` are all titles that are compared. Any of `starts` counts as
    agreement, the likeliest first, and so does any of `formats`; an empty tuple or set says that the source is silent.
    """

    source: str
    entity: EntityType
    anilist_id: str | None
    mal_id: str | None
    native: str | None
    titles: tuple[str, ...]
    starts: tuple[PartialDate, ...]
    formats: frozenset[WorkFormat]
    episodes: int | None


class _Foreign(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _FuzzyDate(_Foreign):
    year: int | None = None
    month: int | None = None
    day: int | None = None


class _AniListTitle(_Foreign):
    romaji: str | None = None
    english: str | None = None
    native: str | None = None


class _AniListMedia(_Foreign):
    id: int
    id_mal: int | None = Field(None, alias="idMal")
    type: str
    title: _AniListTitle
    start: _FuzzyDate = Field(alias="startDate")
    format: str | None = None
    episodes: int | None = None


class _BangumiSite(_Foreign):
    site: str
    id: str | None = None


class _BangumiItem(_Foreign):
    title: str
    translations: dict[str, list[str]] = Field(default_factory=dict[str, list[str]], alias="titleTranslate")
    type: str
    begin: str = ""
    sites: list[_BangumiSite] = Field(default_factory=list[_BangumiSite])


class _BangumiData(_Foreign):
    items: list[_BangumiItem]


_ANILIST_FORMATS = {
    "TV": {WorkFormat.TV},
    "TV_SHORT": {WorkFormat.TV_SHORT},
    "MOVIE": {WorkFormat.MOVIE},
    "SPECIAL": {WorkFormat.SPECIAL},
    "OVA": {WorkFormat.OVA},
    "ONA": {WorkFormat.ONA},
    "MUSIC": {WorkFormat.MUSIC},
    "MANGA": {WorkFormat.MANGA},
    "NOVEL": {WorkFormat.LIGHT_NOVEL, WorkFormat.NOVEL},
    "ONE_SHOT": {WorkFormat.ONE_SHOT},
}
# bangumi-data knows four types only: a television special is `tv` there, a special sold on disc is `ova`.
_BANGUMI_FORMATS = {
    "tv": {WorkFormat.TV, WorkFormat.TV_SHORT, WorkFormat.SPECIAL},
    "movie": {WorkFormat.MOVIE},
    "ova": {WorkFormat.OVA, WorkFormat.SPECIAL},
    "web": {WorkFormat.ONA, WorkFormat.SPECIAL},
}
_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


def read_reference_works(data: Path) -> list[ReferenceWork]:
    """All works of the AniList answers and of bangumi-data below `data/anime`.

    Raises:
        FileNotFoundError: the folder holds neither.
    """
    works = [*_read_anilist(data / "anime" / "anilist_json"), *_read_bangumi(data / "anime" / "bangumi-data")]
    if not works:
        raise FileNotFoundError(f"no AniList answers and no bangumi-data below {data / 'anime'}")
    return works


def _read_anilist(folder: Path) -> Iterator[ReferenceWork]:
    """Each media once, however many answers show it; the first answer in file-name order counts."""
    seen: set[int] = set()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
        for node in _objects(_JSON.validate_json(_content(path))):
            if not {"id", "type", "title", "startDate"} <= node.keys():
                continue
            media = _AniListMedia.model_validate(node)
            if media.id not in seen:
                seen.add(media.id)
                yield _from_anilist(media)


def _content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """All objects inside a JSON value, outermost first: answers nest media in many ways."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from _objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from _objects(part)


def _from_anilist(media: _AniListMedia) -> ReferenceWork:
    entity = EntityType.MANGA if media.type == "MANGA" else EntityType.ANIME
    start = PartialDate.from_parts(media.start.year, media.start.month, media.start.day)
    titles = (media.title.native, media.title.romaji, media.title.english)
    return ReferenceWork(
        source="anilist",
        entity=entity,
        anilist_id=f"anilist:{entity}:{media.id}",
        mal_id=f"mal:{entity}:{media.id_mal}" if media.id_mal else None,
        native=media.title.native,
        titles=tuple(dict.fromkeys(title for title in titles if title)),
        starts=(start,) if start else (),
        formats=frozenset(_ANILIST_FORMATS.get(media.format or "", set())),
        episodes=media.episodes,
    )


def _read_bangumi(folder: Path) -> Iterator[ReferenceWork]:
    path = folder / "data.json.gz"
    if not path.exists():
        return
    for item in _BangumiData.model_validate_json(_content(path)).items:
        ids = {site.site: site.id for site in item.sites if site.id}
        yield ReferenceWork(
            source="bangumi-data",
            entity=EntityType.ANIME,
            anilist_id=f"anilist:anime:{ids['aniList']}" if "aniList" in ids else None,
            mal_id=f"mal:anime:{ids['mal']}" if "mal" in ids else None,
            native=item.title,
            titles=(item.title, *item.translations.get("en", [])),
            starts=broadcast_dates(item.begin),
            formats=frozenset(_BANGUMI_FORMATS.get(item.type, set())),
            episodes=None,
        )


def broadcast_dates(begin: str) -> tuple[PartialDate, ...]:
    """The dates that a broadcast instant (ISO 8601, UTC) may rightly be listed under; empty for an empty text.

    The instant is read in Tokyo, where it was broadcast. Japanese listings let a day run to five in the morning
    ("Saturday 25:58" is 01:58 on Sunday), while catalogues name either day. So an instant before 05:00 in Tokyo may be
    listed under its calendar day or the day before, every other instant under its calendar day alone. The same rule
    covers 16:00 UTC, which bangumi-data writes where only the day is known and which is 01:00 in Tokyo: for films
    before about 2010 the day is meant in UTC, later in Chinese time, which is the day after.
    """
    if not begin:
        return ()
    instant = datetime.fromisoformat(begin)
    local = (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(TOKYO)
    days = [local.date()]
    if local.time() < END_OF_BROADCAST_DAY:
        days.append(local.date() - timedelta(days=1))
    return tuple(PartialDate(day.year, day.month, day.day) for day in days)
