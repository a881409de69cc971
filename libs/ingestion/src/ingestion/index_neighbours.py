"""Which entities the index describes with the help of others."""

from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import appearances, studio_credits
from sqlalchemy.ext.asyncio import AsyncConnection


async def index_neighbours(connection: AsyncConnection, entity_ids: set[UUID]) -> set[UUID]:
    """Entities whose points in the index name one of these: works of a studio, characters of a work."""
    works = sa.select(studio_credits.c.work_id).where(studio_credits.c.studio_id.in_(entity_ids))
    characters = sa.select(appearances.c.character_id).where(appearances.c.work_id.in_(entity_ids))
    return {*await connection.scalars(works), *await connection.scalars(characters)} - entity_ids
