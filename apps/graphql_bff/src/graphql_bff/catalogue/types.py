"""Entities as GraphQL types: thin views of their cards, with links loaded in batches."""

from collections.abc import Sequence
from typing import Self
from uuid import UUID

import strawberry
from datastore.edges import WORK_RELATIONS, EdgeType
from datastore.postgres.entity_cards import (
    AnimeDetails,
    CharacterDetails,
    EntityCard,
    EpisodeDetails,
    MangaDetails,
    PersonDetails,
    RawDate,
    StudioDetails,
    WorkDetails,
)
from datastore.postgres.graph_values import EdgeScope
from datastore.vocabulary import EntityType, NameKind, Season, WorkFormat, WorkSource, WorkStatus
from strawberry.types import Info

from graphql_bff.catalogue.loaders import LinkKey
from graphql_bff.context import RequestContext

type Request = Info[RequestContext, None]

for _enum in (EntityType, NameKind, EdgeType, Season, WorkFormat, WorkSource, WorkStatus):
    strawberry.enum(_enum)

_ALL_STORED_EDGES: tuple[EdgeType, ...] = ()
_RELATED_WORKS = tuple(sorted(WORK_RELATIONS))


@strawberry.type
class Name:
    """One name of an entity, as given."""

    name: str
    kind: NameKind
    language: str | None


@strawberry.type(name="PartialDate")
class Date:
    """A date as far as it is known. `text` is `2009`, `2009-04` or `2009-04-05`; `raw` is what the source wrote."""

    text: str | None
    year: int | None
    month: int | None
    day: int | None
    raw: str | None

    @classmethod
    def of(cls, date: RawDate) -> Self | None:
        """None where nothing at all is known."""
        if date.known is None:
            return cls(text=None, year=None, month=None, day=None, raw=date.raw) if date.raw else None
        known = date.known
        return cls(text=str(known), year=known.year, month=known.month, day=known.day, raw=date.raw)


@strawberry.interface
class Entity:
    """Anything the catalogue knows."""

    card: strawberry.Private[EntityCard]

    @strawberry.field
    def id(self) -> strawberry.ID:
        """The catalogue's UUID, stable over imports."""
        return strawberry.ID(str(self.card.id))

    @strawberry.field
    def entity_type(self) -> EntityType:
        """What it is."""
        return self.card.entity_type

    @strawberry.field
    def name(self) -> str:
        """The main name."""
        return self.card.name

    @strawberry.field
    def names(self) -> list[Name]:
        """All names, the main one first."""
        return [Name(name=name.name, kind=name.kind, language=name.language) for name in self.card.names]

    @strawberry.field
    def popularity(self) -> float:
        """Percentile within its type, 0 to 1."""
        return self.card.popularity

    @strawberry.field
    def version(self) -> int:
        """Raised by one with every change."""
        return self.card.version

    @strawberry.field
    async def links(
        self,
        info: Request,
        relations: list[EdgeType] | None = None,
        first: int = 10,
        qualifier: str | None = None,
    ) -> "list[Link]":
        """The first links along these relations (all stored ones by default), most popular far end first."""
        return await _links(self.card, info, tuple(relations or _ALL_STORED_EDGES), first=first, qualifier=qualifier)


@strawberry.type
class Link:
    """One edge of the catalogue graph, seen from one end."""

    relation: EdgeType
    qualifier: str
    entity_id: strawberry.ID
    entity_type: EntityType
    name: str
    far_id: strawberry.Private[UUID]

    @strawberry.field
    async def entity(self, info: Request) -> Entity | None:
        """The far end."""
        card = await info.context.cards.load(self.far_id)
        return entity_of(card) if card is not None else None


@strawberry.interface
class Work(Entity):
    """What anime and printed works share."""

    @property
    def _work(self) -> WorkDetails:
        details = self.card.details
        assert isinstance(details, WorkDetails)
        return details

    @strawberry.field
    def format(self) -> WorkFormat | None:
        """How it was published."""
        return self._work.format

    @strawberry.field
    def status(self) -> WorkStatus | None:
        """Where its release stands."""
        return self._work.status

    @strawberry.field
    def start_date(self) -> Date | None:
        """When it began."""
        return Date.of(self._work.start)

    @strawberry.field
    def end_date(self) -> Date | None:
        """When it ended."""
        return Date.of(self._work.end)

    @strawberry.field
    def year(self) -> int | None:
        """Year of its season, else of its start."""
        return self._work.year

    @strawberry.field
    def score(self) -> float | None:
        """0 to 100."""
        return self._work.score

    @strawberry.field
    def genres(self) -> list[str]:
        """Genres."""
        return list(self._work.genres)

    @strawberry.field
    def synopsis(self) -> str | None:
        """What it is about."""
        return self._work.synopsis

    @strawberry.field
    async def characters(self, info: Request, first: int = 10, role: str | None = None) -> list[Link]:
        """Its characters; `role` is `main`, `supporting` or `background`."""
        return await _links(self.card, info, (EdgeType.FEATURES,), first=first, qualifier=role)

    @strawberry.field
    async def staff(self, info: Request, first: int = 10, role: str | None = None) -> list[Link]:
        """Who worked on it; `role` is a staff role such as `director`."""
        return await _links(self.card, info, (EdgeType.HAS_STAFF,), first=first, qualifier=role)

    @strawberry.field
    async def related(self, info: Request, first: int = 10) -> list[Link]:
        """Related works."""
        return await _links(self.card, info, _RELATED_WORKS, first=first)


