"""Where an area's time goes: how long lasted what it said it was doing."""

from collections.abc import Callable

from agent_evals.bench.harness import Clock


class Phases:
    """Tells what is going on to `say`, and adds up the seconds of each phase until the next one begins."""

    def __init__(self, say: Callable[[str], None], clock: Clock) -> None:
        self._say = say
        self._clock = clock
        self._seconds: dict[str, float] = {}
        self._current: str | None = None
        self._began = clock()

    def begin(self, phase: str) -> None:
        """The phase before is over."""
        self._close()
        self._current = phase
        self._say(phase)

    def end(self) -> dict[str, float]:
        """Seconds by phase, in the order in which they began first."""
        self._close()
        return {phase: round(seconds, 2) for phase, seconds in self._seconds.items()}

    def _close(self) -> None:
        now = self._clock()
        if self._current is not None:
            self._seconds[self._current] = self._seconds.get(self._current, 0.0) + now - self._began
        self._current, self._began = None, now
