"""The harness on a clock of its own: blocks in turns, medians over blocks, the floor inside, contention noticed."""

from collections.abc import Callable, Iterator

import pytest
from agent_evals.bench.harness import Block, Contender, Plan, compare, distance, percentile, quietest, summary


class FakeClock:
    """Stands still unless somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float) -> None:
        self.now += seconds


PLAN = Plan(rounds=2, floor_calls=3, block_seconds=1000.0)


def constant(clock: FakeClock, name: str, seconds: float, calls: list[str]) -> Contender[int]:
    def call(query: int) -> object:
        calls.append(name)
        clock.work(seconds)
        return query

    return Contender(name, call=call)


def floor(clock: FakeClock, seconds: Callable[[], float]) -> Contender[None]:
    async def ask(_: None) -> object:
        clock.work(seconds())
        return None

    return Contender("floor", ask=ask)


@pytest.mark.parametrize(
    ("share", "expected"), [(0.5, 50.0), (0.99, 99.0), (0.07, 7.0), (1.0, 100.0), (0.0, 1.0), (0.501, 51.0)]
)
def test_percentiles_are_values_that_were_measured(share: float, expected: float) -> None:
    assert percentile([float(value) for value in range(100, 0, -1)], share) == expected


def test_there_is_no_percentile_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


async def test_contenders_take_turns_block_by_block_after_a_round_that_does_not_count() -> None:
    clock, calls = FakeClock(), list[str]()
    contenders = [constant(clock, "a", 2.0, calls), constant(clock, "b", 3.0, calls)]
    comparison = await compare(contenders, [1, 2], floor(clock, lambda: 1.0), PLAN, clock=clock)
    assert calls == ["a", "a", "b", "b"] * 3
    a, b = comparison.timings
    assert (a.contender, a.blocks, a.calls, a.p50_us, a.p99_us) == ("a", 2, 4, 2e6, 2e6)
    assert (b.p50_us, b.p50_over_floor, b.floor_p50_us) == (3e6, 3.0, 1e6)
    assert comparison.floor_p50_us == 1e6
    assert not comparison.is_contended


async def test_the_first_round_does_not_count() -> None:
    clock = FakeClock()
    costs = iter([100.0, 100.0, 2.0, 2.0, 2.0, 2.0])

    async def ask(_: int) -> object:
        clock.work(next(costs))
        return None

    comparison = await compare([Contender("a", ask=ask)], [1, 2], floor(clock, lambda: 1.0), PLAN, clock=clock)
    assert comparison.timings[0].p99_us == 2e6


async def test_a_floor_that_moves_by_more_than_a_fifth_means_contended() -> None:
    clock = FakeClock()
    costs: Iterator[float] = iter([1.0] * 6 + [1.3] * 3)
    comparison = await compare(
        [constant(clock, "a", 2.0, [])], [1], floor(clock, lambda: next(costs)), PLAN, clock=clock
    )
    assert comparison.floor_spread == pytest.approx(0.3 / 1.15)
    assert comparison.is_contended


async def test_a_round_on_another_machine_speed_is_taken_anew_whatever_the_contenders_did() -> None:
    clock, calls = FakeClock(), list[str]()
    plan = Plan(rounds=2, most_rounds=4, floor_calls=2)
    # The warm-up, a quiet round, one at half the speed, a quiet one.
    costs: Iterator[float] = iter([1.0] * 2 + [1.0] * 2 + [2.0] * 2 + [1.1] * 2)
    comparison = await compare(
        [constant(clock, "a", 2.0, calls)], [1], floor(clock, lambda: next(costs)), plan, clock=clock
    )
    assert len(calls) == 4
    assert comparison.blocks_left_out == 1
    assert comparison.floor_spread == pytest.approx(0.1 / 1.05)
    assert not comparison.is_contended


async def test_blocks_at_the_same_speed_count_whatever_rounds_they_are_of() -> None:
    clock = FakeClock()
    plan = Plan(rounds=1, most_rounds=3, floor_calls=2)
    # The warm-up; then each contender has the quiet machine in turn, and the other one a slower machine.
    costs: Iterator[float] = iter([1.0] * 4 + [1.0] * 2 + [3.0] * 2 + [2.0] * 2 + [1.1] * 2)
    contenders = [constant(clock, "a", 2.0, []), constant(clock, "b", 3.0, [])]
    comparison = await compare(contenders, [1], floor(clock, lambda: next(costs)), plan, clock=clock)
    assert [timing.floor_p50_us for timing in comparison.timings] == [1e6, pytest.approx(1.1e6)]
    assert comparison.blocks_left_out == 2
    assert not comparison.is_contended


async def test_of_two_speeds_of_the_machine_the_faster_one_counts() -> None:
    slow = [Block((4.0,), (2.0, 2.0))] * 3
    fast = [Block((3.0,), (1.0, 1.1))] * 2
    assert quietest({"a": [*slow, *fast]}, 2) == {"a": tuple(fast)}
    assert quietest({"a": [*slow, *fast], "b": slow}, 2) == {"a": tuple(slow[:2]), "b": tuple(slow[:2])}


async def test_a_block_in_which_the_machine_changed_does_not_count() -> None:
    clock = FakeClock()
    plan = Plan(rounds=1, most_rounds=2, floor_calls=2)
    costs: Iterator[float] = iter([1.0] * 2 + [1.0, 2.0] + [2.0, 2.0])
    comparison = await compare(
        [constant(clock, "a", 2.0, [])], [1], floor(clock, lambda: next(costs)), plan, clock=clock
    )
    assert comparison.floor_p50_us == 2e6
    assert not comparison.is_contended


async def test_a_machine_that_never_rests_is_called_contended_after_the_most_rounds() -> None:
    clock, calls = FakeClock(), list[str]()
    plan = Plan(rounds=2, most_rounds=3, floor_calls=2)
    costs: Iterator[float] = iter([1.0] * 2 + [1.0] * 2 + [2.0] * 2 + [3.0] * 2)
    comparison = await compare(
        [constant(clock, "a", 2.0, calls)], [1], floor(clock, lambda: next(costs)), plan, clock=clock
    )
    assert len(calls) == 4
    assert comparison.is_contended
    # The two that are closest together: 2 and 3, not 1 and 2.
    assert comparison.floor_p50_us == 2.5e6


async def test_a_slow_contender_is_cut_short_after_its_seconds() -> None:
    clock, calls = FakeClock(), list[str]()
    plan = Plan(rounds=1, floor_calls=1, block_seconds=5.0, fewest_calls=2)
    comparison = await compare(
        [constant(clock, "a", 2.0, calls)], list(range(100)), floor(clock, lambda: 1.0), plan, clock=clock
    )
    assert comparison.timings[0].calls == 3
    crawling = await compare(
        [constant(clock, "a", 60.0, calls)], list(range(100)), floor(clock, lambda: 1.0), plan, clock=clock
    )
    assert crawling.timings[0].calls == 2


def test_ratios_to_the_floor_are_taken_inside_a_block() -> None:
    quiet, busy = Block((4.0, 4.0), (1.0,)), Block((12.0, 12.0), (3.0,))
    timing = summary("a", [quiet, busy, busy])
    assert timing.p50_over_floor == 4.0
    assert timing.p50_us == 12e6


def test_the_spread_of_one_floor_is_nothing() -> None:
    assert distance([5.0]) == 0.0
    assert distance([4.0, 5.0, 6.0]) == pytest.approx(0.4)


def test_a_contender_is_asked_in_one_way() -> None:
    with pytest.raises(ValueError, match="a: either"):
        Contender("a")
