"""The owner's socket: private, bounded, honest about what it can't read, and gone cleanly."""

import asyncio
import stat
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from datastore.errors import VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import wire
from datastore.vectors.connect import connect_vector_store
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.filters import AnyValue
from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.owner import VectorStoreOwner
from datastore.vectors.protocol import (
    Boost,
    CollectionSpec,
    DensePrefetch,
    DenseVector,
    Point,
    Query,
    SparsePrefetch,
    SparseValues,
    VectorStore,
)
from datastore.vectors.server import QdrantVectorStore
from msgspec.structs import replace

SECONDS = 20.0

SPEC = CollectionSpec("works", (DenseVector("text", 4),), ("lexical",))


@pytest.fixture
def socket(short_folder: Path) -> Path:
    return short_folder / "run" / "store.sock"


@pytest.fixture
async def owner(edge_store: EdgeVectorStore, socket: Path) -> AsyncGenerator[VectorStoreOwner]:
    made = VectorStoreOwner(edge_store, socket, max_clients=3)
    await made.start()
    yield made
    await made.close()


@pytest.fixture
async def client(owner: VectorStoreOwner, socket: Path) -> AsyncGenerator[VectorStore]:
    made = connect_vector_store(url=None, socket=socket)
    yield made
    await made.close()


async def exchange(socket: Path, raw: bytes) -> wire.Reply:
    reader, writer = await asyncio.open_unix_connection(socket)
    writer.write(raw)
    await writer.drain()
    reply = msgspec.msgpack.decode(await wire.read_frame(reader), type=wire.Reply)
    writer.close()
    await writer.wait_closed()
    return reply


