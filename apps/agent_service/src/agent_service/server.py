"""The gRPC server: started, watched, drained."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

import grpc
import structlog
from agent_api.client import SEARCH_SERVICE
from agent_api.v1.graph_pb2_grpc import add_GraphServiceServicer_to_server
from agent_api.v1.search_pb2_grpc import add_SearchServiceServicer_to_server
from agent_api.v1.traces_pb2_grpc import add_TraceServiceServicer_to_server
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from observability.tracing import is_tracing

from agent_service.call_spans import CallSpans
from agent_service.graph_servicer import GraphServicer, GraphSource
from agent_service.interceptors import Admission, CallGuard
from agent_service.kept_runs import RunStore
from agent_service.runs import Answerer, RunLimits, Runs
from agent_service.servicer import SearchServicer
from agent_service.settings import Settings
from agent_service.trace_servicer import TraceAccess, TraceServicer

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_READY_CHECK_EVERY_SECONDS = 1.0
_READY_CHECK_TIMEOUT_SECONDS = 0.5

type ReadyCheck = Callable[[], Awaitable[None]]
"""Returns when the service can answer, raises when it can't."""


class HealthReporter(Protocol):
    """What is used of gRPC's health servicer."""

    async def set(self, service: str, status: health_pb2.HealthCheckResponse.ServingStatus) -> None: ...

    async def enter_graceful_shutdown(self) -> None: ...


class PortInUse(Exception):
    """The address to bind is taken."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is in use: stop what listens there, or set ENISHI_AGENT_PORT to another port")
        self.address = address


class AgentServer:
    """One server over one loop. `start`, then `stop`; between them `port` says where it listens.

    `admission` counts the calls under way, `runs` the streamed runs.
    """

    def __init__(
        self,
        answerer: Answerer,
        settings: Settings,
        *,
        is_ready: ReadyCheck,
        graph: GraphSource | None = None,
        traces: TraceAccess | None = None,
        kept_runs: RunStore | None = None,
    ) -> None:
        """Without a `graph` or `traces` their services aren't there; without `kept_runs` runs stay in this process."""
        self._settings = settings
        self._is_ready = is_ready
        # The health package is untyped; the protocol above says what is used of it.
        self._health: HealthReporter = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        self._watcher: asyncio.Task[None] | None = None
        token = settings.internal_token.get_secret_value() if settings.internal_token else None
        self.admission = Admission(settings.max_concurrent_requests)
        guard = CallGuard(max_seconds=settings.request_seconds, admission=self.admission, token=token)
        self.runs = Runs(answerer, _run_limits(settings), self.admission, kept_runs)
        self._server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", settings.max_message_bytes),
                ("grpc.max_send_message_length", settings.max_message_bytes),
                # Two servers on one port would share its calls at random.
                ("grpc.so_reuseport", 0),
            ],
            interceptors=[CallSpans()] if is_tracing() else [],
        )
        servicer = SearchServicer(
            answerer,
            guard,
            self.runs,
            max_message_bytes=settings.max_message_bytes,
            heartbeat_seconds=settings.stream_heartbeat_seconds,
        )
        add_SearchServiceServicer_to_server(servicer, self._server)
        if graph is not None:
            graph_servicer = GraphServicer(
                graph, guard, max_message_bytes=settings.max_message_bytes, max_rows=settings.graph_max_rows
            )
            add_GraphServiceServicer_to_server(graph_servicer, self._server)
        if traces is not None:
            add_TraceServiceServicer_to_server(TraceServicer(traces, guard), self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)  # pyright: ignore[reportUnknownMemberType]
        self.port = 0

    async def start(self) -> None:
        """Bind and serve.

        Raises:
            PortInUse: Something else listens on the address.
        """
        try:
            self.port = self._server.add_insecure_port(self._settings.bind_address)
        except RuntimeError as exc:
            raise PortInUse(self._settings.bind_address) from exc
        await self._server.start()
        await self._set_serving(await self._check_ready())
        self._watcher = asyncio.create_task(self._watch())
        _log.info("server_started", port=self.port)

    async def stop(self) -> None:
        """Say "not serving" first, then let calls under way end within the drain time."""
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=self._settings.drain_seconds)
        await self.runs.close()
        _log.info("server_stopped")

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_READY_CHECK_EVERY_SECONDS)
            await self._set_serving(await self._check_ready())

    async def _check_ready(self) -> bool:
        try:
            async with asyncio.timeout(_READY_CHECK_TIMEOUT_SECONDS):
                await self._is_ready()
        except Exception as exc:  # noqa: BLE001 - whatever is wrong, the answer is "not ready"
            _log.warning("ready_check_failed", error=type(exc).__name__)
            return False
        return True

    async def _set_serving(self, is_serving: bool) -> None:
        status = health_pb2.HealthCheckResponse.SERVING if is_serving else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in ("", SEARCH_SERVICE):
            await self._health.set(service, status)


def _run_limits(settings: Settings) -> RunLimits:
    return RunLimits(
        events=settings.run_events,
        kept=settings.kept_runs,
        kept_of_principal=settings.kept_runs_per_principal,
        kept_bytes=settings.kept_run_bytes,
        kept_seconds=settings.kept_run_seconds,
        detached_seconds=settings.detached_run_seconds,
    )
