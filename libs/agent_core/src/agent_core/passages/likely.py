"""Which sentences may answer where none does for certain, and what speaks for each: what `weights` are of.

What a stranger asks rarely stands in a text word by word. Here every sentence found is described by how much of the
asked words it, its surroundings and its document say, rare ones counting for more.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from agent_core.document_contracts import DocumentHit, DocumentQuestion, Wanted
from agent_core.passages.answering import MAX_CHARACTERS, Piece, Told, is_heading, told_in, values_in
from agent_core.passages.sentences import Span
from agent_core.passages.values import DISTANCES, DURATIONS, MONEY
from agent_core.passages.words import asked_as, meaning, senses, words_in

_OF_DEEDS = frozenset({Wanted.NAME, Wanted.DATE})
OPEN = frozenset({Wanted.ANYTHING, Wanted.ACCOUNT})
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d{2}(?!\d)")
_FUTURE = re.compile(r"\b(?:will|going to|planned for)\b")
_FORBIDDEN = re.compile(
    r"\b(?:may|can|must|should) (?:\w+ )?not\b|\bnot (?:be )?allowed\b|\b(?:forbidden|prohibited|banned)\b"
    r"|\b(?:nobody|no one|never) (?:be )?allowed\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not?|never|nobody|none|without|cannot|only|forbid\w*|forbade|prohibit\w*|bann?\w*)\b|n['’]t\b", re.IGNORECASE
)
_PER = re.compile(r"\b(?:per|an?|each|every) (?:cubic |square )?([a-z]+)\b")
_UNITS = frozenset(meaning(unit) for unit in (*MONEY, *DURATIONS, *DISTANCES))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer, and what speaks for it, by `FEATURES`."""

    hit: DocumentHit
    span: Span
    says: int
    values: frozenset[str]
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked, with what each word weighs among the passages found."""

    question: DocumentQuestion
    weights: Mapping[str, float]
    musts: frozenset[str]
    deed: str | None
    known: frozenset[str]

    def share(self, said: frozenset[str]) -> float:
        """How much of the asked words is said, by their weights."""
        whole = math.fsum(self.weights.values())
        return math.fsum(weight for word, weight in self.weights.items() if word in said) / whole if whole else 0.0


def candidates(
    question: DocumentQuestion, hits: Sequence[DocumentHit], said: Mapping[UUID, frozenset[str]]
) -> Iterator[Candidate]:
    """The sentences that hold the wanted kind of thing, of documents that say what must be said.

    `said` is what each document says.
    """
    asked = _asked(question, hits)
    for place, hit in enumerate(hits):
        document = said[hit.evidence.document.id]
        if hit.is_relaxed or not asked.musts <= document:
            continue
        piece = Piece(hit.evidence.title, hit.evidence.section or "", hit.evidence.text[:MAX_CHARACTERS])
        around = senses(f"{piece.title} {piece.section}", question.language)
        for told in told_in(piece.text):
            text = piece.text[told.span.start : told.span.end]
            if is_heading(text, piece):
                continue
            own = text if question.wanted in OPEN else text[told.opening :]
            if not _does_it(asked, text, own, around, document) or is_beside_the_point(question, hit, text):
                continue
            if not says_enough(question, hit, text):
                continue
            values = values_in(question, own, frozenset(asked.weights)) - asked.known
            if values or question.wanted in OPEN:
                yield _candidate(asked, hit, told, around, document, (text, own), values, is_first=place == 0)


def _does_it(asked: _Asked, text: str, own: str, around: frozenset[str], document: frozenset[str]) -> bool:
    """Whether what is wanted can be of the asked deed: who or when stands beside it, any figure where it is told of.

    Something that it was done to has to stand there too.
    """
    question, deed = asked.question, asked.deed
    if deed is None or question.wanted in OPEN or question.wanted is Wanted.REASON:
        return True
    things = {asked_as(word, question.language) for word in _things(question)}
    if things and things.isdisjoint(senses(text, question.language) | around):
        return False
    if question.wanted in _OF_DEEDS:
        return deed in senses(own, question.language)
    return deed in document


def _candidate(
    asked: _Asked,
    hit: DocumentHit,
    told: Told,
    around: frozenset[str],
    document: frozenset[str],
    texts: tuple[str, str],
    values: frozenset[str],
    *,
    is_first: bool,
) -> Candidate:
    question, deed = asked.question, asked.deed
    whole, own = (senses(text, question.language) for text in texts)
    unsaid = sum(word not in document for word in asked.weights)
    features = (
        1.0,
        asked.share(whole),
        asked.share(own),
        asked.share(whole | around),
        asked.share(document),
        min(2, unsaid) / 2,
        float(deed is not None and deed in own),
        float(deed is not None and deed in document and deed not in own),
        float(question.wanted not in OPEN),
        float(bool(question.counted)),
        hit.score,
        float(is_first),
    )
    return Candidate(hit, told.span, len(whole & asked.weights.keys()), values, features)


def _asked(question: DocumentQuestion, hits: Sequence[DocumentHit]) -> _Asked:
    language = question.language
    words = {asked_as(word, language) for word in question.asked}
    found: Counter[str] = Counter()
    for hit in hits:
        text = f"{hit.evidence.title} {hit.evidence.section or ''} {hit.evidence.text[:MAX_CHARACTERS]}"
        found.update(words & senses(text, language))
    weights = {word: math.log(1 + len(hits) / max(1, found[word])) for word in sorted(words)}
    return _Asked(
        question,
        weights,
        frozenset((*_names(question), *_demanded(question, words), *measures(question))),
        meaning(question.relation, language) if question.relation is not None else None,
        values_in(question, question.query, frozenset()),
    )


def _names(question: DocumentQuestion) -> Iterator[str]:
    """The asked words that are names for being written large inside of the question; German writes all nouns so."""
    if question.language == "de":
        return
    inside = set(words_in(question.query)[1:])
    yield from (asked_as(word, question.language) for word in question.asked if word[0].isupper() and word in inside)


def _things(question: DocumentQuestion) -> tuple[str, ...]:
    """The asked words beside the deed and what is counted."""
    return tuple(word for word in question.asked if word != question.relation and word not in question.counted)


def measures(question: DocumentQuestion) -> Iterator[str]:
    """What a figure is asked for, which its document has to say: `for a month`, `per metre`."""
    for match in _PER.finditer(question.query) if question.wanted is Wanted.NUMBER else ():
        unit = meaning(match[1], question.language)
        if unit in _UNITS:
            yield unit


def _demanded(question: DocumentQuestion, words: set[str]) -> Iterator[str]:
    """All asked words where nothing but them tells an answer; what it was done to, where who or when is asked."""
    if question.wanted in OPEN:
        yield from words
    elif question.wanted in _OF_DEEDS:
        yield from (asked_as(word, question.language) for word in _things(question)[:1])


def is_beside_the_point(question: DocumentQuestion, hit: DocumentHit, text: str) -> bool:
    """Whether a text can't answer whatever it says: it is of another time, or forbids nothing where that is asked."""
    lacks_not = _FORBIDDEN.search(question.query) is not None and _NOT.search(text) is None
    return lacks_not or _is_of_another_time(question, hit, text)


def says_enough(question: DocumentQuestion, hit: DocumentHit, text: str) -> bool:
    """Whether a text says, under its headings, all that is asked of an entity: what is near it is of something else."""
    if not question.is_of_entity:
        return True
    said = senses(f"{hit.evidence.title} {hit.evidence.section or ''} {text}", question.language)
    return said.issuperset(asked_as(word, question.language) for word in question.asked)


def _is_of_another_time(question: DocumentQuestion, hit: DocumentHit, text: str) -> bool:
    """Whether a text names years, and none of those that the question asks of, or was before what will only be."""
    if hit.is_relaxed and _FUTURE.search(question.query):
        return True
    asked = set(_YEAR.findall(question.query))
    named = set(_YEAR.findall(text))
    return bool(asked) and bool(named) and not asked & named
