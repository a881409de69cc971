"""Fetching from addresses that somebody else chose: what is asked, what is never asked, and how much is taken."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import cast

import httpcore
import pytest
from embeddings.images.fetching import PictureFetcher, checked_url, is_public
from embeddings.images.limits import PictureLimits
from embeddings.images.protocol import PictureRefused

PUBLIC = "93.184.216.34"
NOT_PUBLIC = "the picture's address is not a public one"

type Answer = Callable[[str], bytes]


class Rewired(httpcore.AsyncNetworkBackend):
    """Connects to the server of the test instead of the public address; any other address is a fault of the guard."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._real = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
        self.asked: list[tuple[str, int]] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.asked.append((host, port))
        assert host == PUBLIC
        return await self._real.connect_tcp("127.0.0.1", self._port, timeout)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise AssertionError(path)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


NAMES = {
    "pictures.example": [PUBLIC],
    "inside.example": ["10.0.0.7"],
    "metadata.example": ["169.254.169.254"],
    "both.example": [PUBLIC, "127.0.0.1"],
    "2130706433": ["127.0.0.1"],
    "0x7f.1": ["127.0.0.1"],
}


async def resolve(host: str, port: int) -> list[str]:
    """The names of the test; an address stands for itself."""
    if host == "gone.example":
        raise OSError("unknown")
    return NAMES.get(host, [host])


@asynccontextmanager
async def serving(answer: Answer) -> AsyncGenerator[tuple[PictureFetcher, Rewired, list[str]]]:
    """A fetcher whose one public host is a server that answers with `answer(path)`; the paths that were asked."""
    paths: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        paths.append(head.split()[1])
        try:
            writer.write(answer(paths[-1]))
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except OSError:
            pass

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        rewired = Rewired(server.sockets[0].getsockname()[1])
        yield PictureFetcher(resolve=resolve, network=rewired), rewired, paths


def ok(body: bytes, *headers: str) -> bytes:
    head = "".join(f"{each}\r\n" for each in headers)
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body


def moved(to: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


async def refusal(fetch: Awaitable[bytes]) -> str:
    with pytest.raises(PictureRefused) as refused:
        await fetch
    return refused.value.reason


async def test_a_public_picture_is_fetched_over_its_redirects() -> None:
    def answer(path: str) -> bytes:
        return {"/a": moved("/b"), "/b": moved("http://pictures.example:8080/c?d=1", 308)}.get(path, ok(b"picture"))

    async with serving(answer) as (fetcher, network, paths):
        assert await fetcher.fetch("http://pictures.example/a", timeout=5) == b"picture"
    assert paths == ["/a", "/b", "/c?d=1"]
    assert network.asked == [(PUBLIC, 80), (PUBLIC, 80), (PUBLIC, 8080)]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.5.4",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00::1]",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fec0::1]",
        "192.0.0.192",
        "2130706433",
        "0x7f.1",
        "inside.example",
        "metadata.example",
        "both.example",
    ],
)
async def test_what_is_not_public_is_never_connected_to(host: str) -> None:
    async with serving(lambda _: ok(b"secret")) as (fetcher, network, _):
        for scheme in ("http", "https") if host in ("127.0.0.1", "inside.example") else ("http",):
            assert await refusal(fetcher.fetch(f"{scheme}://{host}/latest", timeout=5)) == NOT_PUBLIC
    assert network.asked == []


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1/admin", "http://inside.example/", "//169.254.169.254/latest", "https://[::1]/"]
)
async def test_a_redirect_to_what_is_not_public_is_not_followed(target: str) -> None:
    async with serving(lambda _: moved(target)) as (fetcher, network, paths):
        assert await refusal(fetcher.fetch("http://pictures.example/a", timeout=5)) == NOT_PUBLIC
    assert (network.asked, paths) == ([(PUBLIC, 80)], ["/a"])


