"""Questions that come at the same time are asked together; alone, nothing waits."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from datastore.grouping import Grouping, GroupLimits, TooManyWait

LIMITS = GroupLimits(running=1, size=4, waiting=8, seconds=60)
BAD = -1


class Away(Exception):
    """Nothing can be answered."""


class Source:
    """Doubles numbers, once it is let, and remembers how it was asked."""

    def __init__(self) -> None:
        self.asked: list[int | list[int]] = []
        self.open = asyncio.Event()
        self.away = False

    def grouping(self, limits: GroupLimits = LIMITS) -> Grouping[int, int]:
        return Grouping(self.alone, self.together, limits, hopeless=Away)

    async def alone(self, question: int) -> int:
        self.asked.append(question)
        await self.open.wait()
        if question == BAD:
            raise ValueError(question)
        return 2 * question

    async def together(self, questions: Sequence[int]) -> list[int]:
        self.asked.append(list(questions))
        await self.open.wait()
        if self.away:
            raise Away
        if BAD in questions:
            raise ValueError(BAD)
        return [2 * question for question in questions]


async def _begun(grouping: Grouping[int, int], questions: Sequence[int]) -> list[asyncio.Task[int]]:
    """The questions, asked in order and not answered yet."""
    tasks = [asyncio.create_task(grouping.ask(question)) for question in questions]
    await asyncio.sleep(0)
    return tasks


async def test_one_at_a_time_is_asked_at_once_and_alone() -> None:
    source = Source()
    source.open.set()
    grouping = source.grouping()
    assert [await grouping.ask(number) for number in (1, 2, 3)] == [2, 4, 6]
    assert source.asked == [1, 2, 3]


async def test_those_that_come_meanwhile_go_together_as_many_as_may() -> None:
    source = Source()
    tasks = await _begun(source.grouping(), range(8))
    source.open.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4, 6, 8, 10, 12, 14]
    assert source.asked == [0, [1, 2, 3, 4], [5, 6, 7]]


async def test_more_than_one_asking_may_run() -> None:
    source = Source()
    tasks = await _begun(source.grouping(replace(LIMITS, running=2)), range(4))
    assert source.asked == [0, 1]
    source.open.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4, 6]
    assert source.asked == [0, 1, [2, 3]]


async def test_a_bad_question_fails_alone() -> None:
    source = Source()
    tasks = await _begun(source.grouping(), [1, 2, BAD, 3])
    source.open.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(answer) for answer in answers] == ["2", "4", "-1", "6"]
    assert source.asked == [1, [2, BAD, 3], 2, BAD, 3]


async def test_a_source_that_is_away_is_not_asked_again_for_each() -> None:
    source = Source()
    source.away = True
    tasks = await _begun(source.grouping(), [1, 2, 3])
    source.open.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [int, Away, Away]
    assert source.asked == [1, [2, 3]]


async def test_who_leaves_costs_the_others_nothing() -> None:
    source = Source()
    tasks = await _begun(source.grouping(), [1, 2, 3, 4])
    tasks[0].cancel()
    tasks[2].cancel()
    await asyncio.sleep(0)
    source.open.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [asyncio.CancelledError, int, asyncio.CancelledError, int]
    assert source.asked == [1, [2, 4]]


async def test_only_so_many_wait_and_only_so_long() -> None:
    source = Source()
    tasks = await _begun(source.grouping(replace(LIMITS, waiting=2, seconds=0.001)), [1, 2, 3, 4])
    with pytest.raises(TooManyWait):
        await tasks[3]
    await asyncio.sleep(0.002)
    source.open.set()
    answers = await asyncio.gather(*tasks[:3], return_exceptions=True)
    assert [type(answer) for answer in answers] == [int, TooManyWait, TooManyWait]
    assert source.asked == [1]
