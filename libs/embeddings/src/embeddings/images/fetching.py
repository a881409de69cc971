"""Fetching a picture from an address that somebody else chose: only from public hosts, only so much, only so long.

The address that is connected to is the one that was checked, so a name that resolves differently a moment later gains
nothing; environment proxies are not used.
"""

import asyncio
import ipaddress
import ssl
from collections.abc import Awaitable, Callable, Iterable
from socket import SOCK_STREAM
from typing import cast

import httpcore
import httpx

from embeddings.images.decoding import too_large
from embeddings.images.limits import PictureLimits
from embeddings.images.protocol import PictureRefused

PORTS = frozenset({80, 443, 8080, 8443})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_URL = 2_000
_HEADERS = ((b"Accept", b"image/*"), (b"Accept-Encoding", b"identity"), (b"User-Agent", b"enishi"))
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20")))
"""Set aside as well: a cloud's metadata, relays, sites, documentation; not every interpreter knows."""

type Resolve = Callable[[str, int], Awaitable[list[str]]]
"""A host's addresses as texts."""


async def system_resolve(host: str, port: int) -> list[str]:
    """What the machine's resolver says. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def is_public(address: str) -> bool:
    """Whether an address is one that anybody on the internet could reach, an embedded IPv4 address included."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed in _NAT64:
            return _is_global(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF))
        inner = [parsed.ipv4_mapped, parsed.sixtofour, *(parsed.teredo or ())]
        if any(each is not None and not _is_global(each) for each in inner):
            return False
    return _is_global(parsed)


def _is_global(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    is_set_aside = any(address in each for each in _NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not address.is_reserved and not is_set_aside


class _GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to public addresses only, checked after the name was resolved; one private address refuses the host."""

    def __init__(self, resolve: Resolve, network: httpcore.AsyncNetworkBackend) -> None:
        self._resolve = resolve
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise PictureRefused("the picture's host has no address") from error
        if not addresses or not all(map(is_public, addresses)):
            raise PictureRefused("the picture's address is not a public one")
        return await self._network.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise PictureRefused("the picture's address is not a public one")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class PictureFetcher:
    """Fetches pictures. `resolve` and `network` are for tests; the guard stands before both."""

    def __init__(
        self,
        limits: PictureLimits | None = None,
        *,
        resolve: Resolve = system_resolve,
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._limits = limits or PictureLimits()
        # The library's own type for it is not seen where its import is optional.
        plain = network or cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
        self._network = _GuardedNetwork(resolve, plain)
        self._tls: ssl.SSLContext | None = None

    async def fetch(self, url: str, *, timeout: float) -> bytes:
        """The bytes behind an http or https URL, as many and over as many redirects as the limits allow.

        Raises:
            PictureRefused: the address may not be asked, or nothing of use came from it in time.
        """
        try:
            async with asyncio.timeout(min(timeout, self._limits.seconds)):
                return await self._follow(url)
        except TimeoutError as error:
            raise PictureRefused("the picture's host did not answer in time") from error
        except (httpcore.ProtocolError, httpcore.NetworkError, httpcore.TimeoutException, OSError) as error:
            raise PictureRefused("the picture's host can't be reached") from error

    async def _follow(self, address: str) -> bytes:
        url = checked_url(address)
        for _ in range(self._limits.redirects + 1):
            if url.scheme == "https" and self._tls is None:
                self._tls = await asyncio.to_thread(httpcore.default_ssl_context)
            # A pool for each request: no connection outlives the check of its address.
            async with (
                httpcore.AsyncConnectionPool(ssl_context=self._tls, network_backend=self._network) as pool,
                pool.stream("GET", _raw(url), headers=_HEADERS) as response,
            ):
                if response.status not in _REDIRECTS:
                    return await _body(response, self._limits)
                url = checked_url(str(_target(url, response)))
        raise PictureRefused(f"the picture's host redirects more than {self._limits.redirects} times")


def checked_url(address: str) -> httpx.URL:
    """The URL, if it is one that may be asked at all; its host is not resolved yet. Raises PictureRefused."""
    if len(address) > _MAX_URL:
        raise PictureRefused(f"the picture's address is longer than {_MAX_URL} characters")
    try:
        url = httpx.URL(address)
        # Its host is unpacked when it is asked for.
        host = url.host
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise PictureRefused("the picture's address is no URL") from error
    if url.scheme not in _DEFAULT_PORTS or not host:
        raise PictureRefused("a picture's address must begin with http:// or https://")
    if url.userinfo:
        raise PictureRefused("a picture's address must hold no user name or password")
    if (url.port or _DEFAULT_PORTS[url.scheme]) not in PORTS:
        raise PictureRefused(f"a picture's address may name the ports {', '.join(map(str, sorted(PORTS)))} only")
    return url


def _raw(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _header(response: httpcore.Response, name: bytes) -> str:
    found = (value for key, value in response.headers if key.lower() == name)
    return next(found, b"").decode("latin-1")


def _target(url: httpx.URL, response: httpcore.Response) -> httpx.URL:
    try:
        return url.join(_header(response, b"location"))
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise PictureRefused("the picture's host redirects to something that is no URL") from error


async def _body(response: httpcore.Response, limits: PictureLimits) -> bytes:
    if response.status != 200:
        raise PictureRefused(f"the picture's host answered with status {response.status}")
    if _header(response, b"content-encoding").strip().lower() not in ("", "identity"):
        raise PictureRefused("the picture's host sent it packed, which was not asked for")
    length = _header(response, b"content-length")
    body = bytearray()
    if not (length.isdecimal() and int(length) > limits.bytes):
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > limits.bytes:
                break
        else:
            return bytes(body)
    raise too_large(limits)
