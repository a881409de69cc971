"""The keys under which search keeps names, and those that a typed text asks for (pure).

A key is a text on a shelf. A name has one for each of its beginnings, without spaces, ended by END: what was typed
meets every key that begins with it, and with END the keys that are equal to it. A second shelf holds short keys with
their spaces, for short texts that have one. Both are there again for each choice of the signs `%`, `_` and backslash,
with the names that have them.
"""

import itertools
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from msgspec import Struct

from datastore.folding import MAX_INDEXED_CHARS, fold, name_entry, spell, squeeze

END = "\x01"
AFTER_EVERY_TEXT = "\U0010ffff"
GAP = "*"
BLOCK_CHARS = 5
"""So many first letters of a key are found with any one of them wrong or missing."""

PLAIN, SPACED, _SIGNED = 0, 1, 2

# From this many letters on, "onepunch man" and "one punch man" are the same beginning, and no accident.
_MIN_SPACELESS_CHARS = 6
# The longest text of fewer letters, all parted, and one more.
_SPACED_CHARS = 2 * _MIN_SPACELESS_CHARS - 2
# From this many letters on, another romanisation of the beginning of a name counts as that beginning.
_MIN_ROMANISED_PREFIX = 4
_SIGNS = ("%", "_", "\\")


@dataclass(frozen=True, slots=True)
class NameKey:
    """One key and the shelf it is on; `is_part` when it begins at a later part of the name."""

    shelf: int
    text: str
    is_part: bool


@dataclass(frozen=True, slots=True)
class NameKeys:
    """All keys of a name, and the first letters of those that a typo may be in."""

    folded: str
    keys: tuple[NameKey, ...]
    blocks: tuple[str, ...]


class TypedKeys(Struct, frozen=True):
    """What a typed text asks for on a shelf.

    `exact` is the key of a name that equals the text. The text is the beginning of what begins with one of `prefixes`:
    as it is spelled, then as other romanisations have it.
    """

    shelf: int
    exact: str
    prefixes: tuple[str, ...]

    @property
    def has_signs(self) -> bool:
        """Whether a sign was typed that other searches take for a wildcard."""
        return self.shelf >= _SIGNED

    @property
    def signless(self) -> "TypedKeys":
        """The same without regard to signs."""
        return TypedKeys(self.shelf % _SIGNED, self.exact, self.prefixes)


def name_keys(name: str) -> NameKeys:
    """Everything that search keeps of a name."""
    entry = name_entry(name)
    found: dict[NameKey, None] = {}
    blocks: dict[str, None] = {}
    for suffix in entry.suffixes:
        text, is_part = squeeze(suffix.text), not suffix.is_whole
        found[NameKey(PLAIN, text + END, is_part)] = None
        if len(text) >= BLOCK_CHARS:
            blocks[text[:BLOCK_CHARS]] = None
        if " " in suffix.text[: _MIN_SPACELESS_CHARS - 1]:
            end = END if len(suffix.text) <= _SPACED_CHARS else ""
            found[NameKey(SPACED, suffix.text[:_SPACED_CHARS] + end, is_part)] = None
    signed = [_SIGNED * signs for signs in _choices(signs_of(name))]
    keys = [*found, *(NameKey(key.shelf + offset, key.text, key.is_part) for offset in signed for key in found)]
    return NameKeys(entry.folded, tuple(keys), tuple(blocks))


@lru_cache(maxsize=4096)
def typed_keys(text: str) -> TypedKeys | None:
    """What to look for; None for a text without any visible character."""
    folded, spelled = (form(text)[:MAX_INDEXED_CHARS].rstrip() for form in (fold, spell))
    if not folded:
        return None
    shelf = PLAIN if is_spaceless(folded) else SPACED
    is_prefix = len(squeeze(spelled)) >= _MIN_ROMANISED_PREFIX
    if shelf == PLAIN:
        folded, spelled = squeeze(folded), squeeze(spelled)
    exact = folded + END
    # The beginning has the whole among what begins with it.
    prefixes = (spelled,) if spelled == folded else (spelled, folded if is_prefix else exact)
    return TypedKeys(shelf + _SIGNED * sum(signs_of(text)), exact, prefixes)


def is_spaceless(folded: str) -> bool:
    """Whether the spaces of a folded text don't matter."""
    return " " not in folded or len(squeeze(folded)) >= _MIN_SPACELESS_CHARS


def signs_of(text: str) -> list[int]:
    """Which of the signs a text has that other searches take for wildcards, as distinct powers of two."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return [1 << place for place, sign in enumerate(_SIGNS) if sign in plain]


def gapped(block: str) -> list[str]:
    """The block with a gap for each of its letters."""
    return [f"{block[:place]}{GAP}{block[place + 1 :]}" for place in range(len(block))]


def _choices(signs: list[int]) -> list[int]:
    """The sum of each choice of one sign and more."""
    return [sum(chosen) for count in range(1, len(signs) + 1) for chosen in itertools.combinations(signs, count)]
