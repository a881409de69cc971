"""Entities by id, batched, and pages of entities of one type: a fixed number of statements whatever the count."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.catalogue import (
    anime,
    appearances,
    characters,
    entities,
    episodes,
    external_ids,
    manga,
    names,
    people,
    redirects,
    staff_credits,
    studio_credits,
    studios,
    value_conflicts,
)
from datastore.postgres.documents import documents
from datastore.postgres.entity_cards import EntityCard, card_of
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus

MAX_PAGE = 1_000

DETAIL_TABLES = {
    EntityType.ANIME: anime,
    EntityType.MANGA: manga,
    EntityType.CHARACTER: characters,
    EntityType.PERSON: people,
    EntityType.STUDIO: studios,
    EntityType.EPISODE: episodes,
    EntityType.DOCUMENT: documents,
}
"""Where each type keeps what only it has, under the entity's id."""

# A document's text and properties can be large; they are read through its chunks.
LEFT_OUT = frozenset(
    {
        "id",
        "text",
        "text_hash",
        "source_hash",
        "properties",
        "created_at",
        "date_raw",
        "document_time",
        "reference_rules",
    }
)


class EntityOrder(StrEnum):
    """How a page of entities is ordered; the id settles ties."""

    POPULARITY = "popularity"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class EntityFilters:
    """Conditions on entities of one type, all of which must hold. An unknown value never matches, nor `genres_none`.

    `anime_id` restricts episodes to that anime and characters to those that appear in it. `studio_id` and `person_id`
    restrict works to those the studio or person is credited on. Years are inclusive.
    """

    first_year: int | None = None
    last_year: int | None = None
    season: Season | None = None
    format: WorkFormat | None = None
    status: WorkStatus | None = None
    source: WorkSource | None = None
    genres_any: tuple[str, ...] = ()
    genres_all: tuple[str, ...] = ()
    genres_none: tuple[str, ...] = ()
    min_score: float | None = None
    anime_id: UUID | None = None
    studio_id: UUID | None = None
    person_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class EntityCursor:
    """The place of one entity in a listing: what the page after it starts from. `key` is its popularity or name."""

    key: float | str
    id: UUID


@dataclass(frozen=True, slots=True)
class EntityPage:
    """Some entities in order, where each stands, and whether more follow."""

    cards: tuple[EntityCard, ...]
    cursors: tuple[EntityCursor, ...]
    has_more: bool


class UnsupportedFilter(ValueError):
    """A filter that entities of this type can't be held to, or a cursor of another order. `field` says which."""

    def __init__(self, field: str, entity_type: EntityType) -> None:
        super().__init__(f"{field}: not applicable to {entity_type}")
        self.field = field
        self.entity_type = entity_type


async def read_cards(conn: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, EntityCard]:
    """Cards by the id that was asked for, in that order; ids of no entity are missing.

    An id that was merged into another entity gives that entity's card. One statement finds the types, one more runs
    per type present.
    """
    if not ids:
        return {}
    found = (await conn.execute(_LIVING, {"ids": list(dict.fromkeys(ids))})).mappings().all()
    by_type: dict[EntityType, list[UUID]] = {}
    for row in found:
        by_type.setdefault(EntityType(row["entity_type"]), []).append(row["id"])
    cards: dict[UUID, EntityCard] = {}
    for entity_type, of_type in by_type.items():
        cards |= await read_cards_of(conn, entity_type, of_type)
    living = {row["asked"]: row["id"] for row in found}
    return {asked: cards[living[asked]] for asked in dict.fromkeys(ids) if living.get(asked) in cards}


async def read_cards_of(conn: AsyncConnection, entity_type: EntityType, ids: Sequence[UUID]) -> dict[UUID, EntityCard]:
    """Cards of entities of one type in one statement, in the order asked; redirects are not followed."""
    if not ids:
        return {}
    rows = (await conn.execute(_CARDS_BY_ID[entity_type], {"ids": list(dict.fromkeys(ids))})).mappings()
    cards = {row["id"]: card_of(row) for row in rows}
    return {asked: cards[asked] for asked in dict.fromkeys(ids) if asked in cards}


