"""Bangumi's numbers and words, mapped to the catalogue's."""

from dataclasses import dataclass

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole, StaffRole, WorkFormat

from ingestion.formats.bangumi_lines import SubjectKind

FORMATS: dict[int, WorkFormat] = {
    1: WorkFormat.TV,
    2: WorkFormat.OVA,
    3: WorkFormat.MOVIE,
    5: WorkFormat.ONA,
    1001: WorkFormat.MANGA,
    1002: WorkFormat.NOVEL,
}
PLATFORM_WORDS: dict[int, str] = {
    4: "short film",
    2006: "anime comic",
    1003: "art book",
    1004: "picture book",
    1005: "photo book",
    1006: "official book",
}
"""Platforms that the catalogue has no format for."""


@dataclass(frozen=True, slots=True)
class RelationCode:
    """What a relation code says: `(subject)-[edge]->(related subject)`, and the site's word for it."""

    edge: EdgeType
    word: str


ADAPTATION_CODE = 1
"""The one code whose direction only the kinds of its two subjects tell."""

_E = EdgeType
RELATIONS: dict[int, RelationCode] = {
    ADAPTATION_CODE: RelationCode(_E.OTHER_RELATION, "Adaptation"),
    2: RelationCode(_E.PREQUEL, "Prequel"),
    3: RelationCode(_E.SEQUEL, "Sequel"),
    4: RelationCode(_E.SUMMARY, "Summary"),
    5: RelationCode(_E.FULL_STORY, "Full story"),
    6: RelationCode(_E.SIDE_STORY, "Side story"),
    7: RelationCode(_E.SHARES_CHARACTER, "Character"),
    8: RelationCode(_E.SAME_SETTING, "Same setting"),
    9: RelationCode(_E.ALTERNATIVE, "Alternative setting"),
    10: RelationCode(_E.ALTERNATIVE, "Alternative version"),
    11: RelationCode(_E.SPIN_OFF, "Spin-off"),
    12: RelationCode(_E.PARENT_STORY, "Parent story"),
    14: RelationCode(_E.SHARES_CHARACTER, "Collaboration"),
    99: RelationCode(_E.OTHER_RELATION, "Other"),
    1002: RelationCode(_E.OTHER_RELATION, "Series"),
    1003: RelationCode(_E.OTHER_RELATION, "Offprint"),
    1004: RelationCode(_E.OTHER_RELATION, "Album"),
    1005: RelationCode(_E.PREQUEL, "Prequel"),
    1006: RelationCode(_E.SEQUEL, "Sequel"),
    1007: RelationCode(_E.SIDE_STORY, "Side story"),
    1008: RelationCode(_E.PARENT_STORY, "Parent story"),
    1010: RelationCode(_E.ALTERNATIVE, "Alternative version"),
    1011: RelationCode(_E.SHARES_CHARACTER, "Character"),
    1012: RelationCode(_E.SAME_SETTING, "Same setting"),
    1013: RelationCode(_E.ALTERNATIVE, "Alternative setting"),
    1014: RelationCode(_E.SHARES_CHARACTER, "Collaboration"),
    1099: RelationCode(_E.OTHER_RELATION, "Other"),
}

PARENT_STORY_CODES = frozenset({12, 1008})
"""What they say is said more exactly from the other side, as a side story or a spin-off."""

# The same fact, told from the other side and in one way only.
TURNED_ROUND: dict[EdgeType, tuple[EdgeType, str]] = {
    _E.PREQUEL: (_E.SEQUEL, "Sequel"),
    _E.FULL_STORY: (_E.SUMMARY, "Summary"),
}

SYMMETRIC = frozenset({_E.SHARES_CHARACTER, _E.SAME_SETTING, _E.ALTERNATIVE, _E.OTHER_RELATION})


def kind_of_code(code: int) -> SubjectKind:
    """The kind of subject that a relation or a position of this number is about, where the number alone tells."""
    if 3000 <= code < 4000:
        return SubjectKind.MUSIC
    return SubjectKind.GAME if 4000 <= code < 5000 else SubjectKind.UNKNOWN


