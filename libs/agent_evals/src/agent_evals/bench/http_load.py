"""Asks an HTTP server over many kept connections at once, as fast as it answers, and keeps the time of each answer."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from agent_evals.bench.harness import Clock

_LENGTH = b"content-length:"
_HEAD_END = b"\r\n\r\n"


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

    Raises:
        UnexpectedAnswer: an answer was not 200; a benchmark of errors means nothing.
    """
    requests = cycle([endpoint.request(body) for body in bodies])
    taken: list[float] = []
    opened = [await asyncio.open_connection(endpoint.host, endpoint.port) for _ in range(connections)]
    began = clock()
    latest = began + seconds

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (asked := clock()) < latest:
            await _answer(reader, writer, next(requests))
            taken.append(clock() - asked)

    try:
        async with asyncio.TaskGroup() as group:
            for reader, writer in opened:
                group.create_task(ask(reader, writer))
    except* UnexpectedAnswer as failed:
        raise UnexpectedAnswer(str(failed.exceptions[0])) from failed
    finally:
        for _, writer in opened:
            writer.close()
    return LoadBlock(tuple(taken), clock() - began)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> bytes:
    writer.write(request)
    try:
        head = await reader.readuntil(_HEAD_END)
        length = _content_length(head)
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError as exc:
        raise UnexpectedAnswer("the connection was closed") from exc
    if not head.startswith(b"HTTP/1.1 200 "):
        raise UnexpectedAnswer(f"{head.splitlines()[0].decode('latin-1')}: {body[:200].decode(errors='replace')}")
    return body


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(_LENGTH):
            return int(line[len(_LENGTH) :])
    raise UnexpectedAnswer("an answer without a length")
