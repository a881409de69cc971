"""The owner of an embedded vector store: many clients reach the one store over a unix socket."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from datastore.errors import DatastoreError, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import wire
from datastore.vectors.protocol import VectorStore
from datastore.vectors.wire import Call, Failure, FailureKind, FrameTooLarge, Reply, read_frame, write_frame

MAX_CALL_SECONDS = 900.0
MAX_CLIENTS = 64

_BODY_SECONDS = 30.0
_SEND_SECONDS = 30.0
_MAX_SOCKET_PATH_BYTES = 107

_CALLS = msgspec.msgpack.Decoder(Call)
_ENCODER = msgspec.msgpack.Encoder()


class VectorStoreOwner:
    """Serves one store on a socket that only this user can reach. The store stays its opener's to close.

    With `maintain_every`, indexes are built in the background whenever enough was written.
    """

    def __init__(
        self, store: VectorStore, socket: Path, *, max_clients: int = MAX_CLIENTS, maintain_every: float | None = None
    ) -> None:
        self._store = store
        self._socket = socket
        self._max_clients = max_clients
        self._maintain_every = maintain_every
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._busy: set[asyncio.Task[None]] = set()
        self._maintenance: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to serve.

        Raises:
            VectorStoreRefused: the socket's path is too long, or others could enter its folder.
        """
        await asyncio.to_thread(_prepare_socket, self._socket)
        self._server = await asyncio.start_unix_server(self._serve_client, path=self._socket, backlog=self._max_clients)
        # Between bind and this line the folder's own mode keeps others out.
        await asyncio.to_thread(self._socket.chmod, 0o600)
        if self._maintain_every is not None:
            self._maintenance = asyncio.create_task(self._maintain(self._maintain_every))

    async def close(self, *, grace_seconds: float = 5.0) -> None:
        """Stop accepting, let calls that have begun finish within the grace, then hang up."""
        if self._server is None:
            return
        self._server.close()
        if self._busy:
            await asyncio.wait(set(self._busy), timeout=grace_seconds)
        ending = list(self._clients)
        if self._maintenance is not None:
            ending.append(self._maintenance)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await self._server.wait_closed()
        await asyncio.to_thread(self._socket.unlink, missing_ok=True)
        self._server = None

    async def _serve_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        is_welcome = len(self._clients) < self._max_clients
        self._clients.add(task)
        try:
            if is_welcome:
                await self._answer_calls(reader, writer, task)
            else:
                await _send(writer, Reply(failure=Failure(FailureKind.UNAVAILABLE)))
        except asyncio.CancelledError:
            # Only `close` cancels; a cancelled handler would be reported as an error by the stream server.
            pass
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            # The client is gone or stuck: there is nobody to tell.
            pass
        finally:
            self._clients.discard(task)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer_calls(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]
    ) -> None:
        while True:
            try:
                frame = await read_frame(reader, body_seconds=_BODY_SECONDS)
                call = _CALLS.decode(frame)
            except (FrameTooLarge, msgspec.DecodeError):
                await _send(
                    writer, Reply(failure=Failure(FailureKind.REFUSED, "the request is malformed or too large"))
                )
                return
            self._busy.add(task)
            try:
                await _send(writer, await self._perform(call))
            finally:
                self._busy.discard(task)
            if self._server is None or not self._server.is_serving():
                return

    async def _perform(self, call: Call) -> Reply:
        seconds = min(call.timeout, MAX_CALL_SECONDS)
        try:
            result = await call.operation.perform(self._store, seconds)
        except DatastoreError as error:
            return Reply(failure=Failure.of(error))
        return Reply(result=msgspec.Raw(_ENCODER.encode(result)))

    async def _maintain(self, every: float) -> None:
        while True:
            await asyncio.sleep(every)
            with suppress(VectorStoreUnavailable, VectorStoreRefused):
                for collection in await self._store.collections(timeout=MAX_CALL_SECONDS):
                    await self._store.optimize(collection, timeout=MAX_CALL_SECONDS)


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    frame = _ENCODER.encode(reply)
    if len(frame) > wire.MAX_FRAME_BYTES:
        frame = _ENCODER.encode(Reply(failure=Failure(FailureKind.REFUSED, "the answer is too large for one call")))
    async with asyncio.timeout(_SEND_SECONDS):
        await write_frame(writer, frame)


def _prepare_socket(path: Path) -> None:
    """A private folder and no stale socket; who holds the store's folder lock is the only owner there can be."""
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH_BYTES:
        raise VectorStoreRefused(
            f"the vector socket's path is longer than {_MAX_SOCKET_PATH_BYTES} bytes; use a shorter data folder"
        )
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.parent.stat().st_mode & 0o077:
        raise VectorStoreRefused("the vector socket's folder must be closed to other users (mode 0700)")
    path.unlink(missing_ok=True)
