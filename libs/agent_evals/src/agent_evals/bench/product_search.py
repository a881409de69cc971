"""The product's search lane as its users meet it: a pooled read-only connection, one call a text."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only
from datastore.postgres.name_search import NameHit, search_names

_STATEMENT_MS = 60_000


class ProductSearch:
    """Made by `open_product_search`."""

    def __init__(self, engine: ReadOnlyEngine, positions: dict[UUID, int], backend_pid: int) -> None:
        self._engine = engine
        self._positions = positions
        self.backend_pid = backend_pid

    async def search(self, query: str, limit: int) -> list[NameHit]:
        """The first page."""
        async with self._engine.connect() as connection:
            return await search_names(connection, query, limit=limit)

    async def positions(self, query: str, limit: int) -> list[int]:
        """The first page, as positions in the invented catalogue."""
        return [self._positions[hit.entity_id] for hit in await self.search(query, limit)]


@asynccontextmanager
async def open_product_search(dsn: str, ids: tuple[UUID, ...]) -> AsyncGenerator[ProductSearch]:
    """A search lane of one connection."""
    engine = open_read_only(
        PostgresOptions(dsn=dsn, pool_min_size=1, pool_max_size=1, statement_timeout_ms=_STATEMENT_MS)
    )
    try:
        async with engine.connect() as connection:
            backend_pid = (await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one()
        yield ProductSearch(engine, {each: place for place, each in enumerate(ids)}, backend_pid)
    finally:
        await engine.close()
