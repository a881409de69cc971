"""Words to sparse vectors for lexical search, BM25's way; the engine adds the weight of rare words (IDF)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from embeddings.languages import DEFAULT, FUNCTION_WORDS, language_of, stemmers

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
_TYPICAL_TERMS, _TYPICAL_PASSAGE_TERMS = 60, 100
"""Stand for the average text, which an encoder that sees one at a time can't know: of a card, and of a passage."""

_NO_SIGNS = dict.fromkeys(map(ord, ".,;:!?¿¡()[]\"'“”‘’„‚«»"), " ")


@dataclass(frozen=True, slots=True)
class SparseTerms:
    """A sparse vector: `values[i]` stands at `indices[i]`. Indices ascend and fit 32 bits."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class SparseEncoder:
    """Encodes texts and queries alike, so that equal words meet. `words` gives a text's folded words in order."""

    def __init__(self, words: Callable[[str], Sequence[str]]) -> None:
        self._words = words
        self._stop_words = _folded(words, FUNCTION_WORDS[DEFAULT])

    def encode_text(self, text: str) -> SparseTerms:
        """A text to be found: repeated words count ever less, words of long texts less than those of short ones."""
        terms = list(self._terms(text))
        return _weighed(terms, length=len(terms) / _TYPICAL_TERMS)

    def encode_query(self, text: str) -> SparseTerms:
        """A query: each of its words once."""
        return _hashed((term, 1.0) for term in set(self._terms(text)))

    def _terms(self, text: str) -> Iterator[str]:
        for word in self._words(text):
            if word not in self._stop_words:
                yield _singular(word)
                yield from _parts(word)


class PassageEncoder:
    """Encodes running text, whose words are stemmed by its language; for one thread at a time.

    Words of a text in another language than English stand under their English stem too, as those of a query do: equal
    words meet whatever language either side is taken for, and inflected ones where both are of one language.
    """

    def __init__(self, words: Callable[[str], Sequence[str]]) -> None:
        self._words = words
        self._stems = stemmers()
        self._stop_words = {language: _folded(words, known) for language, known in FUNCTION_WORDS.items()}

    def encode_text(self, text: str, language: str | None = None) -> SparseTerms:
        """A text to be found, in a language that is given by its tag, such as `de` or `en-GB`."""
        spoken = (language or DEFAULT).partition("-")[0].lower()
        said = self._said(text, spoken if spoken in self._stems else DEFAULT)
        length = sum(1 + len(list(_parts(word))) for word, _ in said)
        return _weighed([term for _, terms in said for term in terms], length=length / _TYPICAL_PASSAGE_TERMS)

    def encode_query(self, text: str) -> SparseTerms:
        """A query, in the language that its function words tell: each of its words once."""
        said = self._said(text, language_of(text.lower().translate(_NO_SIGNS).split()))
        return _hashed((term, 1.0) for term in {term for _, terms in said for term in terms})

    def _said(self, text: str, language: str) -> list[tuple[str, tuple[str, ...]]]:
        """The words of a text that say something, each with what it is found by."""
        stop_words = self._stop_words[language] | self._stop_words[DEFAULT]
        kept = (word for word in self._words(text) if word not in stop_words)
        return [(word, (*self._forms(word, language), *_parts(word))) for word in kept]

    def _forms(self, word: str, language: str) -> Iterable[str]:
        return dict.fromkeys((self._stems[language](word), self._stems[DEFAULT](word)))


def _folded(words: Callable[[str], Sequence[str]], known: Iterable[str]) -> frozenset[str]:
    return frozenset(words(" ".join(sorted(known))))


def _weighed(terms: Sequence[str], *, length: float) -> SparseTerms:
    """Terms of a text that is `length` times as long as the typical one."""
    factor = 1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length
    counts = Counter(terms)
    return _hashed((term, count * (_SATURATION + 1) / (count + _SATURATION * factor)) for term, count in counts.items())


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
