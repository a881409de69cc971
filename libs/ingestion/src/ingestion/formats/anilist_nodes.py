"""The parts of AniList's GraphQL objects that are imported. A field that the query did not ask for stays unset."""

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Node(BaseModel):
    """Frozen; fields that are not named here are ignored. AniList writes the names in camel case."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)

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
    is_media_spoiler: bool | None = None
    is_general_spoiler: bool | None = None
    is_adult: bool | None = None


class CoverImage(Node):
    """Addresses of a cover in several sizes."""

    extra_large: str | None = None
    large: str | None = None
    medium: str | None = None


class Media(Node):
    """An anime or a printed work. Connections stay raw: their edges are read, and refused, one by one."""

    id: int
    id_mal: int | None = None
    type: str | None = None
    format: str | None = None
    status: str | None = None
    description: str | None = None
    season: str | None = None
    season_year: int | None = None
    episodes: int | None = None
    duration: int | None = None
    chapters: int | None = None
    volumes: int | None = None
    country_of_origin: str | None = None
    is_licensed: bool | None = None
    is_adult: bool | None = None
    source: str | None = None
    hashtag: str | None = None
    genres: tuple[str | None, ...] | None = None
    synonyms: tuple[str | None, ...] | None = None
    average_score: int | None = None
    popularity: int | None = None
    site_url: str | None = None
    title: Title | None = None
    tags: tuple[Tag, ...] | None = None
    start_date: FuzzyDate | None = None
    end_date: FuzzyDate | None = None
    cover_image: CoverImage | None = None


class PersonName(Node):
    """The names of a character or of a person."""

    full: str | None = None
    native: str | None = None
    alternative: tuple[str | None, ...] | None = None
    alternative_spoiler: tuple[str | None, ...] | None = None


class Favourite(Node):
    """What characters, people and studios share: users mark them as favourites."""

    id: int
    favourites: int | None = None
    site_url: str | None = None


class Character(Favourite):
    """A character."""

    name: PersonName
    description: str | None = None
    gender: str | None = None
    age: str | None = None


class Staff(Favourite):
    """A person: staff or voice actor."""

    name: PersonName
    language_v2: str | None = None
    description: str | None = None
    primary_occupations: tuple[str | None, ...] | None = None


class Studio(Favourite):
    """A studio or another company."""

    name: str
    is_animation_studio: bool | None = None


class RelationEdge(Node):
    """From the subject to a related work; the node stays raw until its type is known."""

    relation_type: str | None = None
    node: dict[str, Any]


class VoiceActorRole(Node):
    """A voice actor with notes on the role."""

    voice_actor: Staff


class CharacterEdge(Node):
    """A character in the subject."""

    role: str | None = None
    node: Character
    voice_actors: tuple[Staff | None, ...] | None = None
    voice_actor_roles: tuple[VoiceActorRole | None, ...] | None = None

    @property
    def voices(self) -> tuple[Staff, ...]:
        """Everyone who voices the character, whichever field the query asked for."""
        direct = [actor for actor in self.voice_actors or () if actor is not None]
        noted = [role.voice_actor for role in self.voice_actor_roles or () if role is not None]
        return tuple(direct or noted)


class StaffEdge(Node):
    """A person's work on the subject."""

    role: str | None = None
    node: Staff


class StudioEdge(Node):
    """A studio's part in the subject."""

    is_main: bool | None = None
    node: Studio
