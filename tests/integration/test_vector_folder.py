"""The embedded store's folder: one owner, nothing lost over restarts and kills, indexes built beside the searches."""

import asyncio
import errno
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
import qdrant_edge as engine
from blockbuster import blockbuster_ctx
from datastore.errors import VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import edge
from datastore.vectors.edge import EdgeVectorStore, open_edge_store
from datastore.vectors.edge_points import shard_config
from datastore.vectors.edge_shard import MAX_PENDING, ShardThread
from datastore.vectors.protocol import (
    CollectionSpec,
    DensePrefetch,
    DenseVector,
    FieldKind,
    PayloadIndex,
    Point,
    Query,
    SparseValues,
    Tombstone,
)

SECONDS = 30.0

SPEC = CollectionSpec("works", (DenseVector("text", 4),), ("lexical",))


def point(value: int, *, version: int = 1, text: list[float] | None = None) -> Point:
    vectors = {"text": text or [1.0, 0.0, 0.0, 0.0]}
    return Point(UUID(int=value), version, f"hash-{version}", {}, vectors, {"lexical": SparseValues((7,), (1.0,))})


async def test_everything_is_there_after_reopening(short_folder: Path) -> None:
    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.switch_alias("current", "works", timeout=SECONDS)
    await store.upsert("current", [point(1, version=4), point(2)], timeout=SECONDS)
    await store.delete("current", [Tombstone(UUID(int=2), 2)], timeout=SECONDS)
    before = await store.describe("works", timeout=SECONDS)
    await store.close()

    again = await open_edge_store(short_folder / "store")
    assert await again.describe("works", timeout=SECONDS) == before
    assert await again.aliases(timeout=SECONDS) == {"current": "works"}
    await again.upsert("current", [point(1, version=3), point(2, version=1)], timeout=SECONDS)
    page = await again.scroll("current", start=None, limit=5, timeout=SECONDS)
    assert [(stamp.id.int, stamp.version) for stamp in page.stamps] == [(1, 4)]
    await again.close()


async def test_a_second_owner_of_the_folder_is_refused(edge_store: EdgeVectorStore, short_folder: Path) -> None:
    with pytest.raises(VectorStoreRefused, match=f"owned by another process \\(process id {os.getpid()}\\)"):
        await open_edge_store(short_folder / "store")
    await edge_store.ensure_collection(SPEC, timeout=SECONDS)
    assert await edge_store.count("works", timeout=SECONDS) == 0


async def test_a_folder_of_a_newer_version_is_refused_and_left_alone(short_folder: Path) -> None:
    folder = short_folder / "store"
    await (await open_edge_store(folder)).close()
    state = folder / "state.json"
    state.write_text('{"format": 2, "shards": {}, "aliases": {}}')
    (folder / "works.1").mkdir()
    with pytest.raises(VectorStoreRefused, match="has format 2, this version reads up to 1; upgrade Enishi"):
        await open_edge_store(folder)
    assert (folder / "works.1").is_dir()
    state.write_text("{")
    with pytest.raises(VectorStoreRefused, match="damaged; rebuild the index"):
        await open_edge_store(folder)
    state.unlink()
    await (await open_edge_store(folder)).close()


async def test_a_damaged_collection_is_named(short_folder: Path) -> None:
    folder = short_folder / "store"
    store = await open_edge_store(folder)
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.close()
    (folder / "works.1" / "edge_config.json").write_text("{")
    with pytest.raises(VectorStoreRefused, match="'works' can't be opened; rebuild the index"):
        await open_edge_store(folder)


async def test_leftovers_of_a_crash_are_removed_at_the_next_start(short_folder: Path) -> None:
    folder = short_folder / "store"
    store = await open_edge_store(folder)
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.close()
    (folder / "works.2").mkdir()
    (folder / "works.2" / "half").touch()
    store = await open_edge_store(folder)
    assert not (folder / "works.2").exists()
    assert await store.count("works", timeout=SECONDS) == 0
    await store.close()


