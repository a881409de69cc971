"""How migrations run: one at a time, in one transaction, never in the way of readers for long.

The connection comes from `enishi.migrating`, or from `alembic -x dsn=postgresql://…` on the command line.
`-x statement_timeout=…` overrides the time-out of each statement.
"""

import asyncio

import sqlalchemy as sa
from alembic import context
from datastore.postgres.schema import METADATA
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

# Any constant does, as long as every migrator of this database uses the same.
ADVISORY_LOCK_KEY = 7_318_349_394_477_056
WAIT_FOR_OTHER_MIGRATOR = "60s"
LOCK_TIMEOUT = "2s"
STATEMENT_TIMEOUT = "10min"


def run_migrations(connection: sa.Connection) -> None:
    """Migrate on one connection. A second migrator waits for the first, then finds nothing left to do."""
    context.configure(connection=connection, target_metadata=METADATA, compare_server_default=True)
    with context.begin_transaction():
        _set_local(connection, "lock_timeout", WAIT_FOR_OTHER_MIGRATOR)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK_KEY)))
        # A migration that waits for a lock makes every later reader wait behind it: give up soon instead.
        _set_local(connection, "lock_timeout", LOCK_TIMEOUT)
        extra = context.get_x_argument(as_dictionary=True)
        _set_local(connection, "statement_timeout", extra.get("statement_timeout", STATEMENT_TIMEOUT))
        context.run_migrations()


def _set_local(connection: sa.Connection, name: str, value: str) -> None:
    connection.execute(sa.select(sa.func.set_config(name, value, True)))


async def run_from_command_line() -> None:
    """Connect to the `-x dsn=…` of the command line and migrate it."""
    dsn = context.get_x_argument(as_dictionary=True).get("dsn")
    if dsn is None:
        raise SystemExit("say which database: alembic -x dsn=postgresql://… upgrade head")
    url = sa.make_url(dsn).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(run_migrations)
        await connection.commit()
    await engine.dispose()


if context.is_offline_mode():
    raise SystemExit("migrations look at the database while they run; there is no offline mode")
given = context.config.attributes.get("connection")
if isinstance(given, sa.Connection):
    run_migrations(given)
else:
    asyncio.run(run_from_command_line())
