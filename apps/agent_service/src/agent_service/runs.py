"""The runs under way, and those kept for a while for a caller who comes back."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import grpc
import structlog
from agent_core.events import EventListener, RunEvent, RunStarted
from agent_core.schemas import AgentRequest, AgentResponse

from agent_service.interceptors import Admission, Refusal
from agent_service.kept_runs import RunStore
from agent_service.run_log import RunLog

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Answerer(Protocol):
    """What the service needs of the loop."""

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse: ...


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What runs may hold in memory.

    `events` of one run; of the kept ones their number, that of one principal's, `kept_bytes` together, `kept_seconds`
    after a run's end, and `detached_seconds` that a run goes on while nobody follows it.
    """

    events: int
    kept: int
    kept_of_principal: int
    kept_bytes: int
    kept_seconds: float
    detached_seconds: float


@dataclass(slots=True, eq=False)
class _Run:
    owner: str
    log: RunLog
    is_kept: bool
    task: asyncio.Task[None] | None = None
    run_id: UUID | None = None
    followers: int = 1
    is_over: bool = False
    holds_place: bool = False
    bytes: int = 0
    expiry: asyncio.TimerHandle | None = None


class Runs:
    """Starts runs and ends them. A kept run without a follower holds its place in `admission` while it works.

    With a `store`, a kept run that has ended is resumed by whichever process is asked.
    """

    def __init__(
        self, answerer: Answerer, limits: RunLimits, admission: Admission, store: RunStore | None = None
    ) -> None:
        self._answerer = answerer
        self._limits = limits
        self._admission = admission
        self._store = store
        # The one used last is the last.
        self._kept: dict[UUID, _Run] = {}
        self._under_way: set[_Run] = set()

    @property
    def under_way(self) -> int:
        """How many runs are at work, followed or not."""
        return len(self._under_way)

    @asynccontextmanager
    async def start(self, question: AgentRequest, *, keep: bool) -> AsyncGenerator[RunLog]:
        """A run at work, followed for as long as the block lasts.

        At its end a run that isn't kept is ended with all its work, and that is waited for; a kept one goes on.
        Raises Refusal when no more can be kept.
        """
        if keep:
            self._make_room(question.principal)
        run = _Run(question.principal, RunLog(self._limits.events), keep)
        self._under_way.add(run)
        run.task = asyncio.create_task(self._work(run, question))
        try:
            yield run.log
        finally:
            if keep:
                self._leave(run)
            else:
                await _end(run.task)

    @asynccontextmanager
    async def resume(self, run_id: UUID, principal: str, *, seconds: float) -> AsyncGenerator[RunLog]:
        """A kept run, followed for as long as the block lasts.

        Raises Refusal for another's run as for none, SourceUnavailable when it can't be looked up within `seconds`.
        """
        run = self._kept.get(run_id)
        if run is None or run.owner != principal:
            yield await self._stored(run_id, principal, seconds)
            return
        self._kept[run_id] = self._kept.pop(run_id)
        run.followers += 1
        self._set_expiry(run, None)
        self._free_place(run)
        try:
            yield run.log
        finally:
            self._leave(run)

    async def _stored(self, run_id: UUID, principal: str, seconds: float) -> RunLog:
        """The log of a run that ended here or in another process."""
        events = await self._store.get(run_id, principal, timeout=seconds) if self._store is not None else None
        if events is None:
            message = "no run of this id is kept for you: it is unknown, or it ended too long ago"
            raise Refusal(grpc.StatusCode.NOT_FOUND, "RUN_NOT_FOUND", message)
        log = RunLog(self._limits.events)
        for event in events:
            log.append(event)
        log.close()
        return log

    async def close(self) -> None:
        """End every run."""
        for run in [*self._kept.values()]:
            self._forget(run)
        tasks = [run.task for run in self._under_way if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, run: _Run, question: AgentRequest) -> None:
        def tell(event: RunEvent) -> None:
            if run.is_kept and isinstance(event.body, RunStarted):
                run.run_id = event.body.run_id
                self._kept[run.run_id] = run
            run.log.append(event)

        error: Exception | None = None
        try:
            await self._answerer.run(question, listener=tell)
        except Exception as exc:  # noqa: BLE001 - followers raise it where every failure gets its status
            error = exc
        finally:
            self._under_way.discard(run)
            run.is_over = True
            run.log.close(error)
            self._free_place(run)
            if run.run_id is not None and run.run_id in self._kept:
                if self._store is not None and error is None and self._limits.kept_seconds > 0:
                    self._store.offer(run.run_id, run.owner, run.log.events)
                self._weigh(run)

    def _weigh(self, run: _Run) -> None:
        """Make what is kept light enough for a run that has ended."""
        run.bytes = run.log.bytes
        if run.followers == 0:
            self._set_expiry(run, self._limits.kept_seconds)
        while sum(kept.bytes for kept in self._kept.values()) > self._limits.kept_bytes and self._evict():
            pass

    def _leave(self, run: _Run) -> None:
        """A follower of a kept run went; after the last one the run is kept for a while."""
        run.followers -= 1
        if run.followers > 0:
            return
        if run.run_id is None:
            self._forget(run)  # nobody learned its id
        elif run.is_over:
            self._set_expiry(run, self._limits.kept_seconds)
        else:
            run.holds_place = True
            self._admission.hold()
            self._set_expiry(run, self._limits.detached_seconds)
            _log.info("run_detached", run_id=str(run.run_id))

    def _set_expiry(self, run: _Run, seconds: float | None) -> None:
        if run.expiry is not None:
            run.expiry.cancel()
        loop = asyncio.get_running_loop()
        run.expiry = None if seconds is None else loop.call_later(seconds, self._forget, run)

    def _free_place(self, run: _Run) -> None:
        if run.holds_place:
            run.holds_place = False
            self._admission.leave()

    def _make_room(self, owner: str) -> None:
        """See to it that a run of `owner` can be kept. Raises Refusal."""
        nameless = [run for run in self._under_way if run.is_kept and run.run_id is None]
        of_owner = sum(run.owner == owner for run in (*self._kept.values(), *nameless))
        if of_owner >= self._limits.kept_of_principal and not self._evict(owner):
            raise Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", "too many runs are kept for you")
        if len(self._kept) + len(nameless) >= self._limits.kept and not self._evict():
            raise Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", "too many runs are kept")

    def _evict(self, owner: str | None = None) -> bool:
        """Forget the run, of `owner` if given, that was used longest ago, is over and followed by nobody, if any."""
        runs = (run for run in self._kept.values() if owner is None or run.owner == owner)
        run = next((run for run in runs if run.is_over and run.followers == 0), None)
        if run is not None:
            self._forget(run)
        return run is not None

    def _forget(self, run: _Run) -> None:
        self._set_expiry(run, None)
        if run.run_id is not None:
            self._kept.pop(run.run_id, None)
        if run.task is not None:
            run.task.cancel()


async def _end(work: asyncio.Task[None]) -> None:
    """Cancel, and wait until all that the task began has ended."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