_WRITER = """
import asyncio, sys
from pathlib import Path
from uuid import UUID
from datastore.vectors.edge import open_edge_store
from datastore.vectors.protocol import CollectionSpec, DenseVector, Point

async def main():
    store = await open_edge_store(Path(sys.argv[1]))
    await store.ensure_collection(CollectionSpec("works", (DenseVector("text", 4),), ("lexical",)), timeout=30)
    number = 0
    while True:
        number += 1
        await store.upsert("works", [Point(UUID(int=number), 1, "h", {}, {"text": [1, 0, 0, 0]}, {})], timeout=30)
        print(number, flush=True)

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_a_kill(short_folder: Path) -> None:
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WRITER, str(short_folder / "store"), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    acknowledged = 0
    while acknowledged < 50:
        acknowledged = int(await writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    rest, _ = await writer.communicate()
    acknowledged = max([acknowledged, *map(int, rest.split())])
    store = await open_edge_store(short_folder / "store")
    read = await store.retrieve("works", [UUID(int=each + 1) for each in range(acknowledged)], timeout=SECONDS)
    assert len(read) == acknowledged
    await store.close()


async def test_nothing_blocks_the_loop(short_folder: Path) -> None:
    with blockbuster_ctx():
        store = await open_edge_store(short_folder / "store")
        await store.ensure_collection(SPEC, timeout=SECONDS)
        await store.switch_alias("current", "works", timeout=SECONDS)
        await store.upsert("current", [point(1)], timeout=SECONDS)
        assert (
            len(await store.query("current", Query((DensePrefetch("text", [1, 0, 0, 0], 5),), 5), timeout=SECONDS)) == 1
        )
        await store.drop_collection("works2", timeout=SECONDS)
        await store.close()


async def test_too_many_waiting_calls_are_refused_at_once(short_folder: Path) -> None:
    (short_folder / "shard").mkdir()
    thread = ShardThread(engine.EdgeShard.create(str(short_folder / "shard"), shard_config(SPEC)), "works")
    gate = threading.Event()
    waiting = [
        asyncio.create_task(thread.call(lambda _: gate.wait(SECONDS), timeout=SECONDS)) for _ in range(MAX_PENDING)
    ]
    await asyncio.sleep(0)
    with pytest.raises(VectorStoreUnavailable):
        await thread.call(lambda _: True, timeout=SECONDS)
    gate.set()
    assert await asyncio.gather(*waiting) == [True] * MAX_PENDING
    assert await thread.call(lambda _: True, timeout=SECONDS)
    await thread.close()


class _Panic(BaseException):
    """The engine's own are no `Exception` either."""


async def test_a_panic_of_the_engine_fails_its_call_and_no_other(short_folder: Path) -> None:
    def panic(_: engine.EdgeShard) -> None:
        raise _Panic

    (short_folder / "shard").mkdir()
    thread = ShardThread(engine.EdgeShard.create(str(short_folder / "shard"), shard_config(SPEC)), "works")
    with pytest.raises(VectorStoreUnavailable) as caught:
        await thread.call(panic, timeout=SECONDS)
    assert not caught.value.timed_out
    assert await thread.call(lambda _: True, timeout=SECONDS)
    await thread.close()


def test_the_engine_searches_in_the_thread_that_asks(short_folder: Path) -> None:
    (short_folder / "shard").mkdir()
    shard = engine.EdgeShard.create(str(short_folder / "shard"), shard_config(SPEC))
    near: dict[str, engine.NamedVector] = {"text": [1.0, 0.0, 0.0, 0.0]}
    points = [engine.Point(UUID(int=value), near, {}) for value in range(2_000)]
    shard.update(engine.UpdateOperation.upsert_points(points))
    request = engine.QueryRequest(limit=10, query=engine.Query.Nearest([1.0, 0.0, 0.0, 0.0], using="text"))
    everywhere, here = time.process_time(), time.thread_time()
    for _ in range(200):
        assert len(shard.query(request)) == 10
    everywhere, here = time.process_time() - everywhere, time.thread_time() - here
    shard.close()
    assert here > everywhere / 2


@pytest.mark.timeout(180)
async def test_an_index_is_built_while_searches_and_writes_go_on(short_folder: Path) -> None:
    """Few long vectors make more than the threshold; the index takes seconds, in which everything else must go on."""
    spec = CollectionSpec("works", (DenseVector("text", 1024),), ("lexical",))
    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(spec, timeout=SECONDS)
    numbers = random.Random(7)
    vectors = [[numbers.gauss(0, 1) for _ in range(1024)] for _ in range(2_700)]
    for start in range(0, 2_700, 100):
        points = [point(each + 1, text=vectors[each]) for each in range(start, start + 100)]
        await store.upsert("works", points, timeout=SECONDS)

    optimizing = asyncio.create_task(store.optimize("works", timeout=150))
    slowest, rounds = 0.0, 0
    while not optimizing.done():
        began = asyncio.get_running_loop().time()
        query = Query((DensePrefetch("text", vectors[rounds % 2_700], 3),), 3)
        found = await store.query("works", query, timeout=SECONDS)
        assert found[0].point.id.int == rounds % 2_700 + 1
        await store.upsert(
            "works", [point(1 + rounds % 50, version=rounds + 2, text=vectors[rounds % 50])], timeout=SECONDS
        )
        await store.delete("works", [Tombstone(UUID(int=2_700), 2)], timeout=SECONDS)
        slowest = max(slowest, asyncio.get_running_loop().time() - began)
        rounds += 1
        await asyncio.sleep(0.01)
    assert optimizing.result() is True
    assert rounds > 20
    # The build takes seconds; a round is three calls.
    assert slowest < 1.5
    assert (await store.describe("works", timeout=SECONDS)).points == 2_699
    newest = await store.retrieve("works", [UUID(int=1 + (rounds - 1) % 50)], timeout=SECONDS)
    assert newest[0].version == rounds + 1
    await store.close()
    assert [path.name for path in (short_folder / "store").iterdir() if path.is_dir()] == ["works.2"]
    again = await open_edge_store(short_folder / "store")
    assert (await again.describe("works", timeout=SECONDS)).points == 2_699
    assert await again.optimize("works", timeout=SECONDS) is False
    await again.close()


