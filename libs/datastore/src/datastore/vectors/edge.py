"""VectorStore on the embedded Qdrant engine: one shard and one thread a collection, one owner a folder."""

import asyncio
import shutil
import sys
import threading
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import msgspec
import qdrant_edge as engine

from datastore.errors import CollectionMissing, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import stamps
from datastore.vectors.deadline import within
from datastore.vectors.edge_folder import FolderState, ShardEntry, StoreFolder, copy_shard_folder
from datastore.vectors.edge_points import (
    INDEXING_THRESHOLD_KB,
    engine_query,
    index_operations,
    live_filter,
    read_record,
    read_scored,
    scroll_request,
    shard_config,
)
from datastore.vectors.edge_shard import ShardThread, copy_points, write_guarded
from datastore.vectors.filters import NOTHING, PayloadFilter, simplified
from datastore.vectors.finite import refuse_endless
from datastore.vectors.protocol import (
    CollectionInfo,
    CollectionSpec,
    Point,
    Query,
    ScoredPoint,
    ScrollPage,
    StoredPoint,
    Tombstone,
)
from datastore.vectors.query_plan import planned

_CLOSE_SECONDS = 30.0


@dataclass(slots=True)
class _OpenShard:
    """A collection in use. While a copy is being optimised, `written` collects what changed since it was taken."""

    entry: ShardEntry
    thread: ShardThread
    write_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    optimize_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    written: set[UUID] | None = None


async def open_edge_store(folder: Path) -> "EdgeVectorStore":
    """Take the folder and open every shard in it.

    Raises:
        VectorStoreRefused: another process owns the folder, or its content can't be read by this version.
    """
    claimed, state, shards = await asyncio.to_thread(_open_folder, folder)
    opened = {name: _OpenShard(state.shards[name], ShardThread(shard, name)) for name, shard in shards.items()}
    return EdgeVectorStore(claimed, state, opened)


def _open_folder(folder: Path) -> tuple[StoreFolder, FolderState, dict[str, engine.EdgeShard]]:
    claimed = StoreFolder.claim(folder)
    opened: dict[str, engine.EdgeShard] = {}
    try:
        state = claimed.read_state()
        claimed.remove_leftovers(state)
        for name, entry in state.shards.items():
            opened[name] = _load_shard(claimed.shard_path(entry), name)
    except BaseException:
        for shard in opened.values():
            shard.close()
        claimed.release()
        raise
    return claimed, state, opened


def _load_shard(path: Path, name: str) -> engine.EdgeShard:
    try:
        return engine.EdgeShard.load(str(path))
    except Exception as error:
        raise VectorStoreRefused(f"the stored collection '{name}' can't be opened; rebuild the index") from error


