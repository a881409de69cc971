"""The product's search lane as its users meet it: prepared statements on a pool of its own, one call a text."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

from datastore.name_hits import NameHit
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import search_names

from agent_evals.bench.product_pool import open_product_pool


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
    async with open_product_pool(dsn, "search") as (pool, backend_pid):
        yield ProductSearch(pool, {each: place for place, each in enumerate(ids)}, backend_pid)
