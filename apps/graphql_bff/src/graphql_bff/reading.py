"""Reads of the catalogue: quick to say that the database is gone, patient with a statement that runs."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadOnlyEngine
from sqlalchemy.ext.asyncio import AsyncConnection


class CatalogueReader:
    """Opens connections for short reads.

    Args:
        open_seconds: How long a transaction may take to begin, waiting for a connection included.
        read_seconds: How long one batch of statements may take, its beginning included.
    """

    def __init__(self, engine: ReadOnlyEngine, *, open_seconds: float, read_seconds: float) -> None:
        self._engine = engine
        self._open_seconds = open_seconds
        self._read_seconds = read_seconds

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[AsyncConnection]:
        """A connection in a read-only transaction. Raises DatabaseUnavailable."""
        try:
            async with asyncio.timeout(self._open_seconds) as opening, self._engine.connect(self._read_seconds) as conn:
                opening.reschedule(None)
                yield conn
        except TimeoutError as exc:
            raise DatabaseUnavailable(timed_out=True) from exc
