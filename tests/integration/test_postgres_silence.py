"""A PostgreSQL that is there and says nothing: callers get their time back when they said they would."""

import os
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine
from datastore.postgres.hot import HotPool, HotStatement

_PID = HotStatement(sa.select(sa.func.pg_backend_pid().label("pid")))
_PATIENCE = 0.3
_MOST = 1.5


@contextmanager
def _stopped(pid: int) -> Generator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def _pid(engine: ReadWriteEngine) -> int:
    async with engine.begin() as connection:
        return int((await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one())


async def test_a_silent_pooled_connection_costs_no_more_than_the_time_out(read_write: ReadWriteEngine) -> None:
    pid = await _pid(read_write)
    with _stopped(pid):
        started = time.monotonic()
        with pytest.raises(DatabaseUnavailable) as caught:
            async with read_write.begin(timeout=_PATIENCE):
                pass
        assert time.monotonic() - started < _MOST
        assert caught.value.timed_out
    assert await _pid(read_write) != pid


async def _fall_silent_within(engine: ReadWriteEngine) -> None:
    async with engine.begin(timeout=_PATIENCE) as connection:
        pid = (await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one()
        with _stopped(pid):
            await connection.execute(sa.select(sa.literal(1)))


async def test_silence_in_the_middle_costs_no_more_than_the_time_out(read_write: ReadWriteEngine) -> None:
    started = time.monotonic()
    with pytest.raises(DatabaseUnavailable) as caught:
        await _fall_silent_within(read_write)
    assert time.monotonic() - started < _MOST
    assert caught.value.timed_out
    assert await _pid(read_write) > 0


async def test_a_hot_statement_costs_no_more_than_the_time_out(database_url: str) -> None:
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1, statement_timeout_ms=int(_PATIENCE * 1000)))
    (first,) = await pool.fetch(_PID, {})
    with _stopped(first["pid"]):
        started = time.monotonic()
        with pytest.raises(DatabaseUnavailable) as caught:
            await pool.fetch(_PID, {})
        assert time.monotonic() - started < _MOST
        assert caught.value.timed_out
    (second,) = await pool.fetch(_PID, {})
    assert second["pid"] != first["pid"]
    await pool.close()
