"""Writes the names of entities and their search rows, touching only the names that differ."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import sqlalchemy as sa
from datastore.folding import name_entry
from datastore.postgres.catalogue import names
from datastore.postgres.name_index import index_names
from datastore.vocabulary import NameKind
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.merging import MergedName


async def write_names(connection: AsyncConnection, wanted: Mapping[UUID, Sequence[MergedName]]) -> None:
    """Make the stored names of these entities exactly the wanted ones. A name that stays keeps its row."""
    missing = {(entity, name) for entity, entity_names in wanted.items() for name in entity_names}
    superfluous: list[int] = []
    ids = sa.literal(list(wanted), pg.ARRAY(pg.UUID(as_uuid=True)))
    columns = names.c
    statement = sa.select(columns.id, columns.entity_id, columns.name, columns.kind, columns.language).where(
        columns.entity_id == sa.any_(ids)
    )
    for row in await connection.execute(statement):
        stored = (row.entity_id, MergedName(row.name, NameKind(row.kind), row.language))
        if stored in missing:
            missing.remove(stored)
        else:
            superfluous.append(row.id)
    if superfluous:
        await connection.execute(names.delete().where(names.c.id.in_(superfluous)))
    if missing:
        await _insert(connection, sorted(missing, key=lambda item: (item[0], item[1].kind, item[1].name)))


async def _insert(connection: AsyncConnection, new: Sequence[tuple[UUID, MergedName]]) -> None:
    rows = [
        {
            "entity_id": entity,
            "name": name.name,
            "kind": name.kind,
            "language": name.language,
            "folded": name_entry(name.name).folded,
        }
        for entity, name in new
    ]
    inserted = await connection.execute(names.insert().returning(names.c.id, names.c.name), rows)
    await index_names(connection, {row.id: row.name for row in inserted})
