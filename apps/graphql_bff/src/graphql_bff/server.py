"""The HTTP server: inside a running event loop, on a socket bound before it starts."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Generator

import structlog
import uvicorn

from graphql_bff.app import build_app
from graphql_bff.settings import Settings

_QUEUED_MESSAGES = 8
"""Of one WebSocket, that were received and not read yet; from then on the other side waits."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class PortInUse(Exception):
    """The address to bind is taken."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is in use: stop what listens there, or set ENISHI_GRAPHQL_PORT to another port")
        self.address = address


class AddressNotUsable(Exception):
    """The host to bind is not an address of this machine, or its port is reserved."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} can't be bound: set ENISHI_GRAPHQL_HOST and ENISHI_GRAPHQL_PORT to one that can")
        self.address = address


class NotStarted(Exception):
    """The app failed while it started; the log says why."""

    def __init__(self) -> None:
        super().__init__("the GraphQL backend could not be started, see its log")


class EmbeddedGraphqlServer:
    """One server inside the caller's loop; no signal handlers. `start`, then `stop`; `port` says where it listens."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self) -> None:
        """Bind and serve.

        Raises:
            PortInUse: Something else listens on the address.
            AddressNotUsable: The address can't be bound for another reason.
            NotStarted: What the server needs could not be opened.
        """
        bound = _bind(self._settings.graphql_host, self._settings.graphql_port)
        self.port = bound.getsockname()[1]
        self._server = _Server(
            uvicorn.Config(
                build_app(self._settings),
                log_config=None,
                access_log=False,
                server_header=False,
                # Nothing here asks where a request comes from.
                proxy_headers=False,
                lifespan="on",
                ws="websockets-sansio",
                ws_max_size=self._settings.max_body_bytes,
                ws_max_queue=_QUEUED_MESSAGES,
                ws_ping_interval=self._settings.socket_ping_seconds,
                ws_ping_timeout=self._settings.socket_ping_seconds,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=self._settings.drain_seconds,
            )
        )
        self._serving = asyncio.create_task(self._server.serve(sockets=[bound]))
        up = asyncio.create_task(self._server.is_up.wait())
        await asyncio.wait((self._serving, up), return_when=asyncio.FIRST_COMPLETED)
        if not up.done():
            up.cancel()
            bound.close()
            await self._serving
        _log.info("server_started", port=self.port)

    async def stop(self) -> None:
        """Refuse new connections, let requests under way end within the drain time, close what was opened."""
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        await self._serving
        _log.info("server_stopped")


class _Server(uvicorn.Server):
    """Leaves signals to the process, and says when it is up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Nothing is captured."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As before, then tell. Raises NotStarted where uvicorn would end the process."""
        try:
            await super().startup(sockets)
        except SystemExit:
            raise NotStarted from None
        self.is_up.set()


def _bind(host: str, port: int) -> socket.socket:
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as exc:
        raise PortInUse(address) if exc.errno == errno.EADDRINUSE else AddressNotUsable(address) from exc
