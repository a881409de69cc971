"""Closed sets that the catalogue is written in: entity types, name kinds, roles, formats."""

from enum import StrEnum


class EntityType(StrEnum):
    """What an entity can be. `person` covers staff and voice actors."""

    ANIME = "anime"
    MANGA = "manga"
    CHARACTER = "character"
    EPISODE = "episode"
    PERSON = "person"
    STUDIO = "studio"
    DOCUMENT = "document"


WORK_TYPES = frozenset({EntityType.ANIME, EntityType.MANGA})


class NameKind(StrEnum):
    """What a name is to its entity. Exactly one name of an entity is `main`."""

    MAIN = "main"
    ROMAJI = "romaji"
    ENGLISH = "english"
    NATIVE = "native"
    ALIAS = "alias"
    ABBREVIATION = "abbreviation"


class DatePrecision(StrEnum):
    """How much of a date is known."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class WorkFormat(StrEnum):
    """How a work was published. The last four are printed works."""

    TV = "tv"
    TV_SHORT = "tv_short"
    MOVIE = "movie"
    OVA = "ova"
    ONA = "ona"
    SPECIAL = "special"
    MUSIC = "music"
    MANGA = "manga"
    LIGHT_NOVEL = "light_novel"
    NOVEL = "novel"
    ONE_SHOT = "one_shot"


class WorkStatus(StrEnum):
    """Where a work stands in its release."""

    FINISHED = "finished"
    RELEASING = "releasing"
    NOT_YET_RELEASED = "not_yet_released"
    CANCELLED = "cancelled"
    HIATUS = "hiatus"


class Season(StrEnum):
    """Broadcast season. Winter runs from December of the year before to February."""

    WINTER = "winter"
    SPRING = "spring"
    SUMMER = "summer"
    FALL = "fall"


class WorkSource(StrEnum):
    """What an anime is based on."""

    ORIGINAL = "original"
    MANGA = "manga"
    LIGHT_NOVEL = "light_novel"
    NOVEL = "novel"
    VISUAL_NOVEL = "visual_novel"
    VIDEO_GAME = "video_game"
    WEB_NOVEL = "web_novel"
    COMIC = "comic"
    DOUJINSHI = "doujinshi"
    ANIME = "anime"
    LIVE_ACTION = "live_action"
    GAME = "game"
    MULTIMEDIA_PROJECT = "multimedia_project"
    PICTURE_BOOK = "picture_book"
    OTHER = "other"


class AppearanceRole(StrEnum):
    """How much a character matters in a work."""

    MAIN = "main"
    SUPPORTING = "supporting"
    BACKGROUND = "background"


class StaffRole(StrEnum):
    """What a person did for a work. The raw credit is kept beside it."""

    DIRECTOR = "director"
    AUTHOR = "author"
    ILLUSTRATOR = "illustrator"
    WRITER = "writer"
    SERIES_COMPOSER = "series_composer"
    COMPOSER = "composer"
    CHARACTER_DESIGNER = "character_designer"
    MECHANICAL_DESIGNER = "mechanical_designer"
    ART_DIRECTOR = "art_director"
    ANIMATION_DIRECTOR = "animation_director"
    SOUND_DIRECTOR = "sound_director"
    ASSISTANT_DIRECTOR = "assistant_director"
    EPISODE_DIRECTOR = "episode_director"
    STORYBOARD = "storyboard"
    KEY_ANIMATION = "key_animation"
    PRODUCER = "producer"
    THEME_SONG = "theme_song"
    OTHER = "other"


class CharacterRelationKind(StrEnum):
    """What the second character is to the first: `(a) -mentor-> (b)` says b is the mentor of a."""

    FAMILY = "family"
    PARENT = "parent"
    CHILD = "child"
    SIBLING = "sibling"
    SPOUSE = "spouse"
    LOVER = "lover"
    FRIEND = "friend"
    RIVAL = "rival"
    ENEMY = "enemy"
    MENTOR = "mentor"
    STUDENT = "student"
    TEAMMATE = "teammate"
    COLLEAGUE = "colleague"
    CAPTAIN = "captain"
    SUBORDINATE = "subordinate"
    MASTER = "master"
    SERVANT = "servant"
    CREATOR = "creator"
    CREATION = "creation"
    SAME_PERSON = "same_person"
    OTHER = "other"


INVERSE_CHARACTER_RELATION: dict[CharacterRelationKind, CharacterRelationKind] = {
    CharacterRelationKind.PARENT: CharacterRelationKind.CHILD,
    CharacterRelationKind.CHILD: CharacterRelationKind.PARENT,
    CharacterRelationKind.MENTOR: CharacterRelationKind.STUDENT,
    CharacterRelationKind.STUDENT: CharacterRelationKind.MENTOR,
    CharacterRelationKind.CAPTAIN: CharacterRelationKind.SUBORDINATE,
    CharacterRelationKind.SUBORDINATE: CharacterRelationKind.CAPTAIN,
    CharacterRelationKind.MASTER: CharacterRelationKind.SERVANT,
    CharacterRelationKind.SERVANT: CharacterRelationKind.MASTER,
    CharacterRelationKind.CREATOR: CharacterRelationKind.CREATION,
    CharacterRelationKind.CREATION: CharacterRelationKind.CREATOR,
}
"""Kinds that are missing here are their own inverse."""
