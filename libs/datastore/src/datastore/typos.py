"""What a typed text may have been meant to be: with a letter changed, added, left out, or two swapped (pure)."""

from dataclasses import dataclass

from datastore.folding import fold, spell, squeeze, words
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
    name_keys.gapped, and `rests` what follows each. `patterns` (for LIKE) have the gap behind the first letters: keys
    that begin with one of `bases` are to be compared with them; `forms` numbers the form of the text of each base.
    """

    texts: tuple[str, ...]
    gapped: tuple[str, ...]
    rests: tuple[str, ...]
    bases: tuple[str, ...]
    forms: tuple[int, ...]
    patterns: tuple[str, ...]


def corrections(text: str) -> Corrections:
    """All corrections of one letter, in both forms of the text; none for texts that are too short or too long."""
    if not has_long_word(text):
        return Corrections((), (), (), (), (), ())
    forms = list(dict.fromkeys(squeeze(form(text)) for form in (spell, fold)))
    forms = [form for form in forms if MIN_TYPO_CHARS <= len(form) <= _MAX_TYPO_CHARS and not _PATTERN_SIGNS & {*form}]
    gaps = dict.fromkeys(gap for form in forms for gap in _gaps(form))
    bases = [(base, number) for number, form in enumerate(forms) for base in _bases(form)]
    return Corrections(
        texts=tuple(dict.fromkeys(found for form in forms for found in (*_without_one(form), *_swapped(form)))),
        gapped=tuple(gap for gap, _ in gaps),
        rests=tuple(rest for _, rest in gaps),
        bases=tuple(base for base, _ in bases),
        forms=tuple(number for _, number in bases),
        patterns=tuple(dict.fromkeys(pattern for form in forms for pattern in _patterns(form))),
    )


def has_long_word(text: str) -> bool:
    """Whether a typo may be looked for at all."""
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


def _bases(text: str) -> list[str]:
    return [text[:length] for length in range(BLOCK_CHARS, len(text) + 1)]


def _patterns(text: str) -> list[str]:
    places = range(BLOCK_CHARS, len(text))
    wrong = [f"{text[:at]}_{text[at + 1 :]}%" for at in places]
    missing = [f"{text[:at]}_{text[at:]}%" for at in places]
    return wrong + missing
