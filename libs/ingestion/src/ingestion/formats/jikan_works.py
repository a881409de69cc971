"""Anime, printed works and episodes of Jikan to raw records."""

import re
from collections.abc import Iterable
from typing import Any

from datastore.dates import PartialDate
from datastore.vocabulary import NameKind

from ingestion.formats.jikan_mapping import (
    ADULT_GENRE,
    ADULT_RATING,
    FORMATS,
    RATINGS,
    SEASONS,
    SOURCES,
    STATUSES,
    TITLE_LANGUAGES,
    WEEKDAYS,
    known_word,
    mapped,
    raw_word,
)
from ingestion.formats.jikan_nodes import Anime, DateParts, DateProp, DateRange, Episode, Manga, Meta, Title, Work
from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind

_DURATION = re.compile(r"(?:(\d+) hr)?\s*(?:(\d+) min)?\s*(?:(\d+) sec)?(?: per ep)?\.?")
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"[A-Z][a-z]{2},? \d{4}")


def work_ref(kind: str, mal_id: int) -> str:
    """`mal:anime:1`."""
    return f"mal:{kind}:{mal_id}"


def is_adult(work: Work) -> bool:
    """Whether the site keeps the work from minors."""
    rating = (work.rating or "") if isinstance(work, Anime) else ""
    return rating.casefold().startswith(ADULT_RATING) or ADULT_GENRE in _labels(work.explicit_genres)


def work_fields(work: Anime | Manga, notes: Notes) -> dict[str, Any]:
    """The raw record of a work; a field that its answer did not hold is missing."""
    kind = "anime" if isinstance(work, Anime) else "manga"
    raw: dict[str, Any] = {"record": kind, "ref": work_ref(kind, work.mal_id), "names": _names(work, notes)}
    if work.has("type"):
        raw["format"] = mapped(FORMATS, work.type, notes)
    if work.has("status"):
        raw["status"] = mapped(STATUSES, work.status, notes)
    if work.has("score"):
        # Scores run from 1 to 10, and 0 is none.
        raw["score"] = round(work.score * 10, 2) if work.score else None
        raw["score_source"] = "mal" if work.score else None
    if work.has("members"):
        raw["popularity"] = work.members
    if work.has("synopsis"):
        raw["synopsis"] = (work.synopsis or "").strip() or None
    if work.has("genres", "explicit_genres"):
        raw["genres"] = [*_labels(work.genres), *_labels(work.explicit_genres)]
    if work.has("themes", "demographics"):
        raw["tags"] = [*_labels(work.themes), *_labels(work.demographics)]
    raw |= _anime_fields(work, notes) if isinstance(work, Anime) else _manga_fields(work, notes)
    if extra := _extra(work):
        raw["extra"] = extra
    return raw


def duration_minutes(text: str | None, notes: Notes) -> int | None:
    """The minutes of `1 hr 55 min` or `23 min per ep`; a text that is neither is reported."""
    known = known_word(text)
    if known is None:
        return None
    match = _DURATION.fullmatch(known)
    if match is None or not any(match.groups()):
        notes.repaired(RepairKind.UNKNOWN_VALUE)
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return round(hours * 60 + minutes + seconds / 60) or None


def episode_fields(episode: Episode, anime_id: int, notes: Notes) -> dict[str, Any]:
    """The raw record of an episode; the site numbers those of each anime from 1."""
    names = NameList(notes)
    names.official(episode.title, NameKind.MAIN, "en")
    names.official(episode.title_romanji, NameKind.ROMAJI, "ja-Latn")
    names.official(episode.title_japanese, NameKind.NATIVE, "ja")
    # The day it was shown is a fact worth keeping even where nobody wrote down its title.
    names.official(None if names.fields() else f"Episode {episode.mal_id}", NameKind.MAIN, "en")
    raw: dict[str, Any] = {
        "record": "episode",
        "ref": f"mal:episode:{anime_id}-{episode.mal_id}",
        "names": names.fields(),
        "anime": work_ref("anime", anime_id),
        "number": episode.mal_id,
    }
    if episode.has("aired"):
        raw["air_date"] = _date_of_instant(episode.aired)
    if episode.has("synopsis"):
        raw["synopsis"] = (episode.synopsis or "").strip() or None
    if extra := {f"is_{word}": True for word in ("filler", "recap") if getattr(episode, word)}:
        raw["extra"] = extra
    return raw