@strawberry.type
class Anime(Work):
    """An animated work."""

    @property
    def _anime(self) -> AnimeDetails:
        details = self.card.details
        assert isinstance(details, AnimeDetails)
        return details

    @strawberry.field
    def episodes(self) -> int | None:
        """How many episodes."""
        return self._anime.episodes

    @strawberry.field
    def duration_minutes(self) -> int | None:
        """Minutes of one episode."""
        return self._anime.duration_minutes

    @strawberry.field
    def season(self) -> Season | None:
        """Broadcast season."""
        return self._anime.season

    @strawberry.field
    def source(self) -> WorkSource | None:
        """What it is based on."""
        return self._anime.source

    @strawberry.field
    async def studios(self, info: Request, first: int = 10) -> list[Link]:
        """Who produced it."""
        return await _links(self.card, info, (EdgeType.PRODUCED_BY,), first=first)

    @strawberry.field
    async def episode_list(self, info: Request, first: int = 10) -> list[Link]:
        """Its episodes, where the catalogue holds them."""
        return await _links(self.card, info, (EdgeType.HAS_EPISODE,), first=first)


@strawberry.type
class Manga(Work):
    """A printed work: manga, light novel, novel or one-shot."""

    @property
    def _manga(self) -> MangaDetails:
        details = self.card.details
        assert isinstance(details, MangaDetails)
        return details

    @strawberry.field
    def chapters(self) -> int | None:
        """How many chapters."""
        return self._manga.chapters

    @strawberry.field
    def volumes(self) -> int | None:
        """How many volumes."""
        return self._manga.volumes


@strawberry.type
class Character(Entity):
    """A character."""

    @property
    def _character(self) -> CharacterDetails:
        details = self.card.details
        assert isinstance(details, CharacterDetails)
        return details

    @strawberry.field
    def description(self) -> str | None:
        """Who it is."""
        return self._character.description

    @strawberry.field
    def gender(self) -> str | None:
        """As the source gives it."""
        return self._character.gender

    @strawberry.field
    async def works(self, info: Request, first: int = 10) -> list[Link]:
        """Where it appears."""
        return await _links(self.card, info, (EdgeType.APPEARS_IN,), first=first)

    @strawberry.field
    async def voice_actors(self, info: Request, first: int = 10, language: str | None = None) -> list[Link]:
        """Who voices it; `language` such as `ja`."""
        return await _links(self.card, info, (EdgeType.VOICED_BY,), first=first, qualifier=language)

    @strawberry.field
    async def relations(self, info: Request, first: int = 10) -> list[Link]:
        """Characters it is related to, and how."""
        return await _links(self.card, info, (EdgeType.CHARACTER_RELATION,), first=first)


@strawberry.type
class Person(Entity):
    """A real person: staff, author or voice actor."""

    @property
    def _person(self) -> PersonDetails:
        details = self.card.details
        assert isinstance(details, PersonDetails)
        return details

    @strawberry.field
    def occupations(self) -> list[str]:
        """What they do."""
        return list(self._person.occupations)

    @strawberry.field
    async def works(self, info: Request, first: int = 10, role: str | None = None) -> list[Link]:
        """Works they are credited on; `role` is a staff role."""
        return await _links(self.card, info, (EdgeType.STAFF_OF,), first=first, qualifier=role)

    @strawberry.field
    async def voices(self, info: Request, first: int = 10, language: str | None = None) -> list[Link]:
        """Characters they voice."""
        return await _links(self.card, info, (EdgeType.VOICES,), first=first, qualifier=language)


@strawberry.type
class Studio(Entity):
    """A company that makes works."""

    @strawberry.field
    def is_animation_studio(self) -> bool | None:
        """Whether it animates, rather than only produces."""
        details = self.card.details
        return details.is_animation_studio if isinstance(details, StudioDetails) else None

    @strawberry.field
    async def works(self, info: Request, first: int = 10) -> list[Link]:
        """What it produced."""
        return await _links(self.card, info, (EdgeType.PRODUCED,), first=first)


@strawberry.type
class Episode(Entity):
    """One episode of an anime."""

    @property
    def _episode(self) -> EpisodeDetails:
        details = self.card.details
        assert isinstance(details, EpisodeDetails)
        return details

    @strawberry.field
    def number(self) -> int:
        """Its number within the anime."""
        return self._episode.number

    @strawberry.field
    def air_date(self) -> Date | None:
        """When it aired first."""
        return Date.of(self._episode.air)

    @strawberry.field
    async def anime(self, info: Request) -> Anime | None:
        """The anime it belongs to."""
        card = await info.context.cards.load(self._episode.anime_id)
        return Anime(card=card) if card is not None else None


@strawberry.type
class Document(Entity):
    """A document of a corpus."""


_TYPES: dict[EntityType, type[Entity]] = {
    EntityType.ANIME: Anime,
    EntityType.MANGA: Manga,
    EntityType.CHARACTER: Character,
    EntityType.PERSON: Person,
    EntityType.STUDIO: Studio,
    EntityType.EPISODE: Episode,
    EntityType.DOCUMENT: Document,
}

ENTITY_TYPES: Sequence[type[Entity]] = tuple(_TYPES.values())
"""All concrete types, for the schema: most are reachable through the interface only."""


def entity_of(card: EntityCard) -> Entity:
    """The GraphQL view of a card."""
    return _TYPES[card.entity_type](card=card)


async def _links(
    card: EntityCard, info: Request, edges: tuple[EdgeType, ...], *, first: int, qualifier: str | None = None
) -> list[Link]:
    key = LinkKey(card.id, EdgeScope(edges=edges, qualifier=qualifier), info.context.checked_first(first))
    return [
        Link(
            relation=link.edge,
            qualifier=link.qualifier,
            entity_id=strawberry.ID(str(link.to.id)),
            entity_type=link.to.entity_type,
            name=link.to.name,
            far_id=link.to.id,
        )
        for link in await info.context.links.load(key)
    ]
