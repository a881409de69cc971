"""Vocabularies of no language: words that look English, romaji with their kana or kanji, hangul. No real name."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from agent_evals.bench.chance import Chance

_ONSETS = ("k", "s", "t", "n", "h", "m", "r", "g", "z", "d", "b", "p", "y", "w", "j", "sh", "ch", "ts", "f", "ky", "ry")
_VOWELS = ("a", "i", "u", "e", "o", "ou")
_KATAKANA = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンガ"
    "ギグゲゴザジズゼゾダデドバビブベボパピプペポ"
)
_SYLLABLES: tuple[tuple[str, str], ...] = tuple(
    (onset + vowel, _KATAKANA[place % len(_KATAKANA)])
    for place, (onset, vowel) in enumerate(itertools.product((*_ONSETS, ""), _VOWELS))
)
_HEADS = (*"bcdfghklmnprstvw", "br", "cr", "dr", "fl", "gr", "pr", "st", "str", "th", "tr")
_HEARTS = ("a", "e", "i", "o", "u", "ea", "ai", "ou", "ee")
_TAILS = ("", "", "n", "r", "l", "s", "t", "nd", "st", "ng", "ck", "m", "th", "rd")
_SMALL_ENGLISH = ("the", "of", "a", "and", "in", "to", "my", "from", "with", "no")
_PARTICLES = (("no", "の"), ("wa", "は"), ("ni", "に"), ("to", "と"), ("ga", "が"), ("wo", "を"))
_FIRST_KANJI, _KANJI_COUNT = 0x4E00, 3000
_FIRST_HANGUL, _HANGUL_STEP, _HANGUL_COUNT = 0xAC00, 28, 390
_ROUND = 4_000


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is romanised, and as it is written in its own script."""

    latin: str
    native: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that names are made of; the first words of each list are the common ones."""

    english: tuple[str, ...]
    romaji: tuple[Word, ...]
    family: tuple[Word, ...]
    given: tuple[Word, ...]
    hangul: tuple[str, ...]


def invent_vocabulary(seed: int, *, size: int) -> Vocabulary:
    """`size` words in the largest list, fewer in the others; the same for the same arguments."""
    return Vocabulary(
        english=(*_SMALL_ENGLISH, *_english(Chance(seed, "english"), size)),
        romaji=(
            *(Word(latin, kana) for latin, kana in _PARTICLES),
            *_words(Chance(seed, "romaji"), size, shortest=1, longest=4, kana_share=0.5),
        ),
        family=_words(Chance(seed, "family"), max(20, size // 5), shortest=2, longest=4, kana_share=0.15),
        given=_words(Chance(seed, "given"), max(30, size // 3), shortest=2, longest=3, kana_share=0.3),
        hangul=tuple(chr(_FIRST_HANGUL + place * _HANGUL_STEP) for place in range(_HANGUL_COUNT)),
    )


def _english(chance: Chance, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        lengths: list[int] = (1 + chance.power_law(3, _ROUND, exponent=0.7, flat=1)).tolist()
        heads, hearts, tails = (_picked(chance, each, 3 * _ROUND) for each in (_HEADS, _HEARTS, _TAILS))
        pieces = map("".join, zip(heads, hearts, tails, strict=True))
        for length in lengths:
            word = "".join(itertools.islice(pieces, length))
            if len(word) > 2:
                found[word] = None
    return list(found)[:count]


def _words(chance: Chance, count: int, *, shortest: int, longest: int, kana_share: float) -> tuple[Word, ...]:
    found: dict[str, str] = {}
    while len(found) < count:
        lengths: list[int] = (shortest + chance.below(longest - shortest + 1, _ROUND)).tolist()
        pieces = iter(_picked(chance, _SYLLABLES, longest * _ROUND))
        is_kana: list[bool] = (chance.uniform(_ROUND) < kana_share).tolist()
        for length, kana in zip(lengths, is_kana, strict=True):
            syllables = list(itertools.islice(pieces, length))
            latin = "".join(each[0] for each in syllables)
            if len(latin) > 1 and latin not in found:
                found[latin] = "".join(each[1] for each in syllables) if kana else ""
    latins = list(found)[:count]
    kanji = iter(chance.power_law(_KANJI_COUNT, 2 * count, exponent=0.6, flat=8).tolist())
    lengths = (1 + chance.below(2, count)).tolist()
    return tuple(
        Word(latin, found[latin] or "".join(chr(_FIRST_KANJI + place) for place in itertools.islice(kanji, length)))
        for latin, length in zip(latins, lengths, strict=True)
    )


def _picked[Item](chance: Chance, items: Sequence[Item], count: int) -> list[Item]:
    places: list[int] = chance.below(len(items), count).tolist()
    return [items[place] for place in places]
