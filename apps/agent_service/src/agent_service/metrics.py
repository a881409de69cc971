"""Figures of the service for Prometheus: what runs took and cost, how they ended, what was lost on the way."""

import threading
from dataclasses import dataclass
from wsgiref.simple_server import WSGIServer

from agent_core.schemas import AgentResponse, Stage, StepStatus, WarningCode
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

_MS_BUCKETS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
_TURN_BUCKETS = (1, 2, 3, 4, 5, 6, 10, 20)
_READS = frozenset({Stage.RESOLVE, Stage.EXPAND, Stage.EXECUTE})


class EndpointInUse(Exception):
    """The address of the metrics is taken."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"{host}:{port} is in use: set ENISHI_METRICS_PORT to another port")


class Metrics:
    """The figures of one service, in a registry of their own. `running` goes up and down with the questions."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._steps: dict[str, Histogram] = {}
        self._runs = self._counter("runs", "Runs that ended, by status and reason.", "status", "reason")
        self._tokens = self._counter("tokens", "Tokens of model calls.", "kind")
        self._cost = self._counter("cost", "Cost of model calls, in the currency of the configured prices.")
        self._model_calls = self._counter("model_calls", "Calls of models, every attempt counted.")
        self._tool_calls = self._counter("tool_calls", "Reads of sources.")
        self._zero_results = self._counter("zero_results", "Reads that found nothing.", "action")
        self._removed = self._counter("removed_citations", "Answers from which a sentence or citation was removed.")
        self._turns = Histogram("enishi_turns", "Turns of a run.", buckets=_TURN_BUCKETS, registry=self.registry)
        self._lag = Gauge(
            "enishi_index_lag_seconds", "Age of the oldest change not indexed yet.", registry=self.registry
        )
        self.running = Gauge("enishi_running", "Questions under way.", registry=self.registry)
        self._traces = self._counter("traces", "Traces by what became of them.", "outcome")

    def answered(self, response: AgentResponse) -> None:
        """Count a run that ended with an answer."""
        usage = response.usage
        self._runs.labels(response.status.value, response.termination_reason.value).inc()
        for name, milliseconds in usage.ms.items():
            self._step(name).observe(milliseconds)
        self._turns.observe(usage.turns)
        self._tool_calls.inc(usage.tool_calls)
        self._model_calls.inc(usage.model_calls)
        self._tokens.labels("prompt").inc(usage.prompt_tokens)
        self._tokens.labels("completion").inc(usage.completion_tokens)
        self._cost.inc(usage.cost or 0.0)
        for step in response.steps:
            if step.status is StepStatus.EMPTY and step.stage in _READS:
                self._zero_results.labels(step.action).inc()
        if any(warning.code is WarningCode.CITATION_REMOVED for warning in response.warnings):
            self._removed.inc()

    def aborted(self, how: str) -> None:
        """Count a run that ended without an answer."""
        self._runs.labels(how, "").inc()

    def stored(self, traces: int) -> None:
        """Count traces that were written."""
        self._traces.labels("stored").inc(traces)

    def dropped(self, traces: int) -> None:
        """Count traces that were given up."""
        self._traces.labels("dropped").inc(traces)

    def index_lag(self, seconds: float) -> None:
        """Set how far the index is behind."""
        self._lag.set(seconds)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"enishi_{name}", what, labels, registry=self.registry)

    def _step(self, name: str) -> Histogram:
        """The histogram of a step's time. Names of steps are literals of the loop, so they are few."""
        known = self._steps.get(name)
        if known is None:
            what = f"Milliseconds of a run in {name.removesuffix('_ms')}."
            known = Histogram(f"enishi_{name}", what, buckets=_MS_BUCKETS, registry=self.registry)
            self._steps[name] = known
        return known


@dataclass(frozen=True, slots=True)
class MetricsEndpoint:
    """An HTTP address that Prometheus can scrape, served by a thread of its own."""

    server: WSGIServer
    thread: threading.Thread

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.server.server_port

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(timeout=5)


def serve_metrics(metrics: Metrics, host: str, port: int) -> MetricsEndpoint:
    """Listen for scrapes; port 0 is the system's choice. Raises EndpointInUse."""
    try:
        return MetricsEndpoint(*start_http_server(port, host, metrics.registry))
    except OSError as taken:
        raise EndpointInUse(host, port) from taken
