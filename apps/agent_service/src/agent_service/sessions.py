"""Sessions in PostgreSQL: the one thing that the agent writes."""

from datetime import timedelta
from uuid import UUID

from agent_core.errors import SessionNotFound, SourceUnavailable
from agent_core.turns import PastTurn
from datastore.errors import DatabaseUnavailable
from datastore.postgres.conversation_turns import append_turn, owner_of, read_turns, take_session
from datastore.postgres.engine import ReadWriteEngine

SHOWN_TURNS = 10
"""How many of a session's last turns a question is read with."""


class PostgresSessions:
    """The session store of the loop; see agent_core.protocols.SessionStore."""

    def __init__(self, engine: ReadWriteEngine, *, keep_days: int, keep_turns: int) -> None:
        self._engine = engine
        self._keep = timedelta(days=keep_days)
        self._keep_turns = keep_turns

    async def history(self, session_id: UUID, principal: str, *, timeout: float) -> tuple[PastTurn, ...]:
        """See SessionStore."""
        try:
            async with self._engine.begin(timeout) as connection:
                owner = await owner_of(connection, session_id)
                if owner is None:
                    return ()
                if owner != principal:
                    raise SessionNotFound
                stored = await read_turns(connection, session_id, limit=SHOWN_TURNS)
        except DatabaseUnavailable as exc:
            raise SourceUnavailable("postgresql", timed_out=exc.timed_out) from exc
        return tuple(PastTurn.model_validate(each) for each in stored)

    async def remember(
        self, session_id: UUID, principal: str, turn: PastTurn, *, trace_id: UUID, timeout: float
    ) -> None:
        """See SessionStore."""
        document = turn.model_dump(mode="json")
        try:
            async with self._engine.begin(timeout) as connection:
                if not await take_session(connection, session_id, principal, keep=self._keep):
                    raise SessionNotFound
                await append_turn(
                    connection,
                    session_id,
                    query=turn.question,
                    response=document,
                    trace_id=trace_id,
                    keep_turns=self._keep_turns,
                )
        except DatabaseUnavailable as exc:
            raise SourceUnavailable("postgresql", timed_out=exc.timed_out) from exc
