"""The interchange format: one JSON object a line, each of one record type, every importer's only output.

An entity is named by references of the form `source:kind:id`, for instance `anilist:anime:1`. A record's `ref` claims
the entity; `external_ids` add further references to it. Other records point at entities with the same references.
"""

from typing import Annotated, Literal, Self

from datastore.dates import PartialDate
from datastore.edges import WORK_RELATIONS, EdgeType
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, model_validator

Ref = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+:[a-z0-9_]+:[^\s]{1,200}$")]
"""`source:kind:id`, for instance `enishi:anime:one-piece`."""


class Record(BaseModel):
    """What all records share: frozen, and no field beside the declared ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NameRecord(Record):
    """One name of an entity, as given."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
    kind: NameKind
    language: str | None = Field(default=None, max_length=16, description="BCP 47 tag, e.g. `ja`, `ja-Latn`, `en`.")


class EntityRecord(Record):
    """What every kind of entity carries. Exactly one name has the kind `main`."""

    ref: Ref
    external_ids: tuple[Ref, ...] = ()
    names: tuple[NameRecord, ...] = Field(min_length=1)
    popularity: int | None = Field(
        default=None, ge=0, le=2_000_000_000, description="The source's count; higher is more popular."
    )
    extra: dict[str, str | int | float | bool | list[str]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_main_name(self) -> Self:
        mains = sum(name.kind is NameKind.MAIN for name in self.names)
        if mains != 1:
            raise ValueError(f"names: exactly one must have kind 'main', found {mains}")
        return self

    @property
    def main_name(self) -> str:
        """The name shown to people."""
        return next(name.name for name in self.names if name.kind is NameKind.MAIN)


class WorkRecord(EntityRecord):
    """What anime and printed works share. Dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; scores run from 0 to 100."""

    format: WorkFormat | None = None
    status: WorkStatus | None = None
    start: str | None = Field(default=None, max_length=40)
    end: str | None = Field(default=None, max_length=40)
    score: float | None = Field(default=None, ge=0, le=100)
    score_source: str | None = None
    genres: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    synopsis: str | None = Field(default=None, max_length=20_000)
    country: str | None = Field(default=None, max_length=2)

    @property
    def start_date(self) -> PartialDate | None:
        """The start as far as it is known."""
        return PartialDate.parse(self.start) if self.start else None

    @property
    def end_date(self) -> PartialDate | None:
        """The end as far as it is known."""
        return PartialDate.parse(self.end) if self.end else None


class AnimeRecord(WorkRecord):
    """An animated work: one season, film or special as its makers released it."""

    record: Literal["anime"] = "anime"
    episodes: int | None = Field(default=None, ge=0, le=100_000)
    duration_minutes: int | None = Field(default=None, ge=0, le=10_000, description="Minutes of one episode.")
    season: Season | None = None
    season_year: int | None = Field(default=None, ge=1900, le=2100)
    source: WorkSource | None = None


class MangaRecord(WorkRecord):
    """A printed work: manga, light novel, novel or one-shot."""

    record: Literal["manga"] = "manga"
    chapters: int | None = Field(default=None, ge=0, le=100_000)
    volumes: int | None = Field(default=None, ge=0, le=10_000)


class CharacterRecord(EntityRecord):
    """A character, once for the whole franchise."""

    record: Literal["character"] = "character"
    description: str | None = Field(default=None, max_length=20_000)
    gender: str | None = Field(default=None, max_length=40)


class PersonRecord(EntityRecord):
    """A real person: staff, author or voice actor."""

    record: Literal["person"] = "person"
    occupations: tuple[str, ...] = ()
    description: str | None = Field(default=None, max_length=20_000)


class StudioRecord(EntityRecord):
    """A company that makes works."""

    record: Literal["studio"] = "studio"
    is_animation_studio: bool | None = None


class EpisodeRecord(EntityRecord):
    """One episode of an anime."""

    record: Literal["episode"] = "episode"
    anime: Ref
    number: int = Field(ge=0, le=100_000)
    air_date: str | None = Field(default=None, max_length=40)
    synopsis: str | None = Field(default=None, max_length=20_000)


class RelationRecord(Record):
    """`to` is the named thing to `from`: relation `sequel` says that `to` is the sequel of `from`."""

    record: Literal["relation"] = "relation"
    from_: Ref = Field(alias="from")
    to: Ref
    relation: EdgeType
    raw_type: str | None = None

    @model_validator(mode="after")
    def _relates_works(self) -> Self:
        if self.relation not in WORK_RELATIONS:
            raise ValueError(f"relation: {self.relation} does not relate two works")
        if self.from_ == self.to:
            raise ValueError("to: a work can't be related to itself")
        return self


class AppearanceRecord(Record):
    """A character appears in a work."""

    record: Literal["appearance"] = "appearance"
    character: Ref
    work: Ref
    role: AppearanceRole | None = None


class CharacterRelationRecord(Record):
    """`to` is the named thing to `from`: kind `mentor` says that `to` is the mentor of `from`."""

    record: Literal["character_relation"] = "character_relation"
    from_: Ref = Field(alias="from")
    to: Ref
    kind: CharacterRelationKind
    note: str | None = Field(default=None, max_length=500, description="One short sentence, shown as evidence.")


class VoiceRecord(Record):
    """A person voices a character, in one work when `work` is given."""

    record: Literal["voice"] = "voice"
    person: Ref
    character: Ref
    work: Ref | None = None
    language: str = Field(default="ja", max_length=16)


class StaffRecord(Record):
    """A person worked on a work."""

    record: Literal["staff"] = "staff"
    person: Ref
    work: Ref
    role: StaffRole
    raw_role: str | None = Field(default=None, max_length=300)


class StudioCreditRecord(Record):
    """A studio produced a work. `is_main` marks the animation studio."""

    record: Literal["studio_credit"] = "studio_credit"
    studio: Ref
    work: Ref
    is_main: bool = True


class SourceSection(Record):
    """No record of its own: the lines that follow it in its file are this source's word."""

    record: Literal["source"] = "source"
    source: str = Field(pattern=r"^\S{1,64}$")


AnyEntity = AnimeRecord | MangaRecord | CharacterRecord | PersonRecord | StudioRecord | EpisodeRecord
AnyLink = RelationRecord | AppearanceRecord | CharacterRelationRecord | VoiceRecord | StaffRecord | StudioCreditRecord
AnyRecord = Annotated[AnyEntity | AnyLink, Field(discriminator="record")]
RECORD_ADAPTER: TypeAdapter[AnyEntity | AnyLink] = TypeAdapter(AnyRecord)


def parse_record(line: str | bytes) -> AnyEntity | AnyLink:
    """One line of interchange JSONL.

    Raises:
        pydantic.ValidationError: names each field that is wrong.
    """
    return RECORD_ADAPTER.validate_json(line)
