"""How people write a name otherwise than the catalogue does. Pure, and the same for every name of the same shape."""

import re
import unicodedata
from collections.abc import Callable

_WORD = re.compile(r"[^\W\d_]+")


def plain(name: str) -> str:
    """Without punctuation: apostrophes close up, everything else becomes a space."""
    kept = re.sub(r"['’]", "", name)
    marked = "".join(" " if unicodedata.category(sign)[0] in "PS" else sign for sign in kept)
    return " ".join(marked.split())


def swapped(name: str) -> str:
    """Two neighbouring inner letters of the longest word change places."""
    return _in_longest_word(name, _swap)


def dropped(name: str) -> str:
    """An inner letter of the longest word is missing."""
    return _in_longest_word(name, lambda word: word[: len(word) // 2] + word[len(word) // 2 + 1 :])


def doubled(name: str) -> str:
    """An inner letter of the longest word is typed twice."""
    return _in_longest_word(name, lambda word: word[: len(word) // 2 + 1] + word[len(word) // 2 :])


def _swap(word: str) -> str:
    """The first different neighbours from the middle on; a word of one repeated letter stays."""
    for at in range(len(word) // 2, len(word) - 1):
        if word[at] != word[at + 1]:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word


def _in_longest_word(name: str, change: Callable[[str], str]) -> str:
    words = list(_WORD.finditer(name))
    if not words:
        return name
    longest = max(words, key=lambda word: len(word.group()))
    return name[: longest.start()] + change(longest.group()) + name[longest.end() :]


TRANSFORMS: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "plain": plain,
    "swap": swapped,
    "drop": dropped,
    "double": doubled,
}
