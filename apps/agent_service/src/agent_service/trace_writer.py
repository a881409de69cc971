"""Stores traces beside the requests: what doesn't fit into the queue is dropped and counted, never waited for."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog
from agent_core.errors import SourceUnavailable
from agent_core.recording import EndedRun, RunRecord, record_of

from agent_service.metrics import Metrics

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_BATCH = 16
_SETTLE_SECONDS = 1.0
_PURGE_EVERY_SECONDS = 60.0


class TraceStore(Protocol):
    """Where records go. Raises SourceUnavailable."""

    async def store(self, records: Sequence[RunRecord], *, timeout: float) -> None: ...

    async def purge(self, *, timeout: float) -> int: ...


@dataclass(frozen=True, slots=True)
class WriterLimits:
    """`queued` runs may wait; a record of more than `max_bytes` goes without what was said and given.

    `seconds` bound one write, `flush_seconds` the last ones when the service stops.
    """

    queued: int = 100
    max_bytes: int = 1_000_000
    seconds: float = 3.0
    flush_seconds: float = 5.0


class TraceWriter:
    """One task that writes what `offer` was given. Start it with `start`, flush it with `close`."""

    def __init__(self, store: TraceStore, limits: WriterLimits, metrics: Metrics, *, keep_text: bool) -> None:
        self._store = store
        self._limits = limits
        self._metrics = metrics
        self._keep_text = keep_text
        self._queue: asyncio.Queue[EndedRun] = asyncio.Queue(limits.queued)
        self._task: asyncio.Task[None] | None = None
        self._purge_at = 0.0
        self._dropped = 0

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._write_forever())

    def offer(self, run: EndedRun) -> None:
        """Have a run stored. Returns at once; a run that finds the queue full is dropped."""
        try:
            self._queue.put_nowait(run)
        except asyncio.QueueFull:
            self._drop(1, "queue_full")

    async def settle(self) -> None:
        """Wait until what was offered is stored or dropped, for at most a second."""
        await self._drain(_SETTLE_SECONDS)

    async def close(self) -> None:
        """Write what waits, as far as the time reaches, and stop."""
        if self._task is None:
            return
        await self._drain(self._limits.flush_seconds)
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        if not self._queue.empty():
            self._drop(self._queue.qsize(), "stopped")

    async def _drain(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._queue.join()

    async def _write_forever(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < _BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                await self._write(batch)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _write(self, batch: Sequence[EndedRun]) -> None:
        try:
            await self._store.store(await self._records(batch), timeout=self._limits.seconds)
        except SourceUnavailable as lost:
            self._drop(len(batch), "timeout" if lost.timed_out else "unavailable")
        except Exception as error:  # noqa: BLE001 - runs that can't be recorded must not end the recording of others
            self._drop(len(batch), type(error).__name__)
        else:
            self._metrics.stored(len(batch))
            self._dropped = 0
            await self._purge()

    async def _purge(self) -> None:
        """Remove what has expired, once in a while."""
        if time.monotonic() < self._purge_at:
            return
        self._purge_at = time.monotonic() + _PURGE_EVERY_SECONDS
        try:
            await self._store.purge(timeout=self._limits.seconds)
        except SourceUnavailable as lost:
            _log.warning("traces_not_purged", timed_out=lost.timed_out)

    async def _records(self, batch: Sequence[EndedRun]) -> list[RunRecord]:
        """Each takes about a millisecond; after each the requests under way have their turn."""
        records: list[RunRecord] = []
        for run in batch:
            await asyncio.sleep(0)
            records.append(self._record(run))
        return records

    def _record(self, run: EndedRun) -> RunRecord:
        record = record_of(run, keep_text=self._keep_text)
        if len(record.model_dump_json()) <= self._limits.max_bytes:
            return record
        events = tuple(event.model_copy(update={"data": None}) for event in record.events)
        calls = tuple(call.model_copy(update={"output": None}) for call in record.calls)
        return record.model_copy(update={"events": events, "calls": calls, "request": None, "is_cut": True})

    def _drop(self, runs: int, reason: str) -> None:
        """Count what is lost; the log says it once until something is stored again."""
        self._metrics.dropped(runs)
        if self._dropped == 0:
            _log.warning("traces_dropped", reason=reason, runs=runs)
        self._dropped += runs
