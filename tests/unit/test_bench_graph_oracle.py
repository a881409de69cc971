"""The graph in memory: distances as a plain search finds them, levels by popularity, bounds kept."""

import random
from collections import deque

import numpy as np
import pytest
from agent_evals.bench.graph_oracle import UNREACHED, MemoryGraph, Reached


def invented(seed: int, size: int, links: int) -> tuple[list[tuple[int, int]], list[int]]:
    chance = random.Random(seed)
    pairs = [(chance.randrange(size), chance.randrange(size)) for _ in range(links)]
    return [pair for pair in pairs if pair[0] != pair[1]], [chance.randrange(100) for _ in range(size)]


def graph(pairs: list[tuple[int, int]], popularity: list[int]) -> MemoryGraph:
    return MemoryGraph(np.array(pairs, dtype=np.int64), np.array(popularity, dtype=np.int64))


def plain_distance(pairs: list[tuple[int, int]], start: int, end: int) -> int:
    linked: dict[int, set[int]] = {}
    for a, b in pairs:
        linked.setdefault(a, set()).add(b)
        linked.setdefault(b, set()).add(a)
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for other in linked.get(node, ()):
            if other not in distances:
                distances[other] = distances[node] + 1
                waiting.append(other)
    return distances.get(end, UNREACHED)


@pytest.mark.parametrize("seed", range(5))
def test_distances_are_those_of_a_plain_search(seed: int) -> None:
    pairs, popularity = invented(seed, size=60, links=70)
    memory = graph(pairs, popularity)
    for start in range(0, 60, 3):
        for end in range(60):
            wanted = plain_distance(pairs, start, end)
            assert memory.distance(start, end, most=4) == (wanted if wanted <= 4 else UNREACHED), (start, end)


def test_neighbours_come_once_and_popular_ones_first() -> None:
    memory = graph([(0, 1), (1, 0), (0, 2), (0, 3), (0, 3)], [5, 10, 30, 10])
    assert memory.neighbours(0).tolist() == [2, 1, 3]
    assert memory.are_linked(3, 0)
    assert not memory.are_linked(1, 2)


def test_levels_keep_the_most_popular_up_to_the_limit() -> None:
    memory = graph([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7)], [0, 10, 30, 20, 50, 40, 60, 70])
    assert memory.k_hop(0, 1, fanout=9, limit=9) == Reached((2, 3, 1), (1, 1, 1))
    assert memory.k_hop(0, 2, fanout=9, limit=9) == Reached((2, 3, 1, 6, 4, 5), (1, 1, 1, 2, 2, 2))
    assert memory.k_hop(0, 2, fanout=9, limit=4) == Reached((2, 3, 1, 6), (1, 1, 1, 2))
    assert memory.k_hop(0, 3, fanout=2, limit=9) == Reached((2, 3, 6, 5), (1, 1, 2, 2))


def test_a_neighbour_that_was_met_before_takes_no_place_in_the_fanout() -> None:
    memory = graph([(0, 1), (0, 2), (1, 2), (1, 3)], [0, 50, 90, 1])
    assert memory.k_hop(0, 2, fanout=1, limit=9) == Reached((2, 1), (1, 2))
    assert memory.k_hop(0, 2, fanout=2, limit=9) == Reached((2, 1, 3), (1, 1, 2))


def test_a_node_without_links_reaches_nothing() -> None:
    memory = graph([(0, 1)], [1, 1, 1])
    assert memory.k_hop(2, 3, fanout=5, limit=5) == Reached((), ())
    assert memory.distance(2, 0, most=4) == UNREACHED
