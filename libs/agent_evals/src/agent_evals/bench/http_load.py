"""Asks an HTTP server over many kept connections at once, as fast as it answers, and keeps the time of each answer."""

import asyncio
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle

from agent_evals.bench.harness import Clock

_LENGTH = b"content-length:"
_HEAD_END = b"\r\n\r\n"
_CHUNK_BYTES = 1 << 18
_ANSWER_SECONDS = 30.0


class UnexpectedAnswer(Exception):
    """The server answered with another status than 200, or in a way that this client does not read."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where bodies are posted to, as JSON."""

    host: str
    port: int
    path: str

    def request(self, body: bytes) -> bytes:
        """The whole request."""
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode("ascii") + body


@dataclass(frozen=True, slots=True)
class LoadBlock:
    """The seconds of each answer, and how long all took together."""

    seconds: tuple[float, ...]
    elapsed: float

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.seconds) / self.elapsed if self.elapsed > 0 else 0.0


async def post(endpoint: Endpoint, body: bytes) -> bytes:
    """One answer's body, on a connection of its own. Raises UnexpectedAnswer and OSError."""
    reader, writer = await asyncio.open_connection(endpoint.host, endpoint.port)
    try:
        return await _answer(reader, writer, endpoint.request(body))
    finally:
        writer.close()


async def load(
    endpoint: Endpoint,
    bodies: Sequence[bytes],
    *,
    connections: int,
    seconds: float,
    clock: Clock = time.perf_counter,
) -> LoadBlock:
    """Post the bodies in turn until the seconds are over, each connection one after the other.

    On plain sockets in a thread of its own: a client that costs as much as a server would measure itself.

    Raises:
        UnexpectedAnswer: an answer was not 200; a benchmark of errors means nothing.
    """
    requests = cycle([endpoint.request(body) for body in bodies])
    return await asyncio.to_thread(_load, endpoint, requests, connections, seconds, clock)


class _Connection:
    """One connection with at most one request on its way."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.socket = socket.create_connection((endpoint.host, endpoint.port), timeout=_ANSWER_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.asked = 0.0
        self._received = b""

    def ask(self, request: bytes, now: float) -> None:
        """Send a request."""
        self._received = b""
        self.asked = now
        self.socket.sendall(request)

    def read(self) -> bool:
        """Read what has arrived; whether the answer is whole. Raises UnexpectedAnswer."""
        arrived = self.socket.recv(_CHUNK_BYTES)
        if not arrived:
            raise UnexpectedAnswer("the connection was closed")
        self._received += arrived
        head, end, body = self._received.partition(_HEAD_END)
        if not end or len(body) < _content_length(head):
            return False
        _check_status(head, body)
        return True


def _load(endpoint: Endpoint, requests: Iterator[bytes], connections: int, seconds: float, clock: Clock) -> LoadBlock:
    taken: list[float] = []
    with selectors.DefaultSelector() as selector, ExitStack() as sockets:
        opened = [_Connection(endpoint) for _ in range(connections)]
        for connection in opened:
            sockets.enter_context(connection.socket)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        began = clock()
        latest, busy = began + seconds, len(opened)
        for connection in opened:
            connection.ask(next(requests), clock())
        while busy:
            ready = selector.select(_ANSWER_SECONDS)
            if not ready:
                raise UnexpectedAnswer(f"no answer within {_ANSWER_SECONDS:g} seconds")
            for key, _ in ready:
                connection: _Connection = key.data
                if not connection.read():
                    continue
                now = clock()
                taken.append(now - connection.asked)
                if now < latest:
                    connection.ask(next(requests), now)
                else:
                    busy -= 1
        return LoadBlock(tuple(taken), clock() - began)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> bytes:
    writer.write(request)
    try:
        head = await reader.readuntil(_HEAD_END)
        length = _content_length(head)
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError as exc:
        raise UnexpectedAnswer("the connection was closed") from exc
    _check_status(head, body)
    return body


def _check_status(head: bytes, body: bytes) -> None:
    if not head.startswith(b"HTTP/1.1 200 "):
        raise UnexpectedAnswer(f"{head.splitlines()[0].decode('latin-1')}: {body[:200].decode(errors='replace')}")


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(_LENGTH):
            return int(line[len(_LENGTH) :])
    raise UnexpectedAnswer("an answer without a length")
