"""An entity as it is read: what all entities share, its names, and one typed detail value per entity type."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from datastore.dates import PartialDate
from datastore.postgres.hot import Row
from datastore.vocabulary import DatePrecision, EntityType, NameKind, Season, WorkFormat, WorkSource, WorkStatus


@dataclass(frozen=True, slots=True)
class CardName:
    """One name of an entity, as given."""

    name: str
    kind: NameKind
    language: str | None


@dataclass(frozen=True, slots=True)
class CardExternalId:
    """One external reference to an entity, e.g. `anilist`, `anime`, `21`."""

    source: str
    kind: str
    external_id: str


@dataclass(frozen=True, slots=True)
class RawDate:
    """A date as far as it is known, and the text its source gave."""

    known: PartialDate | None
    raw: str | None


@dataclass(frozen=True, slots=True)
class CardConflict:
    """One source's value of a field in which sources contradict each other; `is_shown` marks what the card shows."""

    field: str
    source: str
    value: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class WorkDetails:
    """What anime and printed works share. `score` runs from 0 to 100; `year` is the year of season, else of start."""

    format: WorkFormat | None
    status: WorkStatus | None
    start: RawDate
    end: RawDate
    year: int | None
    score: float | None
    score_source: str | None
    genres: tuple[str, ...]
    tags: tuple[str, ...]
    synopsis: str | None
    country: str | None


@dataclass(frozen=True, slots=True)
class AnimeDetails(WorkDetails):
    """An animated work. `duration_minutes` is that of one episode."""

    episodes: int | None
    duration_minutes: int | None
    season: Season | None
    season_year: int | None
    source: WorkSource | None


@dataclass(frozen=True, slots=True)
class MangaDetails(WorkDetails):
    """A printed work."""

    chapters: int | None
    volumes: int | None


@dataclass(frozen=True, slots=True)
class CharacterDetails:
    """A character."""

    description: str | None
    gender: str | None


@dataclass(frozen=True, slots=True)
class PersonDetails:
    """A real person."""

    occupations: tuple[str, ...]
    description: str | None


@dataclass(frozen=True, slots=True)
class StudioDetails:
    """A company that makes works."""

    is_animation_studio: bool | None


@dataclass(frozen=True, slots=True)
class EpisodeDetails:
    """One episode of an anime."""

    anime_id: UUID
    number: int
    air: RawDate
    synopsis: str | None


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """A document without its text. `document_date` is the first day of the year, month or day that it bears."""

    collection: str
    source_uri: str | None
    media_type: str
    language: str | None
    document_date: date | None
    date_precision: DatePrecision | None


Details = (
    AnimeDetails | MangaDetails | CharacterDetails | PersonDetails | StudioDetails | EpisodeDetails | DocumentDetails
)


@dataclass(frozen=True, slots=True)
class EntityCard:
    """One entity. `names` starts with the main name; the rest follow by kind, then by name.

    `conflicts` are ordered by field, the shown value first, then by source.
    """

    id: UUID
    entity_type: EntityType
    name: str
    version: int
    updated_at: datetime
    popularity: float
    popularity_count: int | None
    names: tuple[CardName, ...]
    external_ids: tuple[CardExternalId, ...]
    extra: Mapping[str, Any]
    details: Details
    conflicts: tuple[CardConflict, ...] = ()


def card_of(row: sa.RowMapping) -> EntityCard:
    """A row of the statements in `entity_reads` as a card."""
    entity_type = EntityType(row["entity_type"])
    return EntityCard(
        id=row["id"],
        entity_type=entity_type,
        name=row["name"],
        version=row["version"],
        updated_at=row["updated_at"],
        popularity=row["popularity"],
        popularity_count=row["popularity_count"],
        names=_names(row["names"]),
        external_ids=tuple(CardExternalId(*parts) for parts in row["external_ids"]),
        extra=row["extra"],
        details=details_of(entity_type, row),
        conflicts=tuple(CardConflict(*parts) for parts in row["conflicts"]),
    )


def _names(stored: list[list[Any]]) -> tuple[CardName, ...]:
    kinds = list(NameKind)
    cards = (CardName(name, NameKind(kind), language) for name, kind, language in stored)
    return tuple(sorted(cards, key=lambda card: kinds.index(card.kind)))


def details_of(entity_type: EntityType, row: Row) -> Details:
    """What only entities of a type have, out of a row with the columns of their own table."""
    match entity_type:
        case EntityType.ANIME:
            return _anime(row)
        case EntityType.MANGA:
            return MangaDetails(**_work_parts(row), chapters=row["chapters"], volumes=row["volumes"])
        case EntityType.CHARACTER:
            return CharacterDetails(description=row["description"], gender=row["gender"])
        case EntityType.PERSON:
            return PersonDetails(occupations=tuple(row["occupations"]), description=row["description"])
        case EntityType.STUDIO:
            return StudioDetails(is_animation_studio=row["is_animation_studio"])
        case EntityType.EPISODE:
            return EpisodeDetails(
                anime_id=row["anime_id"], number=row["number"], air=_date(row, "air"), synopsis=row["synopsis"]
            )
        case EntityType.DOCUMENT:
            return DocumentDetails(
                collection=row["collection"],
                source_uri=row["source_uri"],
                media_type=row["media_type"],
                language=row["language"],
                document_date=row["document_date"],
                date_precision=DatePrecision(row["date_precision"]) if row["date_precision"] else None,
            )


def _anime(row: Row) -> AnimeDetails:
    return AnimeDetails(
        **_work_parts(row),
        episodes=row["episodes"],
        duration_minutes=row["duration_minutes"],
        season=Season(row["season"]) if row["season"] else None,
        season_year=row["season_year"],
        source=WorkSource(row["source"]) if row["source"] else None,
    )


def _work_parts(row: Row) -> dict[str, Any]:
    return {
        "format": WorkFormat(row["format"]) if row["format"] else None,
        "status": WorkStatus(row["status"]) if row["status"] else None,
        "start": _date(row, "start"),
        "end": _date(row, "end"),
        "year": row["year"],
        "score": row["score"],
        "score_source": row["score_source"],
        "genres": tuple(row["genres"]),
        "tags": tuple(row["tags"]),
        "synopsis": row["synopsis"],
        "country": row["country"],
    }


def _date(row: Row, prefix: str) -> RawDate:
    known = PartialDate.from_parts(row[f"{prefix}_year"], row[f"{prefix}_month"], row[f"{prefix}_day"])
    return RawDate(known=known, raw=row[f"{prefix}_raw"])
