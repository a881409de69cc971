"""Rows of season CSVs, of AniList's and of Jikan's, to raw anime records."""

from collections.abc import Mapping
from typing import Any

from datastore.vocabulary import NameKind

from ingestion.formats import anilist_mapping, jikan_mapping
from ingestion.formats.anilist_works import mapped
from ingestion.formats.jikan_mapping import known_word, raw_word
from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind
from ingestion.text import light_markup_to_text, plain_prose

Row = Mapping[str, str]
"""A row by its column names; an empty text is an unknown value."""


def whole_number(text: str) -> int | None:
    """`58567` or `58567.0` as a number; None when it is neither, and for 0, which the CSVs write for the unknown."""
    whole, _, fraction = text.strip().partition(".")
    if not whole.isascii() or not whole.isdecimal() or fraction.strip("0"):
        return None
    return int(whole) or None


def listed(text: str) -> list[str]:
    """The items of a `;`-joined list, trimmed, each once, in their order."""
    return list(dict.fromkeys(item for part in text.split(";") if (item := part.strip())))


def anilist_fields(row: Row, notes: Notes, *, mal_id_is_shared: bool) -> dict[str, Any]:
    """The raw record of a row of AniList's CSV.

    Where `mal_id_is_shared`, other rows have the same MyAnimeList id, and it proves nothing.
    """
    mal_id = whole_number(row["mal_id"])
    mal_ref = None if mal_id is None else f"mal:anime:{mal_id}"
    score = _decimal(row["score"], notes)
    raw: dict[str, Any] = {
        "record": "anime",
        "ref": f"anilist:anime:{whole_number(row['anime_id'])}",
        "external_ids": [mal_ref] if mal_ref and not mal_id_is_shared else [],
        "names": _anilist_names(row, notes),
        "format": mapped(anilist_mapping.FORMATS, row["type"] or None, notes),
        "status": mapped(anilist_mapping.STATUSES, row["status"] or None, notes),
        "source": mapped(anilist_mapping.SOURCES, row["source"] or None, notes),
        "season": mapped(anilist_mapping.SEASONS, row["season"].partition(" ")[0] or None, notes),
        "season_year": _number(row["season_year"], notes),
        "score": score,
        "score_source": None if score is None else "anilist",
        "popularity": _number(row["popularity"], notes),
        "tags": listed(row["tags"]),
        "country": row["country_of_origin"] or None,
        **_common(row, notes),
    }
    shared = [mal_ref] if mal_ref and mal_id_is_shared else []
    raw["extra"] = _filled(_anilist_extra(row) | {"pages_of_several": shared})
    return raw


def jikan_fields(row: Row, notes: Notes) -> dict[str, Any]:
    """The raw record of a row of Jikan's CSV, whose scores run from 1 to 10."""
    score = _decimal(row["score"], notes)
    season, _, year = row["season"].partition(" ")
    return {
        "record": "anime",
        "ref": f"mal:anime:{whole_number(row['anime_id'])}",
        "names": _jikan_names(row, notes),
        "format": jikan_mapping.mapped(jikan_mapping.FORMATS, row["type"], notes),
        "status": jikan_mapping.mapped(jikan_mapping.STATUSES, row["status"], notes),
        "source": jikan_mapping.mapped(jikan_mapping.SOURCES, row["source"], notes),
        "season": jikan_mapping.mapped(jikan_mapping.SEASONS, season, notes),
        "season_year": _number(known_word(year) or "", notes),
        "score": None if score is None else round(score * 10, 2),
        "score_source": None if score is None else "mal",
        "popularity": _number(row["members"], notes),
        "tags": [*listed(row["themes"]), *listed(row["demographics"])],
        **_common(row, notes),
        "extra": _jikan_extra(row),
    }


def is_adult(row: Row) -> bool:
    """Whether the row's source keeps the work from minors."""
    adult_rating = row["rating"].casefold().startswith(jikan_mapping.ADULT_RATING)
    is_flagged = row.get("is_adult", "").casefold() == "true"
    return is_flagged or adult_rating or jikan_mapping.ADULT_GENRE in listed(row.get("explicit_genres", ""))


def _common(row: Row, notes: Notes) -> dict[str, Any]:
    return {
        "episodes": _number(row["episodes"], notes),
        "duration_minutes": _number(row["duration"], notes),
        "start": row["start_date"].strip() or None,
        "end": row["end_date"].strip() or None,
        "genres": [*listed(row["genres"]), *listed(row.get("explicit_genres", ""))],
        "synopsis": _synopsis(row["synopsis"], notes),
    }


def _anilist_names(row: Row, notes: Notes) -> list[dict[str, Any]]:
    native = anilist_mapping.NATIVE_LANGUAGES.get(row["country_of_origin"])
    names = NameList(notes)
    names.official(row["english_title"], NameKind.ENGLISH, "en")
    names.official(row["title"], NameKind.ROMAJI, f"{native.partition('-')[0]}-Latn" if native else None)
    names.official(row["japanese_title"], NameKind.NATIVE, native)
    for alias in (row["user_preferred_title"], *row["synonyms"].split(";")):
        names.alias(alias, script_language(alias))
    return names.fields()


def _jikan_names(row: Row, notes: Notes) -> list[dict[str, Any]]:
    native = row["japanese_title"]
    has_kana = script_language(native) == "ja"
    names = NameList(notes)
    names.official(row["english_title"], NameKind.ENGLISH, "en")
    names.official(row["title"], NameKind.ROMAJI, "ja-Latn" if has_kana else None)
    names.official(native, NameKind.NATIVE, script_language(native) or "ja")
    return names.fields()


def _anilist_extra(row: Row) -> dict[str, Any]:
    return {
        "site_url": row["site_url"],
        "hashtag": row["hashtag"],
        "is_licensed": row["is_licensed"].casefold() == "true" if row["is_licensed"] else None,
        # Names without ids: too little to make companies, people and characters of.
        "studios": listed(row["studios"]),
        "main_studios": listed(row["main_studios"]),
        "credits": listed(row["main_staff"]),
        "main_characters": listed(row["main_characters"]),
        "streaming_sites": listed(row["streaming_sites"]),
        "raw_format": None if row["type"] in anilist_mapping.FORMATS else row["type"],
        "raw_status": None if row["status"] in anilist_mapping.STATUSES else row["status"],
        "raw_source": None if row["source"] in anilist_mapping.SOURCES else row["source"],
    }


def _jikan_extra(row: Row) -> dict[str, Any]:
    day, time = row["broadcast_day"], row["broadcast_time"]
    return _filled(
        {
            "studios": listed(row["studios"]),
            "producers": listed(row["producers"]),
            "rating": row["rating"],
            "broadcast": f"{day} at {time} (JST)" if day and time else day,
            "raw_format": raw_word(jikan_mapping.FORMATS, row["type"]),
            "raw_source": raw_word(jikan_mapping.SOURCES, row["source"]),
        }
    )


def _synopsis(text: str, notes: Notes) -> str | None:
    notes.repaired(RepairKind.HTML_MADE_PLAIN, int(plain_prose(text) != text))
    return light_markup_to_text(text) or None


def _filled(extra: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in extra.items() if value not in (None, "", [])}


def _number(text: str, notes: Notes) -> int | None:
    number = whole_number(text)
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(number is None and text.strip(" 0.") != ""))
    return number


def _decimal(text: str, notes: Notes) -> float | None:
    """A number above 0; an empty text and 0 are no value, and what is no number is reported."""
    try:
        return float(text) or None if text.strip() else None
    except ValueError:
        notes.repaired(RepairKind.UNKNOWN_VALUE)
        return None
