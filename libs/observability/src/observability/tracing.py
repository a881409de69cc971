"""Spans for whoever listens: nothing but one look at a variable until a process says where they go."""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from observability.attributes import ERROR_TYPE

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Tracer

type Value = str | bool | int | float


class Span(Protocol):
    """What is done with a span while it is open."""

    def set_attribute(self, key: str, value: Value, /) -> None: ...


class TracingNotInstalled(Exception):
    """An endpoint is configured, but what sends spans is not installed; the message says how to."""


@dataclass(frozen=True, slots=True)
class SpanTarget:
    """Where spans go: an OTLP endpoint over gRPC, such as `http://127.0.0.1:4317`, under the name of a service.

    At most `max_queued` spans wait to be sent, more are dropped; sending gives up after `seconds`.
    """

    endpoint: str
    service: str
    max_queued: int = 2_048
    seconds: float = 5.0


class Tracing:
    """Spans of one process, from `start_tracing` to `close`."""

    def __init__(self, provider: "TracerProvider") -> None:
        self._provider = provider

    def close(self) -> None:
        """Send what waits and stop. Blocks for as long as the target's `seconds`."""
        global _tracer
        _tracer = None
        self._provider.shutdown()


_tracer: "Tracer | None" = None


def start_tracing(target: SpanTarget) -> Tracing:
    """Send spans to an endpoint. Call it once, at the start of a process. Raises TracingNotInstalled."""
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise TracingNotInstalled(
            "ENISHI_OTLP_ENDPOINT is set, but OpenTelemetry's exporter is not installed: uv sync --group otlp"
        ) from missing
    insecure = not target.endpoint.startswith("https://")
    exporter = OTLPSpanExporter(endpoint=target.endpoint, insecure=insecure, timeout=target.seconds)
    return trace_into(BatchSpanProcessor(exporter, max_queue_size=target.max_queued), service=target.service)


def trace_into(processor: "SpanProcessor", *, service: str) -> Tracing:
    """Hand spans to a processor."""
    global _tracer
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource.create({"service.name": service}), shutdown_on_exit=False)
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("enishi")
    return Tracing(provider)


def is_tracing() -> bool:
    """Whether somebody listens."""
    return _tracer is not None


def span(name: str, attributes: Mapping[str, Value] | None = None) -> AbstractContextManager[Span]:
    """A span around a block, a child of the one around it. An exception that leaves the block is noted by its kind."""
    return OFF if _tracer is None else _opened(_tracer, name, attributes, None)


def remote_span(
    name: str, carrier: Mapping[str, str], attributes: Mapping[str, Value] | None = None
) -> AbstractContextManager[Span]:
    """A span around the work of a call, a child of the caller's that its headers name, if they name one."""
    return OFF if _tracer is None else _opened(_tracer, name, attributes, carrier)


def carried() -> list[tuple[str, str]]:
    """The current span as headers or metadata of a call, lower-case; none while nobody listens."""
    if _tracer is None:
        return []
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return list(carrier.items())


@contextmanager
def _opened(
    tracer: "Tracer", name: str, attributes: Mapping[str, Value] | None, carrier: Mapping[str, str] | None
) -> Generator[Span]:
    from opentelemetry.trace import Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract(carrier) if carrier is not None else None
    # The text of an exception may hold a question or a prompt: only its class is noted.
    with tracer.start_as_current_span(
        name, context=parent, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except BaseException as error:
            current.set_attribute(ERROR_TYPE, type(error).__name__)
            current.set_status(Status(StatusCode.ERROR))
            raise


class _Off:
    """Does nothing; one for all."""

    __slots__ = ()

    def __enter__(self) -> "_Off":
        return self

    def __exit__(self, *_exc: object) -> None:
        return None

    def set_attribute(self, key: str, value: Value, /) -> None:
        return None


OFF = _Off()
"""The span of a process whose spans nobody reads."""
