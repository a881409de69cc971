"""Whether a word is English: a wide list, for telling a description from a row of names."""

from functools import cache, lru_cache
from importlib.resources import files

from agent_core.agents.rule_based.vocabulary import is_ordinary

_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "ers", "ly", "y")
_SHORTEST_STEM = 3


@lru_cache(maxsize=8192)
def is_english(word: str) -> bool:
    """Whether a lower-case word, or what is left of it without an English ending, is in the wide list.

    The list holds many given names and places too: it says that a word can be part of a sentence, not that it names
    nothing.
    """
    if is_ordinary(word) or word in _words():
        return True
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return any(len(stem) >= _SHORTEST_STEM and (stem in _words() or f"{stem}e" in _words()) for stem in stems)


def is_in_wide_list(word: str) -> bool:
    """Whether the wide list holds a lower-case word as it is."""
    return word in _words()


@cache
def _words() -> frozenset[str]:
    text = files("agent_core.agents.rule_based").joinpath("english_words.txt").read_text(encoding="utf-8")
    return frozenset(text.partition("\n")[2].split())
