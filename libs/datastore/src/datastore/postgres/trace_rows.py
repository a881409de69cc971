"""Reads and writes of traces; a trace is seen by its principal only, and by nobody once it has expired."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.traces import traces

_SUMMARY = (
    traces.c.id,
    traces.c.request_id,
    traces.c.principal,
    traces.c.started_at,
    traces.c.ms,
    traces.c.status,
    traces.c.reason,
    traces.c.has_text,
    traces.c.query,
    traces.c.usage,
)


def insert_statement() -> pg.Insert:
    """One trace of the parameters `new_…`; one that is there already stays.

    The same text for any number of traces: rows within a statement would have it made anew each time.
    """
    document = sa.cast(sa.bindparam("new_document", type_=sa.Text), pg.JSONB)
    expires_at = sa.func.now() + sa.bindparam("new_keep", type_=sa.Interval)
    summary: dict[str, sa.BindParameter[Any]] = {column.name: sa.bindparam(f"new_{column.name}") for column in _SUMMARY}
    return pg.insert(traces).values(**summary, document=document, expires_at=expires_at).on_conflict_do_nothing()


def list_statement(principal: str, *, limit: int, before: UUID | None) -> sa.Select[*tuple[Any, ...]]:
    """Summaries of a principal's last traces, newest first; with `before` those older than that trace."""
    statement = sa.select(*_SUMMARY).where(traces.c.principal == principal, traces.c.expires_at > sa.func.now())
    if before is not None:
        known = traces.alias("known")
        older = (
            sa.select(known.c.started_at, known.c.id)
            .where(known.c.id == before, known.c.principal == principal)
            .scalar_subquery()
        )
        statement = statement.where(sa.tuple_(traces.c.started_at, traces.c.id) < older)
    return statement.order_by(traces.c.started_at.desc(), traces.c.id.desc()).limit(limit)


def get_statement(trace_id: UUID, principal: str) -> sa.Select[*tuple[Any, ...]]:
    """One trace with its document."""
    return sa.select(*_SUMMARY, traces.c.document).where(
        traces.c.id == trace_id, traces.c.principal == principal, traces.c.expires_at > sa.func.now()
    )


def purge_statement() -> sa.Delete:
    """Remove what has expired."""
    return traces.delete().where(traces.c.expires_at <= sa.func.now())


async def store_traces(connection: AsyncConnection, rows: Sequence[Mapping[str, Any]], *, keep: timedelta) -> None:
    """Store traces for `keep` from now: rows with the columns of a summary, and `document`, which is JSON text."""
    given = [{f"new_{name}": value for name, value in row.items()} | {"new_keep": keep} for row in rows]
    await connection.execute(insert_statement(), given)


async def purge_traces(connection: AsyncConnection) -> int:
    """Remove the traces that have expired; how many they were."""
    return (await connection.execute(purge_statement())).rowcount


async def list_traces(
    connection: AsyncConnection, principal: str, *, limit: int, before: UUID | None
) -> Sequence[Mapping[str, Any]]:
    """Summaries of a principal's last traces, newest first; with `before` those older than that trace."""
    rows = await connection.execute(list_statement(principal, limit=limit, before=before))
    return [{str(name): value for name, value in row.items()} for row in rows.mappings()]


async def read_trace(connection: AsyncConnection, trace_id: UUID, principal: str) -> Mapping[str, Any] | None:
    """One trace with its document; None for an unknown one, another's and one that has expired."""
    row = (await connection.execute(get_statement(trace_id, principal))).mappings().first()
    return None if row is None else {str(name): value for name, value in row.items()}
