"""The two engines against a real server."""

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
