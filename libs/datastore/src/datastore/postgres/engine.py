"""Two engines as two types: what is given a ReadOnlyEngine can't write, whatever it runs."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import sqlalchemy as sa
from sqlalchemy import exc as sa_errors
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from datastore.errors import DatabaseUnavailable

# The server looks this often whether a client that waits for a long statement is still there.
_ABANDONED_CLIENT_CHECK = "250ms"
# The client waits this much longer than the server's own statement time-out before it gives up by itself.
_CLIENT_GRACE_SECONDS = 0.5

# SQLSTATEs: statement cancelled by a time-out, lock not available in time.
_TIMED_OUT_STATES = frozenset({"57014", "55P03"})
# SQLSTATE classes: connection, authorisation, unknown database, too few resources, operator intervention, system error.
_UNAVAILABLE_CLASSES = frozenset({"08", "28", "3D", "53", "57", "58"})


@dataclass(frozen=True, slots=True)
class PostgresOptions:
    """How to reach PostgreSQL and how long to wait for it.

    `dsn` is libpq-style (`postgresql://…`; a unix socket's folder goes into `?host=`). `statement_timeout_ms` bounds
    each statement, `acquire_timeout_ms` getting a connection. With `role`, every transaction runs as that role.
    """

    dsn: str
    pool_min_size: int = 1
    pool_max_size: int = 10
    statement_timeout_ms: int = 2000
    acquire_timeout_ms: int = 2000
    application_name: str = "enishi"
    role: str | None = None


class _AbruptConnection(asyncpg.Connection):
    """A connection whose bounded close is immediate.

    SQLAlchemy closes a connection that it gave up with a time-out, seconds that its caller no longer has. The server
    notices by itself that nobody waits any more, see _ABANDONED_CLIENT_CHECK.
    """

    async def close(self, *, timeout: float | None = None) -> None:
        """Say goodbye when there is time without end, hang up otherwise."""
        if timeout is None:
            await super().close()
        else:
            self.terminate()


class _Translating:
    """A context that keeps nothing: one serves all, at a fraction of a generator's time."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, exc: BaseException | None, _traceback: object) -> None:
        timed_out = None if exc is None else _has_timed_out(exc)
        if timed_out is not None:
            raise DatabaseUnavailable(timed_out=timed_out) from exc


_TRANSLATING = _Translating()


def translating_postgres_errors() -> _Translating:
    """Raise DatabaseUnavailable where the driver says that PostgreSQL is away, slow or full; other errors pass."""
    return _TRANSLATING


def _has_timed_out(exc: BaseException) -> bool | None:
    """Whether what makes the database unavailable is time; None when it is something else that is wrong."""
    if isinstance(exc, (TimeoutError, sa_errors.TimeoutError)):
        return True
    if isinstance(exc, OSError):
        return False
    if isinstance(exc, (asyncpg.PostgresError, asyncpg.InterfaceError, sa_errors.DBAPIError)):
        state = _sqlstate(exc)
        if state in _TIMED_OUT_STATES:
            return True
        if state[:2] in _UNAVAILABLE_CLASSES or _lost_connection(exc):
            return False
    return None


def _sqlstate(exc: Exception) -> str:
    origin = exc.orig if isinstance(exc, sa_errors.DBAPIError) else exc
    state = getattr(origin, "sqlstate", None)
    return state if isinstance(state, str) else ""


def _lost_connection(exc: Exception) -> bool:
    """A value that the driver can't encode is an InterfaceError too, and the caller's mistake."""
    if isinstance(exc, sa_errors.DBAPIError):
        return exc.connection_invalidated
    return isinstance(exc, asyncpg.InterfaceError) and not isinstance(exc, ValueError)


class _Engine:
    """What both engine types share: a bounded pool, one deadline per use, and a hard end for what overran it."""

    def __init__(self, engine: AsyncEngine, options: PostgresOptions) -> None:
        self._engine = engine
        self._options = options

    async def warm(self) -> None:
        """Open `pool_min_size` connections ahead of the first request. Raises DatabaseUnavailable."""
        with translating_postgres_errors():
            opened = [await self._engine.connect() for _ in range(self._options.pool_min_size)]
            for connection in opened:
                await connection.close()

    async def close(self) -> None:
        """Close every pooled connection; connections in use are closed when they are given back."""
        await self._engine.dispose()

    @asynccontextmanager
    async def _transaction(self, timeout: float | None) -> AsyncGenerator[AsyncConnection]:
        with translating_postgres_errors():
            async with (
                asyncio.timeout(timeout) as deadline,
                self._engine.connect() as connection,
                connection.begin(),
            ):
                try:
                    await connection.execute(self._session_settings(deadline.when()))
                    yield connection
                except (TimeoutError, asyncio.CancelledError, GeneratorExit):
                    # Before the transaction ends: its polite rollback could wait on a silent peer.
                    await connection.invalidate()
                    raise

    def _session_settings(self, deadline: float | None) -> sa.Select[tuple[str, ...]]:
        """Settings for this transaction only, so that a transaction pooler in front changes nothing."""
        budget_ms = self._options.statement_timeout_ms
        if deadline is not None:
            left_ms = round((deadline - asyncio.get_running_loop().time()) * 1000)
            budget_ms = max(1, min(budget_ms, left_ms))
        settings = {
            "statement_timeout": f"{budget_ms}ms",
            "client_connection_check_interval": _ABANDONED_CLIENT_CHECK,
        }
        if self._options.role is not None:
            settings["role"] = self._options.role
        return sa.select(*(sa.func.set_config(name, value, True) for name, value in settings.items()))


class ReadOnlyEngine(_Engine):
    """Connections that only read: one consistent snapshot per use, refused writes. Made by `open_read_only`."""

    @asynccontextmanager
    async def connect(self, timeout: float | None = None) -> AsyncGenerator[AsyncConnection]:
        """A connection in a read-only transaction; `timeout` seconds bound getting it and everything done with it.

        Raises DatabaseUnavailable when PostgreSQL is away or the time is over.
        """
        async with self._transaction(timeout) as connection:
            yield connection


class ReadWriteEngine(_Engine):
    """Connections that write. Made by `open_read_write`."""

    @asynccontextmanager
    async def begin(self, timeout: float | None = None) -> AsyncGenerator[AsyncConnection]:
        """A transaction, committed when the block ends and rolled back when it raises.

        `timeout` seconds bound the whole block. Raises DatabaseUnavailable when PostgreSQL is away or the time is over.
        """
        async with self._transaction(timeout) as connection:
            yield connection


def open_read_only(options: PostgresOptions) -> ReadOnlyEngine:
    """An engine whose every transaction is READ ONLY on one snapshot; connects on first use."""
    engine = _create(options, isolation_level="REPEATABLE READ")
    return ReadOnlyEngine(engine.execution_options(postgresql_readonly=True), options)


def open_read_write(options: PostgresOptions) -> ReadWriteEngine:
    """An engine for writers; connects on first use."""
    return ReadWriteEngine(_create(options, isolation_level="READ COMMITTED"), options)


def _create(options: PostgresOptions, *, isolation_level: str) -> AsyncEngine:
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=_connector(options),
        isolation_level=isolation_level,
        pool_size=options.pool_max_size,
        max_overflow=0,
        pool_timeout=options.acquire_timeout_ms / 1000,
        # One round trip that spares every caller the first use of a connection whose server was restarted.
        pool_pre_ping=True,
        pool_use_lifo=True,
        hide_parameters=True,
    )


def _connector(options: PostgresOptions) -> Callable[[], Awaitable[asyncpg.Connection]]:
    """asyncpg reads the DSN itself, so that every form that it knows works."""

    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(
            options.dsn,
            timeout=options.acquire_timeout_ms / 1000,
            command_timeout=options.statement_timeout_ms / 1000 + _CLIENT_GRACE_SECONDS,
            server_settings={"application_name": options.application_name},
            connection_class=_AbruptConnection,
        )

    return connect