def _anime_fields(anime: Anime, notes: Notes) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if anime.has("aired"):
        raw |= _dates(anime.aired, notes)
    if anime.has("episodes"):
        raw["episodes"] = anime.episodes
    if anime.has("duration"):
        raw["duration_minutes"] = duration_minutes(anime.duration, notes)
    if anime.has("season"):
        raw["season"] = mapped(SEASONS, anime.season, notes)
    if anime.has("year"):
        raw["season_year"] = anime.year
    if anime.has("source"):
        raw["source"] = mapped(SOURCES, anime.source, notes)
    rating = known_word(anime.rating)
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(rating is not None and rating.casefold() not in RATINGS))
    day = known_word(anime.broadcast and anime.broadcast.day)
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(day is not None and day.casefold() not in WEEKDAYS))
    return raw


def _manga_fields(manga: Manga, notes: Notes) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if manga.has("published"):
        raw |= _dates(manga.published, notes)
    if manga.has("chapters"):
        raw["chapters"] = manga.chapters
    if manga.has("volumes"):
        raw["volumes"] = manga.volumes
    return raw


def _names(work: Work, notes: Notes) -> list[dict[str, Any]]:
    """The English title is the main one, else the default one."""
    names = NameList(notes)
    titles = work.titles or _old_titles(work)
    japanese = next((each.title for each in titles if each.type == "Japanese"), None)
    has_kana = script_language(japanese or "") == "ja"
    for title in (each.title for each in titles if each.type == "English"):
        names.official(title, NameKind.ENGLISH, "en")
    for title in (each.title for each in titles if each.type == "Default"):
        names.official(title, NameKind.ROMAJI, "ja-Latn" if has_kana else None)
    names.official(japanese, NameKind.NATIVE, script_language(japanese or "") or "ja")
    for each in titles:
        if each.type not in ("English", "Default", "Japanese"):
            language = TITLE_LANGUAGES.get((each.type or "").casefold())
            names.alias(each.title, language or script_language(each.title or ""))
    return names.fields()


def _old_titles(work: Work) -> tuple[Title, ...]:
    """The titles of an answer from before they were one list."""
    official = {"Default": work.title, "English": work.title_english, "Japanese": work.title_japanese}
    synonyms = (Title(type="Synonym", title=each) for each in work.title_synonyms or ())
    return (*(Title(type=kind, title=title) for kind, title in official.items()), *synonyms)


def _dates(given: DateRange | None, notes: Notes) -> dict[str, str | None]:
    if given is None:
        return {"start": None, "end": None}
    prop = given.prop or DateProp()
    words, _, last_words = (given.string or "").partition(" to ")
    return {
        "start": _date(prop.from_, given.from_, words, notes),
        "end": _date(prop.to, given.to, last_words, notes),
    }


def _date(parts: DateParts | None, instant: str | None, words: str, notes: Notes) -> str | None:
    """As precise as the parts and the words are; without parts, the day of the instant."""
    if parts is None:
        return _date_of_instant(instant)
    if parts.year is None and parts.month is None and parts.day is None:
        return None
    month = None if _YEAR.fullmatch(words) else parts.month
    day = None if _YEAR.fullmatch(words) or _MONTH.fullmatch(words) else parts.day
    known = PartialDate.from_parts(parts.year, month, day)
    if known is None:
        # No usable year: the parts stay as text, and the record factory reports the date.
        return "-".join("?" if part is None else str(part) for part in (parts.year, month, day))
    dropped = (month is not None and known.month is None) or (day is not None and known.day is None)
    notes.repaired(RepairKind.IMPOSSIBLE_DATE_PART, int(dropped))
    return str(known)


def _date_of_instant(instant: str | None) -> str | None:
    return (instant or "").partition("T")[0].strip() or None


def _labels(metas: Iterable[Meta] | None) -> list[str]:
    return [label for each in metas or () if (label := each.label)]


def _extra(work: Anime | Manga) -> dict[str, Any]:
    extra: dict[str, Any] = {
        "site_url": work.url,
        "raw_format": raw_word(FORMATS, work.type),
        "raw_status": None if (work.status or "").casefold() in STATUSES else known_word(work.status),
    }
    if isinstance(work, Anime):
        extra |= {
            "rating": known_word(work.rating),
            "broadcast": known_word(work.broadcast and work.broadcast.string),
            "raw_duration": _raw_duration(work.duration),
            "raw_season": raw_word(SEASONS, work.season),
            "raw_source": raw_word(SOURCES, work.source),
        }
    else:
        extra["magazines"] = _labels(work.serializations)
    return {name: value for name, value in extra.items() if value not in (None, "", [])}


def _raw_duration(text: str | None) -> str | None:
    """The text where its minutes would say less."""
    known = known_word(text)
    return known if known is not None and (_DURATION.fullmatch(known) is None or "sec" in known) else None