async def list_entities(
    conn: AsyncConnection,
    entity_type: EntityType,
    *,
    filters: EntityFilters | None = None,
    order: EntityOrder = EntityOrder.POPULARITY,
    after: EntityCursor | None = None,
    limit: int = 50,
) -> EntityPage:
    """One page in one statement: most popular first, or by name. Raises UnsupportedFilter.

    `after` continues behind a cursor of an earlier page of the same order. `limit` is clamped to MAX_PAGE.
    """
    size = max(0, min(limit, MAX_PAGE))
    statement = listing_statement(entity_type, filters=filters or EntityFilters(), order=order, after=after)
    rows = (await conn.execute(statement.limit(size + 1))).mappings().all()
    cards = tuple(card_of(row) for row in rows[:size])
    cursors = tuple(EntityCursor(c.popularity if order is EntityOrder.POPULARITY else c.name, c.id) for c in cards)
    return EntityPage(cards=cards, cursors=cursors, has_more=len(rows) > size)


def listing_statement(
    entity_type: EntityType, *, filters: EntityFilters, order: EntityOrder, after: EntityCursor | None
) -> sa.Select[*tuple[Any, ...]]:
    """The statement behind `list_entities`, without its limit."""
    statement = _cards(entity_type).where(entities.c.entity_type == entity_type, *_conditions(entity_type, filters))
    if order is EntityOrder.POPULARITY:
        key, is_kept, order_by = entities.c.popularity, float, entities.c.popularity.desc()
        behind = key < (after.key if after else 0)
    else:
        key, is_kept, order_by = entities.c.name, str, entities.c.name.asc()
        behind = key > (after.key if after else "")
    if after is not None:
        if not isinstance(after.key, is_kept):
            raise UnsupportedFilter("after", entity_type)
        statement = statement.where(sa.or_(behind, sa.and_(key == after.key, entities.c.id > after.id)))
    return statement.order_by(order_by, entities.c.id)


def _names_array() -> sa.ScalarSelect[Any]:
    """All names of the entity as `[[name, kind, language], …]`, in an order that no import decides."""
    one = sa.func.jsonb_build_array(names.c.name, names.c.kind, names.c.language)
    array = _json_array(one, sa.collate(names.c.name, "C"), names.c.id)
    return (
        sa.select(sa.func.coalesce(array, sa.literal_column("'[]'::jsonb", pg.JSONB)))
        .where(names.c.entity_id == entities.c.id)
        .correlate(entities)
        .scalar_subquery()
    )


def _external_ids_array() -> sa.ScalarSelect[Any]:
    """All external ids of the entity as `[[source, kind, external_id], …]`."""
    columns = (external_ids.c.source, external_ids.c.kind, external_ids.c.external_id)
    array = _json_array(sa.func.jsonb_build_array(*columns), *columns)
    return (
        sa.select(sa.func.coalesce(array, sa.literal_column("'[]'::jsonb", pg.JSONB)))
        .where(external_ids.c.entity_id == entities.c.id)
        .correlate(entities)
        .scalar_subquery()
    )


def _conflicts_array() -> sa.ScalarSelect[Any]:
    """Where sources contradict each other about the entity, as `[[field, source, value, is_shown], …]`."""
    columns = value_conflicts.c
    one = sa.func.jsonb_build_array(columns.field, columns.source, columns.value, columns.is_shown)
    array = _json_array(one, columns.field, columns.is_shown.desc(), columns.source)
    return (
        sa.select(sa.func.coalesce(array, sa.literal_column("'[]'::jsonb", pg.JSONB)))
        .where(columns.entity_id == entities.c.id)
        .correlate(entities)
        .scalar_subquery()
    )


