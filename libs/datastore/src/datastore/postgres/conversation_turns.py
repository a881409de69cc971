"""Reads and writes of sessions and their turns; a session is seen by its principal only."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.conversations import sessions, turns


async def owner_of(connection: AsyncConnection, session_id: UUID) -> str | None:
    """The principal of a session that has not expired; None when there is none."""
    statement = sa.select(sessions.c.principal).where(
        sessions.c.id == session_id, sessions.c.expires_at > sa.func.now()
    )
    return await connection.scalar(statement)


async def read_turns(connection: AsyncConnection, session_id: UUID, *, limit: int) -> Sequence[Mapping[str, Any]]:
    """The stored responses of the last `limit` turns, oldest first."""
    statement = (
        sa.select(turns.c.response)
        .where(turns.c.session_id == session_id)
        .order_by(turns.c.position.desc())
        .limit(limit)
    )
    return list(reversed((await connection.scalars(statement)).all()))


async def take_session(connection: AsyncConnection, session_id: UUID, principal: str, *, keep: timedelta) -> bool:
    """Make the session if nobody has it, and keep it for `keep` from now; False when somebody else has it.

    The session's row stays locked until the transaction ends, so that its turns are numbered one after the other.
    Sessions that have expired are removed first.
    """
    await connection.execute(sessions.delete().where(sessions.c.expires_at <= sa.func.now()))
    expires_at = sa.func.now() + sa.literal(keep)
    fresh = pg.insert(sessions).values(id=session_id, principal=principal, expires_at=expires_at)
    statement = fresh.on_conflict_do_update(
        index_elements=[sessions.c.id],
        set_={"updated_at": sa.func.now(), "expires_at": fresh.excluded.expires_at},
        where=sessions.c.principal == fresh.excluded.principal,
    ).returning(sessions.c.id)
    return await connection.scalar(statement) is not None


async def append_turn(
    connection: AsyncConnection,
    session_id: UUID,
    *,
    query: str,
    response: Mapping[str, Any],
    trace_id: UUID,
    keep_turns: int,
) -> None:
    """Add a turn to a session that `take_session` has locked; only the last `keep_turns` stay."""
    last = sa.select(sa.func.coalesce(sa.func.max(turns.c.position), 0)).where(turns.c.session_id == session_id)
    position = (await connection.scalar(last) or 0) + 1
    row = {"id": uuid4(), "session_id": session_id, "position": position, "query": query}
    await connection.execute(turns.insert().values(**row, response=response, trace_id=trace_id))
    old = turns.c.position <= position - keep_turns
    await connection.execute(turns.delete().where(turns.c.session_id == session_id, old))
