"""Documents that are mentioned by a name of the registry, found in one pass over the words of a text."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from references.inflection import bare_word
from references.model import Reference, ReferenceType, Relation
from references.registry import Registry

_WORD = re.compile(r"\w+")
_SHORTEST_NAME = 2
_SHORTEST_WORD = 8
_MOST_WORDS = 16
# Between two words of a name; a line break and the marks of a quotation fit in.
_WIDEST_GAP = 4
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
        # Texts repeat their words; folding each once is most of the speed.
        self._bare_word = lru_cache(maxsize=_WORDS_KEPT)(self._read_word)
        self._fold = registry.fold
        self._root = _Node()
        for document in registry.documents:
            for name in (*document.abbreviations, document.title, *document.synonyms):
                self._add(name)

    def find(self, text: str) -> Iterator[Reference]:
        """Every mention in `text`, in order, none within another."""
        words = list(_WORD.finditer(text))
        place = 0
        while place < len(words):
            found = self._longest(text, words, place)
            if found is None:
                place += 1
                continue
            name, count = found
            start, end = words[place].start(), words[place + count - 1].end()
            yield Reference(
                type=ReferenceType.DOCUMENT_MENTION,
                text=text[start:end],
                start=start,
                end=end,
                document=name,
                relation=Relation.MENTIONS,
            )
            place += count

    def _add(self, name: str) -> None:
        words = _WORD.findall(name)
        if not 0 < len(words) <= _MOST_WORDS or len(name) < _SHORTEST_NAME:
            return
        if len(words) == 1 and not _is_abbreviation(name) and (len(name) < _SHORTEST_WORD or name[0].islower()):
            return
        node = self._root
        for word in words:
            node = node.next.setdefault(self._bare_word(word), _Node())
        node.names.append(name)

    def _read_word(self, word: str) -> str:
        return bare_word(self._fold(word))

    def _longest(self, text: str, words: list[re.Match[str]], place: int) -> tuple[str, int] | None:
        node = self._root
        found: tuple[str, int] | None = None
        for count, word in enumerate(words[place : place + _MOST_WORDS], start=1):
            if count > 1 and word.start() - words[place + count - 2].end() > _WIDEST_GAP:
                break
            following = node.next.get(self._bare_word(word[0]))
            if following is None:
                break
            node = following
            written = [each[0] for each in words[place : place + count]]
            name = next((name for name in node.names if _capitals_agree(name, written)), None)
            if name is not None:
                found = name, count
        return found


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
