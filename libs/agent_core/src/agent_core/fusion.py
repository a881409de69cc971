"""Reciprocal rank fusion: several rankings become one (pure)."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

RANK_CONSTANT = 60
"""How flat the weights of the ranks are; with 60, rank 1 counts 1/61 and rank 10 counts 1/70."""


def fused[T: Hashable](
    rankings: Sequence[Sequence[T]], *, tie_break: Callable[[T], Any], constant: int = RANK_CONSTANT
) -> list[tuple[T, float]]:
    """Every item with its fused score, best first; equal scores are ordered by `tie_break`, smallest first.

    An item counts once a ranking, at its best place there.
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for place, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (constant + place)
    return sorted(scores.items(), key=lambda scored: (-scored[1], tie_break(scored[0])))
