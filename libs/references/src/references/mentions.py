"""Documents that are mentioned by a name of the registry, found in one pass over the words of a text."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from references.inflection import bare_word
from references.model import Reference, ReferenceType, Relation
from references.registry import Registry

_WORD = re.compile(r"\w+")
_SHORTEST_NAME = 2
# Of one word: a title is often a common word, a synonym is given on purpose.
_SHORTEST_TITLE = 12
_SHORTEST_SYNONYM = 5
_MOST_WORDS = 16
# Between two words of a name; a line break and the marks of a quotation fit in.
_WIDEST_GAP = 4
# What no name goes on after, unless the name has it itself.
_END = re.compile(r"[.?!;:)]\s|[\[(]|\n\s*\n")
_WORDS_KEPT = 65_536


@dataclass(slots=True)
class _Node:
    """The names that begin with the words so far: what may follow, and the name that is complete here, as written."""

    next: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])
    names: list[str] = field(default_factory=list[str])


class MentionFinder[Id: Hashable]:
    """Finds names of documents; the longest name that begins at a word wins.

    Words may be inflected. A capital of the name must be one in the text, so that "type hints" in a sentence is no
    mention of a document named "Type Hints". A name of one word is looked for when it is an abbreviation, or long.
    """

    def __init__(self, registry: Registry[Id]) -> None:
        self._fold = registry.fold
        self._root = _Node()
        self._small_starts: set[str] = set()
        # Texts repeat their words; folding each once is most of the speed.
        self._bare_word = lru_cache(maxsize=_WORDS_KEPT)(self._read_word)
        self._may_start = lru_cache(maxsize=_WORDS_KEPT)(self._read_start)
        for document in registry.documents:
            for name in (document.title, *document.abbreviations):
                self._add(name, _SHORTEST_TITLE)
            for name in document.synonyms:
                self._add(name, _SHORTEST_SYNONYM)

    def find(self, text: str) -> Iterator[Reference]:
        """Every mention in `text`, in order, none within another."""
        done = 0
        for word in _WORD.finditer(text):
            if not self._may_start(word[0]) or word.start() < done:
                continue
            found = self._longest(text, word.start())
            if found is not None:
                name, done = found
                yield Reference(
                    type=ReferenceType.DOCUMENT_MENTION,
                    text=text[word.start() : done],
                    start=word.start(),
                    end=done,
                    document=name,
                    relation=Relation.MENTIONS,
                )

    def _add(self, name: str, shortest_word: int) -> None:
        words = _WORD.findall(name)
        if not 0 < len(words) <= _MOST_WORDS or len(name) < _SHORTEST_NAME:
            return
        if len(words) == 1 and not _is_abbreviation(name) and (len(name) < shortest_word or name[0].islower()):
            return
        if not words[0][0].isupper():
            self._small_starts.add(self._bare_word(words[0]))
        node = self._root
        for word in words:
            node = node.next.setdefault(self._bare_word(word), _Node())
        node.names.append(name)

    def _read_word(self, word: str) -> str:
        return bare_word(self._fold(word))

    def _read_start(self, word: str) -> bool:
        """Whether a name begins so; most begin with a capital, and most words of a text don't."""
        bare = self._bare_word(word)
        return bare in self._small_starts or (bare in self._root.next and word[0].isupper())

    def _longest(self, text: str, start: int) -> tuple[str, int] | None:
        """The longest name that begins at `start`, and where it ends."""
        node, end = self._root, start
        written: list[str] = []
        found: tuple[str, int] | None = None
        for word in islice(_WORD.finditer(text, start), _MOST_WORDS):
            following = node.next.get(self._bare_word(word[0]))
            if following is None or word.start() - end > _WIDEST_GAP:
                break
            node, end = following, word.end()
            written.append(word[0])
            name = next((name for name in node.names if _is_written(name, written, text[start:end])), None)
            found = (name, end) if name is not None else found
        return found


def _is_written(name: str, words: list[str], text: str) -> bool:
    """Whether `text` is the name: no sentence or bracket ends or begins in it, unless one does in the name."""
    return _capitals_agree(name, words) and (not _END.search(text) or bool(_END.search(name)))


def _capitals_agree(name: str, written: list[str]) -> bool:
    """Whether each word has the capitals of the name; of an abbreviation all letters count."""
    for given, found in zip(_WORD.findall(name), written, strict=True):
        if _is_abbreviation(given):
            if found != given:
                return False
        elif given[0].isupper() and not found[0].isupper():
            return False
    return True


def _is_abbreviation(word: str) -> bool:
    return sum(map(str.isupper, word)) > 1
