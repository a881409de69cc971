"""The load client: bodies in turn over kept connections, every answer timed, errors never counted as answers."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from agent_evals.bench.http_load import Endpoint, UnexpectedAnswer, load, post

Handler = Callable[[bytes], bytes]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncGenerator[tuple[Endpoint, list[int]]]:
    """A tiny server; the list grows by one number a connection."""
    connections: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                writer.write(handler(await reader.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield Endpoint("127.0.0.1", server.sockets[0].getsockname()[1], "/graphql"), connections


def answer(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


async def test_an_answer_is_its_body() -> None:
    async with serving(lambda body: answer(body[::-1])) as (endpoint, _):
        assert await post(endpoint, b"abc") == b"cba"


async def test_all_bodies_are_posted_in_turn_over_so_many_connections() -> None:
    seen: list[bytes] = []

    def remember(body: bytes) -> bytes:
        seen.append(body)
        return answer(b"ok")

    async with serving(remember) as (endpoint, connections):
        block = await load(endpoint, [b"one", b"two", b"three"], connections=4, seconds=0.2)
    assert len(connections) == 4
    assert len(block.seconds) == len(seen) > 12
    assert abs(seen.count(b"one") - seen.count(b"three")) <= 4
    assert block.per_second == pytest.approx(len(block.seconds) / block.elapsed)


@pytest.mark.parametrize("failing", [load, None])
async def test_another_status_is_no_answer(failing: Callable[..., Awaitable[object]] | None) -> None:
    async with serving(lambda _: answer(b"too many", "429 Too Many Requests")) as (endpoint, _):
        asked = load(endpoint, [b"a"], connections=2, seconds=1.0) if failing else post(endpoint, b"a")
        with pytest.raises(UnexpectedAnswer, match="429 Too Many Requests: too many"):
            await asked


async def test_an_answer_without_a_length_is_not_guessed_at() -> None:
    async with serving(lambda _: b"HTTP/1.1 200 OK\r\n\r\n") as (endpoint, _):
        with pytest.raises(UnexpectedAnswer, match="without a length"):
            await post(endpoint, b"a")
