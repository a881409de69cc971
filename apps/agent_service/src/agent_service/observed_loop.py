"""The loop with somebody who listens: every run is counted, and its record is handed on to be stored."""

from dataclasses import dataclass, field
from typing import Protocol

from agent_core.events import EventListener, RunAborted, RunEvent, RunFinished
from agent_core.recording import EndedRun, Recording, recording
from agent_core.schemas import AgentRequest, AgentResponse

from agent_service.metrics import Metrics
from agent_service.trace_writer import TraceWriter


class Loop(Protocol):
    """What is observed."""

    @property
    def has_model(self) -> bool: ...

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse: ...


class ObservedLoop:
    """Runs questions on a loop. Without a `writer` runs are counted only; at most `max_events` of one are kept."""

    def __init__(self, loop: Loop, metrics: Metrics, writer: TraceWriter | None, *, max_events: int) -> None:
        self._loop = loop
        self._metrics = metrics
        self._writer = writer
        self._max_events = max_events

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        """See Orchestrator.run."""
        self._metrics.running.inc()
        heard = _Heard(self._max_events if self._writer is not None else 0, listener)
        calls = Recording(self._max_events)
        try:
            if self._writer is None:
                return await self._loop.run(request, listener=heard)
            with recording(calls):
                return await self._loop.run(request, listener=heard)
        finally:
            self._metrics.running.dec()
            self._count(heard.ending)
            if self._writer is not None and heard.ending is not None:
                run = EndedRun(request, heard.events, calls, self._loop.has_model, is_cut=heard.is_cut)
                self._writer.offer(run)

    def _count(self, ending: RunEvent | None) -> None:
        match ending.body if ending is not None else None:
            case RunFinished(response=response):
                self._metrics.answered(response)
            case RunAborted(error=error):
                self._metrics.aborted(error)
            case _:
                self._metrics.aborted("invalid_request")


@dataclass(slots=True)
class _Heard:
    """Keeps the first events of a run, and its last one whatever came before; passes all of them on."""

    limit: int
    listener: EventListener | None
    events: list[RunEvent] = field(default_factory=list[RunEvent])
    ending: RunEvent | None = None
    is_cut: bool = False

    def __call__(self, event: RunEvent, /) -> None:
        is_ending = isinstance(event.body, RunFinished | RunAborted)
        if is_ending:
            self.ending = event
        if is_ending or len(self.events) < self.limit:
            self.events.append(event)
        else:
            self.is_cut = True
        if self.listener is not None:
            self.listener(event)
