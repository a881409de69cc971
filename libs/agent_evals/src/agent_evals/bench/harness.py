"""Times contenders in blocks, one after the other and again, with the floor of the machine inside every block.

Never query by query: a call that follows another engine's finds its caches cold. The first round warms up and counts
for nothing. Of every contender as many blocks count, those in which the machine ran at the speed that all of them have
met; rounds go on until there are enough, as far as the plan allows. A run whose floor moved all the same is called
contended, and its ratios are worth little.
"""

import gc
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median

from agent_evals.bench.report import Timing

type Clock = Callable[[], float]

CONTENDED_SPREAD = 0.20
"""How far the floor may move between blocks, as a share of its median, before a run is called contended."""

_MICROSECONDS = 1e6


@dataclass(frozen=True, slots=True)
class Contender[Query]:
    """Something that answers queries: `ask` is awaited where it is a coroutine function, called where it is not."""

    name: str
    ask: Callable[[Query], Awaitable[object]] | None = None
    call: Callable[[Query], object] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError unless exactly one way of asking is given."""
        if (self.ask is None) == (self.call is None):
            raise ValueError(f"{self.name}: either `ask` or `call`")

    async def answer(self, query: Query) -> object:
        """What it says to one query, untimed."""
        return self.call(query) if self.call is not None else await self._asked(query)

    async def _asked(self, query: Query) -> object:
        if self.ask is None:
            raise ValueError(self.name)
        return await self.ask(query)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: blocks that count, calls of the floor a block, seconds after which a block is cut short.

    A block cut short has asked at least `fewest_calls` queries, always the first ones. Of at most `most_rounds` blocks
    of each contender, `rounds` count, chosen by their floors alone: what the contenders did has no say in it.
    """

    rounds: int = 5
    most_rounds: int = 0
    floor_calls: int = 200
    block_seconds: float = 5.0
    fewest_calls: int = 5


@dataclass(frozen=True, slots=True)
class Block:
    """One contender's turn: seconds of each call, and of each call of the floor, half just before and half after.

    `per_second` says how many calls were done in a second where many are made at once.
    """

    seconds: tuple[float, ...]
    floor: tuple[float, ...]
    per_second: float = 0.0

    @property
    def floors(self) -> tuple[float, float]:
        """The lower and the higher of the floor before and after: far apart where the machine changed meanwhile."""
        middle = len(self.floor) - len(self.floor) // 2
        before = percentile(self.floor[:middle], 0.5)
        after = percentile(self.floor[middle:] or self.floor, 0.5)
        return min(before, after), max(before, after)