def _json_array(value: sa.ColumnElement[Any], *order: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return sa.func.jsonb_agg(pg.aggregate_order_by(value, *order), type_=pg.JSONB)


def _cards(entity_type: EntityType) -> sa.Select[*tuple[Any, ...]]:
    """Entities of one type with names, external ids, conflicts and details; no condition and no order yet."""
    details = DETAIL_TABLES[entity_type]
    return sa.select(
        entities.c.id,
        entities.c.entity_type,
        entities.c.name,
        entities.c.version,
        entities.c.updated_at,
        entities.c.popularity,
        entities.c.popularity_count,
        entities.c.extra,
        _names_array().label("names"),
        _external_ids_array().label("external_ids"),
        _conflicts_array().label("conflicts"),
        *(column for column in details.c if column.name not in LEFT_OUT),
    ).join_from(entities, details, details.c.id == entities.c.id)


_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))
_ASKED = sa.func.unnest(_IDS).table_valued(sa.column("id", pg.UUID(as_uuid=True))).render_derived(name="asked")

_LIVING = (
    sa.select(_ASKED.c.id.label("asked"), entities.c.id, entities.c.entity_type)
    .select_from(_ASKED)
    .outerjoin(redirects, redirects.c.from_id == _ASKED.c.id)
    .join(entities, entities.c.id == sa.func.coalesce(redirects.c.to_id, _ASKED.c.id))
    .order_by(_ASKED.c.id)
)
_CARDS_BY_ID = {
    entity_type: _cards(entity_type).where(entities.c.id == sa.any_(_IDS)).order_by(entities.c.id)
    for entity_type in EntityType
}


def _conditions(entity_type: EntityType, filters: EntityFilters) -> list[sa.ColumnElement[bool]]:
    table = DETAIL_TABLES[entity_type]

    def column(field: str, name: str) -> sa.ColumnElement[Any]:
        if name not in table.c:
            raise UnsupportedFilter(field, entity_type)
        return table.c[name]

    conditions: list[sa.ColumnElement[bool]] = []
    for field in ("season", "format", "status", "source"):
        value = getattr(filters, field)
        if value is not None:
            conditions.append(column(field, field) == value.value)
    if filters.first_year is not None:
        conditions.append(column("first_year", "year") >= sa.literal(filters.first_year, sa.Integer))
    if filters.last_year is not None:
        conditions.append(column("last_year", "year") <= sa.literal(filters.last_year, sa.Integer))
    if filters.min_score is not None:
        conditions.append(column("min_score", "score") >= filters.min_score)
    return conditions + _genre_conditions(entity_type, filters) + _link_conditions(entity_type, filters)


def _genre_conditions(entity_type: EntityType, filters: EntityFilters) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if filters.genres_any or filters.genres_all or filters.genres_none:
        table = DETAIL_TABLES[entity_type]
        if "genres" not in table.c:
            raise UnsupportedFilter("genres", entity_type)
        genres = sa.type_coerce(table.c.genres, pg.ARRAY(sa.Text))
        if filters.genres_any:
            conditions.append(genres.overlap(list(filters.genres_any)))
        if filters.genres_all:
            conditions.append(genres.contains(list(filters.genres_all)))
        if filters.genres_none:
            # A work without genres is one whose genres are not known.
            conditions += [sa.func.cardinality(genres) > 0, ~genres.overlap(list(filters.genres_none))]
    return conditions


def _link_conditions(entity_type: EntityType, filters: EntityFilters) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if filters.anime_id is not None:
        if entity_type is EntityType.EPISODE:
            conditions.append(episodes.c.anime_id == filters.anime_id)
        elif entity_type is EntityType.CHARACTER:
            conditions.append(_linked(appearances.c.character_id, appearances.c.work_id, filters.anime_id))
        else:
            raise UnsupportedFilter("anime_id", entity_type)
    is_work = entity_type in (EntityType.ANIME, EntityType.MANGA)
    for field, table, key in (("studio_id", studio_credits, "studio_id"), ("person_id", staff_credits, "person_id")):
        value: UUID | None = getattr(filters, field)
        if value is not None:
            if not is_work:
                raise UnsupportedFilter(field, entity_type)
            conditions.append(_linked(table.c.work_id, table.c[key], value))
    return conditions


def _linked(entity: sa.Column[Any], other: sa.Column[Any], other_id: UUID) -> sa.ColumnElement[bool]:
    return sa.exists().where(entity == entities.c.id, other == other_id)
