"""What the vector index is made from: cards with what stands in other tables, and stamps to compare it with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.catalogue import appearances, entities, episodes, studio_credits
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards_of
from datastore.vocabulary import WORK_TYPES, EntityType


@dataclass(frozen=True, slots=True)
class IndexCard:
    """An entity as the index needs it. `studios` are names; `work_ids` the works it belongs to or appears in."""

    card: EntityCard
    content_hash: str
    studios: tuple[str, ...] = ()
    work_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityStamp:
    """Which state of an entity the catalogue holds."""

    id: UUID
    version: int
    content_hash: str


_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))
_HASHES = sa.select(entities.c.id, entities.c.content_hash).where(entities.c.id == sa.any_(_IDS))
_STUDIOS = (
    sa.select(studio_credits.c.work_id.label("id"), entities.c.name.label("value"))
    .join(entities, entities.c.id == studio_credits.c.studio_id)
    .where(studio_credits.c.work_id == sa.any_(_IDS))
    .order_by(studio_credits.c.work_id, studio_credits.c.is_main.desc(), entities.c.name)
)
_APPEARANCES = (
    sa.select(appearances.c.character_id.label("id"), appearances.c.work_id.label("value"))
    .where(appearances.c.character_id == sa.any_(_IDS))
    .order_by(appearances.c.character_id, appearances.c.work_id)
)
_EPISODE_WORKS = (
    sa.select(episodes.c.id, episodes.c.anime_id.label("value"))
    .where(episodes.c.id == sa.any_(_IDS))
    .order_by(episodes.c.id)
)
_WORKS_OF = {EntityType.CHARACTER: _APPEARANCES, EntityType.EPISODE: _EPISODE_WORKS}


async def read_index_cards(
    conn: AsyncConnection, entity_type: EntityType, ids: Sequence[UUID]
) -> dict[UUID, IndexCard]:
    """Cards of entities of one type, in at most three statements; those of no such entity are missing.

    Redirects are not followed: a merged entity has no point of its own. One snapshot is needed for a consistent card.
    """
    cards = await read_cards_of(conn, entity_type, ids)
    if not cards:
        return {}
    found = {"ids": list(cards)}
    hashes = {row.id: row.content_hash for row in await conn.execute(_HASHES, found)}
    studios = await _grouped(conn, _STUDIOS, found) if entity_type in WORK_TYPES else {}
    works = await _grouped(conn, _WORKS_OF[entity_type], found) if entity_type in _WORKS_OF else {}
    return {
        each: IndexCard(card, hashes[each], studios.get(each, ()), works.get(each, ())) for each, card in cards.items()
    }


async def _grouped(
    conn: AsyncConnection, statement: sa.Select[*tuple[Any, ...]], parameters: dict[str, list[UUID]]
) -> dict[UUID, tuple[Any, ...]]:
    values: dict[UUID, tuple[Any, ...]] = {}
    for row in await conn.execute(statement, parameters):
        values[row.id] = (*values.get(row.id, ()), row.value)
    return values


async def read_stamps(
    conn: AsyncConnection, entity_type: EntityType, *, after: UUID | None, limit: int
) -> list[EntityStamp]:
    """Stamps of one type in ascending order of id, from behind `after` on."""
    statement = (
        sa.select(entities.c.id, entities.c.version, entities.c.content_hash)
        .where(entities.c.entity_type == entity_type)
        .order_by(entities.c.id)
        .limit(limit)
    )
    if after is not None:
        statement = statement.where(entities.c.id > after)
    return [EntityStamp(row.id, row.version, row.content_hash) for row in await conn.execute(statement)]
