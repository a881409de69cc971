"""Stages that play a script, and a clock that tests own."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agent_core.budget import Budget
from agent_core.protocols import LoopView, Stages
from agent_core.schemas import (
    AgentRequest,
    DraftAnswer,
    NextStep,
    QueryRewrite,
    SufficiencyReport,
)
from agent_core.turns import PastTurn


class FakeClock:
    """A clock that moves only when it is told to, or when something sleeps on it."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._elapsed = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self._elapsed

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._elapsed += seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)


type Play[T] = T | BaseException | Callable[[LoopView], T] | Callable[[LoopView], Awaitable[T]]
"""What a scripted stage does on one call: give a value, raise, or make the value from the view it gets."""


class Script[T]:
    """Plays in order; the last one is played again when there are no more. `views` holds what each call saw."""

    def __init__(self, *plays: Play[T]) -> None:
        self._plays = deque(plays)
        self.views: list[LoopView] = []

    @property
    def calls(self) -> int:
        """How often it was played."""
        return len(self.views)

    async def play(self, view: LoopView) -> T:
        self.views.append(view)
        if not self._plays:
            raise AssertionError("a stage without a script was called")
        play = self._plays.popleft() if len(self._plays) > 1 else self._plays[0]
        if isinstance(play, BaseException):
            raise play
        if not callable(play):
            return play
        made = play(view)
        return await made if isinstance(made, Awaitable) else made  # pyright: ignore[reportUnknownVariableType, reportReturnType]


class ScriptedRewrite:
    """Gives the same rewrite each time, or raises."""

    def __init__(self, result: QueryRewrite | BaseException) -> None:
        self._result = result
        self.calls = 0

    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
        self.calls += 1
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result


class ScriptedSelector:
    """Plays the steps of a script."""

    def __init__(self, *plays: Play[NextStep]) -> None:
        self.script = Script(*plays)

    async def run(self, view: LoopView, budget: Budget) -> NextStep:
        return await self.script.play(view)


class ScriptedAnswer:
    """Plays the drafts of a script."""

    def __init__(self, *plays: Play[DraftAnswer]) -> None:
        self.script = Script(*plays)

    async def run(self, view: LoopView, budget: Budget) -> DraftAnswer:
        return await self.script.play(view)


class ScriptedSufficiency:
    """Plays the reports of a script. `drafts` holds what was judged."""

    def __init__(self, *plays: Play[SufficiencyReport]) -> None:
        self.script = Script(*plays)
        self.drafts: list[DraftAnswer] = []

    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport:
        self.drafts.append(draft)
        return await self.script.play(view)


@dataclass(frozen=True, slots=True)
class ScriptedStages:
    """The four scripted stages of one test."""

    rewrite: ScriptedRewrite
    selector: ScriptedSelector
    answer: ScriptedAnswer
    sufficiency: ScriptedSufficiency

    @property
    def stages(self) -> Stages:
        """As the loop takes them."""
        return Stages(self.rewrite, self.selector, self.answer, self.sufficiency)


def scripted(
    rewrite: QueryRewrite | BaseException,
    *,
    steps: Iterable[Play[NextStep]] = (),
    drafts: Iterable[Play[DraftAnswer]] = (),
    reports: Iterable[Play[SufficiencyReport]] = (),
) -> ScriptedStages:
    """Stages that play these scripts. A stage without a script fails the test when it is called."""
    return ScriptedStages(
        ScriptedRewrite(rewrite), ScriptedSelector(*steps), ScriptedAnswer(*drafts), ScriptedSufficiency(*reports)
    )
