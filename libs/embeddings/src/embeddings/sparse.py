"""Words to sparse vectors for lexical search, BM25's way; the engine adds the weight of rare words (IDF)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import Stemmer

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
_TYPICAL_TERMS, _TYPICAL_PASSAGE_TERMS = 60, 100
"""Stand for the average text, which an encoder that sees one at a time can't know: of a card, and of a passage."""

# The package does not say what its objects take and give; the types end here.
_stemming: Any = Stemmer

_STOP_WORD_TEXT = """
a about all an and any are as at be been but by can could did do does for from had has have he her his how i if in into
is it its me my no not of on or our she so some such than that the their them then there these they this to was we were
what when where which who whom whose why will with would you your
"""


@dataclass(frozen=True, slots=True)
class SparseTerms:
    """A sparse vector: `values[i]` stands at `indices[i]`. Indices ascend and fit 32 bits."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class SparseEncoder:
    """Encodes texts and queries alike, so that equal words meet. `words` gives a text's folded words in order.

    `stem` is what is left of a word; a text of `typical_terms` words is neither long nor short.
    """

    def __init__(
        self,
        words: Callable[[str], Sequence[str]],
        *,
        stem: Callable[[str], str] | None = None,
        typical_terms: int = _TYPICAL_TERMS,
    ) -> None:
        self._words = words
        self._stem = stem or _singular
        self._typical_terms = typical_terms
        self._stop_words = frozenset(words(_STOP_WORD_TEXT))

    def encode_text(self, text: str) -> SparseTerms:
        """A text to be found: repeated words count ever less, words of long texts less than those of short ones."""
        counts = Counter(self._terms(text))
        length_factor = 1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * counts.total() / self._typical_terms
        weights = {
            term: count * (_SATURATION + 1) / (count + _SATURATION * length_factor) for term, count in counts.items()
        }
        return _hashed(weights.items())

    def encode_query(self, text: str) -> SparseTerms:
        """A query: each of its words once."""
        return _hashed((term, 1.0) for term in set(self._terms(text)))

    def _terms(self, text: str) -> Iterator[str]:
        for word in self._words(text):
            if word not in self._stop_words:
                yield self._stem(word)
                yield from _parts(word)


def passage_encoder(words: Callable[[str], Sequence[str]]) -> SparseEncoder:
    """An encoder for running text, whose words are stemmed the English way; for one thread at a time.

    Words of other languages are stemmed alike in texts and queries, so equal ones still meet.
    """
    return SparseEncoder(words, stem=_stemming.Stemmer("english").stemWord, typical_terms=_TYPICAL_PASSAGE_TERMS)


def _singular(word: str) -> str:
    """An English plural or possessive without its s; a rough rule, the same for texts and queries."""
    is_plural = len(word) > 3 and word.isascii() and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


def _parts(word: str) -> Iterator[str]:
    """Pairs of neighbours of a word in a script that puts no spaces between words."""
    if len(word) > 2 and any(character >= "\u2e80" for character in word):
        yield from (word[start : start + 2] for start in range(len(word) - 1))


def _hashed(weights: Iterable[tuple[str, float]]) -> SparseTerms:
    values: dict[int, float] = {}
    for term, weight in weights:
        index = int.from_bytes(blake2b(term.encode(), digest_size=4).digest())
        values[index] = values.get(index, 0.0) + weight
    return SparseTerms(tuple(sorted(values)), tuple(values[index] for index in sorted(values)))
