"""Reads of the catalogue on hot statements, each within a time of its own."""

import asyncio
from collections.abc import Awaitable, Sequence
from uuid import UUID

from datastore.edges import EdgeType
from datastore.errors import DatabaseUnavailable
from datastore.postgres.entity_cards import CardExternalId, CardName
from datastore.postgres.entity_rows import (
    EntityRow,
    LinkRow,
    Living,
    fetch_external_ids,
    fetch_links,
    fetch_living,
    fetch_names,
    fetch_rows_of,
)
from datastore.postgres.hot import HotPool
from datastore.vocabulary import EntityType
from observability.attributes import BATCH_SIZE
from observability.tracing import span


class CatalogueReader:
    """One statement a call, none of which takes longer than `seconds`. All raise DatabaseUnavailable."""

    def __init__(self, pool: HotPool, *, seconds: float) -> None:
        self._pool = pool
        self._seconds = seconds

    async def living(self, ids: Sequence[UUID]) -> dict[UUID, Living]:
        """What each id leads to, redirects followed."""
        return await self._batch("living", ids, fetch_living(self._pool, ids))

    async def rows_of(self, entity_type: EntityType, ids: Sequence[UUID]) -> dict[UUID, EntityRow]:
        """Entities of one type, by id."""
        return await self._batch(entity_type, ids, fetch_rows_of(self._pool, entity_type, ids))

    async def names(self, ids: Sequence[UUID]) -> dict[UUID, tuple[CardName, ...]]:
        """All names of each entity."""
        return await self._batch("names", ids, fetch_names(self._pool, ids))

    async def external_ids(self, ids: Sequence[UUID]) -> dict[UUID, tuple[CardExternalId, ...]]:
        """All external ids of each entity."""
        return await self._batch("external_ids", ids, fetch_external_ids(self._pool, ids))

    async def links(
        self, ids: Sequence[UUID], edges: Sequence[EdgeType], *, first: int, offset: int, qualifier: str | None
    ) -> dict[UUID, list[LinkRow]]:
        """A page of the links of each entity."""
        links = fetch_links(self._pool, ids, edges, per_source=first, offset=offset, qualifier=qualifier)
        return await self._batch("links", ids, links)

    async def _batch[Result](self, what: str, ids: Sequence[UUID], read: Awaitable[Result]) -> Result:
        try:
            with span(f"batch {what}", {BATCH_SIZE: len(ids)}):
                async with asyncio.timeout(self._seconds):
                    return await read
        except TimeoutError as exc:
            raise DatabaseUnavailable(timed_out=True) from exc
