"""AniList's closed and open sets, mapped to the catalogue's. What a table does not know is left empty and reported."""

import re

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole, Season, StaffRole, WorkFormat, WorkSource, WorkStatus

FORMATS: dict[str, WorkFormat] = {
    "TV": WorkFormat.TV,
    "TV_SHORT": WorkFormat.TV_SHORT,
    "MOVIE": WorkFormat.MOVIE,
    "SPECIAL": WorkFormat.SPECIAL,
    "OVA": WorkFormat.OVA,
    "ONA": WorkFormat.ONA,
    "MUSIC": WorkFormat.MUSIC,
    "MANGA": WorkFormat.MANGA,
    # AniList calls light novels NOVEL.
    "NOVEL": WorkFormat.LIGHT_NOVEL,
    "ONE_SHOT": WorkFormat.ONE_SHOT,
}

STATUSES: dict[str, WorkStatus] = {status.name: status for status in WorkStatus}

SEASONS: dict[str, Season] = {season.name: season for season in Season}

SOURCES: dict[str, WorkSource] = {source.name: source for source in WorkSource}

APPEARANCE_ROLES: dict[str, AppearanceRole] = {role.name: role for role in AppearanceRole}

# Read (subject)-[edge]->(node). ADAPTATION is missing: its direction follows from the types of both ends.
RELATIONS: dict[str, EdgeType] = {
    "PREQUEL": EdgeType.PREQUEL,
    "SEQUEL": EdgeType.SEQUEL,
    "PARENT": EdgeType.PARENT_STORY,
    "SIDE_STORY": EdgeType.SIDE_STORY,
    "SPIN_OFF": EdgeType.SPIN_OFF,
    "SUMMARY": EdgeType.SUMMARY,
    "CHARACTER": EdgeType.SHARES_CHARACTER,
    "ALTERNATIVE": EdgeType.ALTERNATIVE,
    # The node is what the subject was made from.
    "SOURCE": EdgeType.ADAPTATION_OF,
    # The node is a compilation that holds the subject; with CONTAINS the subject is the compilation.
    "COMPILATION": EdgeType.CONTAINS,
    "CONTAINS": EdgeType.COMPILATION_OF,
    "OTHER": EdgeType.OTHER_RELATION,
}

# Related works of these kinds have the subject's own type: an anime's sequel is an anime.
SAME_TYPE_RELATIONS = frozenset({"PREQUEL", "SEQUEL", "SUMMARY"})

LANGUAGES: dict[str, str] = {
    "Japanese": "ja",
    "English": "en",
    "Korean": "ko",
    "Italian": "it",
    "Spanish": "es",
    "Portuguese": "pt",
    "French": "fr",
    "German": "de",
    "Hebrew": "he",
    "Hungarian": "hu",
    "Chinese": "zh",
    "Mandarin": "cmn",
    "Cantonese": "yue",
    "Arabic": "ar",
    "Filipino": "fil",
    "Tagalog": "tl",
    "Catalan": "ca",
    "Finnish": "fi",
    "Turkish": "tr",
    "Dutch": "nl",
    "Swedish": "sv",
    "Norwegian": "no",
    "Danish": "da",
    "Thai": "th",
    "Malaysian": "ms",
    "Indonesian": "id",
    "Vietnamese": "vi",
    "Nepali": "ne",
    "Hindi": "hi",
    "Urdu": "ur",
    "Polish": "pl",
    "Russian": "ru",
    "Ukrainian": "uk",
    "Czech": "cs",
    "Greek": "el",
    "Romanian": "ro",
}

NATIVE_LANGUAGES: dict[str, str] = {"JP": "ja", "KR": "ko", "CN": "zh-Hans", "TW": "zh-Hant", "HK": "zh-Hant"}
"""The language of a work's native title, by its country."""

# Credits without what they say in parentheses.
_STAFF_ROLES: dict[StaffRole, tuple[str, ...]] = {
    StaffRole.AUTHOR: ("original creator", "original story", "original work", "story", "story & art"),
    StaffRole.ILLUSTRATOR: ("art", "illustration", "illustrator", "original illustration"),
    StaffRole.DIRECTOR: ("director", "chief director", "series director", "general director", "co-director"),
    StaffRole.ASSISTANT_DIRECTOR: ("assistant director", "assistant series director", "assistant chief director"),
    StaffRole.EPISODE_DIRECTOR: ("episode director", "unit director"),
    StaffRole.SERIES_COMPOSER: ("series composition", "series composition supervision"),
    StaffRole.WRITER: ("script", "screenplay", "scenario"),
    StaffRole.STORYBOARD: ("storyboard",),
    StaffRole.COMPOSER: ("music",),
    StaffRole.CHARACTER_DESIGNER: (
        "character design",
        "original character design",
        "main character design",
        "chief character design",
        "sub character design",
    ),
    StaffRole.MECHANICAL_DESIGNER: ("mechanical design", "mecha design", "main mechanical design"),
    StaffRole.ART_DIRECTOR: ("art director", "art direction"),
    StaffRole.ANIMATION_DIRECTOR: ("animation director", "chief animation director", "general animation director"),
    StaffRole.KEY_ANIMATION: ("key animation", "main animator", "2nd key animation"),
    StaffRole.SOUND_DIRECTOR: ("sound director",),
    StaffRole.PRODUCER: (
        "producer",
        "animation producer",
        "executive producer",
        "chief producer",
        "assistant producer",
        "associate producer",
        "music producer",
    ),
    StaffRole.THEME_SONG: (
        "theme song performance",
        "theme song composition",
        "theme song lyrics",
        "theme song arrangement",
        "insert song performance",
    ),
}
_ROLE_OF_CREDIT = {credit: role for role, credits in _STAFF_ROLES.items() for credit in credits}
_PARENTHESES = re.compile(r"\s*\(.*$", re.DOTALL)


def staff_role(credit: str) -> StaffRole:
    """The role behind a credit such as `Storyboard (OP, eps 1-3)`; `other` when the table does not know it."""
    return _ROLE_OF_CREDIT.get(_PARENTHESES.sub("", credit).strip().casefold(), StaffRole.OTHER)