type TakeTurn = Callable[[], Awaitable[Block]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All contenders over the same queries, in the order given."""

    timings: tuple[Timing, ...]
    floor_p50_us: float
    floor_spread: float
    blocks: Mapping[str, tuple[Block, ...]]
    blocks_left_out: int = 0

    @property
    def is_contended(self) -> bool:
        """Whether something else used the machine meanwhile."""
        return self.floor_spread > CONTENDED_SPREAD

    def timing(self, contender: str) -> Timing | None:
        """The contender's timing; None where it was not measured."""
        return next((timing for timing in self.timings if timing.contender == contender), None)


def percentile(seconds: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed. Raises ValueError for none."""
    if not seconds:
        raise ValueError("no values")
    # Rounded first: 0.07 * 100 is a little more than 7.
    return sorted(seconds)[max(0, math.ceil(round(share * len(seconds), 9)) - 1)]


async def compare[Query](
    contenders: Sequence[Contender[Query]],
    queries: Sequence[Query],
    floor: Contender[None],
    plan: Plan,
    *,
    clock: Clock = time.perf_counter,
) -> Comparison:
    """Rounds of blocks, A B A B, over all queries; medians over the blocks."""
    turns = {contender.name: partial(_block, contender, queries, floor, plan, clock) for contender in contenders}
    return await compare_blocks(turns, plan)


async def compare_blocks(turns: Mapping[str, TakeTurn], plan: Plan) -> Comparison:
    """The same for contenders that measure a block by themselves, by name."""
    if not turns:
        return Comparison((), floor_p50_us=0.0, floor_spread=0.0, blocks={})
    taken: dict[str, list[Block]] = {name: [] for name in turns}
    async with _without_collector():
        for take in turns.values():
            await take()
        for number in range(1, max(plan.rounds, plan.most_rounds) + 1):
            for name, take in turns.items():
                taken[name].append(await take())
            if number >= plan.rounds and spread(quietest(taken, plan.rounds)) <= CONTENDED_SPREAD:
                break
    blocks = quietest(taken, plan.rounds)
    return Comparison(
        timings=tuple(summary(name, each) for name, each in blocks.items()),
        floor_p50_us=median(_floors(blocks)) * _MICROSECONDS,
        floor_spread=spread(blocks),
        blocks=blocks,
        blocks_left_out=sum(len(taken[name]) - len(blocks[name]) for name in taken),
    )


type Blocks = Mapping[str, Sequence[Block]]
"""Blocks of each contender, by name."""


def quietest(taken: Blocks, count: int) -> dict[str, tuple[Block, ...]]:
    """Of each contender `count` blocks, as they were taken, so that all floors lie close enough together.

    Where the machine had several speeds, the fastest one that every contender has met: least else was going on then. If
    there is none, the blocks whose floors are closest together.
    """
    fastest = sorted(block.floors[0] for blocks in taken.values() for block in blocks)
    choices = [each for lowest in fastest if (each := _from_speed(taken, count, lowest)) is not None]
    close = (each for each in choices if spread(each) <= CONTENDED_SPREAD)
    return next(close, None) or min(choices, key=spread)


def _from_speed(taken: Blocks, count: int, lowest: float) -> dict[str, tuple[Block, ...]] | None:
    """The blocks at this speed or the next slower ones; None when one of the contenders has too few."""
    chosen: dict[str, tuple[Block, ...]] = {}
    for name, blocks in taken.items():
        slower = sorted((block.floors[1], place) for place, block in enumerate(blocks) if block.floors[0] >= lowest)
        if len(slower) < count:
            return None
        chosen[name] = tuple(blocks[place] for _, place in sorted(slower[:count], key=lambda each: each[1]))
    return chosen


def _floors(blocks: Blocks) -> list[float]:
    return [floor for each in blocks.values() for block in each for floor in block.floors]


def summary(contender: str, blocks: Sequence[Block]) -> Timing:
    """Medians over blocks; the ratio to the floor is taken inside each block first."""
    return Timing(
        contender=contender,
        blocks=len(blocks),
        calls=sum(len(block.seconds) for block in blocks),
        p50_us=median(percentile(block.seconds, 0.5) for block in blocks) * _MICROSECONDS,
        p99_us=median(percentile(block.seconds, 0.99) for block in blocks) * _MICROSECONDS,
        floor_p50_us=median(percentile(block.floor, 0.5) for block in blocks) * _MICROSECONDS,
        p50_over_floor=median(percentile(block.seconds, 0.5) / percentile(block.floor, 0.5) for block in blocks),
    )


def spread(blocks: Blocks) -> float:
    """How far the floors lie apart, as a share of their median."""
    return distance(_floors(blocks))


def distance(floors: Sequence[float]) -> float:
    """How far these lie apart, as a share of their median; 0 for fewer than two."""
    return (max(floors) - min(floors)) / median(floors) if len(floors) > 1 else 0.0


async def _block[Query](
    contender: Contender[Query], queries: Sequence[Query], floor: Contender[None], plan: Plan, clock: Clock
) -> Block:
    before = await _timed(floor, [None] * (plan.floor_calls - plan.floor_calls // 2), plan, clock)
    seconds = await _timed(contender, queries, plan, clock)
    after = await _timed(floor, [None] * (plan.floor_calls // 2), plan, clock)
    return Block(tuple(seconds), (*before, *after))


async def _timed[Query](contender: Contender[Query], queries: Sequence[Query], plan: Plan, clock: Clock) -> list[float]:
    """Two loops, so that what needs no waiting pays for none."""
    seconds: list[float] = []
    latest = clock() + plan.block_seconds
    ask, call = contender.ask, contender.call
    for query in queries:
        if ask is not None:
            began = clock()
            await ask(query)
            ended = clock()
        elif call is not None:
            began = clock()
            call(query)
            ended = clock()
        else:
            raise ValueError(contender.name)
        seconds.append(ended - began)
        if ended > latest and len(seconds) >= plan.fewest_calls:
            break
    return seconds


@asynccontextmanager
async def _without_collector() -> AsyncGenerator[None]:
    """What the oracles hold is set aside, so that no collection of ours walks over it in a contender's time."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