async def test_an_optimisation_without_time_leaves_everything_as_it_was(short_folder: Path) -> None:
    spec = CollectionSpec("works", (DenseVector("text", 8_192),), ())
    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(spec, timeout=SECONDS)
    for start in range(0, 400, 50):
        points = [
            Point(UUID(int=each + 1), 1, "h", {}, {"text": [1.0, float(each)] + [0.0] * 8_190}, {})
            for each in range(start, start + 50)
        ]
        await store.upsert("works", points, timeout=SECONDS)
    with pytest.raises(VectorStoreUnavailable) as caught:
        await store.optimize("works", timeout=0.05)
    assert caught.value.timed_out
    assert await store.count("works", timeout=SECONDS) == 400
    assert [path.name for path in (short_folder / "store").iterdir() if path.is_dir()] == ["works.1"]
    await store.close()


async def test_an_index_asked_for_during_an_optimisation_is_there_after_it(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.upsert("works", [point(1)], timeout=SECONDS)
    more = msgspec.structs.replace(SPEC, indexes=(PayloadIndex("year", FieldKind.INTEGER),), model="a model")
    run_optimizer = edge._run_optimizer  # pyright: ignore[reportPrivateUsage]

    async def ensuring_meanwhile(path: Path) -> None:
        await run_optimizer(path)
        await store.ensure_collection(more, timeout=SECONDS)

    monkeypatch.setattr(edge, "_run_optimizer", ensuring_meanwhile)
    monkeypatch.setattr(edge, "INDEXING_THRESHOLD_KB", 0)
    assert await store.optimize("works", timeout=SECONDS)
    info = await store.describe("works", timeout=SECONDS)
    assert info.model == "a model"
    assert "year" in (info.indexed_fields or ())
    await store.close()


async def test_a_failed_optimisation_leaves_a_collection_that_was_ensured_meanwhile(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.upsert("works", [point(1)], timeout=SECONDS)

    async def failing(_: Path) -> None:
        await store.ensure_collection(SPEC, timeout=SECONDS)
        raise VectorStoreUnavailable

    monkeypatch.setattr(edge, "_run_optimizer", failing)
    monkeypatch.setattr(edge, "INDEXING_THRESHOLD_KB", 0)
    with pytest.raises(VectorStoreUnavailable):
        await store.optimize("works", timeout=SECONDS)
    await store.close()
    again = await open_edge_store(short_folder / "store")
    assert await again.count("works", timeout=SECONDS) == 1
    await again.close()


async def test_a_disk_that_takes_no_copy_is_an_error_of_ours(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    store = await open_edge_store(short_folder / "store")
    await store.ensure_collection(SPEC, timeout=SECONDS)
    await store.upsert("works", [point(1)], timeout=SECONDS)
    monkeypatch.setattr(edge, "copy_shard_folder", full)
    monkeypatch.setattr(edge, "INDEXING_THRESHOLD_KB", 0)
    with pytest.raises(VectorStoreUnavailable):
        await store.optimize("works", timeout=SECONDS)
    assert await store.count("works", timeout=SECONDS) == 1
    await store.close()


_OPTIMIZER = """
from datastore.vectors.edge_optimizer import end_with_owner

end_with_owner()
print("busy", flush=True)
while True:
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems send no signal")
async def test_an_optimiser_ends_when_nobody_is_left_to_take_over() -> None:
    """Else it would go on writing where the next owner puts its own copy."""
    pipe = asyncio.subprocess.PIPE
    optimizer = await asyncio.create_subprocess_exec(sys.executable, "-c", _OPTIMIZER, stdin=pipe, stdout=pipe)
    assert optimizer.stdin is not None
    assert optimizer.stdout is not None
    assert await optimizer.stdout.readline() == b"busy\n"
    optimizer.stdin.close()
    assert await optimizer.wait() == -signal.SIGIO


@pytest.mark.skipif(sys.platform != "linux", reason="other systems send no signal")
async def test_an_optimiser_does_not_begin_when_nobody_is_left() -> None:
    optimizer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _OPTIMIZER, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await optimizer.communicate()
    assert optimizer.returncode == 1
    assert b"nobody is left" in said