async def _uncut[T](work: Coroutine[None, None, T], *, stop: threading.Event | None = None) -> T:
    """Run a change of layout to its end even when the caller gives up, so that disk and memory never disagree.

    Work that can end early is told to by `stop`; it is waited for all the same.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if stop is not None:
            stop.set()
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task})
        if not task.cancelled():
            task.exception()
        raise


class EdgeVectorStore:
    """Made by `open_edge_store`. Lives on one event loop; see VectorStore for the promises."""

    def __init__(self, folder: StoreFolder, state: FolderState, shards: dict[str, _OpenShard]) -> None:
        self._folder = folder
        self._state = state
        self._shards = shards
        self._layout_lock = asyncio.Lock()
        self._is_closed = False

    async def ensure_collection(self, spec: CollectionSpec, *, timeout: float) -> None:
        """See VectorStore."""
        async with within(timeout), self._layout_lock:
            self._check_open()
            known = self._shards.get(spec.name)
            if spec.name in self._state.aliases:
                raise VectorStoreRefused(f"'{spec.name}' is the name of an alias")
            if known is None:
                await _uncut(self._create(spec))
                return
            if (known.entry.spec.dense, known.entry.spec.sparse) != (spec.dense, spec.sparse):
                raise VectorStoreRefused(f"collection '{spec.name}' exists with other vectors")
            if known.entry.spec.model not in {"", spec.model}:
                raise VectorStoreRefused(f"collection '{spec.name}' holds vectors of {known.entry.spec.model}")
            await known.thread.call(lambda shard: _create_indexes(shard, spec), timeout=timeout)
            await _uncut(self._remember(known, msgspec.structs.replace(known.entry, spec=spec)))

    async def drop_collection(self, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        async with within(timeout), self._layout_lock:
            self._check_open()
            if collection in self._state.aliases or collection in self._state.aliases.values():
                raise VectorStoreRefused(f"collection '{collection}' is in use by an alias")
            if collection in self._shards:
                await _uncut(self._drop(collection))

    async def collections(self, *, timeout: float) -> tuple[str, ...]:
        """See VectorStore."""
        self._check_open()
        return tuple(sorted(self._shards))

    async def describe(self, collection: str, *, timeout: float) -> CollectionInfo:
        """See VectorStore."""
        opened = self._shard(collection)
        spec = opened.entry.spec
        fields, points = await opened.thread.call(
            lambda shard: (tuple(sorted(shard.info().payload_schema)), _count_live(shard, None)), timeout=timeout
        )
        return CollectionInfo(spec.name, spec.dense, spec.sparse, fields, points, spec.model)

    async def switch_alias(self, alias: str, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        async with within(timeout), self._layout_lock:
            self._check_open()
            if alias in self._shards:
                raise VectorStoreRefused(f"'{alias}' is the name of a collection")
            if collection not in self._shards:
                raise CollectionMissing(collection)
            aliases = {**self._state.aliases, alias: collection}
            await _uncut(self._write_state(msgspec.structs.replace(self._state, aliases=aliases)))

    async def aliases(self, *, timeout: float) -> Mapping[str, str]:
        """See VectorStore."""
        self._check_open()
        return dict(self._state.aliases)

    async def upsert(self, collection: str, points: Sequence[Point], *, timeout: float) -> None:
        """See VectorStore."""
        refuse_endless(points)
        await self._write(collection, points, timeout=timeout)

    async def delete(self, collection: str, tombstones: Sequence[Tombstone], *, timeout: float) -> None:
        """See VectorStore."""
        await self._write(collection, tombstones, timeout=timeout)

    async def retrieve(
        self, collection: str, ids: Sequence[UUID], *, timeout: float, with_vectors: Sequence[str] = ()
    ) -> list[StoredPoint]:
        """See VectorStore."""

        def read(shard: engine.EdgeShard) -> list[StoredPoint]:
            records = shard.retrieve(list(ids), True, list(with_vectors) or False)
            live = {record.id: record for record in records if not stamps.is_tombstone(record.payload or {})}
            return [read_record(live[each]) for each in ids if each in live]

        return await self._shard(collection).thread.call(read, timeout=timeout) if ids else []

    async def query(self, collection: str, query: Query, *, timeout: float) -> list[ScoredPoint]:
        """See VectorStore."""
        opened = self._shard(collection)
        searches = planned(query)
        if not searches:
            return []
        scored = await opened.thread.call(lambda shard: shard.query(engine_query(query, searches)), timeout=timeout)
        return [read_scored(each) for each in scored]

    async def scroll(
        self,
        collection: str,
        *,
        start: UUID | None,
        limit: int,
        timeout: float,
        filter: PayloadFilter | None = None,
    ) -> ScrollPage:
        """See VectorStore."""
        opened = self._shard(collection)
        condition = None if filter is None else simplified(filter)
        if condition == NOTHING:
            return ScrollPage((), None)
        records, next_id = await opened.thread.call(
            lambda shard: shard.scroll(scroll_request(start, limit, condition)), timeout=timeout
        )
        read = tuple(stamps.point_stamp(stamps.as_uuid(each.id), each.payload or {}) for each in records)
        return ScrollPage(read, None if next_id is None else stamps.as_uuid(next_id))

    async def count(self, collection: str, *, timeout: float, filter: PayloadFilter | None = None) -> int:
        """See VectorStore."""
        opened = self._shard(collection)
        condition = None if filter is None else simplified(filter)
        if condition == NOTHING:
            return 0
        return await opened.thread.call(lambda shard: _count_live(shard, condition), timeout=timeout)

    async def optimize(self, collection: str, *, timeout: float) -> bool:
        """See VectorStore. The work is done on a copy by a process of its own, then the copy takes over."""
        opened = self._shard(collection)
        async with within(timeout), opened.optimize_lock:
            if not await opened.thread.call(lambda shard: _is_worth_optimizing(shard, opened.entry), timeout=timeout):
                return False
            before = opened.entry
            fresh = msgspec.structs.replace(before, generation=before.generation + 1)
            try:
                await self._copy_shard(opened, self._folder.shard_path(fresh), timeout)
                await _run_optimizer(self._folder.shard_path(fresh))
                await self._take_over(opened, fresh, timeout)
            except OSError as error:
                # No room for a copy, or the collection was dropped while it was copied.
                raise VectorStoreUnavailable from error
            finally:
                opened.written = None
                unused = fresh if opened.entry.generation == before.generation else before
                with suppress(VectorStoreUnavailable):
                    # Behind a call that was left running and may still use the folder.
                    await opened.thread.call(lambda _: None, timeout=_CLOSE_SECONDS)
                await asyncio.to_thread(shutil.rmtree, self._folder.shard_path(unused), ignore_errors=True)
            return True

    async def close(self) -> None:
        """See VectorStore."""
        if self._is_closed:
            return
        self._is_closed = True
        for opened in self._shards.values():
            await opened.thread.close()
        await asyncio.to_thread(self._folder.release)

    def _check_open(self) -> None:
        if self._is_closed:
            raise VectorStoreUnavailable

    def _shard(self, name: str) -> _OpenShard:
        self._check_open()
        opened = self._shards.get(self._state.aliases.get(name, name))
        if opened is None:
            raise CollectionMissing(name)
        return opened

    async def _write(self, collection: str, writes: Sequence[Point | Tombstone], *, timeout: float) -> None:
        opened = self._shard(collection)
        async with within(timeout), opened.write_lock:
            if opened.written is not None:
                opened.written.update(write.id for write in writes)
            await opened.thread.call(lambda shard: write_guarded(shard, writes), timeout=timeout)

    async def _create(self, spec: CollectionSpec) -> None:
        if Path(spec.name).name != spec.name:
            raise VectorStoreRefused(f"'{spec.name}' can't be the name of a collection")
        entry = ShardEntry(spec)
        path = self._folder.shard_path(entry)

        def create() -> engine.EdgeShard:
            shutil.rmtree(path, ignore_errors=True)
            try:
                shard = engine.EdgeShard.create(str(path), shard_config(spec))
                _create_indexes(shard, spec)
            except Exception as error:
                shutil.rmtree(path, ignore_errors=True)
                raise VectorStoreRefused(f"the vector engine can't make the collection '{spec.name}'") from error
            return shard

        opened = _OpenShard(entry, ShardThread(await asyncio.to_thread(create), spec.name))
        await self._remember(opened, entry)
        self._shards[spec.name] = opened

    async def _drop(self, collection: str) -> None:
        shards = {name: entry for name, entry in self._state.shards.items() if name != collection}
        await self._write_state(msgspec.structs.replace(self._state, shards=shards))
        dropped = self._shards.pop(collection)
        await dropped.thread.close()
        await asyncio.to_thread(shutil.rmtree, self._folder.shard_path(dropped.entry), ignore_errors=True)

    async def _remember(self, opened: _OpenShard, entry: ShardEntry) -> None:
        shards = {**self._state.shards, entry.spec.name: entry}
        await self._write_state(msgspec.structs.replace(self._state, shards=shards))
        opened.entry = entry

    async def _write_state(self, state: FolderState) -> None:
        await asyncio.to_thread(self._folder.write_state, state)
        self._state = state

    async def _copy_shard(self, opened: _OpenShard, path: Path, timeout: float) -> None:
        async with opened.write_lock:
            # The flush queues behind a write that a caller may have stopped waiting for, so the copy holds it.
            await opened.thread.call(lambda shard: shard.flush(), timeout=timeout)
            opened.written = set()
            stop = threading.Event()
            source = self._folder.shard_path(opened.entry)
            await _uncut(asyncio.to_thread(copy_shard_folder, source, path, stop), stop=stop)

    async def _take_over(self, opened: _OpenShard, fresh: ShardEntry, timeout: float) -> None:
        async with opened.write_lock, self._layout_lock:
            late = sorted(opened.written or ())
            # It may have been given indexes and the name of its model since the copy was taken.
            fresh = msgspec.structs.replace(fresh, spec=opened.entry.spec)

            def prepare(shard: engine.EdgeShard) -> engine.EdgeShard:
                optimized = engine.EdgeShard.load(str(self._folder.shard_path(fresh)))
                copy_points(shard, optimized, late)
                _create_indexes(optimized, fresh.spec)
                optimized.flush()
                return optimized

            optimized = await opened.thread.call(prepare, timeout=timeout)
            await _uncut(self._adopt(opened, fresh, optimized))

    async def _adopt(self, opened: _OpenShard, fresh: ShardEntry, optimized: engine.EdgeShard) -> None:
        await self._remember(opened, fresh)
        old = opened.thread.swap(optimized)
        # Behind the calls that still run on the old shard.
        await opened.thread.call(lambda _: old.close(), timeout=_CLOSE_SECONDS)


def _create_indexes(shard: engine.EdgeShard, spec: CollectionSpec) -> None:
    for operation in index_operations(spec, list(shard.info().payload_schema)):
        shard.update(operation)


def _count_live(shard: engine.EdgeShard, condition: PayloadFilter | None) -> int:
    return shard.count(engine.CountRequest(exact=True, filter=live_filter(condition)))


def _is_worth_optimizing(shard: engine.EdgeShard, entry: ShardEntry) -> bool:
    """Whether so many vectors are outside an index that the engine would build one."""
    info = shard.info()
    # How many points have an optional vector is not known: those are indexed along with the others.
    always = len(entry.spec.dense) - len(entry.spec.optional) + len(entry.spec.sparse)
    vectors = info.points_count * always
    largest = max((each.dimensions for each in entry.spec.dense), default=0)
    return (vectors - info.indexed_vectors_count) * largest * 4 > INDEXING_THRESHOLD_KB * 1024


async def _run_optimizer(path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "datastore.vectors.edge_optimizer", str(path), stdin=asyncio.subprocess.PIPE
    )
    try:
        status = await process.wait()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if status != 0:
        raise VectorStoreUnavailable
