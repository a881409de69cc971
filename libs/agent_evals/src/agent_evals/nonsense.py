"""Deterministic nonsense in the shape of a word: same length, same case, same script; injective within one instance."""

import random
import unicodedata
from collections.abc import Iterable

_VOWELS = "aeiou"
# No letters that spelling variants of romanised Japanese confuse, such as si and shi or hu and fu.
_CONSONANTS = "bdfgklmnprvw"
_HIRAGANA = [chr(code) for code in range(0x3041, 0x3097)]
_KATAKANA_SHIFT = 0x60
_IDEOGRAPHS = range(0x4E00, 0x9FA6)
_MIN_APART = 4
_ATTEMPTS = 10_000
_MAX_ABBREVIATION = 4


class Nonsense:
    """Turns words and signs into others, the same one always into the same.

    `vocabulary` are the words to be turned. One that is never written but in up to four letters with capitals inside,
    such as `FMA` or `HxH`, is an abbreviation: its letters change one by one. `reserved` are words, in lower case, that
    no result may equal. `ideographs` are all that occur in the names; none of them is in a result. Kana change places
    among themselves, both scripts alike, so that the two stay comparable.
    """

    def __init__(
        self, seed: int, *, vocabulary: Iterable[str], reserved: Iterable[str], ideographs: Iterable[str]
    ) -> None:
        self._random = random.Random(seed)
        self._taken = set(reserved)
        self._words: dict[str, str] = {}
        self._near: set[str] = set()
        self._spoken = {word.casefold() for word in vocabulary if not _looks_abbreviated(word)}
        self._letters = self._cycle([chr(code) for code in range(ord("a"), ord("z") + 1)])
        self._kana = self._kana_cycle()
        self._ideographs = self._ideograph_table(sorted(set(ideographs)))

    def word(self, word: str) -> str:
        """Nonsense for a word of Latin letters: one letter, an abbreviation, or something to pronounce."""
        key = word.casefold()
        if len(word) == 1 or (_looks_abbreviated(word) and key not in self._spoken):
            return "".join(self._letter(letter) for letter in word)
        if key not in self._words:
            self._words[key] = self._fresh(len(key))
        return _in_case_of(word, self._words[key])

    def sign(self, sign: str) -> str:
        """Nonsense for one sign of a native script; what is neither kana nor ideograph stays."""
        if sign in self._ideographs:
            return self._ideographs[sign]
        shift = _KATAKANA_SHIFT if "ァ" <= sign <= "ヶ" else 0
        kana = chr(ord(sign) - shift)
        return chr(ord(self._kana[kana]) + shift) if kana in self._kana else sign

    def _letter(self, letter: str) -> str:
        other = self._letters.get(letter.lower(), letter)
        return other.upper() if letter.isupper() else other

    def _fresh(self, length: int) -> str:
        for _ in range(_ATTEMPTS):
            candidate = self._pronounceable(length)
            patterns = {candidate[:at] + "*" + candidate[at + 1 :] for at in range(length)}
            if candidate in self._taken:
                continue
            if length >= _MIN_APART and patterns & self._near:
                continue
            self._near |= patterns
            self._taken.add(candidate)
            return candidate
        raise ValueError(f"no nonsense of {length} letters is left")

    def _pronounceable(self, length: int) -> str:
        starts_with_vowel = self._random.random() < 0.2
        return "".join(
            self._random.choice(_VOWELS if (at % 2 == 0) is starts_with_vowel else _CONSONANTS) for at in range(length)
        )

    def _kana_cycle(self) -> dict[str, str]:
        """Small, voiced and plain kana each among their own kind, so that spelling rules and folding still hold."""
        groups: dict[tuple[bool, str], list[str]] = {}
        for kana in _HIRAGANA:
            marks = unicodedata.normalize("NFD", kana)[1:]
            groups.setdefault(("SMALL" in unicodedata.name(kana), marks), []).append(kana)
        cycle: dict[str, str] = {}
        for group in groups.values():
            cycle |= self._cycle(group) if len(group) > 1 else {}
        return cycle

    def _ideograph_table(self, used: list[str]) -> dict[str, str]:
        unused = sorted({chr(code) for code in _IDEOGRAPHS} - set(used))
        return dict(zip(used, self._random.sample(unused, len(used)), strict=True))

    def _cycle(self, signs: list[str]) -> dict[str, str]:
        """A permutation that leaves nothing in its place."""
        order = self._random.sample(signs, len(signs))
        return dict(zip(order, [*order[1:], order[0]], strict=True))


def _looks_abbreviated(word: str) -> bool:
    """Whether it is short and has capitals after the first letter."""
    return len(word) <= _MAX_ABBREVIATION and not word[1:].islower()


def _in_case_of(word: str, nonsense: str) -> str:
    """`nonsense` with capitals where `word` has them."""
    return "".join(other.upper() if letter.isupper() else other for letter, other in zip(word, nonsense, strict=True))
