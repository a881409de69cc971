"""The outbox as a work list: rows are claimed by state, finished, put back, or set aside with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.outbox import OutboxOperation, OutboxState, outbox
from sqlalchemy.ext.asyncio import AsyncConnection

_MAX_RECLAIMED = 1_000
_MAX_ERROR_LENGTH = 500

_OPEN = (OutboxState.PENDING.value, OutboxState.CLAIMED.value)


@dataclass(frozen=True, slots=True)
class ClaimedRow:
    """One outbox row in this worker's hands. `attempts` counts failures so far."""

    id: int
    entity_id: UUID
    entity_type: str
    attempts: int


@dataclass(frozen=True, slots=True)
class IndexTask:
    """Something the index has to be told about an entity again."""

    entity_id: UUID
    entity_type: str
    version: int
    operation: OutboxOperation


async def reclaim_expired(conn: AsyncConnection, *, lease_seconds: float) -> int:
    """Put back rows whose worker has not been heard of for the lease; returns how many."""
    expired = (
        sa.select(outbox.c.id)
        .where(outbox.c.state == OutboxState.CLAIMED, outbox.c.claimed_at < _ago(lease_seconds))
        .order_by(outbox.c.id)
        .limit(_MAX_RECLAIMED)
        .with_for_update(skip_locked=True)
    )
    reclaimed = await conn.execute(
        sa.update(outbox).where(outbox.c.id.in_(expired)).values(state=OutboxState.PENDING, claimed_by=None)
    )
    return reclaimed.rowcount


async def claim(conn: AsyncConnection, *, worker: str, limit: int, retry_seconds: float) -> list[ClaimedRow]:
    """Take up to `limit` waiting rows, oldest first; rows that another worker is taking are passed over.

    A row that failed waits `retry_seconds` for each failure before it is taken again.
    """
    is_due = sa.or_(
        outbox.c.attempts == 0,
        outbox.c.claimed_at < sa.func.now() - outbox.c.attempts * sa.literal(timedelta(seconds=retry_seconds)),
    )
    waiting = (
        sa.select(outbox.c.id)
        .where(outbox.c.state == OutboxState.PENDING, is_due)
        .order_by(outbox.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = await conn.execute(
        sa.update(outbox)
        .where(outbox.c.id.in_(waiting))
        .values(state=OutboxState.CLAIMED, claimed_by=worker, claimed_at=sa.func.now())
        .returning(outbox.c.id, outbox.c.entity_id, outbox.c.entity_type, outbox.c.attempts)
    )
    rows = [ClaimedRow(row.id, row.entity_id, row.entity_type, row.attempts) for row in claimed]
    return sorted(rows, key=lambda row: row.id)


async def finish(conn: AsyncConnection, rows: Sequence[ClaimedRow], *, worker: str) -> None:
    """These rows are in the index. A row that was taken over meanwhile is left to its new worker."""
    await conn.execute(_mine(rows, worker).values(state=OutboxState.DONE, done_at=sa.func.now(), error=None))


async def hold(conn: AsyncConnection, *, worker: str) -> None:
    """This worker is busy with the rows in its hands: their lease begins anew."""
    is_mine = (outbox.c.claimed_by == worker) & (outbox.c.state == OutboxState.CLAIMED)
    await conn.execute(sa.update(outbox).where(is_mine).values(claimed_at=sa.func.now()))


async def put_back(conn: AsyncConnection, rows: Sequence[ClaimedRow], *, worker: str) -> None:
    """These rows could not be tried: they wait again, and no failure is counted."""
    await conn.execute(_mine(rows, worker).values(state=OutboxState.PENDING, claimed_by=None))


async def record_failure(
    conn: AsyncConnection, rows: Sequence[ClaimedRow], *, worker: str, reason: str, max_attempts: int
) -> int:
    """Count a failure of these rows and set aside those that failed too often; returns how many were set aside."""
    attempts = outbox.c.attempts + 1
    is_last = attempts >= max_attempts
    failed = await conn.execute(
        _mine(rows, worker)
        .values(
            state=sa.case((is_last, OutboxState.DEAD.value), else_=OutboxState.PENDING.value),
            attempts=attempts,
            error=reason[:_MAX_ERROR_LENGTH],
            claimed_by=None,
            claimed_at=sa.func.now(),
        )
        .returning(outbox.c.state)
    )
    return sum(row.state == OutboxState.DEAD for row in failed)


async def count_open(conn: AsyncConnection) -> int:
    """How many rows wait or are in a worker's hands."""
    return (
        await conn.execute(sa.select(sa.func.count()).select_from(outbox).where(outbox.c.state.in_(_OPEN)))
    ).scalar_one()


async def open_entities(conn: AsyncConnection, ids: Sequence[UUID]) -> frozenset[UUID]:
    """Those of the entities that have an open row: the index is still on its way there."""
    statement = sa.select(outbox.c.entity_id).where(outbox.c.state.in_(_OPEN), outbox.c.entity_id.in_(ids)).distinct()
    return frozenset((await conn.execute(statement)).scalars())


async def append_tasks(conn: AsyncConnection, tasks: Sequence[IndexTask]) -> None:
    """Add rows to the outbox."""
    if tasks:
        await conn.execute(
            sa.insert(outbox),
            [
                {
                    "entity_id": task.entity_id,
                    "entity_type": task.entity_type,
                    "version": task.version,
                    "operation": task.operation.value,
                }
                for task in tasks
            ],
        )


def _ago(seconds: float) -> sa.ColumnElement[object]:
    return sa.func.now() - sa.literal(timedelta(seconds=seconds))


def _mine(rows: Sequence[ClaimedRow], worker: str) -> sa.Update:
    return sa.update(outbox).where(
        outbox.c.id.in_([row.id for row in rows]),
        outbox.c.claimed_by == worker,
        outbox.c.state == OutboxState.CLAIMED,
    )
