"""What travels between the owner of a vector store and its clients: length-prefixed MessagePack frames."""

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from uuid import UUID

import msgspec

from datastore.errors import CollectionMissing, DatastoreError, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors.filters import PayloadFilter
from datastore.vectors.protocol import CollectionSpec, Point, Query, Tombstone, VectorStore

MAX_FRAME_BYTES = 32 * 1024 * 1024
"""No message is longer: about 3,000 points with their vectors."""

_LENGTH_BYTES = 4


class FrameTooLarge(Exception):
    """A frame announces more than MAX_FRAME_BYTES."""


class EnsureCollection(msgspec.Struct, frozen=True, tag="ensure_collection"):
    """VectorStore.ensure_collection."""

    spec: CollectionSpec

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.ensure_collection(self.spec, timeout=timeout)


class DropCollection(msgspec.Struct, frozen=True, tag="drop_collection"):
    """VectorStore.drop_collection."""

    collection: str

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.drop_collection(self.collection, timeout=timeout)


class ListCollections(msgspec.Struct, frozen=True, tag="collections"):
    """VectorStore.collections."""

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.collections(timeout=timeout)


class Describe(msgspec.Struct, frozen=True, tag="describe"):
    """VectorStore.describe."""

    collection: str

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.describe(self.collection, timeout=timeout)


class SwitchAlias(msgspec.Struct, frozen=True, tag="switch_alias"):
    """VectorStore.switch_alias."""

    alias: str
    collection: str

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.switch_alias(self.alias, self.collection, timeout=timeout)


class ListAliases(msgspec.Struct, frozen=True, tag="aliases"):
    """VectorStore.aliases."""

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.aliases(timeout=timeout)


class Upsert(msgspec.Struct, frozen=True, tag="upsert"):
    """VectorStore.upsert."""

    collection: str
    points: Sequence[Point]

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.upsert(self.collection, self.points, timeout=timeout)


class Delete(msgspec.Struct, frozen=True, tag="delete"):
    """VectorStore.delete."""

    collection: str
    tombstones: Sequence[Tombstone]

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.delete(self.collection, self.tombstones, timeout=timeout)


class Retrieve(msgspec.Struct, frozen=True, tag="retrieve"):
    """VectorStore.retrieve."""

    collection: str
    ids: Sequence[UUID]
    with_vectors: Sequence[str]

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.retrieve(self.collection, self.ids, timeout=timeout, with_vectors=self.with_vectors)


class Search(msgspec.Struct, frozen=True, tag="query"):
    """VectorStore.query."""

    collection: str
    query: Query

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.query(self.collection, self.query, timeout=timeout)


class Scroll(msgspec.Struct, frozen=True, tag="scroll"):
    """VectorStore.scroll."""

    collection: str
    start: UUID | None
    limit: int
    filter: PayloadFilter | None = None

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.scroll(
            self.collection, start=self.start, limit=self.limit, filter=self.filter, timeout=timeout
        )


class Count(msgspec.Struct, frozen=True, tag="count"):
    """VectorStore.count."""

    collection: str
    filter: PayloadFilter | None

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.count(self.collection, filter=self.filter, timeout=timeout)


class Optimize(msgspec.Struct, frozen=True, tag="optimize"):
    """VectorStore.optimize."""

    collection: str

    async def perform(self, store: VectorStore, timeout: float) -> object:
        """Run on the owner's side."""
        return await store.optimize(self.collection, timeout=timeout)


Operation = (
    EnsureCollection
    | DropCollection
    | ListCollections
    | Describe
    | SwitchAlias
    | ListAliases
    | Upsert
    | Delete
    | Retrieve
    | Search
    | Scroll
    | Count
    | Optimize
)


class Call(msgspec.Struct, frozen=True):
    """One request: what to do, and how many seconds the caller will wait."""

    operation: Operation
    timeout: float


class FailureKind(StrEnum):
    """Which of our errors an operation raised."""

    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"
    REFUSED = "refused"
    MISSING = "missing"


class Failure(msgspec.Struct, frozen=True):
    """An error of ours on its way back. `detail` is the reason, or the name that is missing."""

    kind: FailureKind
    detail: str = ""

    @classmethod
    def of(cls, error: DatastoreError) -> "Failure":
        """The failure to send for an error."""
        match error:
            case CollectionMissing(name=name):
                return cls(FailureKind.MISSING, name)
            case VectorStoreRefused(reason=reason):
                return cls(FailureKind.REFUSED, reason)
            case VectorStoreUnavailable(timed_out=True):
                return cls(FailureKind.TIMED_OUT)
            case _:
                return cls(FailureKind.UNAVAILABLE)

    def error(self) -> DatastoreError:
        """The error to raise for a failure that arrived."""
        match self.kind:
            case FailureKind.MISSING:
                return CollectionMissing(self.detail)
            case FailureKind.REFUSED:
                return VectorStoreRefused(self.detail)
            case FailureKind.TIMED_OUT:
                return VectorStoreUnavailable(timed_out=True)
            case FailureKind.UNAVAILABLE:
                return VectorStoreUnavailable()


class Reply(msgspec.Struct, frozen=True):
    """One answer: the operation's result, or why there is none."""

    result: msgspec.Raw = msgspec.Raw(b"\xc0")
    failure: Failure | None = None


async def read_frame(reader: asyncio.StreamReader, *, body_seconds: float | None = None) -> bytes:
    """The next frame; waits without end for its first byte, and at most `body_seconds` for the rest.

    Raises:
        asyncio.IncompleteReadError: the other side hung up.
        TimeoutError: the rest did not come in time.
        FrameTooLarge: the announced length is over the limit; nothing more can be read from this stream.
    """
    first = await reader.readexactly(1)
    async with asyncio.timeout(body_seconds):
        length = int.from_bytes(first + await reader.readexactly(_LENGTH_BYTES - 1))
        if length > MAX_FRAME_BYTES:
            raise FrameTooLarge
        return await reader.readexactly(length)


async def write_frame(writer: asyncio.StreamWriter, body: bytes) -> None:
    """Send one frame and wait until the other side takes it."""
    writer.write(len(body).to_bytes(_LENGTH_BYTES))
    writer.write(body)
    await writer.drain()
