"""The events of one run, kept as they come and read by any number of followers, each at its own pace."""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator

from agent_core.events import DraftJudged, DraftMade, RunEvent, StageStarted, StepChosen

# What later events make up for. All others are few: each costs the run a turn or a call of its budget.
_PASSING = (StageStarted, StepChosen, DraftMade, DraftJudged)


class RunLog:
    """A slow follower costs nothing here: it holds a place in the log, not a queue of its own.

    Args:
        max_events: From then on only what an answer is made of is kept; events that only tell of progress are dropped.
    """

    def __init__(self, max_events: int) -> None:
        self._max_events = max_events
        self._events: list[RunEvent] = []
        self._error: Exception | None = None
        self._is_closed = False
        self._news = asyncio.Event()

    def append(self, event: RunEvent) -> None:
        """Keep an event and wake those who wait."""
        if len(self._events) < self._max_events or not isinstance(event.body, _PASSING):
            self._events.append(event)
            self._wake()

    def close(self, error: Exception | None = None) -> None:
        """No more will come; followers that have read all end, or raise `error`."""
        self._is_closed, self._error = True, error
        self._wake()

    @property
    def events(self) -> tuple[RunEvent, ...]:
        """What was kept so far."""
        return tuple(self._events)

    @property
    def bytes(self) -> int:
        """What the events weigh as JSON. Writes all of them: for a run that has ended."""
        return sum(len(event.model_dump_json()) for event in self._events)

    async def follow(self, *, after: int, heartbeat: float) -> AsyncGenerator[RunEvent | None]:
        """The events beyond the sequence number `after`, as they come, to the end of the run.

        None whenever nothing has come for `heartbeat` seconds. Raises what the run ended with.
        """
        place = bisect_right(self._events, after, key=lambda event: event.sequence)
        while True:
            news = self._news
            while place < len(self._events):
                yield self._events[place]
                place += 1
            if self._is_closed and place == len(self._events):
                break
            try:
                async with asyncio.timeout(heartbeat):
                    await news.wait()
            except TimeoutError:
                yield None
        if self._error is not None:
            raise self._error

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
