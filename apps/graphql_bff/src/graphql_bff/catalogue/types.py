"""Entities as GraphQL types, one for each entity type: thin views of their rows."""

from datetime import date

import strawberry
from datastore.edges import EDGES, WORK_RELATIONS, EdgeType
from datastore.postgres.entity_cards import (
    AnimeDetails,
    CharacterDetails,
    DocumentDetails,
    EpisodeDetails,
    MangaDetails,
    PersonDetails,
    StudioDetails,
    WorkDetails,
)
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    DatePrecision,
    EntityType,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)

from graphql_bff.arguments import checked_text
from graphql_bff.catalogue.entity import Entity, Link, Request, links_of, load_entity, shows
from graphql_bff.catalogue.values import PartialDate

RELATED_WORKS = tuple(sorted(WORK_RELATIONS, key=lambda edge: EDGES[edge].code))
"""Along which edges a work is related to another."""

MAX_LANGUAGE_CHARACTERS = 16


def _language(language: str | None) -> str | None:
    return None if language is None else checked_text(language, "language", MAX_LANGUAGE_CHARACTERS)


@strawberry.interface
class Work(Entity):
    """What anime and printed works share."""

    @property
    def _work(self) -> WorkDetails:
        details = self.details
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
    def start_date(self) -> PartialDate | None:
        """When it began."""
        return PartialDate.of(self._work.start)

    @strawberry.field
    def end_date(self) -> PartialDate | None:
        """When it ended."""
        return PartialDate.of(self._work.end)

    @strawberry.field
    def year(self) -> int | None:
        """Year of its season, else of its start."""
        return self._work.year

    @strawberry.field
    def score(self) -> float | None:
        """0 to 100."""
        return self._work.score

    @strawberry.field
    def score_source(self) -> str | None:
        """Whose score it is."""
        return self._work.score_source

    @strawberry.field
    def genres(self) -> list[str]:
        """Genres."""
        return list(self._work.genres)

    @strawberry.field
    def tags(self) -> list[str]:
        """Finer labels than genres."""
        return list(self._work.tags)

    @strawberry.field
    def synopsis(self) -> str | None:
        """What it is about."""
        return self._work.synopsis

    @strawberry.field
    def country(self) -> str | None:
        """Where it was made."""
        return self._work.country

    @strawberry.field
    def characters(
        self, info: Request, role: AppearanceRole | None = None, first: int = 10, offset: int = 0
    ) -> list[Link]:
        """Its characters."""
        return links_of(self, info, EdgeType.FEATURES, first=first, offset=offset, qualifier=role)

    @strawberry.field
    def staff(self, info: Request, role: StaffRole | None = None, first: int = 10, offset: int = 0) -> list[Link]:
        """Who worked on it."""
        return links_of(self, info, EdgeType.HAS_STAFF, first=first, offset=offset, qualifier=role)

    @strawberry.field
    def related(self, info: Request, first: int = 10, offset: int = 0) -> list[Link]:
        """Related works."""
        return links_of(self, info, *RELATED_WORKS, first=first, offset=offset)


@shows(EntityType.ANIME)
@strawberry.type
class Anime(Work):
    """An animated work."""

    @property
    def _anime(self) -> AnimeDetails:
        details = self.details
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
    def season_year(self) -> int | None:
        """Year of the broadcast season; winter belongs to the year it ends in."""
        return self._anime.season_year

    @strawberry.field
    def source(self) -> WorkSource | None:
        """What it is based on."""
        return self._anime.source

    @strawberry.field
    def studios(self, info: Request, first: int = 10, offset: int = 0) -> list[Link]:
        """Who produced it; the main ones carry the qualifier `main`."""
        return links_of(self, info, EdgeType.PRODUCED_BY, first=first, offset=offset)

    @strawberry.field
    def episode_list(self, info: Request, first: int = 10, offset: int = 0) -> list[Link]:
        """Its episodes, where the catalogue holds them."""
        return links_of(self, info, EdgeType.HAS_EPISODE, first=first, offset=offset)


@shows(EntityType.MANGA)
@strawberry.type
class Manga(Work):
    """A printed work: manga, light novel, novel or one-shot."""

    @property
    def _manga(self) -> MangaDetails:
        details = self.details
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


