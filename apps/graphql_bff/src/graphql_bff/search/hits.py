"""Hits of the name lane."""

from enum import StrEnum
from typing import Self
from uuid import UUID

import strawberry
from datastore.name_hits import NameHit
from datastore.vocabulary import EntityType, NameKind

from graphql_bff.catalogue.entity import Entity, Request, load_entity
from graphql_bff.search.cursors import cursor_of


@strawberry.enum
class NameMatch(StrEnum):
    """How a name met a search: equal to it, begins with it, has a word that begins with it, or is a typo away."""

    EXACT = "exact"
    PREFIX = "prefix"
    WORD_PREFIX = "word_prefix"
    TYPO = "typo"


@strawberry.type
class SearchHit:
    """One entity with a name that matches."""

    entity_type: EntityType
    id: strawberry.ID
    name: str = strawberry.field(description="The entity's main name.")
    matched_name: str = strawberry.field(description="The name that was met.")
    matched_kind: NameKind = strawberry.field(description="What that name is to the entity.")
    match: NameMatch
    popularity: float = strawberry.field(description="Percentile within its type, 0 to 1.")
    version: int
    cursor: str = strawberry.field(description="Where this hit is: `after` it come the next ones of the same search.")

    @strawberry.field
    async def entity(self, info: Request) -> Entity | None:
        """The whole entity."""
        return await load_entity(info, UUID(self.id))

    @classmethod
    def of(cls, hit: NameHit, number: int) -> Self:
        """The GraphQL view of the hit with this number."""
        return cls(
            entity_type=hit.entity_type,
            id=strawberry.ID(str(hit.entity_id)),
            name=hit.name,
            matched_name=hit.matched_name,
            matched_kind=hit.kind,
            match=NameMatch(hit.match),
            popularity=hit.popularity,
            version=hit.version,
            cursor=cursor_of(hit, number),
        )
