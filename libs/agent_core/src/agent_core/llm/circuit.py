"""When a provider is left alone: after outages in a row nobody waits for it until one call shows that it is back."""

from collections.abc import Callable
from enum import StrEnum

import structlog

from agent_core.llm.options import CircuitOptions

_log = structlog.get_logger(__name__)


class CircuitState(StrEnum):
    """Closed lets every call through, open none, half-open the one that probes."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Circuit:
    """The circuit of one provider in one process. A call that `admit` lets through is ended by one of the others."""

    def __init__(self, provider: str, options: CircuitOptions, monotonic: Callable[[], float]) -> None:
        self._provider = provider
        self._options = options
        self._monotonic = monotonic
        self._outages = 0
        self._opened = 0.0
        self._state = CircuitState.CLOSED

    @property
    def state(self) -> CircuitState:
        """The state in force; an open circuit stays open until a call asks to be let through."""
        return self._state

    def admit(self) -> bool:
        """Whether a call may be made now. The first one after the pause is the only one until its end is known."""
        if self._state is CircuitState.CLOSED:
            return True
        is_due = self._monotonic() - self._opened >= self._options.open_seconds
        if self._state is CircuitState.OPEN and is_due:
            self._change(CircuitState.HALF_OPEN)
            return True
        return False

    def succeeded(self) -> None:
        """The provider answered, whatever the answer was worth."""
        self._outages = 0
        if self._state is not CircuitState.CLOSED:
            self._change(CircuitState.CLOSED)

    def failed(self) -> None:
        """The provider was out of reach."""
        self._outages += 1
        if self._state is CircuitState.HALF_OPEN or self._outages >= self._options.outages:
            self._opened = self._monotonic()
            if self._state is not CircuitState.OPEN:
                self._change(CircuitState.OPEN)

    def unknown(self) -> None:
        """The call ended without telling anything, e.g. by cancellation; the next one may probe in its place."""
        if self._state is CircuitState.HALF_OPEN:
            self._change(CircuitState.OPEN)

    def _change(self, state: CircuitState) -> None:
        self._state = state
        _log.warning("model_circuit", provider=self._provider, state=state, outages=self._outages)
