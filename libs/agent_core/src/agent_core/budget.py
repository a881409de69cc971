"""What a run may still spend, and one query cost: checked before each spend, never after.

Pure but for the clock it is given.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from agent_core.errors import BudgetExhausted


@dataclass(frozen=True, slots=True)
class Limits:
    """The ceilings of one run. `cost` is in the currency of the configured prices; None means no price is known."""

    turns: int = 6
    model_calls: int = 12
    tool_calls: int = 24
    tokens: int = 60_000
    cost: float | None = None
    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one query may cost and bring.

    `rows` come back unless a caller says how many, more are counted. `cost` is in the planner's units: what is expected
    to cost more is refused before it runs. `seconds` is the client's own time-out.
    """

    rows: int = 100
    cost: float = 20_000_000
    seconds: float = 5.0


@dataclass(slots=True)
class Budget:
    """The one mutable value of a run; every spend goes through it.

    Each `spend_*` raises BudgetExhausted before anything is counted when the limit is reached or the time is up. `cost`
    is None once a model was asked whose price is not known.
    """

    limits: Limits
    monotonic: Callable[[], float]
    started: float
    turns: int = 0
    kept_turns: int = 0
    kept_seconds: float = 0.0
    model_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    ms: dict[str, float] = field(default_factory=dict[str, float])

    @classmethod
    def start(cls, limits: Limits, monotonic: Callable[[], float]) -> "Budget":
        """A fresh budget whose time starts now."""
        return cls(limits=limits, monotonic=monotonic, started=monotonic())

    @property
    def remaining_seconds(self) -> float:
        """Seconds left beside those that are kept for later, never below zero."""
        return max(0.0, self.limits.seconds - self.kept_seconds - (self.monotonic() - self.started))

    @property
    def tool_calls_left(self) -> int:
        """Tool calls that may still begin."""
        return max(0, self.limits.tool_calls - self.tool_calls)

    @property
    def is_last_turn(self) -> bool:
        """Whether the current turn is the last; it is kept for answering."""
        return self.turns >= self.limits.turns - self.kept_turns

    def timeout(self, at_most: float) -> float:
        """`at_most` seconds, or what is left if that is less. Raises BudgetExhausted when nothing is left."""
        left = self.remaining_seconds
        if left <= 0:
            raise BudgetExhausted("time")
        return min(at_most, left)

    def spend_turn(self) -> None:
        """Begin a turn; those that are kept for later are not to be had."""
        self._check(self.turns, self.limits.turns - self.kept_turns, "turns")
        self.turns += 1

    def keep_for_later(self, part: int, *, of: int) -> None:
        """Give the `part`-th of so many parts its share of turns and time; what it leaves falls to the next one.

        Reads are not shared: those of half an answer are worth nothing.
        """
        share = max(part, self.limits.turns * part // of)
        self.kept_turns = max(0, self.limits.turns - share)
        self.kept_seconds = self.limits.seconds * (of - part) / of

    def spend_model_call(self) -> None:
        """Begin one HTTP attempt at a model; retries and corrections count."""
        self._check(self.model_calls, self.limits.model_calls, "model_calls")
        if self.prompt_tokens + self.completion_tokens >= self.limits.tokens:
            raise BudgetExhausted("tokens")
        if self.limits.cost is not None and (self.cost is None or self.cost >= self.limits.cost):
            raise BudgetExhausted("cost")
        self.model_calls += 1

    def spend_tool_call(self) -> None:
        """Begin one call of an executor, the resolver or the catalogue."""
        self._check(self.tool_calls, self.limits.tool_calls, "tool_calls")
        self.tool_calls += 1

    def record_tokens(self, *, prompt: int, completion: int, cost: float | None) -> None:
        """Count what a model call used, as its provider reported it; None for a cost that is not known."""
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.cost = None if self.cost is None or cost is None else self.cost + cost

    def record_ms(self, step: str, milliseconds: float) -> None:
        """Add to the time of a step, e.g. `pg_graph_ms`."""
        self.ms[step] = self.ms.get(step, 0.0) + milliseconds

    def _check(self, used: int, limit: int, what: str) -> None:
        if self.remaining_seconds <= 0:
            raise BudgetExhausted("time")
        if used >= limit:
            raise BudgetExhausted(what)
