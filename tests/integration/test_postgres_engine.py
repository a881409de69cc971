"""The two engines against a real server."""

import asyncio

import asyncpg
import pytest
import sqlalchemy as sa
from datastore.errors import DatabaseUnavailable
from datastore.postgres.catalogue import studios
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only
from datastore.postgres.outbox import outbox
from sqlalchemy.exc import DBAPIError


async def test_a_write_is_refused_by_the_read_only_engine(database_url: str) -> None:
    engine = open_read_only(PostgresOptions(dsn=database_url))
    with pytest.raises(DBAPIError, match="read-only transaction"):
        async with engine.connect() as connection:
            await connection.execute(sa.delete(outbox))
    await engine.close()


async def test_a_reader_runs_as_its_role_within_its_time(read_only: ReadOnlyEngine) -> None:
    async with read_only.connect(timeout=1.5) as connection:
        role, timeout = (
            await connection.execute(
                sa.select(sa.func.current_setting("role"), sa.func.current_setting("statement_timeout"))
            )
        ).one()
        assert role == "enishi_reader"
        assert 1000 < int(timeout.removesuffix("ms")) < 1500
        assert (await connection.execute(sa.select(sa.func.count()).select_from(studios))).scalar_one() == 0


async def test_the_statement_timeout_is_the_option_when_more_is_left(read_only: ReadOnlyEngine) -> None:
    async with read_only.connect(timeout=60) as connection:
        timeout = (await connection.execute(sa.select(sa.func.current_setting("statement_timeout")))).scalar_one()
    assert timeout == "2s"


async def test_a_slow_statement_is_a_timeout(read_only: ReadOnlyEngine) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        async with read_only.connect(timeout=0.2) as connection:
            await connection.execute(sa.select(sa.func.pg_sleep(5)))
    assert caught.value.timed_out


async def test_a_full_pool_is_a_timeout(database_url: str) -> None:
    engine = open_read_only(PostgresOptions(dsn=database_url, pool_max_size=1, acquire_timeout_ms=100))
    async with engine.connect():
        with pytest.raises(DatabaseUnavailable) as caught:
            async with engine.connect():
                pass
    assert caught.value.timed_out
    await engine.close()


async def test_no_server_is_unavailable_at_once() -> None:
    engine = open_read_only(PostgresOptions(dsn="postgresql://enishi@/enishi?host=/nonexistent"))
    with pytest.raises(DatabaseUnavailable) as caught:
        async with engine.connect():
            pass
    assert not caught.value.timed_out
    await engine.close()


async def test_a_transaction_commits_at_its_end_and_rolls_back_on_an_error(read_write: ReadWriteEngine) -> None:
    row: dict[str, object] = {
        "entity_id": "00000000-0000-0000-0000-000000000001",
        "entity_type": "anime",
        "version": 1,
        "operation": "upsert",
    }
    async with read_write.begin() as connection:
        await connection.execute(sa.insert(outbox), [row])
    with pytest.raises(ZeroDivisionError):
        await _insert_and_fail(read_write, row)
    async with read_write.begin() as connection:
        assert (await connection.execute(sa.select(sa.func.count()).select_from(outbox))).scalar_one() == 1


async def _insert_and_fail(engine: ReadWriteEngine, row: dict[str, object]) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.insert(outbox), [row])
        raise ZeroDivisionError


async def test_a_pool_survives_a_timeout(read_write: ReadWriteEngine) -> None:
    for _ in range(6):
        with pytest.raises(DatabaseUnavailable):
            async with read_write.begin(timeout=0.05) as connection:
                await connection.execute(sa.select(sa.func.pg_sleep(5)))
    async with read_write.begin(timeout=5) as connection:
        assert (await connection.execute(sa.select(sa.literal(1)))).scalar_one() == 1


async def test_connections_that_the_server_closed_are_replaced_unnoticed(
    read_write: ReadWriteEngine, database_url: str
) -> None:
    async with read_write.begin() as one, read_write.begin() as other:
        pids = [(await each.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one() for each in (one, other)]
    admin = await asyncpg.connect(database_url)
    for pid in pids:
        assert await admin.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
    await admin.close()
    async with read_write.begin() as connection:
        assert (await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one() not in pids


async def _lose_the_connection(engine: ReadWriteEngine, admin: asyncpg.Connection) -> None:
    async with engine.begin() as connection:
        pid = (await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one()
        await admin.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
        await connection.execute(sa.select(sa.literal(1)))


async def _sleep(engine: ReadWriteEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.select(sa.func.pg_sleep(30)))


async def test_a_connection_lost_in_use_is_unavailable_and_the_next_use_works(
    read_write: ReadWriteEngine, database_url: str
) -> None:
    admin = await asyncpg.connect(database_url)
    with pytest.raises(DatabaseUnavailable) as caught:
        await _lose_the_connection(read_write, admin)
    assert not caught.value.timed_out
    await admin.close()
    async with read_write.begin() as connection:
        assert (await connection.execute(sa.select(sa.literal(1)))).scalar_one() == 1


async def test_the_callers_own_time_out_leaves_no_busy_backend(read_write: ReadWriteEngine, database_url: str) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(_sleep(read_write), 0.1)
    admin = await asyncpg.connect(database_url)
    busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'"
    async with asyncio.timeout(5):
        while await admin.fetchval(busy):
            await asyncio.sleep(0.05)
    await admin.close()


async def test_a_value_that_cannot_be_sent_is_the_callers_mistake(read_write: ReadWriteEngine) -> None:
    with pytest.raises(DBAPIError):
        async with read_write.begin() as connection:
            await connection.execute(sa.select(sa.cast("a\x00b", sa.Text)))


async def test_closing_leaves_no_connection(database_url: str) -> None:
    engine = open_read_only(PostgresOptions(dsn=database_url, pool_min_size=3, application_name="census"))
    await engine.warm()
    admin = await asyncpg.connect(database_url)
    census = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'census'"
    assert await admin.fetchval(census) == 3
    await engine.close()
    async with asyncio.timeout(5):
        while await admin.fetchval(census):
            await asyncio.sleep(0.02)
    await admin.close()
