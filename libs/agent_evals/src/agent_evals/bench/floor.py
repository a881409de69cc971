"""The floor: `SELECT 1`, prepared, on an open connection of its own. Nothing that asks PostgreSQL can be faster."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from agent_evals.bench.harness import Contender


@dataclass(frozen=True, slots=True)
class Floor:
    """The contender that every block starts with, and the server process behind it."""

    contender: Contender[None]
    backend_pid: int


@asynccontextmanager
async def open_floor(dsn: str) -> AsyncGenerator[Floor]:
    """A floor for as long as the block runs."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        statement = await connection.prepare("SELECT 1")

        async def ask(_: None) -> object:
            return await statement.fetch()

        yield Floor(Contender("SELECT 1", ask=ask), connection.get_server_pid())
    finally:
        await connection.close()
