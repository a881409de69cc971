"""The references that an export uses for entities: each entity's founding one, which its id was made from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import entity_id
from datastore.postgres.catalogue import external_ids, source_records
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class EntityReferences:
    """All references of an entity; `founding` makes the same id again wherever it is imported first."""

    founding: str
    all: frozenset[str]


async def read_references(connection: AsyncConnection, ids: Iterable[UUID]) -> dict[UUID, EntityReferences]:
    """The references of these entities, in one statement."""
    columns = external_ids.c
    statement = sa.select(columns.entity_id, columns.source, columns.kind, columns.external_id).where(
        columns.entity_id == _any_of(ids)
    )
    refs: dict[UUID, set[str]] = {}
    founding: dict[UUID, str] = {}
    for row in await connection.execute(statement):
        ref = f"{row.source}:{row.kind}:{row.external_id}"
        refs.setdefault(row.entity_id, set()).add(ref)
        if entity_id(row.source, row.kind, row.external_id) == row.entity_id:
            founding[row.entity_id] = ref
    return {each: EntityReferences(founding.get(each) or min(known), frozenset(known)) for each, known in refs.items()}


async def read_orphans(
    connection: AsyncConnection, references: Mapping[UUID, EntityReferences]
) -> dict[tuple[UUID, str], frozenset[str]]:
    """By entity and the first source that speaks of it: references that no source's record names any more."""
    columns = source_records.c
    statement = sa.select(
        columns.entity_id,
        columns.source,
        columns.record["ref"].astext.label("ref"),
        columns.record["external_ids"].label("external_ids"),
    ).where(columns.entity_id == _any_of(references))
    named: dict[UUID, set[str]] = {}
    first: dict[UUID, str] = {}
    for row in await connection.execute(statement):
        named.setdefault(row.entity_id, set()).update((row.ref, *(row.external_ids or ())))
        first[row.entity_id] = min(row.source, first.get(row.entity_id, row.source))
    return {
        (entity, source): orphans
        for entity, source in first.items()
        if (orphans := references[entity].all - named[entity])
    }


def _any_of(ids: Iterable[UUID]) -> sa.ColumnElement[Any]:
    return sa.any_(sa.literal(sorted(set(ids)), pg.ARRAY(pg.UUID(as_uuid=True))))
