"""AniList media to raw anime and manga records."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Literal

from datastore.dates import PartialDate
from datastore.vocabulary import NameKind

from ingestion.formats.anilist_mapping import FORMATS, NATIVE_LANGUAGES, SEASONS, SOURCES, STATUSES
from ingestion.formats.anilist_nodes import FuzzyDate, Media
from ingestion.formats.notes import Notes
from ingestion.name_repair import is_junk_name
from ingestion.report import RepairKind
from ingestion.text import light_markup_to_text

WorkType = Literal["anime", "manga"]

# AniList users rate how well a tag fits; below this it is more opinion than fact.
_MIN_TAG_RANK = 60


def work_ref(work_type: WorkType, media_id: int) -> str:
    """`anilist:anime:1`."""
    return f"anilist:{work_type}:{media_id}"


def work_fields(media: Media, work_type: WorkType, notes: Notes) -> dict[str, Any]:
    """The raw record of a work whose answer held a title; a field that it did not hold is missing."""
    raw: dict[str, Any] = {"record": work_type, "ref": work_ref(work_type, media.id)}
    if media.id_mal is not None:
        raw["external_ids"] = [f"mal:{work_type}:{media.id_mal}"]
    raw["names"] = work_names(media, notes)
    raw |= _mapped_sets(media, work_type, notes)
    raw |= _numbers(media, work_type)
    raw |= _dates(media, notes)
    raw |= _texts(media, notes)
    if extra := _extra(media, raw):
        raw["extra"] = extra
    return raw


def work_names(media: Media, notes: Notes) -> list[dict[str, Any]]:
    """The English title is the main one, else the romaji, else the native title; synonyms are aliases."""
    title = media.title
    native_language = NATIVE_LANGUAGES.get(media.country_of_origin or "")
    latin = f"{native_language.partition('-')[0]}-Latn" if native_language else None
    official = (
        [
            (NameKind.ENGLISH, title.english, "en"),
            (NameKind.ROMAJI, title.romaji, latin),
            (NameKind.NATIVE, title.native, native_language),
        ]
        if title
        else []
    )
    return collect_names(official, media.synonyms or (), notes)


def collect_names(
    official: Iterable[tuple[NameKind, str | None, str | None]], aliases: Iterable[str | None], notes: Notes
) -> list[dict[str, Any]]:
    """Names without repetitions: the first official one is the main name. Junk aliases are dropped and reported."""
    names: list[dict[str, Any]] = []
    seen: set[str] = set()
    for kind, given, language in official:
        name = (given or "").strip()
        if name and name not in seen:
            seen.add(name)
            names.append({"name": name, "kind": kind if names else NameKind.MAIN, "language": language})
    stripped = [((given or "").strip(), given) for given in aliases]
    usable = [(name, given) for name, given in stripped if not is_junk_name(name)]
    notes.repaired(RepairKind.JUNK_NAME, len(stripped) - len(usable))
    notes.repaired(RepairKind.TRIMMED_NAME, sum(name != given for name, given in usable))
    for name, _ in usable:
        if name not in seen:
            seen.add(name)
            names.append({"name": name, "kind": NameKind.ALIAS if names else NameKind.MAIN, "language": None})
    return names


def fuzzy_date(date: FuzzyDate | None, notes: Notes) -> str | None:
    """`2009-04-05`, `2009-04` or `2009`; a month or day that can't be is dropped and reported."""
    if date is None or (date.year is None and date.month is None and date.day is None):
        return None
    known = PartialDate.from_parts(date.year, date.month, date.day)
    if known is None:
        # No usable year: the parts stay as text, and the record factory reports the date.
        return "-".join("?" if part is None else str(part) for part in (date.year, date.month, date.day))
    dropped = (date.month is not None and known.month is None) or (date.day is not None and known.day is None)
    notes.repaired(RepairKind.IMPOSSIBLE_DATE_PART, int(dropped))
    return str(known)


def mapped[E: StrEnum](table: dict[str, E], value: str | None, notes: Notes) -> E | None:
    """The member for AniList's word; an unknown word is reported and becomes None."""
    if value is None:
        return None
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(value not in table))
    return table.get(value)


def _mapped_sets(media: Media, work_type: WorkType, notes: Notes) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if media.has("format"):
        raw["format"] = mapped(FORMATS, media.format, notes)
    if media.has("status"):
        raw["status"] = mapped(STATUSES, media.status, notes)
    if work_type == "anime":
        if media.has("season"):
            raw["season"] = mapped(SEASONS, media.season, notes)
        if media.has("source"):
            raw["source"] = mapped(SOURCES, media.source, notes)
    return raw


def _numbers(media: Media, work_type: WorkType) -> dict[str, Any]:
    common = {"popularity": "popularity", "average_score": "score", "country_of_origin": "country"}
    anime = {"episodes": "episodes", "duration": "duration_minutes", "season_year": "season_year"}
    manga = {"chapters": "chapters", "volumes": "volumes"}
    fields = common | (anime if work_type == "anime" else manga)
    raw = {ours: getattr(media, theirs) for theirs, ours in fields.items() if media.has(theirs)}
    if "score" in raw:
        raw["score_source"] = None if raw["score"] is None else "anilist"
    return raw


def _dates(media: Media, notes: Notes) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if media.has("start_date"):
        raw["start"] = fuzzy_date(media.start_date, notes)
    if media.has("end_date"):
        raw["end"] = fuzzy_date(media.end_date, notes)
    return raw


def _texts(media: Media, notes: Notes) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if media.has("description"):
        raw["synopsis"] = light_markup_to_text(media.description or "") or None
    if media.has("genres"):
        raw["genres"] = [genre for genre in media.genres or () if genre]
    if media.has("tags"):
        tags = media.tags or ()
        harmless = [tag for tag in tags if not (tag.is_media_spoiler or tag.is_general_spoiler or tag.is_adult)]
        fitting = [tag for tag in harmless if tag.rank is None or tag.rank >= _MIN_TAG_RANK]
        notes.not_imported("spoiler_or_adult_tags", len(tags) - len(harmless))
        notes.not_imported("tags_of_low_rank", len(harmless) - len(fitting))
        raw["tags"] = [tag.name for tag in fitting]
    return raw


def _extra(media: Media, raw: dict[str, Any]) -> dict[str, Any]:
    cover = media.cover_image
    extra: dict[str, Any] = {
        "site_url": media.site_url,
        "hashtag": media.hashtag,
        "is_licensed": media.is_licensed,
        "cover_image": cover and (cover.extra_large or cover.large or cover.medium),
        "raw_format": media.format if media.format == "NOVEL" or (media.format and not raw.get("format")) else None,
        "raw_status": media.status if media.status and not raw.get("status") else None,
    }
    return {name: value for name, value in extra.items() if value not in (None, "")}
