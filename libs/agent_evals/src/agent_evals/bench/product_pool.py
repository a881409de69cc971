"""The product's pool for hot statements with one connection, and the server process behind it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg
from datastore.postgres.engine import PostgresOptions
from datastore.postgres.hot import HotPool

STATEMENT_MS = 60_000
"""Longer than any product would wait: what is slow shall be seen."""


@asynccontextmanager
async def open_product_pool(dsn: str, purpose: str) -> AsyncGenerator[tuple[HotPool, int]]:
    """The pool and the process id of its one connection; `purpose` tells it from other pools."""
    application = f"enishi-bench-{purpose}"
    pool = HotPool(
        PostgresOptions(
            dsn=dsn,
            pool_min_size=1,
            pool_max_size=1,
            statement_timeout_ms=STATEMENT_MS,
            application_name=application,
        )
    )
    try:
        await pool.warm()
        yield pool, await _backend_pid(dsn, application)
    finally:
        await pool.close()


async def _backend_pid(dsn: str, application: str) -> int:
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start DESC LIMIT 1",
            application,
        )
    finally:
        await connection.close()
