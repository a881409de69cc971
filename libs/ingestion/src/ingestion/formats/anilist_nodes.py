"""The parts of AniList's GraphQL objects that are imported. A field that the query did not ask for stays unset."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Node(BaseModel):
    """Frozen; fields that are not named here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def has(self, *names: str) -> bool:
        """True when the answer held at least one of these fields, even as null."""
        return not self.model_fields_set.isdisjoint(names)


class FuzzyDate(Node):
    """A date of which any part may be unknown."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


class Title(Node):
    """A work's official titles."""

    romaji: str | None = None
    english: str | None = None
    native: str | None = None


class Tag(Node):
    """A tag; `rank` says how well it fits, 0 to 100."""

    name: str
    rank: int | None = None
    isMediaSpoiler: bool | None = None
    isGeneralSpoiler: bool | None = None
    isAdult: bool | None = None


class CoverImage(Node):
    """Addresses of a cover in several sizes."""

    extraLarge: str | None = None
    large: str | None = None
    medium: str | None = None


class Media(Node):
    """An anime or a printed work. Connections stay raw: their edges are read, and refused, one by one."""

    id: int
    idMal: int | None = None
    type: str | None = None
    format: str | None = None
    status: str | None = None
    description: str | None = None
    season: str | None = None
    seasonYear: int | None = None
    episodes: int | None = None
    duration: int | None = None
    chapters: int | None = None
    volumes: int | None = None
    countryOfOrigin: str | None = None
    isLicensed: bool | None = None
    isAdult: bool | None = None
    source: str | None = None
    hashtag: str | None = None
    genres: tuple[str | None, ...] | None = None
    synonyms: tuple[str | None, ...] | None = None
    averageScore: int | None = None
    popularity: int | None = None
    siteUrl: str | None = None
    title: Title | None = None
    tags: tuple[Tag, ...] | None = None
    startDate: FuzzyDate | None = None
    endDate: FuzzyDate | None = None
    coverImage: CoverImage | None = None


class PersonName(Node):
    """The names of a character or of a person."""

    full: str | None = None
    native: str | None = None
    alternative: tuple[str | None, ...] | None = None
    alternativeSpoiler: tuple[str | None, ...] | None = None


class Favourite(Node):
    """What characters, people and studios share: users mark them as favourites."""

    id: int
    favourites: int | None = None
    siteUrl: str | None = None


class Character(Favourite):
    """A character."""

    name: PersonName
    description: str | None = None
    gender: str | None = None
    age: str | None = None


class Staff(Favourite):
    """A person: staff or voice actor."""

    name: PersonName
    languageV2: str | None = None
    description: str | None = None
    primaryOccupations: tuple[str | None, ...] | None = None


class Studio(Favourite):
    """A studio or another company."""

    name: str
    isAnimationStudio: bool | None = None


class RelationEdge(Node):
    """From the subject to a related work; the node stays raw until its type is known."""

    relationType: str | None = None
    node: dict[str, Any]


class VoiceActorRole(Node):
    """A voice actor with notes on the role."""

    voiceActor: Staff


class CharacterEdge(Node):
    """A character in the subject."""

    role: str | None = None
    node: Character
    voiceActors: tuple[Staff | None, ...] | None = None
    voiceActorRoles: tuple[VoiceActorRole | None, ...] | None = None

    @property
    def voices(self) -> tuple[Staff, ...]:
        """Everyone who voices the character, whichever field the query asked for."""
        direct = [actor for actor in self.voiceActors or () if actor is not None]
        noted = [role.voiceActor for role in self.voiceActorRoles or () if role is not None]
        return tuple(direct or noted)


class StaffEdge(Node):
    """A person's work on the subject."""

    role: str | None = None
    node: Staff


class StudioEdge(Node):
    """A studio's part in the subject."""

    isMain: bool | None = None
    node: Studio
