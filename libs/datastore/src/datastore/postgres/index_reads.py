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
from datastore.postgres.pictures import entity_pictures, read_pictures
from datastore.vocabulary import WORK_TYPES, EntityType

_DIGEST_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class IndexCard:
    """An entity as the index needs it. `studios` are names; `work_ids` the works it belongs to or appears in.

    `image` is the vector of its picture, where there is one and the index has room for it.
    """

    card: EntityCard
    content_hash: str
    studios: tuple[str, ...] = ()
    work_ids: tuple[UUID, ...] = ()
    image: tuple[float, ...] | None = None


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
    conn: AsyncConnection, entity_type: EntityType, ids: Sequence[UUID], *, image_model: str = ""
) -> dict[UUID, IndexCard]:
    """Cards of entities of one type, in at most four statements; those of no such entity are missing.

    `image_model` is the short hash of the model whose vectors of pictures are wanted; none without it.
    Redirects are not followed: a merged entity has no point of its own. One snapshot is needed for a consistent card.
    """
    cards = await read_cards_of(conn, entity_type, ids)
    if not cards:
        return {}
    found = {"ids": list(cards)}
    hashes = {row.id: row.content_hash for row in await conn.execute(_HASHES, found)}
    studios = await _grouped(conn, _STUDIOS, found) if entity_type in WORK_TYPES else {}
    works = await _grouped(conn, _WORKS_OF[entity_type], found) if entity_type in _WORKS_OF else {}
    pictures = await read_pictures(conn, list(cards), model=image_model) if image_model else {}
    return {
        each: IndexCard(
            card,
            _hash_with(hashes[each], picture.digest) if (picture := pictures.get(each)) else hashes[each],
            studios.get(each, ()),
            works.get(each, ()),
            tuple(picture.vector) if picture else None,
        )
        for each, card in cards.items()
    }


def _hash_with(content_hash: str, digest: str) -> str:
    """The hash of what the index holds of an entity with a picture; `read_stamps` makes the same in SQL."""
    return f"{content_hash}+{digest[:_DIGEST_CHARACTERS]}"


async def _grouped(
    conn: AsyncConnection, statement: sa.Select[*tuple[Any, ...]], parameters: dict[str, list[UUID]]
) -> dict[UUID, tuple[Any, ...]]:
    values: dict[UUID, tuple[Any, ...]] = {}
    for row in await conn.execute(statement, parameters):
        values[row.id] = (*values.get(row.id, ()), row.value)
    return values


async def read_stamps(
    conn: AsyncConnection, entity_type: EntityType, *, after: UUID | None, limit: int, image_model: str = ""
) -> list[EntityStamp]:
    """Stamps of one type in ascending order of id, from behind `after` on; with pictures where a model is named."""
    picture = sa.literal("+") + sa.func.left(entity_pictures.c.digest, _DIGEST_CHARACTERS)
    content_hash = entities.c.content_hash + sa.func.coalesce(picture, "") if image_model else entities.c.content_hash
    statement = (
        sa.select(entities.c.id, entities.c.version, content_hash.label("content_hash"))
        .where(entities.c.entity_type == entity_type)
        .order_by(entities.c.id)
        .limit(limit)
    )
    if after is not None:
        statement = statement.where(entities.c.id > after)
    if image_model:
        is_its_picture = (entity_pictures.c.entity_id == entities.c.id) & (entity_pictures.c.model == image_model)
        statement = statement.outerjoin_from(entities, entity_pictures, is_its_picture)
    return [EntityStamp(row.id, row.version, row.content_hash) for row in await conn.execute(statement)]
