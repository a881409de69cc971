"""Words without the endings that a name takes in a German sentence."""

import re

_WORD = re.compile(r"\w+")
_ENDINGS = ("es", "en", "er", "s", "e", "n")
_SHORTEST = 6
"""Shorter words, and most abbreviations, keep their ending: it is part of them."""


def bare_word(word: str) -> str:
    """`gesetz` for "gesetzes" and "gesetze"; a word of fewer than six letters, or with a digit, as it is."""
    if len(word) < _SHORTEST or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


def bare_words(folded: str) -> str:
    """The words of a folded text, bare, one space between two."""
    return " ".join(map(bare_word, _WORD.findall(folded)))
