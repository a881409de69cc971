"""Ended runs that a caller may come back to: their events, for a short while, seen by who asked only."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.metadata import METADATA

kept_runs = sa.Table(
    "kept_runs",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("principal", sa.Text, nullable=False),
    # Bytes of JSON: answers may hold zero bytes, which PostgreSQL's texts and documents can't.
    sa.Column("events", sa.LargeBinary, nullable=False),
    sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
    sa.Index("ix_kept_runs_principal_expires_at", "principal", "expires_at"),
    sa.Index("ix_kept_runs_expires_at", "expires_at"),
)


def insert_statement(run_id: UUID, principal: str, events: bytes, *, keep: timedelta) -> pg.Insert:
    """One run; one that is there already stays."""
    expires_at = sa.func.now() + sa.literal(keep)
    row = {"id": run_id, "principal": principal, "events": events, "expires_at": expires_at}
    return pg.insert(kept_runs).values(row).on_conflict_do_nothing()


def trim_statement(principal: str, *, most: int) -> sa.Delete:
    """Remove a principal's runs but for the `most` that end last."""
    older = (
        sa.select(kept_runs.c.id)
        .where(kept_runs.c.principal == principal)
        .order_by(kept_runs.c.expires_at.desc(), kept_runs.c.id)
        .offset(most)
    )
    return _removing(older)


def purge_statement() -> sa.Delete:
    """Remove what has expired."""
    return _removing(sa.select(kept_runs.c.id).where(kept_runs.c.expires_at <= sa.func.now()))


def get_statement(run_id: UUID, principal: str) -> sa.Select[*tuple[Any, ...]]:
    """The events of one run."""
    return sa.select(kept_runs.c.events).where(
        kept_runs.c.id == run_id, kept_runs.c.principal == principal, kept_runs.c.expires_at > sa.func.now()
    )


async def store_kept_run(
    connection: AsyncConnection, run_id: UUID, principal: str, events: bytes, *, keep: timedelta, most: int
) -> None:
    """Keep a run for `keep` from now, and of the principal's no more than `most`."""
    await connection.execute(insert_statement(run_id, principal, events, keep=keep))
    await connection.execute(trim_statement(principal, most=most))


async def purge_kept_runs(connection: AsyncConnection) -> int:
    """Remove runs that have expired; how many they were."""
    return (await connection.execute(purge_statement())).rowcount


async def read_kept_run(connection: AsyncConnection, run_id: UUID, principal: str) -> bytes | None:
    """The events of a run; None for an unknown one, another's and one that has expired."""
    return await connection.scalar(get_statement(run_id, principal))


def _removing(ids: sa.Select[*tuple[Any, ...]]) -> sa.Delete:
    # Rows that another process removes at this moment are left to it.
    return kept_runs.delete().where(kept_runs.c.id.in_(ids.with_for_update(skip_locked=True)))
