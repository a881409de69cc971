"""Writes where sources contradict each other, touching only what differs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import value_conflicts
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.merging import Disagreement
from ingestion.sequel_loops import LOOP_FIELD, SequelLoop

_Row = tuple[UUID, str, str, str, bool]
_COLUMNS: tuple[str, ...] = ("entity_id", "field", "source", "value", "is_shown")


async def write_conflicts(connection: AsyncConnection, wanted: Mapping[UUID, Sequence[Disagreement]]) -> None:
    """Make the stored contradictions of these entities exactly the wanted ones."""
    of_entities = value_conflicts.c.entity_id == sa.any_(sa.literal(list(wanted), pg.ARRAY(pg.UUID(as_uuid=True))))
    rows = {
        (entity, each.field, said.source, said.value, said is each.shown)
        for entity, disagreements in wanted.items()
        for each in disagreements
        for said in (each.shown, *each.others)
    }
    await _replace(connection, sa.and_(of_entities, value_conflicts.c.field != LOOP_FIELD), rows)


async def write_sequel_loops(connection: AsyncConnection, loops: Iterable[SequelLoop]) -> None:
    """Note at each work of a loop that its sequels lead back to it; loops that are gone are forgotten."""
    rows = {(work, LOOP_FIELD, loop.source, loop.text, True) for loop in loops for work in loop.works}
    await _replace(connection, value_conflicts.c.field == LOOP_FIELD, rows)


async def _replace(connection: AsyncConnection, scope: sa.ColumnElement[bool], wanted: set[_Row]) -> None:
    columns = [value_conflicts.c[name] for name in _COLUMNS]
    stored = {_row(row) for row in await connection.execute(sa.select(*columns).where(scope))}
    keys = [row[:3] for row in sorted(stored - wanted)]
    if keys:
        await connection.execute(value_conflicts.delete().where(sa.tuple_(*columns[:3]).in_(keys)))
    new: list[dict[str, Any]] = [dict(zip(_COLUMNS, row, strict=True)) for row in sorted(wanted - stored)]
    if new:
        await connection.execute(value_conflicts.insert(), new)


def _row(row: sa.Row[*tuple[UUID, str, str, str, bool]]) -> _Row:
    return (row[0], row[1], row[2], row[3], row[4])
