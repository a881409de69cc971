"""The parts of Jikan's answers that are imported. A field that an answer does not hold stays unset."""

from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

MalId = Annotated[int, Field(gt=0)]


class Node(BaseModel):
    """Frozen; fields that are not named here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def has(self, *names: str) -> bool:
        """True when the answer held at least one of these fields, even as null."""
        return not self.model_fields_set.isdisjoint(names)


class Meta(Node):
    """A few words on something that has a page of its own."""

    mal_id: MalId
    type: str | None = None
    name: str | None = None
    title: str | None = None

    @property
    def label(self) -> str | None:
        """What it is called; works have titles, everything else names."""
        return self.name or self.title


class Title(Node):
    """One title and what it is: Default, Synonym, Japanese, or a language."""

    type: str | None = None
    title: str | None = None


class DateParts(Node):
    """A date of which any part may be unknown."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


class DateProp(Node):
    """The two ends of a range, in parts."""

    from_: DateParts | None = Field(default=None, alias="from")
    to: DateParts | None = None


class DateRange(Node):
    """From when to when.

    The instants are always full dates, and the parts may be a first of January made up for a year; only `string`, in
    the site's own words, tells for certain how much is known: `2022 to ?`, `Apr 2013`, `Jul 8, 2012 to Dec 23, 2012`.
    """

    from_: str | None = Field(default=None, alias="from")
    to: str | None = None
    prop: DateProp | None = None
    string: str | None = None


class Broadcast(Node):
    """When in a week an anime is shown."""

    day: str | None = None
    string: str | None = None


class Work(Node):
    """What anime and printed works share."""

    mal_id: MalId
    url: str | None = None
    titles: tuple[Title, ...] | None = None
    title: str | None = None
    title_english: str | None = None
    title_japanese: str | None = None
    title_synonyms: tuple[str | None, ...] | None = None
    type: str | None = None
    status: str | None = None
    # Printed works had `scored` once.
    score: float | None = Field(default=None, validation_alias=AliasChoices("score", "scored"))
    members: int | None = None
    synopsis: str | None = None
    genres: tuple[Meta, ...] | None = None
    explicit_genres: tuple[Meta, ...] | None = None
    themes: tuple[Meta, ...] | None = None
    demographics: tuple[Meta, ...] | None = None


class Anime(Work):
    """An anime."""

    source: str | None = None
    episodes: int | None = None
    aired: DateRange | None = None
    duration: str | None = None
    rating: str | None = None
    season: str | None = None
    year: int | None = None
    broadcast: Broadcast | None = None


class Manga(Work):
    """A printed work."""

    chapters: int | None = None
    volumes: int | None = None
    published: DateRange | None = None
    serializations: tuple[Meta, ...] | None = None


class Episode(Node):
    """One episode; its id is its number."""

    mal_id: Annotated[int, Field(ge=0)]
    title: str | None = None
    title_japanese: str | None = None
    title_romanji: str | None = None
    aired: str | None = None
    filler: bool | None = None
    recap: bool | None = None
    synopsis: str | None = None


class Character(Node):
    """A character's own page."""

    mal_id: MalId
    url: str | None = None
    name: str | None = None
    name_kanji: str | None = None
    nicknames: tuple[str | None, ...] | None = None
    favorites: int | None = None
    about: str | None = None


class Person(Node):
    """A person's own page."""

    mal_id: MalId
    url: str | None = None
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    alternate_names: tuple[str | None, ...] | None = None
    favorites: int | None = None
    about: str | None = None


class Producer(Node):
    """A company: studio, producer or licensor."""

    mal_id: MalId
    url: str | None = None
    name: str | None = None
    titles: tuple[Title, ...] | None = None
    favorites: int | None = None


class VoiceActor(Node):
    """Who voices a character, in which language."""

    person: Meta
    language: str | None = None


class CastEntry(Node):
    """A character in the work that the answer is about."""

    character: Meta
    role: str | None = None
    voice_actors: tuple[VoiceActor, ...] = ()


class StaffEntry(Node):
    """A person's work on the anime that the answer is about."""

    person: Meta
    positions: tuple[str | None, ...] = ()


class RelationEntry(Node):
    """Works that are one thing to the work that the answer is about."""

    relation: str | None = None
    entry: tuple[Meta, ...] = ()


class WorkEntry(Node):
    """A work with the role or the position that the answer's character or person has in it."""

    role: str | None = None
    position: str | None = None
    anime: Meta | None = None
    manga: Meta | None = None
    character: Meta | None = None