def kind_of_position(position: int) -> SubjectKind:
    """As `kind_of_code`, for the positions of people, whose ranges are others."""
    ranges = {1: SubjectKind.GAME, 2: SubjectKind.BOOK, 3: SubjectKind.MUSIC, 4: SubjectKind.LIVE_ACTION}
    return ranges.get(position // 1000, SubjectKind.UNKNOWN)


LEFT_OUT_EPISODES: dict[int, str] = {
    1: "special_episodes",
    2: "opening_songs",
    3: "ending_songs",
    4: "trailers",
    5: "fan_videos",
}
"""How the parts of an anime that are no episodes of its story are counted, by type."""

APPEARANCE_ROLES: dict[int, AppearanceRole] = {
    1: AppearanceRole.MAIN,
    2: AppearanceRole.SUPPORTING,
    3: AppearanceRole.BACKGROUND,
}

GENDERS: dict[str, str] = {"男": "Male", "女": "Female"}

OCCUPATIONS: dict[str, str] = {
    "seiyu": "Voice Actor",
    "mangaka": "Mangaka",
    "artist": "Musician",
    "producer": "Producer",
    "writer": "Writer",
    "illustrator": "Illustrator",
    "actor": "Actor",
}

ANIMATION_WORK = 67
"""The position of the company that animated a work."""

PRODUCTION = frozenset({42, 63})
"""Positions of companies that produced a work without animating it."""

_STAFF_ROLES: dict[StaffRole, dict[int, str]] = {
    StaffRole.AUTHOR: {1: "Original work", 2001: "Author", 2007: "Original work"},
    StaffRole.ILLUSTRATOR: {2002: "Art", 2003: "Illustration"},
    StaffRole.DIRECTOR: {2: "Director", 41: "Series director", 49: "Co-director", 74: "Chief director"},
    StaffRole.ASSISTANT_DIRECTOR: {72: "Assistant director"},
    StaffRole.EPISODE_DIRECTOR: {5: "Episode direction", 89: "Chief episode direction"},
    StaffRole.SERIES_COMPOSER: {10: "Series composition"},
    StaffRole.WRITER: {3: "Script", 2010: "Script"},
    StaffRole.STORYBOARD: {4: "Storyboard", 73: "Storyboard of opening or ending"},
    StaffRole.COMPOSER: {6: "Music"},
    StaffRole.CHARACTER_DESIGNER: {
        7: "Original character design",
        8: "Character design",
        106: "Sub-character design",
        107: "Guest character design",
        2009: "Original character design",
    },
    StaffRole.MECHANICAL_DESIGNER: {16: "Mechanical design"},
    StaffRole.ART_DIRECTOR: {11: "Art direction"},
    StaffRole.ANIMATION_DIRECTOR: {
        14: "Chief animation direction",
        15: "Animation direction",
        70: "Mechanical animation direction",
        77: "Action animation direction",
    },
    StaffRole.KEY_ANIMATION: {20: "Key animation", 21: "Second key animation", 92: "Main animator"},
    StaffRole.SOUND_DIRECTOR: {44: "Sound direction"},
    StaffRole.PRODUCER: {
        23: "Assistant producer",
        36: "Planning producer",
        52: "Executive producer",
        53: "Assistant producer",
        54: "Producer",
        58: "Chief producer",
        59: "Co-producer",
        85: "Music producer",
        87: "Animation producer",
    },
    StaffRole.THEME_SONG: {
        30: "Theme song arrangement",
        31: "Theme song composition",
        32: "Theme song lyrics",
        33: "Theme song performance",
        34: "Insert song performance",
    },
    StaffRole.OTHER: {
        9: "Layout",
        13: "Colour design",
        17: "Photography direction",
        18: "Supervision",
        19: "Prop design",
        22: "Animation check",
        25: "Background art",
        26: "Colour setting",
        28: "Editing",
        29: "Original plan",
        35: "Planning",
        37: "Production management",
        38: "Publicity",
        39: "Recording",
        40: "Recording assistance",
        42: "Production",
        43: "Setting",
        45: "Sound",
        46: "Sound effects",
        47: "Special effects",
        50: "Background setting",
        51: "In-between animation",
        56: "Production progress",
        57: "Casting direction",
        63: "Production",
        65: "Music production",
        67: "Animation work",
        69: "CG direction",
        71: "Art design",
        75: "3DCG",
        76: "Production assistance",
        82: "Photography",
        84: "Setting production",
        86: "3DCG direction",
        2004: "Publisher",
        2005: "Magazine",
        2006: "Translation",
    },
}
_ROLE_OF_POSITION = {
    position: (role, credit) for role, credits in _STAFF_ROLES.items() for position, credit in credits.items()
}


def staff_role(position: int) -> tuple[StaffRole, str]:
    """The role and the credit of a position; one that the table does not know is told by its number."""
    return _ROLE_OF_POSITION.get(position, (StaffRole.OTHER, f"Bangumi position {position}"))
