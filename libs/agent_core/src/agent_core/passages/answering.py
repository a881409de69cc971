"""Which sentences of a text answer a question.

A sentence answers when it holds what is wanted, the verb of the question, and at least half of the asked words that
its document's title does not hold already, and when its document says the rest. What the question is after, its first
content word, and every name and number of it must be said. So a passage that is merely alike is no answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from datastore.folding import fold

from agent_core.document_contracts import DocumentQuestion, Wanted
from agent_core.passages.sentences import Span, sentences_of
from agent_core.passages.values import values_of
from agent_core.passages.words import asked_as, meaning, senses, stem_of, stems

MIN_FOCUS = 0.5
"""The least share of the asked words, beside those of the title, that a sentence must hold itself."""

MIN_FOCUS_OF_DEED = 0.3
"""The same where a value is wanted and the sentence holds it beside the verb of the question."""

MAX_CHARACTERS = 20_000
"""How much of a passage is read; those of the index are far shorter."""

MAX_MISSING, FREE_FROM = 1, 4
"""How many asked words a document need not say, and of how many words on."""

_GOES_ON = re.compile(r"\b(?:It|He|She|They|This|These|That|Its|His|Her|Their|it|he|she|they|them|him)\b")
"""What leans on the sentence before."""

_LINE_ABOUT_OTHERS = re.compile(r"(?:Supersede[sd]|Replace[sd]|Obsolete[sd]|Require[sd]|See|See also)(?:-By)?: ")
_AND_BACK = re.compile(r"\b\w+ back\b")
"""Paying back is not paying."""

_OPEN = frozenset({Wanted.ANYTHING, Wanted.ACCOUNT})
HELPS = 0.25
_PAIR_COSTS = 0.05
_OTHERWISE_COSTS = 0.1
"""What a word costs of which only one of nearly its meaning is said."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that may answer. `told` are meanings that stand in the sentence which refers to it."""

    title: str
    section: str
    text: str
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that answers: how many of the asked words it holds, and what of the wanted."""

    span: Span
    says: int
    rank: float
    values: frozenset[str]


def answering(question: DocumentQuestion, piece: Piece, said: frozenset[str]) -> Iterator[Sentence]:
    """The sentences of a piece that answer; `said` is what all of its document says."""
    if not _is_said(question, said | piece.told):
        return
    language = question.language
    asked = frozenset(asked_as(word, language) for word in question.asked)
    literal = frozenset(stem_of(word, language) for word in question.asked)
    titled = asked & senses(piece.title, language)
    about = asked & senses(piece.section, language)
    known = values_of(question.query, question.wanted, language=language)
    is_of_deed = question.relation is not None and question.wanted not in _OPEN
    least = MIN_FOCUS_OF_DEED if is_of_deed else MIN_FOCUS
    deed = frozenset({meaning(question.relation, language)}) if question.relation is not None else frozenset[str]()
    things = asked - deed - {asked_as(word, language) for word in question.counted}
    for told in _told(piece.text[:MAX_CHARACTERS]):
        text = piece.text[told.span.start : told.span.end]
        held = asked & senses(text, language)
        share = _share(question, asked, held, titled | piece.told)
        if is_of_deed and things and not (held | titled | about | piece.told) & things:
            continue
        if share < least or is_heading(text, piece) or not _says_it(question, piece, text, told.opening):
            continue
        values = _values(question, text[told.opening :], asked) - known
        if question.wanted not in _OPEN and not values:
            continue
        helped = (len(held | about | titled) + len(about) / 2) / len(asked) if asked else 1.0
        said_otherwise = len(held) - len(literal & stems(text, language))
        costs = _PAIR_COSTS * (told.opening > 0) + _OTHERWISE_COSTS * said_otherwise
        yield Sentence(told.span, len(held), share + HELPS * helped - costs, values)


def _values(question: DocumentQuestion, text: str, asked: frozenset[str]) -> frozenset[str]:
    """What of the wanted a text holds; a name that is made of asked words is none."""
    language = question.language
    found = values_of(text, question.wanted, question.counted, relation=question.relation, language=language)
    if question.wanted is not Wanted.NAME:
        return found
    return frozenset(value for value in found if not senses(value, language) & asked)


def _share(question: DocumentQuestion, asked: frozenset[str], held: frozenset[str], elsewhere: frozenset[str]) -> float:
    """How much of what is said nowhere but in the sentence it holds; any asked word will do where that is nothing."""
    focus = asked - elsewhere
    if not asked:
        return 1.0
    if not focus and question.wanted not in _OPEN:
        return float(bool(held))
    focus = focus or asked
    return len(focus & held) / len(focus)


def _says_it(question: DocumentQuestion, piece: Piece, text: str, opening: int) -> bool:
    """Whether the verb of the question stands beside what is wanted: in the last of two sentences, or in what led here.

    Without a verb the last one has to say something asked, or hold a number of what is counted.
    """
    if question.wanted is Wanted.ACCOUNT:
        return True
    language = question.language
    own = _AND_BACK.sub("", text if question.wanted in _OPEN else text[opening:])
    said = senses(own, language)
    if question.relation is not None:
        return meaning(question.relation, language) in said | piece.told
    return opening == 0 or bool(question.counted) or any(asked_as(word, language) in said for word in question.asked)


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence, or two of which the last, from `opening` on, leans on the first."""

    span: Span
    opening: int = 0


def _told(text: str) -> Iterator[_Told]:
    """The sentences, and those that go on with a pronoun together with the one before."""
    before: Span | None = None
    for span in sentences_of(text):
        yield _Told(span)
        if before is not None and _GOES_ON.search(text, span.start, span.end):
            yield _Told(Span(before.start, span.end), span.start - before.start)
        before = span


def _is_said(question: DocumentQuestion, said: frozenset[str]) -> bool:
    """Whether a document says what is asked: all of it, but for a word or so of a long question."""
    missing = [word for word in question.asked if asked_as(word, question.language) not in said]
    if not missing:
        return True
    if len(missing) > MAX_MISSING or len(question.asked) < FREE_FROM:
        return False
    word = missing[0]
    return word != question.asked[0] and word.islower()


def is_heading(text: str, piece: Piece) -> bool:
    """Whether it is no sentence: a heading, the title, or a line that names another document."""
    bare = fold(text.lstrip("# "))
    is_line = text.startswith("#") or _LINE_ABOUT_OTHERS.match(text) is not None
    return is_line or bare in (fold(piece.title), fold(piece.section))
