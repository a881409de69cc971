"""VectorStore through the socket of its owner: what every process but the owner uses in the embedded stack."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import msgspec

from datastore.errors import VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import wire
from datastore.vectors.deadline import within
from datastore.vectors.filters import PayloadFilter
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

_ENCODER = msgspec.msgpack.Encoder()
_REPLIES = msgspec.msgpack.Decoder(wire.Reply)

_HUNG_UP = (OSError, asyncio.IncompleteReadError, wire.FrameTooLarge)


@dataclass(frozen=True, slots=True)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def exchange(self, frame: bytes) -> wire.Reply:
        await wire.write_frame(self.writer, frame)
        return _REPLIES.decode(await wire.read_frame(self.reader))

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


class OwnedVectorStore:
    """See VectorStore for the promises. Connects on first use, and again after the owner was away."""

    def __init__(self, socket: Path, *, max_connections: int = 8) -> None:
        self._socket = socket
        self._slots = asyncio.Semaphore(max_connections)
        self._idle: list[_Connection] = []
        self._is_closed = False

    async def ensure_collection(self, spec: CollectionSpec, *, timeout: float) -> None:
        """See VectorStore."""
        await self._call(wire.EnsureCollection(spec), None, timeout=timeout)

    async def drop_collection(self, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        await self._call(wire.DropCollection(collection), None, timeout=timeout)

    async def collections(self, *, timeout: float) -> tuple[str, ...]:
        """See VectorStore."""
        return await self._call(wire.ListCollections(), tuple[str, ...], timeout=timeout)

    async def describe(self, collection: str, *, timeout: float) -> CollectionInfo:
        """See VectorStore."""
        return await self._call(wire.Describe(collection), CollectionInfo, timeout=timeout)

    async def switch_alias(self, alias: str, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        await self._call(wire.SwitchAlias(alias, collection), None, timeout=timeout)

    async def aliases(self, *, timeout: float) -> Mapping[str, str]:
        """See VectorStore."""
        return await self._call(wire.ListAliases(), dict[str, str], timeout=timeout)

    async def upsert(self, collection: str, points: Sequence[Point], *, timeout: float) -> None:
        """See VectorStore."""
        refuse_endless(points)
        await self._call(wire.Upsert(collection, points), None, timeout=timeout)

    async def delete(self, collection: str, tombstones: Sequence[Tombstone], *, timeout: float) -> None:
        """See VectorStore."""
        await self._call(wire.Delete(collection, tombstones), None, timeout=timeout)

    async def retrieve(
        self, collection: str, ids: Sequence[UUID], *, timeout: float, with_vectors: Sequence[str] = ()
    ) -> list[StoredPoint]:
        """See VectorStore."""
        return await self._call(wire.Retrieve(collection, ids, with_vectors), list[StoredPoint], timeout=timeout)

    async def query(self, collection: str, query: Query, *, timeout: float) -> list[ScoredPoint]:
        """See VectorStore."""
        return await self._call(wire.Search(collection, query), list[ScoredPoint], timeout=timeout)

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
        return await self._call(wire.Scroll(collection, start, limit, filter), ScrollPage, timeout=timeout)

    async def count(self, collection: str, *, timeout: float, filter: PayloadFilter | None = None) -> int:
        """See VectorStore."""
        return await self._call(wire.Count(collection, filter), int, timeout=timeout)

    async def optimize(self, collection: str, *, timeout: float) -> bool:
        """See VectorStore."""
        return await self._call(wire.Optimize(collection), bool, timeout=timeout)

    async def close(self) -> None:
        """Hang up; calls that have begun fail. The owner and its store go on."""
        self._is_closed = True
        while self._idle:
            await self._idle.pop().close()

    async def _call[T](self, operation: wire.Operation, result: type[T] | None, *, timeout: float) -> T:
        try:
            frame = _ENCODER.encode(wire.Call(operation, timeout))
        except (OverflowError, UnicodeEncodeError) as error:
            raise VectorStoreRefused("the request holds a text or a number that can't be sent") from error
        if len(frame) > wire.MAX_FRAME_BYTES:
            raise VectorStoreRefused("the request is too large for one call")
        async with within(timeout), self._slots:
            reply = await self._exchange(frame)
        if reply.failure is not None:
            raise reply.failure.error()
        return msgspec.msgpack.decode(reply.result, type=result)

    async def _exchange(self, frame: bytes) -> wire.Reply:
        """Send on an idle connection, or on a new one when there is none or its other end is gone.

        Every operation may be repeated, so a connection that broke while it lay idle costs nothing but the attempt.
        """
        while not self._is_closed:
            is_fresh = not self._idle
            connection = await self._connect() if is_fresh else self._idle.pop()
            try:
                reply = await connection.exchange(frame)
            except _HUNG_UP as error:
                await connection.close()
                if is_fresh:
                    raise VectorStoreUnavailable from error
            except BaseException:
                # The answer may still arrive: nobody must take it for the answer to another question.
                connection.writer.close()
                raise
            else:
                if self._is_closed:
                    await connection.close()
                else:
                    self._idle.append(connection)
                return reply
        raise VectorStoreUnavailable

    async def _connect(self) -> _Connection:
        try:
            reader, writer = await asyncio.open_unix_connection(self._socket)
        except OSError as error:
            raise VectorStoreUnavailable from error
        return _Connection(reader, writer)
