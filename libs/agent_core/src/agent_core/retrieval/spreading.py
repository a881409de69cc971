"""Passages that together say what is asked: an answer of several parts has each of them somewhere else. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from agent_core.retrieval.chunk_search import ChunkMatch

SAID_COSTS = 0.6
"""What a word that an earlier passage said loses of its part in a rank; chosen on the even questions of HotpotQA and
MuSiQue."""


def spread(matches: Sequence[ChunkMatch], limit: int) -> list[ChunkMatch]:
    """The best match, then each time the one that is best when words which those before say count for less.

    At most `limit`, with the ranks that they were chosen for.
    """
    said: frozenset[int] = frozenset()
    left: list[ChunkMatch] = list(matches)
    chosen: list[ChunkMatch] = []
    while left and len(chosen) < limit:
        best: ChunkMatch = min([_less_said(match, said) for match in left], key=_order)
        chosen.append(best)
        said |= best.said
        left = [match for match in left if match.id != best.id]
    return chosen


def _less_said(match: ChunkMatch, said: frozenset[int]) -> ChunkMatch:
    if not match.said or not said:
        return match
    share = len(match.said & said) / len(match.said)
    return replace(match, rank=match.rank - SAID_COSTS * share * match.by_words)


def _order(match: ChunkMatch) -> tuple[float, str]:
    return -match.rank, match.id.hex
