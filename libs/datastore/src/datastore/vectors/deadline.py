"""One deadline around a call on a vector store."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from datastore.errors import VectorStoreUnavailable


@asynccontextmanager
async def within(seconds: float) -> AsyncGenerator[None]:
    """Raise VectorStoreUnavailable(timed_out=True) when the block takes longer than this."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise VectorStoreUnavailable(timed_out=True) from error
