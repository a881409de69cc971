"""The lines of a Bangumi archive, one model a file. A field that is missing or null has its default."""

from enum import IntEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ingestion.formats.json_values import JsonObject, as_object

BangumiId = Annotated[int, Field(gt=0, le=10_000_000)]
"""Far above the site's numbers, and small enough for a table with a place for each."""


class SubjectKind(IntEnum):
    """What a subject is. Only books and anime become works."""

    UNKNOWN = 0
    BOOK = 1
    ANIME = 2
    MUSIC = 3
    GAME = 4
    LIVE_ACTION = 6

    @property
    def word(self) -> str:
        """The kind in a report."""
        return self.name.lower()


class Line(BaseModel):
    """What all lines share: further fields are left unread."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        fields: JsonObject | None = as_object(value)
        return value if fields is None else {name: each for name, each in fields.items() if each is not None}


class Subject(Line):
    """A page about a work. `score` runs from 0 to 10, and `score_details` counts the votes for each."""

    id: BangumiId
    type: int
    name: str = ""
    name_cn: str = ""
    infobox: str = ""
    platform: int = 0
    summary: str = ""
    nsfw: bool = False
    date: str | None = None
    score: float = 0
    score_details: dict[str, int] = Field(default_factory=dict)
    meta_tags: tuple[str, ...] = ()
    eps: int = 0
    volumes: int = 0

    @property
    def kind(self) -> SubjectKind:
        """The kind, UNKNOWN for a number that is none."""
        return SubjectKind(self.type) if self.type in SubjectKind else SubjectKind.UNKNOWN


class Episode(Line):
    """A part of a subject: an episode, a special, a song of a record. `type` 0 is the story itself."""

    id: BangumiId
    subject_id: BangumiId
    type: int = 0
    sort: float = 0
    name: str = ""
    name_cn: str = ""
    airdate: str | None = None
    description: str = ""


class Person(Line):
    """A person, a company or a group. `redirect` names the page that this one was merged into."""

    id: BangumiId
    name: str = ""
    type: int = 1
    career: tuple[str, ...] = ()
    infobox: str = ""
    summary: str = ""
    redirect: int = 0
    collects: int | None = None


class Character(Line):
    """A character; `role` 1 is a being, other roles are machines, ships and organisations."""

    id: BangumiId
    name: str = ""
    role: int = 1
    infobox: str = ""
    summary: str = ""
    redirect: int = 0
    collects: int | None = None


class SubjectRelation(Line):
    """Two related subjects; nearly all relations stand there from both sides."""

    subject_id: BangumiId
    relation_type: int
    related_subject_id: BangumiId


class SubjectPerson(Line):
    """A person's position at a subject."""

    person_id: BangumiId
    subject_id: BangumiId
    position: int


class SubjectCharacter(Line):
    """A character in a subject: `type` 1 main, 2 supporting, 3 guest."""

    character_id: BangumiId
    subject_id: BangumiId
    type: int = 0


class PersonCharacter(Line):
    """A person voices a character in a subject."""

    person_id: BangumiId
    subject_id: BangumiId
    character_id: BangumiId
