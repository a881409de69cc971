"""One shard of the embedded engine, and the one thread that touches it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from uuid import UUID

import qdrant_edge as engine

from datastore.errors import DatastoreError, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import stamps
from datastore.vectors.edge_points import engine_point
from datastore.vectors.protocol import Point, Tombstone

MAX_PENDING = 256
"""Calls that may wait for one shard; the next is refused at once instead of queued without end."""

_MAX_WRITES_PER_UPDATE = 64


class ShardThread:
    """Runs calls on one shard, one after the other, and turns the engine's errors into ours.

    A queue and a future are all that lies between a caller and the engine: an executor with a time-out around it takes
    three times as long, and then a sixth of a search. Calls come from one event loop.
    """

    def __init__(self, shard: engine.EdgeShard, name: str) -> None:
        self._shard = shard
        self._is_closed = False
        self._pending = 0
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A process that ends without closing its store must not wait for this thread.
        self._thread = Thread(target=self._serve, name=f"shard-{name}", daemon=True)
        self._thread.start()

    async def call[T](self, work: Callable[[engine.EdgeShard], T], *, timeout: float) -> T:
        """Run `work` on the shard's thread. A call that is over time is left behind; one not yet begun never runs.

        Raises:
            VectorStoreUnavailable: too many calls are waiting, the time is up, or the engine failed.
            VectorStoreRefused: the engine will never do this.
        """
        if self._is_closed or self._pending >= MAX_PENDING:
            raise VectorStoreUnavailable
        if timeout <= 0:
            raise VectorStoreUnavailable(timed_out=True)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._pending += 1
        self._calls.put(partial(self._perform, work, answer))
        deadline = loop.call_later(timeout, _give_up, answer)
        try:
            return await answer
        finally:
            deadline.cancel()

    def swap(self, shard: engine.EdgeShard) -> engine.EdgeShard:
        """Let later calls use this shard, and give back the one before; a call that has begun finishes on that one."""
        before, self._shard = self._shard, shard
        return before

    async def close(self) -> None:
        """Finish what waits (MAX_PENDING bounds it), flush and close; later calls are refused."""
        self._is_closed = True
        self._calls.put(None)
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._thread.join()
        self._shard.flush()
        self._shard.close()

    def _serve(self) -> None:
        while (perform := self._calls.get()) is not None:
            perform()
            # Nothing of this call stays in memory while the next one is waited for.
            del perform

    def _perform[T](self, work: Callable[[engine.EdgeShard], T], answer: asyncio.Future[T]) -> None:
        settle: Callable[[], object] = answer.cancel
        if not answer.done():
            try:
                settle = partial(answer.set_result, self._run(work))
            except DatastoreError as error:
                settle = partial(answer.set_exception, error)
        # A loop that was closed meanwhile takes no answers, and nobody on it waits for one.
        with suppress(RuntimeError):
            answer.get_loop().call_soon_threadsafe(self._settle, answer, settle)

    def _settle[T](self, answer: asyncio.Future[T], settle: Callable[[], object]) -> None:
        self._pending -= 1
        if not answer.done():
            settle()

    def _run[T](self, work: Callable[[engine.EdgeShard], T]) -> T:
        try:
            return work(self._shard)
        except DatastoreError:
            raise
        except Exception as error:
            # The engine raises plain Exception; only its text tells a failure from a refusal.
            if str(error).startswith("Service runtime error"):
                raise VectorStoreUnavailable from error
            raise VectorStoreRefused("the vector engine does not accept this request") from error
        except BaseException as error:
            # A panic of the engine, which is no Exception, must not end the thread that all other calls wait for.
            raise VectorStoreUnavailable from error


def _give_up[T](answer: asyncio.Future[T]) -> None:
    if not answer.done():
        answer.set_exception(VectorStoreUnavailable(timed_out=True))


def write_guarded(shard: engine.EdgeShard, writes: Sequence[Point | Tombstone]) -> None:
    """Apply the writes that no greater guard forbids. The shard's one thread makes look and write one step."""
    newest = stamps.newest_writes(writes)
    for start in range(0, len(newest), _MAX_WRITES_PER_UPDATE):
        batch = newest[start : start + _MAX_WRITES_PER_UPDATE]
        guards = _stored_guards(shard, [write.id for write in batch])
        wanted = [write for write in batch if write.id not in guards or stamps.guard_of(write) >= guards[write.id]]
        if wanted:
            shard.update(engine.UpdateOperation.upsert_points([engine_point(write) for write in wanted]))


def _stored_guards(shard: engine.EdgeShard, ids: list[UUID]) -> dict[str | UUID | int, stamps.Guard]:
    records = shard.retrieve(list(ids), list(stamps.GUARD_FIELDS), False)
    return {record.id: stamps.stored_guard(record.payload or {}) for record in records}


def copy_points(source: engine.EdgeShard, target: engine.EdgeShard, ids: Sequence[UUID]) -> None:
    """Write points of one shard into another as they are, tombstones included."""
    for start in range(0, len(ids), _MAX_WRITES_PER_UPDATE):
        records = source.retrieve(list(ids[start : start + _MAX_WRITES_PER_UPDATE]), True, True)
        points = [engine.Point(record.id, record.vector or {}, record.payload) for record in records]
        if points:
            target.update(engine.UpdateOperation.upsert_points(points))
