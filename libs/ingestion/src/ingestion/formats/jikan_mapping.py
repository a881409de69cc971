"""MyAnimeList's words as Jikan and dumps of it write them, mapped to the catalogue's. Keys are in lower case."""

from collections.abc import Mapping
from enum import StrEnum

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole, Season, WorkFormat, WorkSource, WorkStatus

from ingestion.formats.anilist_mapping import LANGUAGES as _ANILIST_LANGUAGES
from ingestion.formats.notes import Notes
from ingestion.report import RepairKind

FORMATS: Mapping[str, WorkFormat] = {
    "tv": WorkFormat.TV,
    "movie": WorkFormat.MOVIE,
    "ova": WorkFormat.OVA,
    "ona": WorkFormat.ONA,
    "special": WorkFormat.SPECIAL,
    "tv special": WorkFormat.SPECIAL,
    "music": WorkFormat.MUSIC,
    "manga": WorkFormat.MANGA,
    "manhwa": WorkFormat.MANGA,
    "manhua": WorkFormat.MANGA,
    "oel": WorkFormat.MANGA,
    "doujinshi": WorkFormat.MANGA,
    "one-shot": WorkFormat.ONE_SHOT,
    "light novel": WorkFormat.LIGHT_NOVEL,
    "novel": WorkFormat.NOVEL,
}

STATUSES: Mapping[str, WorkStatus] = {
    "finished airing": WorkStatus.FINISHED,
    "currently airing": WorkStatus.RELEASING,
    "not yet aired": WorkStatus.NOT_YET_RELEASED,
    "finished": WorkStatus.FINISHED,
    "publishing": WorkStatus.RELEASING,
    "not yet published": WorkStatus.NOT_YET_RELEASED,
    "on hiatus": WorkStatus.HIATUS,
    "discontinued": WorkStatus.CANCELLED,
}

SEASONS: Mapping[str, Season] = {season.value: season for season in Season}

SOURCES: Mapping[str, WorkSource] = {
    "original": WorkSource.ORIGINAL,
    "manga": WorkSource.MANGA,
    "4-koma manga": WorkSource.MANGA,
    "digital manga": WorkSource.MANGA,
    "web manga": WorkSource.MANGA,
    "light novel": WorkSource.LIGHT_NOVEL,
    "novel": WorkSource.NOVEL,
    "web novel": WorkSource.WEB_NOVEL,
    "visual novel": WorkSource.VISUAL_NOVEL,
    "game": WorkSource.GAME,
    "card game": WorkSource.GAME,
    "mixed media": WorkSource.MULTIMEDIA_PROJECT,
    "picture book": WorkSource.PICTURE_BOOK,
    "book": WorkSource.OTHER,
    "music": WorkSource.OTHER,
    "radio": WorkSource.OTHER,
    "other": WorkSource.OTHER,
}

APPEARANCE_ROLES: Mapping[str, AppearanceRole] = {role.value: role for role in AppearanceRole}

LANGUAGES: Mapping[str, str] = {
    **{word.casefold(): tag for word, tag in _ANILIST_LANGUAGES.items()},
    "portuguese (br)": "pt-BR",
}

TITLE_LANGUAGES: Mapping[str, str] = {"german": "de", "spanish": "es", "french": "fr"}
"""The types of title that are a language, beside English and Japanese."""

RATINGS = frozenset(
    {
        "g - all ages",
        "pg - children",
        "pg-13 - teens 13 or older",
        "r - 17+ (violence & profanity)",
        "r+ - mild nudity",
        "rx - hentai",
    }
)
ADULT_RATING = "rx"
ADULT_GENRE = "Hentai"

WEEKDAYS = frozenset({"mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "other"})

# Read (subject)-[edge]->(entry). Adaptation is missing: its direction follows from the types of both ends.
RELATIONS: Mapping[str, EdgeType] = {
    "prequel": EdgeType.PREQUEL,
    "sequel": EdgeType.SEQUEL,
    "alternative setting": EdgeType.ALTERNATIVE,
    "alternative version": EdgeType.ALTERNATIVE,
    "side story": EdgeType.SIDE_STORY,
    "parent story": EdgeType.PARENT_STORY,
    "summary": EdgeType.SUMMARY,
    "full story": EdgeType.FULL_STORY,
    "spin-off": EdgeType.SPIN_OFF,
    "character": EdgeType.SHARES_CHARACTER,
    "other": EdgeType.OTHER_RELATION,
}

ADAPTATION = "adaptation"

_NOT_KNOWN = frozenset({"", "unknown", "none"})


def known_word(word: str | None) -> str | None:
    """`word` unless it is MyAnimeList's way of saying that nothing is known."""
    return None if word is None or word.strip().casefold() in _NOT_KNOWN else word.strip()


def mapped[E: StrEnum](table: Mapping[str, E], word: str | None, notes: Notes) -> E | None:
    """The member for a word; a word that the table does not know is reported and becomes None."""
    known = known_word(word)
    if known is None:
        return None
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(known.casefold() not in table))
    return table.get(known.casefold())


def raw_word(table: Mapping[str, StrEnum], word: str | None) -> str | None:
    """`word` where the catalogue's own word for it says less; None where it says the same."""
    known = known_word(word)
    member = None if known is None else table.get(known.casefold())
    spelled = None if member is None else member.value.replace("_", " ")
    return None if known is None or known.casefold().replace("-", " ") == spelled else known


def language_tag(word: str | None, notes: Notes) -> str:
    """The BCP 47 tag of a language's name; `und` when it is unknown, which is reported."""
    known = known_word(word)
    if known is None:
        return "und"
    notes.repaired(RepairKind.UNKNOWN_VALUE, int(known.casefold() not in LANGUAGES))
    return LANGUAGES.get(known.casefold(), "und")
