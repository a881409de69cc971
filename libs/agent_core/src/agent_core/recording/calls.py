"""The calls of one run, in the order in which they began; what they gave is kept as it came, and read later."""

import time
from collections.abc import Awaitable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from agent_core.errors import BudgetExhausted, StageFailed

type CalledBy = Literal["model", "rules", "source"]
"""Who gave the output: a model's stage, a rule-based one, or a source that was read."""


@dataclass(slots=True)
class Call:
    """One call. `failure` is `KIND` of a failed stage or `budget:WHAT`; `is_lost` says that the source was away."""

    name: str
    by: CalledBy
    output: object = None
    failure: str | None = None
    is_lost: bool = False
    ms: float = 0.0


@dataclass(slots=True)
class Recording:
    """Collects up to `limit` calls of one run; `is_cut` says that there were more."""

    limit: int
    calls: list[Call] = field(default_factory=list[Call])
    is_cut: bool = False

    async def keep[T](self, name: str, by: CalledBy, made: Awaitable[T]) -> T:
        """The result of a call, which is kept with how long it took."""
        if len(self.calls) >= self.limit:
            self.is_cut = True
            return await made
        call = Call(name, by)
        # Its place is taken before it runs: calls that run together end in any order.
        self.calls.append(call)
        started = time.perf_counter()
        try:
            result = await made
        except BaseException as error:
            call.failure, call.is_lost = _failure(error), by == "source"
            raise
        finally:
            call.ms = round((time.perf_counter() - started) * 1000, 3)
        call.output = result
        return result


_current: ContextVar[Recording | None] = ContextVar("current_recording", default=None)


@contextmanager
def recording(into: Recording) -> Generator[None]:
    """Keep the calls of this task, and of those it starts, in `into`."""
    token = _current.set(into)
    try:
        yield
    finally:
        _current.reset(token)


async def kept[T](name: str, by: CalledBy, made: Awaitable[T]) -> T:
    """The result of a call, kept when a recording is under way."""
    current = _current.get()
    return await (made if current is None else current.keep(name, by, made))


def _failure(error: BaseException) -> str:
    match error:
        case StageFailed():
            return error.kind
        case BudgetExhausted():
            return f"budget:{error.what}"
        case _:
            return type(error).__name__
