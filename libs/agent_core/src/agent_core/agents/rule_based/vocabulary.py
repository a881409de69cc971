"""Which words need no explanation as a name: ordinary English and everything the cue tables spell out."""

from functools import lru_cache

from agent_core.agents.rule_based.cues import is_exactly, words_of
from agent_core.agents.rule_based.field_cues import (
    FIELD_CUES,
    GENRE_CUES,
    MARK_CUES,
    SEASON_CUES,
    SOURCE_CUES,
    STATUS_CUES,
    TYPE_CUES,
    UNSUPPORTED_CUES,
)
from agent_core.agents.rule_based.relation_cues import RELATION_CUES
from agent_core.agents.rule_based.shapes import SHAPE_PATTERNS
from agent_core.agents.rule_based.words import ORDINARY_WORDS, looks_ordinary

QUESTION_CUES = (
    *UNSUPPORTED_CUES,
    *RELATION_CUES,
    *FIELD_CUES,
    *SOURCE_CUES,
    *STATUS_CUES,
    *GENRE_CUES,
    *TYPE_CUES,
    *SEASON_CUES,
    *MARK_CUES,
)
"""Every cue; of two that cover the same words the first here wins."""


@lru_cache(maxsize=1)
def _cue_words() -> frozenset[str]:
    return words_of([*(pattern for pattern, _ in QUESTION_CUES), *SHAPE_PATTERNS])


@lru_cache(maxsize=8192)
def is_ordinary(word: str) -> bool:
    """Whether a lower-case word is ordinary English or a cue, so that alone it names nothing."""
    stem = word.partition("'")[0]
    return is_listed(stem) or looks_ordinary(stem)


@lru_cache(maxsize=8192)
def is_listed(word: str) -> bool:
    """Whether a word, or what is left of it without an English ending, is in a list or a cue."""
    if word in ORDINARY_WORDS or is_cue(word):
        return True
    stems = [word, *(word.removesuffix(ending) for ending in ("s", "es", "d", "ed", "ing", "er", "ers", "ly"))]
    if word.endswith("ies"):
        stems.append(word[:-3] + "y")
    return any(len(stem) > 1 and (stem in ORDINARY_WORDS or stem in _cue_words()) for stem in dict.fromkeys(stems))


def is_cue(text: str) -> bool:
    """Whether some cue is exactly this text."""
    return any(is_exactly(pattern, text) for pattern, _ in QUESTION_CUES)
