"""What all entities share as GraphQL types: names, and links to other entities loaded in batches."""

from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from operator import methodcaller
from typing import Any, cast
from uuid import UUID

import strawberry
from datastore.edges import DERIVED_EDGES, EdgeType
from datastore.postgres.entity_cards import Details
from datastore.postgres.entity_rows import EntityRow, LinkRow
from datastore.vocabulary import EntityType
from strawberry.types import Info

from graphql_bff.arguments import checked_count, checked_offset, checked_text
from graphql_bff.catalogue.loaders import Ends, LinkKey, LinkPage
from graphql_bff.catalogue.values import ExternalId, Name
from graphql_bff.context import RequestContext
from graphql_bff.errors import BadInput
from graphql_bff.shortcuts import READY, Wanted

type Request = Info[RequestContext, None]

MAX_QUALIFIER_CHARACTERS = 100

WITHOUT_DETAILS = frozenset(
    {
        *("__typename", "id", "entityType", "name", "popularity", "version", "names", "externalIds", "links"),
        *("characters", "staff", "related", "studios", "episodeList", "works", "voiceActors", "relations", "voices"),
    }
)
"""Fields of entities that need no more of their row than a link's row has."""


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
    def links(
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
        return links_of(self, info, *(relations or ()), first=first, offset=offset, qualifier=qualifier)


class NotReady(LookupError):
    """The far end of a link was not loaded with it."""


@strawberry.type
class Link:
    """One edge of the catalogue graph, seen from one end."""

    link: strawberry.Private[LinkRow]
    ready: strawberry.Private[Mapping[UUID, EntityRow | None] | None]
    """The rows of far ends; None where the link's own row has all that is shown of one."""

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

    @strawberry.field(metadata={READY: methodcaller("end")})
    async def entity(self, info: Request) -> Entity | None:
        """The far end, whole."""
        try:
            return self.end()
        except NotReady:
            return await load_entity(info, self.link.target_id)

    def end(self) -> Entity | None:
        """The far end without waiting. Raises NotReady."""
        if self.ready is None:
            return entity_of(EntityRow(self.link.target_id, self.link.target_type, self.link.columns))
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


class LinkRequest(Wanted):
    """Links that somebody waits for: by themselves, or together with others of their kind, which takes less."""

    __slots__ = ("_context", "_key")

    def __init__(self, context: RequestContext, key: LinkKey) -> None:
        self._context = context
        self._key = key

    def __await__(self) -> Generator[Any, None, list[Link]]:
        """Wait for these alone."""
        if not self.is_ready:
            yield from self._context.links.load(self._key).__await__()
        return self.value()

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing to wait for."""
        return self._key in self._context.links.ready

    def value(self) -> list[Link]:
        """The links, once they are ready. Raises whatever they could not be loaded for."""
        links = self._context.links.ready[self._key]
        if isinstance(links, BaseException):
            raise links
        ready = None if self._key.page.ends is Ends.BRIEF else self._context.rows.ready
        return [Link(link=link, ready=ready) for link in links]

    async def together(self, all_of_them: Sequence["LinkRequest"]) -> None:
        """Make all ready, this one among them."""
        await self._context.links.make_ready([each._key for each in all_of_them])


def links_of(
    entity: Entity,
    info: Request,
    *edges: EdgeType,
    first: int,
    offset: int,
    qualifier: StrEnum | str | None = None,
) -> list[Link]:
    """One page of an entity's links, as something to be waited for, which resolvers may give. Raises BadInput."""
    context = info.context
    page = LinkPage(
        edges=edges,
        first=checked_count(first, context.resources.settings.max_first),
        offset=checked_offset(offset),
        qualifier=None if qualifier is None else str(qualifier),
        ends=_ends_shown(context.look_ahead.below(info, "entity")),
    )
    return cast("list[Link]", LinkRequest(context, LinkKey(entity.row.id, page)))


def _ends_shown(below: frozenset[str] | None) -> Ends:
    if below is None:
        return Ends.NONE
    return Ends.BRIEF if below <= WITHOUT_DETAILS else Ends.WHOLE
