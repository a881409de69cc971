"""Kept runs over two services and one database: resumed in the other one, by their owner only, for a while."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_api.errors import AgentUnavailable, RunNotFound
from agent_core.errors import SourceUnavailable
from agent_core.testing import scripted
from agent_service.kept_runs import PostgresKeptRuns
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_write
from datastore.postgres.kept_runs import kept_runs, purge_kept_runs, read_kept_run, store_kept_run
from fixtures.loop_world import ENOUGH, World, concept_rewrite, list_everything, search
from fixtures.streaming import StreamingAgent, asking, folded, kinds, resuming, streaming_agent
from structlog.testing import capture_logs

SECONDS = 30.0
MINUTE = timedelta(minutes=1)


def shelf(engine: ReadWriteEngine, **changes: int) -> PostgresKeptRuns:
    """The shelf of one service."""
    limits = {"keep_seconds": 60, "most": 10, "waiting": 10, "max_bytes": 1_000_000}
    return PostgresKeptRuns(engine, **(limits | changes))


@asynccontextmanager
async def service(engine: ReadWriteEngine, **changes: int) -> AsyncGenerator[tuple[StreamingAgent, PostgresKeptRuns]]:
    kept = shelf(engine, **changes)
    loop = World().loop(
        scripted(concept_rewrite(), steps=[search("pirates")], drafts=[list_everything], reports=[ENOUGH])
    )
    async with streaming_agent(loop, kept) as agent:
        yield agent, kept
    await kept.close()


async def test_a_run_is_resumed_where_it_was_not_run(read_write: ReadWriteEngine) -> None:
    async with service(read_write) as (one, kept), service(read_write) as (other, _):
        told = await one.events(asking(keep_running=True), "alice")
        await kept.close()
        run_id = told[0].run_started.run_id

        assert await other.events(resuming(run_id), "alice") == told
        assert kinds(await other.events(resuming(run_id, after=len(told) - 1), "alice")) == ["run_finished"]
        assert folded(await other.events(resuming(run_id), "alice")) == folded(told)
        for principal, asked in (("bob", run_id), ("alice", str(uuid4()))):
            with pytest.raises(RunNotFound, match="it is unknown, or it ended too long ago"):
                await other.events(resuming(asked), principal)


async def test_only_runs_that_are_to_be_kept_are_stored(read_write: ReadWriteEngine) -> None:
    async with service(read_write) as (agent, _):
        await agent.events(asking())
    async with read_write.begin(SECONDS) as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(kept_runs)) == 0


async def test_a_run_expires_and_is_removed(read_write: ReadWriteEngine) -> None:
    old, young = uuid4(), uuid4()
    async with read_write.begin(SECONDS) as connection:
        await store_kept_run(connection, old, "alice", b"[]", keep=-MINUTE, most=10)
        await store_kept_run(connection, young, "alice", b"[]", keep=MINUTE, most=10)
        assert await read_kept_run(connection, old, "alice") is None
        assert await read_kept_run(connection, young, "alice") == b"[]"
        assert await purge_kept_runs(connection) == 1
        assert list(await connection.scalars(sa.select(kept_runs.c.id))) == [young]


async def test_the_oldest_of_a_principal_go_first(read_write: ReadWriteEngine) -> None:
    ids = [uuid4() for _ in range(4)]
    async with read_write.begin(SECONDS) as connection:
        await store_kept_run(connection, ids[3], "bob", b"[]", keep=MINUTE, most=1)
        for number, run_id in enumerate(ids[:3]):
            await store_kept_run(connection, run_id, "alice", b"[]", keep=MINUTE * (1 + number), most=2)
        assert set(await connection.scalars(sa.select(kept_runs.c.id))) == {ids[1], ids[2], ids[3]}


async def test_what_is_stored_expired_is_removed_without_another_run(read_write: ReadWriteEngine) -> None:
    kept = shelf(read_write, keep_seconds=0)
    kept.offer(uuid4(), "alice", ())
    async with asyncio.timeout(10):
        while await _count(read_write) == 0:
            await asyncio.sleep(0.02)
        while await _count(read_write) == 1:
            await asyncio.sleep(0.02)
    await kept.close()


async def test_what_can_not_be_stored_is_dropped_and_logged(read_write: ReadWriteEngine) -> None:
    nowhere = open_read_write(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:1/nothing"))
    kept = (shelf(read_write, waiting=1), shelf(read_write, max_bytes=1), shelf(nowhere))
    with capture_logs() as logs:
        for each in kept:
            each.offer(UUID(int=1), "alice", ())
            each.offer(UUID(int=2), "alice", ())
        for each in kept:
            await each.close()
    await nowhere.close()
    assert sorted(entry["reason"] for entry in logs) == ["queue_full", *["too_large"] * 2, *["unavailable"] * 2]


async def test_a_database_that_is_away_is_told_as_such() -> None:
    nowhere = open_read_write(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:1/nothing"))
    with pytest.raises(SourceUnavailable):
        await shelf(nowhere).get(uuid4(), "alice", timeout=SECONDS)
    async with streaming_agent(World().loop(scripted(concept_rewrite())), shelf(nowhere)) as agent:
        with capture_logs(), pytest.raises(AgentUnavailable):
            await agent.events(resuming(str(uuid4())))
    await nowhere.close()


async def _count(engine: ReadWriteEngine) -> int | None:
    async with engine.begin(SECONDS) as connection:
        return await connection.scalar(sa.select(sa.func.count()).select_from(kept_runs))
