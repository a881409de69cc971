"""Finds that together say what is asked: what was said before counts for less."""

from uuid import UUID

import pytest
from agent_core.retrieval.chunk_search import ChunkMatch
from agent_core.retrieval.spreading import spread

FILM, SEA, AWARD = 1, 2, 3


def match(number: int, rank: float, *said: int, by_words: float = 0.3) -> ChunkMatch:
    return ChunkMatch(UUID(int=number), "", rank, 0.5, by_words if said else 0.0, frozenset(said))


def ids(matches: list[ChunkMatch]) -> list[int]:
    return [each.id.int for each in matches]


def test_a_part_of_the_question_that_nothing_said_yet_goes_before_one_that_was_said() -> None:
    matches = [match(1, 0.9, FILM, SEA), match(2, 0.8, FILM, SEA), match(3, 0.7, AWARD)]
    assert ids(spread(matches, 3)) == [1, 3, 2]
    assert [each.rank for each in spread(matches, 3)] == [0.9, 0.7, pytest.approx(0.8 - 0.6 * 0.3)]


def test_only_the_part_that_was_said_counts_for_less() -> None:
    half = [match(1, 0.9, FILM), match(2, 0.8, FILM, SEA), match(3, 0.7, AWARD)]
    assert spread(half, 2)[1].rank == pytest.approx(0.8 - 0.6 * 0.5 * 0.3)


def test_what_was_found_by_meaning_alone_keeps_its_rank() -> None:
    matches = [match(1, 0.9, FILM), match(2, 0.8), match(3, 0.79, FILM)]
    assert [(each.id.int, round(each.rank, 2)) for each in spread(matches, 5)] == [(1, 0.9), (2, 0.8), (3, 0.61)]


def test_equal_ranks_go_by_their_ids_and_nothing_is_nothing() -> None:
    assert ids(spread([match(2, 0.5), match(1, 0.5)], 1)) == [1]
    assert spread([], 5) == []