async def test_a_name_that_resolves_elsewhere_a_moment_later_gains_nothing() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])

    async def turning(host: str, port: int) -> list[str]:
        return next(answers)

    async with serving(lambda path: moved("/b") if path == "/a" else ok(b"secret")) as (_, network, paths):
        fetcher = PictureFetcher(resolve=turning, network=network)
        assert await refusal(fetcher.fetch("http://pictures.example/a", timeout=5)) == NOT_PUBLIC
    assert paths == ["/a"]


async def test_redirects_are_bounded_and_must_stay_http() -> None:
    async with serving(lambda path: moved(path + "x")) as (fetcher, _, paths):
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
    assert (reason, len(paths)) == ("the picture's host redirects more than 3 times", PictureLimits().redirects + 1)
    async with serving(lambda _: moved("file:///etc/passwd")) as (fetcher, _, _):
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
    assert reason == "a picture's address must begin with http:// or https://"


async def test_no_more_is_taken_than_a_picture_may_have() -> None:
    too_large = "the picture is larger than 8 MB"
    announced = f"HTTP/1.1 200 OK\r\nContent-Length: {PictureLimits().bytes + 1}\r\n\r\n".encode()
    cut_off = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n"
    chunk = b"100000\r\n" + bytes(0x100000) + b"\r\n"
    unannounced = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 9 + b"0\r\n\r\n"
    for answer in (announced, unannounced):
        async with serving(lambda _, answer=answer: answer) as (fetcher, _, _):
            assert await refusal(fetcher.fetch("http://pictures.example/a", timeout=5)) == too_large
    async with serving(lambda _: cut_off) as (fetcher, _, _):
        assert (
            await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
            == "the picture's host can't be reached"
        )
    async with serving(lambda _: ok(b"x", "Content-Encoding: gzip")) as (fetcher, _, _):
        assert "packed" in await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))


async def test_trouble_with_the_host_is_told_in_our_words() -> None:
    async with serving(lambda _: b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\nsecret") as (fetcher, _, _):
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
        assert reason == "the picture's host answered with status 404"
        assert await refusal(fetcher.fetch("http://gone.example/a", timeout=5)) == "the picture's host has no address"
    async with serving(lambda _: b"SSH-2.0-server\r\n\r\n") as (fetcher, _, _):
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
        assert reason == "the picture's host can't be reached"
    async with serving(lambda _: b"") as (fetcher, _, _):
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=5))
        assert reason == "the picture's host can't be reached"


async def test_a_silent_host_ends_with_the_deadline() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        fetcher = PictureFetcher(resolve=resolve, network=Rewired(server.sockets[0].getsockname()[1]))
        reason = await refusal(fetcher.fetch("http://pictures.example/a", timeout=0.1))
    assert reason == "the picture's host did not answer in time"


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("ftp://pictures.example/a", "must begin with http://"),
        ("gopher://pictures.example/", "must begin with http://"),
        ("http://", "must begin with http://"),
        ("http://user:secret@pictures.example/", "no user name"),
        ("http://pictures.example:22/", "the ports 80, 443, 8080, 8443 only"),
        ("http://pictures.example:5432/", "the ports 80"),
        ("http://pictures.example:99999999/", "the ports 80"),
        ("http://pictures.example/" + "a" * 2_000, "longer than 2000"),
        ("http://[::1/", "is no URL"),
        ("http://a\x00b.example/", "is no URL"),
        ("http://xn--/", "is no URL"),
        ("http://xn--a.example/", "is no URL"),
    ],
)
def test_addresses_that_are_never_asked(address: str, part: str) -> None:
    with pytest.raises(PictureRefused) as refused:
        checked_url(address)
    assert part in refused.value.reason


def test_public_addresses() -> None:
    assert all(map(is_public, ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"]))
    assert not any(map(is_public, ["", "abc", "240.0.0.1", "255.255.255.255", "::", "ff02::1", "2001:db8::1"]))
    assert not any(map(is_public, ["192.0.0.8", "192.88.99.1", "::ffff:192.0.0.192", "feff::1", "3fff::1"]))
