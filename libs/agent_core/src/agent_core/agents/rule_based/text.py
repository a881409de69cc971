"""The text of a question: cleaned, cut into pieces that know where they came from, names behind placeholders."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from datastore.vocabulary import EntityType

NAME = "[\ue000-\ue0ff]"
"""Matches the placeholder of one name in `Reading.text`."""

BLANK = "\u00b7"
"""What stands for characters that were already understood; no pattern matches it."""

_KEPT = 16
"""Cleaned texts that are kept: each stage cleans the question that it reads."""

_FIRST_NAME = 0xE000
_APOSTROPHES = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "？": "?", "！": "!", "，": ",", "、": ",", "　": " "}
)
_PIECE = re.compile(r"[\ue000-\ue0ff]|'s\b|\d+[.,]\d+|[^\W_]+(?:'[^\W_]+)*'?|[^\s\w]|_")
# Folding drops such marks, so a known name ends before them; they end no sentence where it goes on in small letters.
_MARKS_OF_NAME = re.compile(r"[!☆★♪♥]{2,}(?!$)|[!☆★♪♥](?= [a-z])")
CONTRACTIONS = {
    "isn't": ("is", "not"),
    "aren't": ("are", "not"),
    "wasn't": ("was", "not"),
    "weren't": ("were", "not"),
    "doesn't": ("does", "not"),
    "don't": ("do", "not"),
    "didn't": ("did", "not"),
    "hasn't": ("has", "not"),
    "haven't": ("have", "not"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "couldn't": ("could", "not"),
    "wouldn't": ("would", "not"),
    "i'm": ("i", "am"),
    "i've": ("i", "have"),
    "i'd": ("i", "would"),
    "i'll": ("i", "will"),
    "whats": ("what", "is"),
    "whos": ("who", "is"),
    "wheres": ("where", "is"),
    "whens": ("when", "is"),
    "hows": ("how", "is"),
}
_ELISIONS = frozenset({"l", "d", "qu", "s", "n", "j"})
_COPULAS = frozenset(
    {"what", "who", "where", "when", "how", "that", "it", "he", "she", "there", "here", "why", "which"}
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name inside the cleaned question. `is_known`: the catalogue has it, so its text needs no correction."""

    start: int
    end: int
    text: str
    is_known: bool = False
    is_quoted: bool = False
    entity_types: tuple[EntityType, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a mark or a name's placeholder in lower case, and where it stands in the cleaned question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """A question as pieces joined by single spaces, with its names behind placeholders."""

    question: str
    names: tuple[Name, ...]
    pieces: tuple[Piece, ...]

    @cached_property
    def text(self) -> str:
        """All pieces, for patterns to match."""
        return " ".join(piece.text for piece in self.pieces)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts: list[int] = []
        offset = 0
        for piece in self.pieces:
            starts.append(offset)
            offset += len(piece.text) + 1
        return tuple(starts)

    def pieces_in(self, start: int, end: int) -> tuple[Piece, ...]:
        """The pieces that overlap the characters from `start` to `end` of `text`."""
        return tuple(
            piece
            for piece, begin in zip(self.pieces, self._starts, strict=True)
            if begin < end and begin + len(piece.text) > start
        )

    def original(self, start: int, end: int) -> str:
        """What the user wrote for these characters of `text`."""
        pieces = self.pieces_in(start, end)
        return self.question[pieces[0].start : pieces[-1].end] if pieces else ""

    def name_indexes(self, start: int = 0, end: int | None = None) -> tuple[int, ...]:
        """The names between two characters of `text`, in order."""
        return tuple(name_index(match.group()) for match in re.finditer(NAME, self.text[start:end]))


def placeholder(index: int) -> str:
    """The one character that stands for the name of that index."""
    return chr(_FIRST_NAME + index)


def name_index(character: str) -> int:
    """The index behind a placeholder."""
    return ord(character) - _FIRST_NAME


@lru_cache(maxsize=_KEPT)
def clean(question: str) -> str:
    """The question without control, invisible and private characters, with plain apostrophes and single spaces."""
    text = question.translate(_APOSTROPHES)
    if not text.isprintable():
        text = "".join(filter(_is_kept, text))
    return " ".join(unicodedata.normalize("NFC", text).split())


def _is_kept(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def blank(text: str, start: int, end: int) -> str:
    """`text` with the characters from `start` to `end` blanked, so that offsets stay true."""
    return text[:start] + BLANK * (end - start) + text[end:]


def read(question: str, names: Sequence[Name]) -> Reading:
    """Cut a cleaned question into pieces. Names must not overlap; their order gives the placeholders."""
    ordered = tuple(sorted(names, key=lambda name: name.start))
    return Reading(question, ordered, tuple(_pieces(question, ordered)))


def _pieces(question: str, names: Sequence[Name]) -> Iterator[Piece]:
    position = 0
    for index, name in enumerate(names):
        yield from _words(question, position, name.start)
        yield Piece(placeholder(index), name.start, name.end)
        marks = _MARKS_OF_NAME.match(question, name.end)
        position = marks.end() if marks is not None else name.end
    yield from _words(question, position, len(question))


def _words(question: str, start: int, end: int) -> Iterator[Piece]:
    for match in _PIECE.finditer(question, start, end):
        word = match.group().casefold()
        if word == "-" and question[match.start() - 1 : match.end() + 1].replace("-", "").isalnum() and match.start():
            continue
        for part in _parts(word):
            yield Piece(part, match.start(), match.end())


def _parts(word: str) -> tuple[str, ...]:
    if word in CONTRACTIONS:
        return CONTRACTIONS[word]
    stem, apostrophe, tail = word.partition("'")
    if not apostrophe or not stem:
        return (word,)
    if stem in _ELISIONS and tail:
        return (f"{stem}'", tail)
    if tail == "s":
        return (stem, "is" if stem in _COPULAS else "'s")
    return (stem, "'s") if not tail else (word,)
