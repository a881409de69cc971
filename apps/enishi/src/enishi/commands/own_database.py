"""A database of a command's own, gone with it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from enishi.postgres_launcher import EmbeddedPostgres
from enishi.settings import Settings
from enishi.temporary_home import temporary_home


@asynccontextmanager
async def own_database(settings: Settings) -> AsyncGenerator[str]:
    """The DSN of an empty database; nothing in it needs to outlive a crash."""
    with temporary_home() as home:
        server = EmbeddedPostgres(home / "postgres", for_tests=True, start_timeout_seconds=settings.start_seconds)
        try:
            await asyncio.to_thread(server.start)
            yield server.dsn
        finally:
            await asyncio.to_thread(server.stop)
