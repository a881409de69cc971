"""What all entities share as GraphQL types: names, and links to other entities loaded in batches."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from uuid import UUID

import strawberry
from datastore.edges import DERIVED_EDGES, EdgeType
from datastore.postgres.entity_cards import Details
from datastore.postgres.entity_rows import EntityRow, LinkRow
from datastore.vocabulary import EntityType
from strawberry.types import Info

from graphql_bff.arguments import checked_count, checked_offset, checked_text
from graphql_bff.catalogue.loaders import LinkKey, LinkPage
from graphql_bff.catalogue.values import ExternalId, Name
from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.looking_ahead import selects
from graphql_bff.shortcuts import READY

type Request = Info[RequestContext, None]

MAX_QUALIFIER_CHARACTERS = 100


@strawberry.interface
class Entity:
    """Anything the catalogue knows."""

    row: strawberry.Private[EntityRow]

    @cached_property
    def details(self) -> Details:
        """What only entities of its type have."""
        return self.row.details()

    @strawberry.field
    def id(self) -> strawberry.ID:
        """The catalogue's UUID, stable over imports."""
        return strawberry.ID(str(self.row.id))

    @strawberry.field
    def entity_type(self) -> EntityType:
        """What it is."""
        return self.row.entity_type

    @strawberry.field
    def name(self) -> str:
        """The main name."""
        return self.row.name

    @strawberry.field
    async def names(self, info: Request) -> list[Name]:
        """All names, the main one first."""
        return [Name.of(name) for name in await info.context.names.load(self.row.id)]

    @strawberry.field
    async def external_ids(self, info: Request) -> list[ExternalId]:
        """What other catalogues call it."""
        return [ExternalId.of(external) for external in await info.context.external_ids.load(self.row.id)]

    @strawberry.field
    def popularity(self) -> float:
        """Percentile within its type, 0 to 1."""
        return self.row.popularity

    @strawberry.field
    def version(self) -> int:
        """Raised by one with every change."""
        return self.row.version

    @strawberry.field
    def updated_at(self) -> datetime:
        """When it changed last."""
        return self.row.updated_at

    @strawberry.field
    async def links(
        self,
        info: Request,
        relations: list[EdgeType] | None = None,
        qualifier: str | None = None,
        first: int = 10,
        offset: int = 0,
    ) -> "list[Link]":
        """Links along stored relations (all by default), most popular far end first.

        `qualifier` keeps those with exactly this role, language or kind of relation.
        """
        if DERIVED_EDGES.intersection(relations or ()):
            raise BadInput("relations", f"must be stored ones, not {', '.join(sorted(DERIVED_EDGES)).upper()}")
        if qualifier is not None:
            checked_text(qualifier, "qualifier", MAX_QUALIFIER_CHARACTERS)
        return await links_of(self, info, *(relations or ()), first=first, offset=offset, qualifier=qualifier)


class NotReady(LookupError):
    """The far end of a link was not loaded with it."""


def _ready_end(link: "Link") -> Entity | None:
    return link.end()


@strawberry.type
class Link:
    """One edge of the catalogue graph, seen from one end."""

    link: strawberry.Private[LinkRow]
    ready: strawberry.Private[Mapping[UUID, EntityRow | None]]

    @strawberry.field
    def relation(self) -> EdgeType:
        """Which relation it is."""
        return self.link.edge

    @strawberry.field(description="Role, language or kind of relation; empty where there is none.")
    def qualifier(self) -> str:
        """Role, language or kind of relation."""
        return self.link.qualifier

    @strawberry.field
    def entity_id(self) -> strawberry.ID:
        """The far end's id."""
        return strawberry.ID(str(self.link.target_id))

    @strawberry.field
    def entity_type(self) -> EntityType:
        """What the far end is."""
        return self.link.target_type

    @strawberry.field(description="The far end's main name.")
    def name(self) -> str:
        """The far end's main name."""
        return self.link.target_name

    @strawberry.field(metadata={READY: _ready_end})
    async def entity(self, info: Request) -> Entity | None:
        """The far end, whole."""
        try:
            return self.end()
        except NotReady:
            return await load_entity(info, self.link.target_id)

    def end(self) -> Entity | None:
        """The far end without waiting. Raises NotReady."""
        row = self.ready.get(self.link.target_id)
        if row is None and self.link.target_id not in self.ready:
            raise NotReady
        return None if row is None else entity_of(row)


_VIEWS: dict[EntityType, type[Entity]] = {}


def shows[View: Entity](entity_type: EntityType) -> Callable[[type[View]], type[View]]:
    """Makes a class the view of all entities of one type."""

    def register(view: type[View]) -> type[View]:
        _VIEWS[entity_type] = view
        return view

    return register


def entity_views() -> tuple[type[Entity], ...]:
    """All views, for the schema: most are reachable through the interface only."""
    return tuple(_VIEWS.values())


def entity_of(row: EntityRow) -> Entity:
    """The GraphQL view of an entity."""
    return _VIEWS[row.entity_type](row=row)


async def load_entity(info: Request, entity_id: UUID) -> Entity | None:
    """The entity with an id, or with the id that it was merged into."""
    row = await info.context.rows.load(entity_id)
    return entity_of(row) if row is not None else None


async def links_of(
    entity: Entity,
    info: Request,
    *edges: EdgeType,
    first: int,
    offset: int,
    qualifier: StrEnum | str | None = None,
) -> list[Link]:
    """One page of an entity's links. Raises BadInput."""
    limit = info.context.resources.settings.max_first
    page = LinkPage(
        edges=edges,
        first=checked_count(first, limit),
        offset=checked_offset(offset),
        qualifier=None if qualifier is None else str(qualifier),
        with_ends=selects(info, "entity"),
    )
    ready = info.context.rows.ready
    return [Link(link=link, ready=ready) for link in await info.context.links.load(LinkKey(entity.row.id, page))]
