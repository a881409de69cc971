"""Pictures of entities as vectors; the pictures themselves are not kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.catalogue import entities
from datastore.postgres.metadata import METADATA, now_column
from datastore.vocabulary import EntityType

entity_pictures = sa.Table(
    "entity_pictures",
    METADATA,
    sa.Column("entity_id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    # The short hash of the model that made the vector: those of two models can't be compared.
    sa.Column("model", sa.Text, nullable=False),
    # Of the file's bytes: the same picture again changes nothing.
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("vector", pg.ARRAY(sa.REAL), nullable=False),
    now_column("updated_at"),
)


@dataclass(frozen=True, slots=True)
class EntityPicture:
    """The picture of one entity. `digest` is of the file that it came in."""

    entity_id: UUID
    digest: str
    vector: Sequence[float]


async def read_pictures(conn: AsyncConnection, ids: Sequence[UUID], *, model: str) -> dict[UUID, EntityPicture]:
    """The pictures of these entities as this model sees them, by entity; others are missing."""
    statement = sa.select(entity_pictures.c.entity_id, entity_pictures.c.digest, entity_pictures.c.vector).where(
        entity_pictures.c.entity_id.in_(ids), entity_pictures.c.model == model
    )
    rows = await conn.execute(statement)
    return {row.entity_id: EntityPicture(row.entity_id, row.digest, row.vector) for row in rows}


async def count_pictures(conn: AsyncConnection, *, model: str) -> Mapping[EntityType, int]:
    """How many entities of each type have a picture that this model has seen; types without one are missing."""
    statement = (
        sa.select(entities.c.entity_type, sa.func.count())
        .join(entity_pictures, entity_pictures.c.entity_id == entities.c.id)
        .where(entity_pictures.c.model == model)
        .group_by(entities.c.entity_type)
    )
    return {EntityType(row[0]): row[1] for row in await conn.execute(statement)}


async def write_pictures(conn: AsyncConnection, pictures: Sequence[EntityPicture], *, model: str) -> list[UUID]:
    """Store these pictures, each in place of its entity's older one; the entities whose picture is another now."""
    if not pictures:
        return []
    insert = pg.insert(entity_pictures)
    statement = insert.on_conflict_do_update(
        index_elements=[entity_pictures.c.entity_id],
        set_={name: insert.excluded[name] for name in ("model", "digest", "vector")} | {"updated_at": sa.func.now()},
        where=sa.or_(
            entity_pictures.c.model != insert.excluded.model, entity_pictures.c.digest != insert.excluded.digest
        ),
    ).returning(entity_pictures.c.entity_id)
    values = [
        {"entity_id": each.entity_id, "model": model, "digest": each.digest, "vector": list(each.vector)}
        for each in pictures
    ]
    return list((await conn.scalars(statement.values(values))).all())


async def move_picture(conn: AsyncConnection, *, kept: UUID, gone: UUID) -> None:
    """Let the entity that stays of two have the other's picture, unless it has one of its own."""
    own = sa.exists().where(entity_pictures.c.entity_id == kept)
    await conn.execute(
        sa.update(entity_pictures).where(entity_pictures.c.entity_id == gone, ~own).values(entity_id=kept)
    )