@pytest.mark.usefixtures("owner")
def test_only_this_user_can_reach_the_socket(socket: Path) -> None:
    assert stat.S_IMODE(socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700


async def test_an_open_folder_is_refused(edge_store: EdgeVectorStore, short_folder: Path) -> None:
    (short_folder / "open").mkdir()
    (short_folder / "open").chmod(0o755)
    with pytest.raises(VectorStoreRefused, match="closed to other users"):
        await VectorStoreOwner(edge_store, short_folder / "open" / "s").start()


async def test_a_path_too_long_for_a_socket_is_refused(edge_store: EdgeVectorStore, short_folder: Path) -> None:
    with pytest.raises(VectorStoreRefused, match="longer than 107 bytes; use a shorter data folder"):
        await VectorStoreOwner(edge_store, short_folder / ("x" * 100) / "s").start()


async def test_a_stale_socket_is_no_obstacle(edge_store: EdgeVectorStore, socket: Path) -> None:
    await asyncio.to_thread(socket.parent.mkdir, mode=0o700)
    await asyncio.to_thread(socket.touch)
    owner = VectorStoreOwner(edge_store, socket)
    await owner.start()
    client = OwnedVectorStore(socket)
    assert await client.collections(timeout=SECONDS) == ()
    await client.close()
    await owner.close()
    assert not await asyncio.to_thread(socket.exists)
    await owner.close()


@pytest.mark.parametrize(
    "raw",
    [
        (wire.MAX_FRAME_BYTES + 1).to_bytes(4),
        (3).to_bytes(4) + b"abc",
        (1).to_bytes(4) + b"\xc1",
        (0).to_bytes(4),
    ],
    ids=["too large", "no message", "no encoding", "empty"],
)
async def test_what_can_not_be_read_is_refused_and_hurts_nobody(client: VectorStore, socket: Path, raw: bytes) -> None:
    reply = await exchange(socket, raw)
    assert reply.failure == wire.Failure(wire.FailureKind.REFUSED, "the request is malformed or too large")
    assert await client.collections(timeout=SECONDS) == ()


async def test_a_client_that_hangs_up_midway_hurts_nobody(client: VectorStore, socket: Path) -> None:
    _, writer = await asyncio.open_unix_connection(socket)
    writer.write((100).to_bytes(4) + b"half")
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert await client.collections(timeout=SECONDS) == ()


async def test_more_clients_than_allowed_are_told_so_at_once(client: VectorStore, socket: Path) -> None:
    assert await client.collections(timeout=SECONDS) == ()
    others = [await asyncio.open_unix_connection(socket) for _ in range(2)]
    await asyncio.sleep(0.05)
    late = OwnedVectorStore(socket)
    with pytest.raises(VectorStoreUnavailable) as caught:
        await late.collections(timeout=SECONDS)
    assert not caught.value.timed_out
    for _, writer in others:
        writer.close()
        await writer.wait_closed()
    await asyncio.sleep(0.05)
    assert await late.collections(timeout=SECONDS) == ()
    await late.close()


async def test_a_request_too_large_to_send_is_refused(client: VectorStore) -> None:
    huge = Point(UUID(int=1), 1, "h", {"name": "x" * (wire.MAX_FRAME_BYTES + 1)}, {}, {})
    with pytest.raises(VectorStoreRefused, match="too large"):
        await client.upsert("works", [huge], timeout=SECONDS)


async def test_an_answer_too_large_to_send_is_refused(
    client: VectorStore, edge_store: EdgeVectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await edge_store.ensure_collection(SPEC, timeout=SECONDS)
    points = [Point(UUID(int=each + 1), 1, "h", {"name": "x" * 1_000}, {}, {}) for each in range(20)]
    await edge_store.upsert("works", points, timeout=SECONDS)
    monkeypatch.setattr(wire, "MAX_FRAME_BYTES", 10_000)
    with pytest.raises(VectorStoreRefused, match="the answer is too large"):
        await client.retrieve("works", [each.id for each in points], timeout=SECONDS)
    assert len(await client.retrieve("works", [points[0].id], timeout=SECONDS)) == 1


@pytest.mark.parametrize("value", ["\ud800", 2**70])
async def test_what_no_frame_can_hold_is_refused(client: VectorStore, value: str | int) -> None:
    with pytest.raises(VectorStoreRefused, match="can't be sent"):
        await client.count("works", filter=AnyValue("genres", (value,)), timeout=SECONDS)


@pytest.mark.parametrize(
    "query",
    [
        Query((SparsePrefetch("lexical", SparseValues((-1,), (1.0,)), 5),), 5),
        Query((DensePrefetch("text", (1, 0, 0, 0), 5),), 5, AnyValue("genres[", ("drama",))),
        Query((DensePrefetch("text", (1, 0, 0, 0), 5),), 5, boost=Boost("genres[", 0.1)),
    ],
)
async def test_a_search_that_the_engine_can_t_read_is_refused(client: VectorStore, query: Query) -> None:
    await client.ensure_collection(SPEC, timeout=SECONDS)
    with pytest.raises(VectorStoreRefused):
        await client.query("works", query, timeout=SECONDS)


@pytest.mark.parametrize("spec", [replace(SPEC, name="../works"), replace(SPEC, dense=(DenseVector("text", 0),))])
async def test_a_collection_that_can_t_be_is_refused_and_leaves_nothing(
    client: VectorStore, short_folder: Path, spec: CollectionSpec
) -> None:
    with pytest.raises(VectorStoreRefused):
        await client.ensure_collection(spec, timeout=SECONDS)
    assert await client.collections(timeout=SECONDS) == ()
    assert await asyncio.to_thread(lambda: list(short_folder.rglob("works*"))) == []


async def test_a_silent_owner_is_a_timeout(short_folder: Path) -> None:
    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(never, path=short_folder / "silent.sock")
    client = OwnedVectorStore(short_folder / "silent.sock", max_connections=1)
    for _ in range(2):
        with pytest.raises(VectorStoreUnavailable) as caught:
            await client.collections(timeout=0.1)
        assert caught.value.timed_out
    await client.close()
    server.close()
    await server.wait_closed()


async def test_no_owner_is_unavailable_at_once(short_folder: Path) -> None:
    client = OwnedVectorStore(short_folder / "nobody.sock")
    with pytest.raises(VectorStoreUnavailable) as caught:
        await client.collections(timeout=SECONDS)
    assert not caught.value.timed_out


async def test_a_cancelled_call_never_answers_another(owned_store: OwnedVectorStore) -> None:
    await owned_store.ensure_collection(SPEC, timeout=SECONDS)
    for _ in range(20):
        abandoned = asyncio.create_task(owned_store.count("works", timeout=SECONDS))
        await asyncio.sleep(0)
        abandoned.cancel()
        with pytest.raises(asyncio.CancelledError):
            await abandoned
        assert await owned_store.collections(timeout=SECONDS) == ("works",)


async def test_closing_lets_a_call_that_has_begun_finish(edge_store: EdgeVectorStore, socket: Path) -> None:
    owner = VectorStoreOwner(edge_store, socket)
    await owner.start()
    client = OwnedVectorStore(socket)
    await client.ensure_collection(SPEC, timeout=SECONDS)
    points = [Point(UUID(int=each + 1), 1, "h", {}, {"text": [1, 0, 0, 0]}, {}) for each in range(2_000)]
    writing = asyncio.create_task(client.upsert("works", points, timeout=SECONDS))
    await asyncio.sleep(0.02)
    await owner.close(grace_seconds=SECONDS)
    await writing
    assert await edge_store.count("works", timeout=SECONDS) == 2_000
    await client.close()


async def test_maintenance_runs_and_ends_with_the_owner(edge_store: EdgeVectorStore, socket: Path) -> None:
    await edge_store.ensure_collection(SPEC, timeout=SECONDS)
    owner = VectorStoreOwner(edge_store, socket, maintain_every=0.01)
    await owner.start()
    await asyncio.sleep(0.1)
    await owner.close()
    assert await edge_store.count("works", timeout=SECONDS) == 0


async def test_a_server_s_address_wins_and_nothing_is_an_error(socket: Path) -> None:
    store = connect_vector_store(url="http://127.0.0.1:1", socket=socket)
    assert isinstance(store, QdrantVectorStore)
    with pytest.raises(VectorStoreUnavailable):
        await store.collections(timeout=SECONDS)
    await store.close()
    with pytest.raises(ValueError, match="needs the address of a server or the socket"):
        connect_vector_store(url=None)
