"""Ended runs on a shelf that every process of the service reaches, for callers who come back to another one."""

import asyncio
import contextlib
from collections.abc import Coroutine
from datetime import timedelta
from typing import Protocol
from uuid import UUID

import structlog
from agent_core.errors import SourceUnavailable
from agent_core.events import RunEvent
from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.kept_runs import purge_kept_runs, read_kept_run, store_kept_run
from pydantic import TypeAdapter

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_EVENTS: TypeAdapter[tuple[RunEvent, ...]] = TypeAdapter(tuple[RunEvent, ...])
_WRITE_SECONDS = 3.0
_CLOSE_SECONDS = 5.0
_PURGE_MARGIN_SECONDS = 1.0


class RunStore(Protocol):
    """Where runs are kept between processes."""

    def offer(self, run_id: UUID, principal: str, events: tuple[RunEvent, ...]) -> None: ...

    async def get(self, run_id: UUID, principal: str, *, timeout: float) -> tuple[RunEvent, ...] | None: ...


class PostgresKeptRuns:
    """Keeps a run for `keep_seconds` after its end, at most `most` of one principal.

    At most `waiting` runs wait to be written, of `max_bytes` each as JSON; what goes beyond is dropped and logged.
    """

    def __init__(
        self, engine: ReadWriteEngine, *, keep_seconds: float, most: int, waiting: int, max_bytes: int
    ) -> None:
        self._engine = engine
        self._keep_seconds = keep_seconds
        self._most = most
        self._waiting = waiting
        self._max_bytes = max_bytes
        self._tasks: set[asyncio.Task[None]] = set()
        self._purge: asyncio.TimerHandle | None = None

    def offer(self, run_id: UUID, principal: str, events: tuple[RunEvent, ...]) -> None:
        """Have a run kept. Returns at once."""
        if len(self._tasks) >= self._waiting:
            _log.warning("run_not_kept", reason="queue_full")
            return
        self._begin(self._store(run_id, principal, events), "run_not_kept")

    def purge(self) -> None:
        """Have what has expired removed, what a killed process left included. Returns at once."""
        self._purge = None
        self._begin(self._remove_expired(), "kept_runs_not_purged")

    async def get(self, run_id: UUID, principal: str, *, timeout: float) -> tuple[RunEvent, ...] | None:
        """The events of a run; None for an unknown, another's or an expired one. Raises SourceUnavailable."""
        try:
            async with self._engine.begin(timeout) as connection:
                stored = await read_kept_run(connection, run_id, principal)
        except DatabaseUnavailable as lost:
            raise SourceUnavailable("postgresql", timed_out=lost.timed_out) from lost
        return None if stored is None else _EVENTS.validate_json(stored)

    async def close(self) -> None:
        """Write what waits, as far as the time reaches."""
        if self._purge is not None:
            self._purge.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await asyncio.gather(*self._tasks)

    async def _store(self, run_id: UUID, principal: str, events: tuple[RunEvent, ...]) -> None:
        document = _EVENTS.dump_json(events)
        if len(document) > self._max_bytes:
            _log.warning("run_not_kept", reason="too_large")
            return
        keep = timedelta(seconds=self._keep_seconds)
        async with self._engine.begin(_WRITE_SECONDS) as connection:
            await store_kept_run(connection, run_id, principal, document, keep=keep, most=self._most)
        if self._purge is None:
            delay = self._keep_seconds + _PURGE_MARGIN_SECONDS
            self._purge = asyncio.get_running_loop().call_later(delay, self.purge)

    async def _remove_expired(self) -> None:
        async with self._engine.begin(_WRITE_SECONDS) as connection:
            await purge_kept_runs(connection)

    def _begin(self, work: Coroutine[object, object, None], failed: str) -> None:
        task = asyncio.create_task(_logged(work, failed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Coroutine[object, object, None], failed: str) -> None:
    """Do it; what goes wrong is told to the log, since nobody waits for it."""
    try:
        await work
    except DatabaseUnavailable as lost:
        _log.warning(failed, reason="timeout" if lost.timed_out else "unavailable")
    except Exception as error:  # noqa: BLE001 - what can't be kept must not end the keeping of others
        _log.warning(failed, reason=type(error).__name__)
