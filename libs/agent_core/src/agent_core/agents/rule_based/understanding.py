"""A question understood so far: politeness gone, names noted, cues found."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent_core.agents.rule_based.cues import Form, Found, find_cues
from agent_core.agents.rule_based.glossary import in_english, language_of
from agent_core.agents.rule_based.items import BE, CONNECTORS, DO, WHO, Item, items_of
from agent_core.agents.rule_based.mentions import Noted, note_names
from agent_core.agents.rule_based.rewording import reworded
from agent_core.agents.rule_based.shapes import POLITE, POLITE_END, WHETHER, is_yes_no
from agent_core.agents.rule_based.text import NAME, Name, Reading, read
from agent_core.agents.rule_based.vocabulary import QUESTION_TABLE
from agent_core.agents.rule_based.word_order import in_order
from agent_core.agents.rule_based.words import FUNCTION_WORDS, ORDINARY_QUESTION_WORDS

_KEPT = 16
"""Readings that are kept: one question is read several times, with the same names or with others."""

_ASKS_WHICH = re.compile(r"(?:who|whom|whose|which|when|where|why|how) \w", re.IGNORECASE)
"""What no politeness begins with, and no other order of words changes."""

_MARKS = re.compile(r"^(?:[?.!,;:¿¡\"'“”「」『』-] )+|(?: [?.!,;:\"'“”「」『』-])+$|^[?.!,;:¿¡「」]$")
_NEVER_IN_NAMES = (
    BE
    | DO
    | WHO
    | (CONNECTORS - {"of"})
    | frozenset(
        {
            "what",
            "which",
            "when",
            "where",
            "how",
            "why",
            "and",
            "or",
            "vs",
            "as",
            "i",
            "me",
            "it",
            "its",
            "this",
            "'s",
            ",",
            "not",
            "many",
            "much",
            "there",
            "between",
            "related",
            "connected",
            "linked",
            "tied",
            "associated",
            "compare",
            "compared",
            "different",
            "difference",
            "versus",
            "similar",
            "like",
            "connect",
            "link",
            "relate",
            "also",
            "too",
            "please",
            "you",
            "we",
            "longer",
            "older",
            "better",
        }
    )
)


@dataclass(frozen=True, slots=True)
class Proper:
    """A question without what only surrounds it, its names behind placeholders."""

    noted: Noted
    language: str
    is_yes_no: bool

    @property
    def text(self) -> str:
        """Its pieces."""
        return self.noted.reading.text


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question with its names behind placeholders, and what its words mean."""

    noted: Noted
    cues: tuple[Found, ...]
    items: tuple[Item, ...]
    language: str
    is_yes_no: bool

    @property
    def reading(self) -> Reading:
        """The question proper."""
        return self.noted.reading

    @property
    def text(self) -> str:
        """Its pieces."""
        return self.noted.reading.text

    @property
    def said(self) -> str:
        """The items as text; of a question in two clauses, those of one."""
        return " ".join(item.text for item in self.items)

    @property
    def names(self) -> tuple[int, ...]:
        """Indexes of the names that occur, in order."""
        return tuple(dict.fromkeys(item.name for item in self.items if item.is_name))

    def cues_of[T](self, kind: type[T]) -> tuple[T, ...]:
        """All cues of one kind, in order."""
        return tuple(found.cue for found in self.cues if isinstance(found.cue, kind))


def proper_text(question: str) -> str:
    """The pieces of a question without politeness, names unknown."""
    return _proper(in_english(read(question, ()), language_of(question)))[0].text


def english_reading(question: str, names: Sequence[Name]) -> Reading:
    """All that was asked with its names, in English words, each where it was written."""
    return in_english(read(question, names), language_of(question, tuple(name.text for name in names)))


def plain_reading(question: str, names: Sequence[Name]) -> Reading:
    """The question proper with its names, in the words and the order in which it was asked."""
    return _plain(question, tuple(names))[0]


def understand(question: str, names: Sequence[Name]) -> Understanding:
    """Read a cleaned question with these names."""
    return _understood(question, tuple(names))


@lru_cache(maxsize=_KEPT)
def _plain(question: str, names: tuple[Name, ...]) -> tuple[Reading, bool, str]:
    """The question proper in plain words, whether it said `if`, and its language."""
    language = language_of(question, tuple(name.text for name in names))
    reading, is_whether = _proper(in_english(read(question, names), language))
    return reworded(reading), is_whether, language


@lru_cache(maxsize=_KEPT)
def proper(question: str, names: tuple[Name, ...]) -> Proper:
    """The question proper of a cleaned question, in the order of a plain one, its names noted."""
    reading, is_whether, language = _plain(question, names)
    noted = note_names(in_order(reading))
    return Proper(noted, language, is_whether or is_yes_no(noted.reading.text))


def may_be_yes_no(question: str) -> bool:
    """Whether a cleaned question can turn out to ask for yes or no; tells at a glance what `proper` need not read."""
    return _ASKS_WHICH.match(question) is None or language_of(question) != "en"


