"""Bring a database's schema to a revision. The migrations lie beside pyproject.toml, in source tree and image."""

import asyncio
import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from datastore.postgres.engine import PostgresOptions, open_read_write, translating_postgres_errors
from datastore.postgres.name_index import fill_search_rows
from sqlalchemy import Connection, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

_FILL_STATEMENT_MS = 600_000
_SOURCE_TREE = Path(__file__).parents[4]
# Alembic keeps the running migration in a global of its own. Between processes, the database's lock takes over.
_one_at_a_time = threading.Lock()


class MigrationFailed(Exception):
    """The schema could not be brought to the wanted revision; nothing was changed. The message says why."""


async def upgrade(dsn: str, revision: str = "head") -> None:
    """Migrate the database at `dsn`, then make search rows that are missing as a whole. Raises as `upgrade_schema`."""
    await upgrade_schema(dsn, revision)
    if revision == "head":
        await _fill(dsn)


async def upgrade_schema(dsn: str, revision: str = "head") -> None:
    """Migrate the database at `dsn`; a second caller waits for the first and then has nothing to do.

    All of it happens or none. Raises MigrationFailed when the database is newer than this code, and
    datastore.errors.DatabaseUnavailable when it is away or a lock isn't free within two seconds.
    """
    # Alembic reads files and has no async interface: it gets a thread and a loop of its own.
    await asyncio.to_thread(_run, dsn, revision)


def find_root(*places: Path) -> Path:
    """The first of `places` that holds the migrations and their settings.

    Raises MigrationFailed when none does.
    """
    for place in places:
        if (place / "migrations" / "env.py").is_file() and (place / "pyproject.toml").is_file():
            return place
    raise MigrationFailed("the migrations are not here; run this where migrations/ and pyproject.toml are")


async def _fill(dsn: str) -> None:
    engine = open_read_write(PostgresOptions(dsn=dsn, pool_max_size=1, statement_timeout_ms=_FILL_STATEMENT_MS))
    try:
        async with engine.begin() as connection:
            await fill_search_rows(connection)
    finally:
        await engine.close()


def _run(dsn: str, revision: str) -> None:
    try:
        with _one_at_a_time, translating_postgres_errors():
            asyncio.run(_upgrade(dsn, revision))
    except CommandError as exc:
        raise MigrationFailed(
            f"the database can't be brought to revision {revision}; was it made by a newer Enishi? ({exc})"
        ) from exc


async def _upgrade(dsn: str, revision: str) -> None:
    config = Config(toml_file=find_root(_SOURCE_TREE, Path.cwd()) / "pyproject.toml")

    def run(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    engine = create_async_engine(make_url(dsn).set(drivername="postgresql+asyncpg"), poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(run)
    finally:
        await engine.dispose()
