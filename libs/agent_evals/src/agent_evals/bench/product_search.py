"""The product's search lane as its users meet it: prepared statements on a pool of its own, one call a text."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
from datastore.postgres.engine import PostgresOptions
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import NameHit, search_names

_STATEMENT_MS = 60_000
_APPLICATION = "enishi-bench-search"


class ProductSearch:
    """Made by `open_product_search`."""

    def __init__(self, pool: HotPool, positions: dict[UUID, int], backend_pid: int) -> None:
        self._pool = pool
        self._positions = positions
        self.backend_pid = backend_pid

    async def search(self, query: str, limit: int) -> list[NameHit]:
        """The first page."""
        return await search_names(self._pool, query, limit=limit)

    async def positions(self, query: str, limit: int) -> list[int]:
        """The first page, as positions in the invented catalogue."""
        return [self._positions[hit.entity_id] for hit in await self.search(query, limit)]


@asynccontextmanager
async def open_product_search(dsn: str, ids: tuple[UUID, ...]) -> AsyncGenerator[ProductSearch]:
    """A search lane of one connection."""
    pool = HotPool(
        PostgresOptions(
            dsn=dsn,
            pool_min_size=1,
            pool_max_size=1,
            statement_timeout_ms=_STATEMENT_MS,
            application_name=_APPLICATION,
        )
    )
    try:
        await pool.warm()
        yield ProductSearch(pool, {each: place for place, each in enumerate(ids)}, await _backend_pid(dsn))
    finally:
        await pool.close()


async def _backend_pid(dsn: str) -> int:
    """The server process behind the pool's one connection."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start DESC LIMIT 1",
            _APPLICATION,
        )
    finally:
        await connection.close()