@lru_cache(maxsize=_KEPT)
def _understood(question: str, names: tuple[Name, ...]) -> Understanding:
    asked = proper(question, names)
    cues = find_cues(asked.text, QUESTION_TABLE)
    return Understanding(asked.noted, cues, items_of(asked.noted.reading, cues), asked.language, asked.is_yes_no)


def part_of(understanding: Understanding, reading: Reading) -> Understanding:
    """One sentence of a question as a question of its own, its names as they were noted."""
    ordered = in_order(reading)
    cues = find_cues(ordered.text, QUESTION_TABLE)
    noted = Noted(ordered, understanding.noted.notes, understanding.noted.excepted)
    return Understanding(noted, cues, items_of(ordered, cues), understanding.language, is_yes_no(ordered.text))


def _proper(reading: Reading) -> tuple[Reading, bool]:
    """The reading without what politeness puts before and after the question, and whether it said `if`."""
    is_whether = False
    before = None
    while before != reading.text:
        before = reading.text
        for find in (_MARKS.search, POLITE.match, POLITE_END.search):
            match = find(reading.text)
            if match is not None and match.end() - match.start() < len(reading.text):
                reading = _cut(reading, *match.span())
        whether = WHETHER.match(reading.text)
        if whether is not None:
            is_whether = True
            reading = _cut(reading, *whether.span())
    return reading, is_whether


def _cut(reading: Reading, start: int, end: int) -> Reading:
    gone = {id(piece) for piece in reading.pieces_in(start, end)}
    return Reading(reading.question, reading.names, tuple(piece for piece in reading.pieces if id(piece) not in gone))


def completed(understanding: Understanding) -> tuple[Name, ...]:
    """The names, those the catalogue doesn't know grown over the words beside them that mean nothing else.

    `your nmae` is one name although `your` is a word; so is `Ghost in the Shel`, when what is asked has no need of a
    place.
    """
    names = list(understanding.reading.names)
    for position, item in enumerate(understanding.items):
        if not item.is_name or names[item.name].is_known or names[item.name].is_quoted:
            continue
        if names[item.name].text[:1].isupper():
            continue
        first = _grown(understanding.items, position, step=-1)
        last = _grown(understanding.items, position, step=1)
        names[item.name] = _spanning(understanding, names[item.name], first, last)
    return tuple(names)


def _grown(items: Sequence[Item], position: int, *, step: int) -> int:
    end = position
    while 0 <= end + step < len(items) and _is_loose(items, end + step, step):
        end += step
    return end


def _is_loose(items: Sequence[Item], index: int, step: int) -> bool:
    item = items[index]
    if item.is_name or item.cue is not None or not re.match(r"[^\W\d]", item.text):
        return False
    if item.text == "of":
        beyond = index + step
        return 0 <= beyond < len(items) and items[beyond].cue is None and items[beyond].text not in _NEVER_IN_NAMES
    before = items[index - 1] if index else None
    names_a_kind = item.text in ("the", "a", "an") and before is not None and before.is_form(Form.NOUN)
    return item.text not in _NEVER_IN_NAMES and not names_a_kind


def _spanning(understanding: Understanding, name: Name, first: int, last: int) -> Name:
    reading, items = understanding.reading, understanding.items
    pieces = reading.pieces_in(items[first].start, items[last].end)
    start, end = min(pieces[0].start, name.start), max(pieces[-1].end, name.end)
    return Name(start, end, reading.question[start:end], False, False, name.entity_types)


_SAYS_LITTLE = FUNCTION_WORDS | ORDINARY_QUESTION_WORDS


def unexplained(understanding: Understanding) -> bool:
    """Whether a word is left that asks for something no cue stands for."""
    return bool(unexplained_words(understanding))


def unexplained_words(understanding: Understanding, items: Sequence[Item] | None = None) -> tuple[str, ...]:
    """The words that ask for something no cue stands for, among all items or these."""
    all_items = understanding.items if items is None else items
    words = (item.text for item in all_items if item.cue is None and not item.is_name)
    return tuple(word for word in words if re.match(r"[^\W\d_]{3}", word) and word not in _SAYS_LITTLE)


def loose_text(understanding: Understanding) -> tuple[int, int] | None:
    """Where the longest run of words stands that no cue explains, as characters of the text."""
    runs: list[list[Item]] = [[]]
    for item in understanding.items:
        is_loose = item.cue is None and not item.is_name and item.text not in _NEVER_IN_NAMES - {"of"}
        if is_loose and re.match(r"[^\W_]", item.text) and not re.search(NAME, item.text):
            runs[-1].append(item)
        elif runs[-1]:
            runs.append([])
    trimmed = [run for run in map(_trimmed, runs) if run]
    best = max(trimmed, key=lambda run: run[-1].end - run[0].start, default=None)
    return (best[0].start, best[-1].end) if best else None


_EMPTY_WORDS = """
    the a an of any some you your i me my we us please so just name names really actually ever one ones
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def _trimmed(run: list[Item]) -> list[Item]:
    """A run without empty words around it; none when nothing else is in it."""
    if all(item.text in _EMPTY for item in run):
        return []
    while run and run[-1].text in _EMPTY:
        run = run[:-1]
    while run and run[0].text in _EMPTY - {"a", "an", "the", "your", "my", "one"}:
        run = run[1:]
    return run
