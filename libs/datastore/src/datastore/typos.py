"""What a typed text may have been meant to be: with a letter changed, added, left out, or two swapped (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass

from datastore.folding import spell, words
from datastore.name_keys import BLOCK_CHARS, GAP

MIN_TYPO_CHARS = BLOCK_CHARS
"""Shorter texts are too near to too many others."""

# A text of shorter words only is no misspelled word, and hardly ever a misspelled name.
_MIN_LONGEST_WORD = 4
# Of a longer text, what begins no name is no name with one wrong letter either: too many letters have to be right.
_MAX_TYPO_CHARS = 40
_PATTERN_SIGNS = frozenset("%_\\")


@dataclass(frozen=True, slots=True)
class Corrections:
    """Ways to correct a text, without its spaces.

    `texts` are corrections as they stand: a letter left out, two swapped. `gapped` are first letters with a gap, see
    name_keys.gapped, and `rests` what follows each. For a gap behind the first letters, keys are compared with `forms`,
    the forms of the text, by `has_gap`.
    """

    texts: tuple[str, ...]
    gapped: tuple[str, ...]
    rests: tuple[str, ...]
    forms: tuple[str, ...]


NOTHING = Corrections((), (), (), ())


def corrections(forms: Iterable[str]) -> Corrections:
    """All corrections of one letter, of a text in its forms without spaces; none of what is too short or too long."""
    fitting = tuple(form for form in forms if _may_be_corrected(form))
    if not fitting:
        return NOTHING
    texts = dict.fromkeys(text for form in fitting for text in (*_without_one(form), *_swapped(form)))
    gapped, rests = zip(*(gap for form in fitting for gap in _gaps(form)), strict=True)
    return Corrections(tuple(texts), gapped, rests, fitting)


def has_gap(start: str, form: str) -> bool:
    """Whether a key begins as the form does but for one letter, wrong or missing, behind the first ones."""
    if not start.startswith(form[:BLOCK_CHARS]):
        return False
    end = min(len(start), len(form))
    place = next((at for at in range(BLOCK_CHARS, end) if start[at] != form[at]), end)
    return place < len(form) and start.startswith((form[place + 1 :], form[place:]), place + 1)


def _may_be_corrected(form: str) -> bool:
    return MIN_TYPO_CHARS <= len(form) <= _MAX_TYPO_CHARS and _PATTERN_SIGNS.isdisjoint(form)


def has_long_word(text: str) -> bool:
    """Whether more than one mistake may be looked for."""
    return max(map(len, words(spell(text))), default=0) >= _MIN_LONGEST_WORD


def near_blocks(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """First letters that a word may have meant: as they stand, and with a gap."""
    direct = [word, *_without_one(word), *_swapped(word)]
    blocks = dict.fromkeys(found[:BLOCK_CHARS] for found in direct if len(found) >= BLOCK_CHARS)
    return tuple(blocks), tuple(dict.fromkeys(gap for gap, _ in _gaps(word)))


def _without_one(text: str) -> list[str]:
    return [text[:place] + text[place + 1 :] for place in range(len(text))]


def _swapped(text: str) -> list[str]:
    return [
        text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        for place in range(len(text) - 1)
        if text[place] != text[place + 1]
    ]


def _gaps(text: str) -> list[tuple[str, str]]:
    """Gaps in the first letters, one for a wrong letter and one for a missing letter at each place."""
    first = text[:BLOCK_CHARS]
    wrong = [(f"{first[:at]}{GAP}{first[at + 1 :]}", text[BLOCK_CHARS:]) for at in range(BLOCK_CHARS)]
    missing = [(f"{first[:at]}{GAP}{first[at:-1]}", text[BLOCK_CHARS - 1 :]) for at in range(BLOCK_CHARS)]
    return wrong + missing