@shows(EntityType.CHARACTER)
@strawberry.type
class Character(Entity):
    """A character."""

    @property
    def _character(self) -> CharacterDetails:
        details = self.details
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
    def works(self, info: Request, role: AppearanceRole | None = None, first: int = 10, offset: int = 0) -> list[Link]:
        """Where it appears."""
        return links_of(self, info, EdgeType.APPEARS_IN, first=first, offset=offset, qualifier=role)

    @strawberry.field
    def voice_actors(self, info: Request, language: str | None = None, first: int = 10, offset: int = 0) -> list[Link]:
        """Who voices it; `language` such as `ja`."""
        return links_of(self, info, EdgeType.VOICED_BY, first=first, offset=offset, qualifier=_language(language))

    @strawberry.field
    def relations(
        self, info: Request, kind: CharacterRelationKind | None = None, first: int = 10, offset: int = 0
    ) -> list[Link]:
        """Characters it is related to; the qualifier says what they are to it."""
        return links_of(self, info, EdgeType.CHARACTER_RELATION, first=first, offset=offset, qualifier=kind)


@shows(EntityType.PERSON)
@strawberry.type
class Person(Entity):
    """A real person: staff, author or voice actor."""

    @property
    def _person(self) -> PersonDetails:
        details = self.details
        assert isinstance(details, PersonDetails)
        return details

    @strawberry.field
    def occupations(self) -> list[str]:
        """What they do."""
        return list(self._person.occupations)

    @strawberry.field
    def description(self) -> str | None:
        """Who they are."""
        return self._person.description

    @strawberry.field
    def works(self, info: Request, role: StaffRole | None = None, first: int = 10, offset: int = 0) -> list[Link]:
        """Works they are credited on."""
        return links_of(self, info, EdgeType.STAFF_OF, first=first, offset=offset, qualifier=role)

    @strawberry.field
    def voices(self, info: Request, language: str | None = None, first: int = 10, offset: int = 0) -> list[Link]:
        """Characters they voice; `language` such as `ja`."""
        return links_of(self, info, EdgeType.VOICES, first=first, offset=offset, qualifier=_language(language))


@shows(EntityType.STUDIO)
@strawberry.type
class Studio(Entity):
    """A company that makes works."""

    @strawberry.field
    def is_animation_studio(self) -> bool | None:
        """Whether it animates, rather than only produces."""
        details = self.details
        assert isinstance(details, StudioDetails)
        return details.is_animation_studio

    @strawberry.field
    def works(self, info: Request, first: int = 10, offset: int = 0) -> list[Link]:
        """What it produced."""
        return links_of(self, info, EdgeType.PRODUCED, first=first, offset=offset)


@shows(EntityType.EPISODE)
@strawberry.type
class Episode(Entity):
    """One episode of an anime."""

    @property
    def _episode(self) -> EpisodeDetails:
        details = self.details
        assert isinstance(details, EpisodeDetails)
        return details

    @strawberry.field
    def number(self) -> int:
        """Its number within the anime."""
        return self._episode.number

    @strawberry.field
    def air_date(self) -> PartialDate | None:
        """When it aired first."""
        return PartialDate.of(self._episode.air)

    @strawberry.field
    def synopsis(self) -> str | None:
        """What happens."""
        return self._episode.synopsis

    @strawberry.field
    async def anime(self, info: Request) -> Anime | None:
        """The anime it belongs to."""
        entity = await load_entity(info, self._episode.anime_id)
        return entity if isinstance(entity, Anime) else None


@shows(EntityType.DOCUMENT)
@strawberry.type
class Document(Entity):
    """A document of a corpus, without its text."""

    @property
    def _document(self) -> DocumentDetails:
        details = self.details
        assert isinstance(details, DocumentDetails)
        return details

    @strawberry.field
    def collection(self) -> str:
        """The corpus it belongs to."""
        return self._document.collection

    @strawberry.field
    def source_uri(self) -> str | None:
        """Where it came from."""
        return self._document.source_uri

    @strawberry.field
    def media_type(self) -> str:
        """What it was written as."""
        return self._document.media_type

    @strawberry.field
    def language(self) -> str | None:
        """BCP 47, where it is known."""
        return self._document.language

    @strawberry.field
    def document_date(self) -> date | None:
        """The date it bears; the first day of the month or the year where no more is known."""
        return self._document.document_date

    @strawberry.field
    def document_date_precision(self) -> DatePrecision | None:
        """How much of `documentDate` is known."""
        return self._document.date_precision
