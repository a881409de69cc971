"""Small GraphQL types that entities are described with, and the closed sets they use."""

from typing import Self

import strawberry
from datastore.edges import EdgeType
from datastore.postgres.entity_cards import CardExternalId, CardName, RawDate
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    DatePrecision,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)

for _values in (
    AppearanceRole,
    CharacterRelationKind,
    DatePrecision,
    EdgeType,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
):
    strawberry.enum(_values)


@strawberry.type
class Name:
    """One name of an entity, as given."""

    name: str
    kind: NameKind
    language: str | None = strawberry.field(description="BCP 47, where it is known.")

    @classmethod
    def of(cls, name: CardName) -> Self:
        """The GraphQL view of a name."""
        return cls(name=name.name, kind=name.kind, language=name.language)


@strawberry.type
class ExternalId:
    """What another catalogue calls the entity, such as `anilist`, `anime`, `21`."""

    source: str
    kind: str
    id: strawberry.ID

    @classmethod
    def of(cls, external: CardExternalId) -> Self:
        """The GraphQL view of an external id."""
        return cls(source=external.source, kind=external.kind, id=strawberry.ID(external.external_id))


@strawberry.type
class PartialDate:
    """A date as far as it is known."""

    text: str | None = strawberry.field(description="`2009`, `2009-04` or `2009-04-05`.")
    year: int | None
    month: int | None
    day: int | None
    raw: str | None = strawberry.field(description="What the source wrote.")

    @classmethod
    def of(cls, date: RawDate) -> Self | None:
        """None where nothing at all is known."""
        if date.known is None:
            return cls(text=None, year=None, month=None, day=None, raw=date.raw) if date.raw else None
        known = date.known
        return cls(text=str(known), year=known.year, month=known.month, day=known.day, raw=date.raw)
