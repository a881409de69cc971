"""What watches the service and keeps its runs: spans, metrics, records and kept runs, opened as the settings say."""

import asyncio
import contextlib
from contextlib import AsyncExitStack
from functools import partial

import structlog
from agent_core.orchestrator import Orchestrator
from agent_core.replay import replay
from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.outbox_lag import index_lag
from observability.tracing import SpanTarget, start_tracing

from agent_service.kept_runs import PostgresKeptRuns
from agent_service.metrics import Metrics, serve_metrics
from agent_service.observed_loop import ObservedLoop
from agent_service.settings import Settings
from agent_service.trace_servicer import TraceAccess
from agent_service.trace_store import PostgresTraces
from agent_service.trace_writer import TraceWriter, WriterLimits

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_LAG_SECONDS = 1.0


def observe(
    loop: Orchestrator, settings: Settings, writer: ReadWriteEngine, metrics: Metrics, opened: AsyncExitStack
) -> tuple[ObservedLoop, TraceAccess]:
    """The loop with its runs counted and recorded, and the access to the records. Records are flushed at the end."""
    traces = PostgresTraces(writer, keep_days=settings.trace_days)
    limits = WriterLimits(queued=settings.trace_queue, max_bytes=settings.trace_max_bytes)
    recorder = TraceWriter(traces, limits, metrics, keep_text=settings.trace_text)
    recorder.start()
    opened.push_async_callback(recorder.close)
    keeps = settings.trace_days > 0
    observed = ObservedLoop(loop, metrics, recorder if keeps else None, max_events=settings.trace_max_events)
    return observed, TraceAccess(traces, partial(replay, loop), recorder.settle)


def open_kept_runs(settings: Settings, writer: ReadWriteEngine, opened: AsyncExitStack) -> PostgresKeptRuns:
    """Where ended runs are kept for those who come back to another process; what waits is written at the end."""
    kept = PostgresKeptRuns(
        writer,
        keep_seconds=settings.kept_run_seconds,
        most=settings.kept_runs_per_principal,
        waiting=settings.kept_runs,
        max_bytes=settings.kept_run_max_bytes,
    )
    kept.purge()
    opened.push_async_callback(kept.close)
    return kept


def open_telemetry(settings: Settings, engine: ReadOnlyEngine, opened: AsyncExitStack) -> Metrics:
    """Spans and the metrics' endpoint, where the settings ask for them. Raises EndpointInUse, TracingNotInstalled."""
    metrics = Metrics()
    if settings.otlp_endpoint is not None:
        tracing = start_tracing(SpanTarget(settings.otlp_endpoint, "enishi-agent"))
        opened.push_async_callback(asyncio.to_thread, tracing.close)
    if settings.metrics_port is not None:
        endpoint = serve_metrics(metrics, settings.metrics_host, settings.metrics_port)
        opened.push_async_callback(asyncio.to_thread, endpoint.close)
        _log.info("metrics_served", port=endpoint.port)
        watching = asyncio.create_task(_watch_lag(engine, metrics, settings.index_lag_seconds))
        opened.push_async_callback(_end, watching)
    return metrics


async def _watch_lag(engine: ReadOnlyEngine, metrics: Metrics, every: float) -> None:
    while True:
        try:
            async with engine.connect(_LAG_SECONDS) as connection:
                metrics.index_lag(await index_lag(connection))
        except DatabaseUnavailable:
            _log.warning("index_lag_unknown")
        await asyncio.sleep(every)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
