"""Which words need no explanation as a name: ordinary English and everything the cue tables spell out."""

import re
from functools import lru_cache

from agent_core.agents.rule_based.character_cues import CHARACTER_CUES, KIN_CUES, VOICE_CUES
from agent_core.agents.rule_based.cues import CueTable, words_of
from agent_core.agents.rule_based.document_cues import DOCUMENT_CUES
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
from agent_core.agents.rule_based.maker_cues import STAFF_CUES, STUDIO_CUES
from agent_core.agents.rule_based.recommend_themes import THEME_CUES
from agent_core.agents.rule_based.recommend_wordings import WORDINGS
from agent_core.agents.rule_based.shapes import SHAPE_PATTERNS
from agent_core.agents.rule_based.words import ORDINARY_WORDS, looks_ordinary
from agent_core.agents.rule_based.work_cues import WORK_CUES

QUESTION_CUES = (
    *UNSUPPORTED_CUES,
    *STAFF_CUES,
    *STUDIO_CUES,
    *VOICE_CUES,
    *CHARACTER_CUES,
    *WORK_CUES,
    *DOCUMENT_CUES,
    *KIN_CUES,
    *FIELD_CUES,
    *SOURCE_CUES,
    *STATUS_CUES,
    *GENRE_CUES,
    *TYPE_CUES,
    *SEASON_CUES,
    *MARK_CUES,
)
"""Every cue; of two that cover the same words the first here wins."""

QUESTION_TABLE = CueTable(QUESTION_CUES)


@lru_cache(maxsize=1)
def _cue_words() -> frozenset[str]:
    cues = (pattern for pattern, _ in (*QUESTION_CUES, *THEME_CUES))
    return words_of([*cues, *SHAPE_PATTERNS, *WORDINGS])


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


@lru_cache(maxsize=8192)
def is_cue(text: str) -> bool:
    """Whether some cue is exactly this text."""
    return _any_cue().fullmatch(text) is not None


@lru_cache(maxsize=1)
def _any_cue() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern, _ in QUESTION_CUES))
