"""Statements that people wait for at every key they press, on a small pool of prepared connections of their own.

They are authored in Core and compiled once. A connection of the pool keeps its plans and its settings: nothing is asked
before a statement, and nothing reset after it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import asyncpg
import sqlalchemy as sa
from asyncpg.prepared_stmt import PreparedStatement
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler

from datastore.errors import DatabaseUnavailable
from datastore.grouping import Grouping, GroupLimits, TooManyWait
from datastore.postgres.array_text import writer_of
from datastore.postgres.engine import PostgresOptions, translating_postgres_errors

# The client waits this much longer than the server's own statement time-out before it gives up by itself.
_CLIENT_GRACE_SECONDS = 0.5
_LOOK_SECONDS = 0.25
_ABANDONED_CLIENT_CHECK = "250ms"


class Row(Protocol):
    """One row of a result, by column name."""

    def __getitem__(self, column: str, /) -> Any:
        """The value of a column."""
        ...


class HotStatement:
    """A statement with named parameters, compiled once, when it is first used, for both ways to run it."""

    def __init__(self, statement: sa.Select[*tuple[Any, ...]]) -> None:
        self.statement = statement

    @cached_property
    def text(self) -> str:
        """What the driver is given."""
        return str(self._compiled)

    def arguments(self, parameters: Mapping[str, object]) -> list[object]:
        """The values in the order of the text. Raises KeyError when one is missing."""
        fixed, order = self._binds
        given = {**fixed, **parameters} if fixed else parameters
        return [given[name] if write is None else write(given[name]) for name, write in order]

    @cached_property
    def _compiled(self) -> SQLCompiler:
        return self.statement.compile(dialect=dialect())

    @cached_property
    def _binds(self) -> tuple[dict[str, object], tuple[tuple[str, Callable[[Any], object] | None], ...]]:
        """The parameters that are known already, and all names in order with what writes their values."""
        order: Sequence[str] = getattr(self._compiled, "positiontup", None) or ()
        params, binds = self._compiled.params, self._compiled.binds
        fixed = {name: params[name] for name in order if params[name] is not None}
        return fixed, tuple((name, writer_of(binds[name].type)) for name in order)


class SharedStatement:
    """A statement that gives at most one row, and the same for many callers at once.

    `many` takes each parameter of `one` as a list, with `every_` before its name, and says in `place` which of them a
    row is for, from 1.
    """

    def __init__(self, one: HotStatement, many: HotStatement) -> None:
        self.one = one
        self.many = many


@dataclass(frozen=True, slots=True)
class Sharing:
    """Of callers that ask the same kind of question: how many one statement answers, how many wait for their turn."""

    together: int = 32
    waiting: int = 1_024


class HotPool:
    """A bounded pool of read-only connections. It connects on first use.

    `options.statement_timeout_ms` bounds each statement and `options.acquire_timeout_ms` the wait for a connection;
    `options.role` is the role of every connection. The server must be reached directly or by sessions: a pooler that
    gives each transaction another connection loses the prepared statements.

    The driver's own pool starts a task for each connection that comes back, which costs more than a hot statement; and
    its time-out sets a timer for each statement, a tenth of one. Here one look at all connections in use, a few times a
    second, ends those whose server doesn't keep to its own time-out.
    """

    def __init__(self, options: PostgresOptions, sharing: Sharing | None = None) -> None:
        self._options = options
        self._sharing = sharing or Sharing()
        self._room = asyncio.Semaphore(options.pool_max_size)
        self._idle: list[asyncpg.Connection] = []
        self._open: dict[asyncpg.Connection, dict[str, PreparedStatement]] = {}
        self._due: dict[asyncpg.Connection, float] = {}
        self._overdue: set[asyncpg.Connection] = set()
        self._next_look: asyncio.TimerHandle | None = None
        self._shared: dict[SharedStatement, Grouping[Mapping[str, object], Row | None]] = {}

    async def warm(self) -> None:
        """Open `options.pool_min_size` connections ahead of the first request. Raises DatabaseUnavailable."""
        with translating_postgres_errors():
            taken: list[asyncpg.Connection] = []
            try:
                for _ in range(self._options.pool_min_size):
                    taken.append(await self._take())
            finally:
                for connection in taken:
                    self._give_back(connection)

    async def close(self) -> None:
        """Hang up every connection. A pool that was closed opens again when it is used."""
        for connection in self._open:
            connection.terminate()
        self._open.clear()
        self._idle.clear()
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None

    async def fetch(self, statement: HotStatement, parameters: Mapping[str, object]) -> Sequence[Row]:
        """All rows of the statement, on a snapshot of its own. Raises DatabaseUnavailable."""
        arguments = statement.arguments(parameters)
        with translating_postgres_errors():
            connection = await self._take()
            self._watch(connection)
            try:
                return await self._fetch(connection, statement.text, arguments)
            except (TimeoutError, asyncio.CancelledError):
                # A polite cancellation could wait on a silent peer.
                connection.terminate()
                raise
            except asyncpg.InternalClientError as exc:
                # What the server said on an idle connection, that it ends, is still being read.
                connection.terminate()
                raise DatabaseUnavailable(timed_out=False) from exc
            except asyncpg.PostgresConnectionError as exc:
                if connection in self._overdue:
                    raise DatabaseUnavailable(timed_out=True) from exc
                raise
            finally:
                self._due.pop(connection, None)
                self._overdue.discard(connection)
                self._give_back(connection)

    def _watch(self, connection: asyncpg.Connection) -> None:
        loop = asyncio.get_running_loop()
        self._due[connection] = loop.time() + self._options.statement_timeout_ms / 1000 + _CLIENT_GRACE_SECONDS
        if self._next_look is None:
            self._next_look = loop.call_later(_LOOK_SECONDS, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what is overdue, and look again as long as anything is in use."""
        now = loop.time()
        for connection in [each for each, due in self._due.items() if due < now]:
            self._overdue.add(connection)
            connection.terminate()
        self._next_look = loop.call_later(_LOOK_SECONDS, self._look, loop) if self._due else None

    async def fetch_shared(self, statement: SharedStatement, parameters: Mapping[str, object]) -> Row | None:
        """The row of a statement, asked together with others while many ask. Raises DatabaseUnavailable."""
        grouping = self._shared.get(statement)
        if grouping is None:
            grouping = self._shared[statement] = self._grouping(statement)
        try:
            return await grouping.ask(parameters)
        except TooManyWait as exc:
            raise DatabaseUnavailable(timed_out=True) from exc

    def _grouping(self, statement: SharedStatement) -> Grouping[Mapping[str, object], Row | None]:
        async def alone(parameters: Mapping[str, object]) -> Row | None:
            rows = await self.fetch(statement.one, parameters)
            return rows[0] if rows else None

        async def together(group: Sequence[Mapping[str, object]]) -> list[Row | None]:
            lists = {f"every_{name}": [each[name] for each in group] for name in group[0]}
            found: list[Row | None] = [None] * len(group)
            for row in await self.fetch(statement.many, lists):
                found[row["place"] - 1] = row
            return found

        limits = GroupLimits(
            # Other statements find a connection, too.
            running=max(1, self._options.pool_max_size // 2),
            size=self._sharing.together,
            waiting=self._sharing.waiting,
            seconds=self._options.acquire_timeout_ms / 1000,
        )
        return Grouping(alone, together, limits, hopeless=DatabaseUnavailable)

    async def _fetch(self, connection: asyncpg.Connection, text: str, arguments: list[object]) -> Sequence[Row]:
        """The driver's own look for a prepared statement takes longer than this one."""
        prepared = self._open[connection]
        statement = prepared.get(text)
        if statement is None:
            statement = prepared[text] = await connection.prepare(text)
        try:
            return await statement.fetch(*arguments)
        except asyncpg.InvalidCachedStatementError:
            # A migration has changed what the statement gives. The driver knows how to begin anew.
            del prepared[text]
            return await connection.fetch(text, *arguments)

    async def _take(self) -> asyncpg.Connection:
        """An open connection that nobody else uses; the one used last, whose memory is warm."""
        if self._room.locked():
            async with asyncio.timeout(self._options.acquire_timeout_ms / 1000):
                await self._room.acquire()
        else:
            await self._room.acquire()
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            self._open.pop(connection, None)
        try:
            connection = await self._connect()
        except BaseException:
            self._room.release()
            raise
        self._open[connection] = {}
        return connection

    def _give_back(self, connection: asyncpg.Connection) -> None:
        if connection.is_closed():
            self._open.pop(connection, None)
        else:
            self._idle.append(connection)
        self._room.release()

    async def _connect(self) -> asyncpg.Connection:
        options = self._options
        settings = {
            "application_name": options.application_name,
            "statement_timeout": f"{options.statement_timeout_ms}ms",
            "client_connection_check_interval": _ABANDONED_CLIENT_CHECK,
            "default_transaction_read_only": "on",
            # A hot statement reads index ranges whatever its parameters are; planning it costs more than running it.
            "plan_cache_mode": "force_generic_plan",
            "jit": "off",
            "max_parallel_workers_per_gather": "0",
        }
        if options.role is not None:
            settings["role"] = options.role
        return await asyncpg.connect(
            options.dsn,
            # Every hot statement stays prepared, however long its text is.
            max_cached_statement_lifetime=0,
            max_cacheable_statement_size=0,
            timeout=options.acquire_timeout_ms / 1000,
            server_settings=settings,
        )


type NameSource = AsyncConnection | HotPool
"""Where a hot statement may run: in somebody's transaction, or fast."""


async def fetch_rows(source: NameSource, statement: HotStatement, parameters: Mapping[str, object]) -> Sequence[Row]:
    """All rows of the statement."""
    if isinstance(source, HotPool):
        return await source.fetch(statement, parameters)
    return (await source.execute(statement.statement, dict(parameters))).mappings().all()


async def fetch_shared(source: NameSource, statement: SharedStatement, parameters: Mapping[str, object]) -> Row | None:
    """The row of a statement that others may ask at the same time."""
    if isinstance(source, HotPool):
        return await source.fetch_shared(statement, parameters)
    rows = await fetch_rows(source, statement.one, parameters)
    return rows[0] if rows else None
