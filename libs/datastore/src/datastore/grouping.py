"""Questions of the same kind that come at the same time are asked together, once more than a few are on their way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroupLimits:
    """How many askings may run at once, how many questions one may hold, and how many may wait, and how long."""

    running: int
    size: int
    waiting: int
    seconds: float


class TooManyWait(Exception):
    """As many questions wait as may, or this one has waited for as long as one may."""


class _Waiting[Question, Answer]:
    __slots__ = ("answer", "question", "until")

    def __init__(self, question: Question, until: float, answer: asyncio.Future[Answer]) -> None:
        self.question = question
        self.until = until
        self.answer = answer


class Grouping[Question, Answer]:
    """Asks a question alone and at once as long as there is room; those that come meanwhile wait, and go together.

    So one question takes as long as without this, and many at a time cost little more than one.

    Args:
        alone: Answers one question.
        together: Answers many, in their order. When it fails for a reason in a question, each is asked alone.
        hopeless: What no question can be blamed for: all of a group fail with it.
    """

    def __init__(
        self,
        alone: Callable[[Question], Awaitable[Answer]],
        together: Callable[[Sequence[Question]], Awaitable[Sequence[Answer]]],
        limits: GroupLimits,
        *,
        hopeless: type[Exception],
    ) -> None:
        self._alone = alone
        self._together = together
        self._limits = limits
        self._hopeless = hopeless
        self._running = 0
        self._waiting: list[_Waiting[Question, Answer]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question) -> Answer:
        """The answer. Raises TooManyWait, and what asking raises."""
        if self._running < self._limits.running:
            self._running += 1
            try:
                return await self._alone(question)
            finally:
                self._running -= 1
                self._go_on()
        if len(self._waiting) >= self._limits.waiting:
            raise TooManyWait
        loop = asyncio.get_running_loop()
        waiting = _Waiting(question, loop.time() + self._limits.seconds, loop.create_future())
        self._waiting.append(waiting)
        return await waiting.answer

    def _go_on(self) -> None:
        """Ask what waits, in a task of its own: whoever came first may leave before the others are answered."""
        if self._waiting:
            self._running += 1
            task = asyncio.get_running_loop().create_task(self._ask_waiting())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask_waiting(self) -> None:
        group: list[_Waiting[Question, Answer]] = []
        try:
            while self._waiting:
                group, self._waiting = self._waiting[: self._limits.size], self._waiting[self._limits.size :]
                await self._answer(self._still_wanted(group))
        finally:
            self._running -= 1
            for each in group:
                each.answer.cancel()  # only where this task was ended

    def _still_wanted(self, group: list[_Waiting[Question, Answer]]) -> list[_Waiting[Question, Answer]]:
        """Those that somebody still waits for; who has waited too long is told."""
        now = asyncio.get_running_loop().time()
        wanted: list[_Waiting[Question, Answer]] = []
        for each in group:
            if each.answer.done():
                continue
            if each.until < now:
                each.answer.set_exception(TooManyWait())
            else:
                wanted.append(each)
        return wanted

    async def _answer(self, group: Sequence[_Waiting[Question, Answer]]) -> None:
        if len(group) == 1:
            await self._answer_alone(group[0])
        elif group:
            try:
                answers = await self._together([each.question for each in group])
            except self._hopeless as exc:
                for each in group:
                    _fail(each.answer, exc)
            except Exception:  # noqa: BLE001 - it is raised again for the question that is to blame
                for each in group:
                    await self._answer_alone(each)
            else:
                for each, answer in zip(group, answers, strict=True):
                    if not each.answer.done():
                        each.answer.set_result(answer)

    async def _answer_alone(self, waiting: _Waiting[Question, Answer]) -> None:
        try:
            answer = await self._alone(waiting.question)
        except Exception as exc:  # noqa: BLE001 - whoever asked gets it
            _fail(waiting.answer, exc)
        else:
            if not waiting.answer.done():
                waiting.answer.set_result(answer)


def _fail[Answer](answer: asyncio.Future[Answer], exc: Exception) -> None:
    if not answer.done():
        answer.set_exception(exc)
