"""Reciprocal rank fusion against hand-computed scores."""

from itertools import permutations

import pytest
from agent_core.fusion import fused
from hypothesis import given
from hypothesis import strategies as st


def test_scores_add_up_over_rankings() -> None:
    ranked = fused([["a", "b", "c"], ["c", "a"]], tie_break=str)
    assert [item for item, _ in ranked] == ["a", "c", "b"]
    assert dict(ranked) == pytest.approx({"a": 1 / 61 + 1 / 62, "c": 1 / 63 + 1 / 61, "b": 1 / 62})


def test_equal_scores_are_ordered_by_the_tie_break() -> None:
    popularity = {"a": 1, "b": 3, "c": 2}
    ranked = fused([["a"], ["b"], ["c"]], tie_break=lambda item: -popularity[item])
    assert [item for item, _ in ranked] == ["b", "c", "a"]


def test_an_item_counts_once_a_ranking_at_its_best_place() -> None:
    assert fused([["a", "b", "a"]], tie_break=str) == [("a", 1 / 61), ("b", 1 / 62)]


def test_nothing_in_nothing_out() -> None:
    assert fused([], tie_break=str) == []
    assert fused([[], []], tie_break=str) == []


@given(st.lists(st.lists(st.integers(0, 8), unique=True), min_size=1, max_size=4))
def test_the_order_of_the_rankings_does_not_matter(rankings: list[list[int]]) -> None:
    def order(given_rankings: list[list[int]]) -> dict[int, float]:
        return dict(fused(given_rankings, tie_break=lambda item: item))

    for shuffled in permutations(rankings):
        assert order(list(shuffled)) == pytest.approx(order(rankings))
