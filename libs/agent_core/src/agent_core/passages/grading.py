"""Which passages found answer a question, and how far they can be trusted."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import fmean
from uuid import UUID

from datastore.folding import fold

from agent_core.document_contracts import Bands, DateSpan, DocumentHit, DocumentQuestion, Wanted
from agent_core.passages.answering import HELPS, MAX_CHARACTERS, Piece, answering, is_heading
from agent_core.passages.hops import followed_from
from agent_core.passages.likely import Candidate, candidates, is_beside_the_point, measures, says_enough
from agent_core.passages.repair import repaired
from agent_core.passages.sentences import Span, sentences_of
from agent_core.passages.weights import FITTED, FittedWeights
from agent_core.passages.words import asked_as, senses
from agent_core.schemas import ConfidenceBand

_TOP = 3
_ENOUGH_WORDS = 3
_ALSO = re.compile(r"(?:(?:He|She|It|They|This|These)\s+(?:\w+\s+)?(?:also|too)|Also|In addition|Besides)\b")
"""How a sentence begins that goes on with what the one before began to list."""

_NUMBERED = re.compile(
    r"\W*(?:(?:section|article|chapter|part|abschnitt|artikel|art\.?|§+)\s*)?(?P<n>\d+(?:\.\d+)*[a-z]?)\b",
    re.IGNORECASE,
)
"""A heading that begins with its number."""

_RELAXED_COSTS = 0.5


class State(StrEnum):
    """What follows from the passages: an answer, another wording of the search, or the word that nothing is there."""

    ANSWERS = "answers"
    LOW = "low"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a passage, or two of which the second leans on the first.

    `says` is how many of the asked words it holds, `values` what of the wanted; `twins` hold the same text elsewhere.
    """

    hit: DocumentHit
    span: Span
    says: int
    rank: float
    values: frozenset[str] = frozenset()
    twins: tuple[DocumentHit, ...] = ()

    @property
    def text(self) -> str:
        """The sentence as it stands in its passage."""
        return self.hit.evidence.text[self.span.start : self.span.end]

    def overlaps(self, other: "Quote") -> bool:
        """Whether they have words of one passage in common."""
        is_apart = self.span.start >= other.span.end or other.span.start >= self.span.end
        return self.hit.evidence.id == other.hit.evidence.id and not is_apart


@dataclass(frozen=True, slots=True)
class Passages:
    """What was read: the sentences that answer, best first, and the average score of the passages that hold them.

    `hits` are all passages, each once, best first; `missing` are asked words that none of the best ones says.
    """

    state: State
    band: ConfidenceBand
    average: float
    quotes: tuple[Quote, ...] = ()
    hits: tuple[DocumentHit, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The sentences that a question weighs, and whether it has to: not where one answers for certain."""

    is_certain: bool
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """What was found for a question as it is meant, and the sentences that answer it for certain."""

    question: DocumentQuestion
    hits: tuple[DocumentHit, ...]
    said: Mapping[UUID, frozenset[str]]
    certain: tuple[Quote, ...]


def read_passages(
    question: DocumentQuestion,
    found: Sequence[DocumentHit],
    bands: Bands,
    *,
    succeeded: Mapping[UUID, UUID] | None = None,
    named: frozenset[UUID] = frozenset(),
    held: frozenset[UUID] = frozenset(),
    weights: FittedWeights = FITTED,
) -> Passages:
    """Read passages for a question.

    `succeeded` leads from a document to the one that replaces it; `named` are the documents that the question's name of
    one was resolved to. Where it names one, no other document answers but a successor. `held` are documents that
    held in the asked days, whatever their own. `weights` tell the most likely answer where none is certain.
    """
    read = _read(question, found, succeeded or {}, named=named, held=held)
    hits, chosen = read.hits, read.certain
    average, band = _trust(chosen, hits, bands)
    if not chosen:
        likely = _likely(read, succeeded or {}, weights)
        average_of_likely, band_of_likely = _trust(likely, hits, bands)
        if _state(band_of_likely, answers=bool(likely)) is State.ANSWERS:
            chosen, average, band = likely, average_of_likely, band_of_likely
    if chosen and band is not ConfidenceBand.HIGH and _says_all(chosen[0], read.question):
        band = max(band, ConfidenceBand.MEDIUM, key=_BANDS.index)
    return Passages(
        state=_state(band, answers=bool(chosen)),
        band=band,
        average=round(average, 4),
        quotes=chosen,
        hits=hits,
        missing=() if chosen else _unsaid(read.question, hits),
    )


def weigh_passages(question: DocumentQuestion, found: Sequence[DocumentHit]) -> Weighed:
    """The sentences of passages that may answer a question, whether one answers for certain or not."""
    read = _read(question, found, {}, named=frozenset(), held=frozenset())
    return Weighed(bool(read.certain), tuple(candidates(read.question, read.hits, read.said)))


def _read(
    question: DocumentQuestion,
    found: Sequence[DocumentHit],
    succeeded: Mapping[UUID, UUID],
    *,
    named: frozenset[UUID],
    held: frozenset[UUID],
) -> _Read:
    hits = _each_once([_dated(hit, question.dates, held) for hit in found])
    if question.document is not None:
        hits = _of_named(hits, question, named, succeeded)
    hits = _of_section(hits, question)
    question = repaired(question, hits)
    said = _said_by_document(hits, question.language)
    quotes = [quote for hit in hits for quote in _quotes(question, hit, said[hit.evidence.document.id])]
    return _Read(question, hits, said, _chosen(question, _current(quotes, succeeded)))


_BANDS = (ConfidenceBand.INSUFFICIENT, ConfidenceBand.LOW, ConfidenceBand.MEDIUM, ConfidenceBand.HIGH)


def _says_all(quote: Quote, question: DocumentQuestion) -> bool:
    """Whether a quote says all asked words itself, and enough of them that its passage's score tells no more."""
    asked = {asked_as(word, question.language) for word in question.asked}
    return quote.says >= len(asked) >= _ENOUGH_WORDS


def _trust(quotes: Sequence[Quote], hits: Sequence[DocumentHit], bands: Bands) -> tuple[float, ConfidenceBand]:
    """The average score of the quoted passages, of the best ones where nothing is quoted, and its band."""
    used = {quote.hit.evidence.id: quote.hit for quote in quotes}
    average = fmean(hit.score for hit in (used.values() or hits[:_TOP])) if hits else 0.0
    return average, band_of(average, bands)


def band_of(average: float, bands: Bands) -> ConfidenceBand:
    """The band of an average score."""
    if average >= bands.high:
        return ConfidenceBand.HIGH
    if average >= bands.medium:
        return ConfidenceBand.MEDIUM
    return ConfidenceBand.LOW if average >= bands.low else ConfidenceBand.INSUFFICIENT


def _state(band: ConfidenceBand, *, answers: bool) -> State:
    if band is ConfidenceBand.INSUFFICIENT:
        return State.NOTHING
    return State.ANSWERS if answers and band is not ConfidenceBand.LOW else State.LOW


def _dated(hit: DocumentHit, days: DateSpan | None, held: frozenset[UUID]) -> DocumentHit:
    """A hit, told to be of other days than those asked for where that is so, however it was found."""
    if hit.evidence.document.id in held:
        return hit.model_copy(update={"is_relaxed": False})
    if days is None or hit.is_relaxed or hit.evidence.date is None:
        return hit
    text = hit.evidence.date
    is_before = days.first is not None and text < days.first.isoformat()[: len(text)]
    is_after = days.last is not None and text > days.last.isoformat()[: len(text)]
    return hit.model_copy(update={"is_relaxed": True}) if is_before or is_after else hit


def _each_once(found: Sequence[DocumentHit]) -> tuple[DocumentHit, ...]:
    """The hits without repetition, each with its best score; inside the asked dates where one search found it so."""
    best: dict[str, DocumentHit] = {}
    for hit in found:
        known = best.get(hit.evidence.id)
        if known is None:
            best[hit.evidence.id] = hit
        else:
            is_relaxed = known.is_relaxed and hit.is_relaxed
            best[hit.evidence.id] = known.model_copy(
                update={
                    "score": max(known.score, hit.score),
                    "is_relaxed": is_relaxed,
                    "via": known.via or hit.via,
                }
            )
    return tuple(sorted(best.values(), key=lambda hit: (hit.is_relaxed, -hit.score, hit.evidence.id)))


def _of_named(
    hits: tuple[DocumentHit, ...], question: DocumentQuestion, named: frozenset[UUID], succeeded: Mapping[UUID, UUID]
) -> tuple[DocumentHit, ...]:
    """The passages of the document that is named, and of its successor; all where what looked like a title is none.

    Where the question asks of what that document refers to, those of the documents that it leads to.
    """
    if question.follows:
        led = followed_from(hits, named)
        led |= {new for old, new in succeeded.items() if old in led}
        return tuple(hit for hit in hits if hit.evidence.document.id in led)
    name = fold(question.document or "")
    ids = named or {hit.evidence.document.id for hit in hits if fold(hit.evidence.title) == name}
    if not ids and not question.is_title:
        return hits
    meant = {*ids, *(new for old, new in succeeded.items() if old in ids)}
    return tuple(hit for hit in hits if hit.evidence.document.id in meant)


def _of_section(hits: tuple[DocumentHit, ...], question: DocumentQuestion) -> tuple[DocumentHit, ...]:
    """The passages of the section that is asked by its number, and of those inside it; all where none is numbered."""
    number = question.section or ""
    numbered = {hit.evidence.id: match["n"] for hit in hits if (match := _NUMBERED.match(hit.evidence.section or ""))}
    if not number[:1].isdigit() or not numbered:
        return hits
    inside = (number, f"{number}.", f"{number}(")
    return tuple(
        hit
        for hit in hits
        if (own := numbered.get(hit.evidence.id)) is not None and (own == number or own.startswith(inside[1:]))
    )


def _said_by_document(hits: Sequence[DocumentHit], language: str) -> dict[UUID, frozenset[str]]:
    """What each document says, as far as it was read, its title and headings among it."""
    said: dict[UUID, frozenset[str]] = {}
    for hit in hits:
        evidence = hit.evidence
        text = f"{evidence.title}\n{evidence.section or ''}\n{evidence.text[:MAX_CHARACTERS]}"
        words = senses(text, language)
        said[evidence.document.id] = said.get(evidence.document.id, frozenset()) | words
    return said


def _quotes(question: DocumentQuestion, hit: DocumentHit, said: frozenset[str]) -> Iterator[Quote]:
    bonus = HELPS * hit.score - _RELAXED_COSTS * hit.is_relaxed
    if not said.issuperset(measures(question)):
        return
    for found in answering(question, _piece(question, hit), said):
        text = hit.evidence.text[found.span.start : found.span.end]
        if is_beside_the_point(question, hit, text) or not says_enough(question, hit, text):
            continue
        yield Quote(hit, found.span, found.says, found.rank + bonus, found.values)


_NEAR = 1.0
"""How far below the best one what another document says counts as much."""


def _likely(read: _Read, succeeded: Mapping[UUID, UUID], weights: FittedWeights) -> tuple[Quote, ...]:
    """The most likely sentence, and those of other documents that give as likely a figure or date."""
    question = read.question
    weighed = [(each, weights.odds(each.features)) for each in candidates(question, read.hits, read.said)]
    found = [
        Quote(each.hit, each.span, each.says, odds, each.values) for each, odds in weighed if odds > weights.margin
    ]
    quotes = _current(found, succeeded)
    ranked = _without_twins(sorted(quotes, key=_order))
    alike: dict[UUID, Quote] = {}
    for quote in ranked:
        if quote.rank >= ranked[0].rank - _NEAR:
            alike.setdefault(quote.hit.evidence.document.id, quote)
    if question.wanted in (Wanted.NUMBER, Wanted.DATE):
        return tuple(alike.values())[: question.top_k]
    return _with_more(tuple(alike.values())[:1])


def _piece(question: DocumentQuestion, hit: DocumentHit) -> Piece:
    """A passage with what led to it, unless the question itself says what leads there."""
    told = (
        senses(hit.via.reference.sentence, question.language)
        if hit.via is not None and not question.follows
        else frozenset[str]()
    )
    return Piece(hit.evidence.title, hit.evidence.section or "", hit.evidence.text, told)


def _current(quotes: Sequence[Quote], succeeded: Mapping[UUID, UUID]) -> list[Quote]:
    """The quotes without those of documents whose successor answers too."""
    answering = {quote.hit.evidence.document.id for quote in quotes}
    return [quote for quote in quotes if succeeded.get(quote.hit.evidence.document.id) not in answering]


def _chosen(question: DocumentQuestion, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The best quote, and with it those of other documents that say as much; without a wanted value more of the same.

    A text that stands in several documents is quoted once.
    """
    ranked = _without_twins(sorted(quotes, key=_order))
    if not ranked:
        return ()
    best = ranked[0]
    if question.wanted is Wanted.ACCOUNT:
        return _account(best, _piece(question, best.hit), question.top_k)
    if question.wanted is Wanted.ANYTHING:
        same: list[Quote] = []
        for quote in ranked:
            if quote.hit.evidence.id == best.hit.evidence.id and not any(map(quote.overlaps, same)):
                same.append(quote)
        return _with_more(tuple(sorted(same[: question.top_k], key=lambda quote: quote.span.start)))
    alike: dict[UUID, Quote] = {}
    for quote in ranked:
        if quote.says >= best.says and quote.hit.is_relaxed == best.hit.is_relaxed:
            alike.setdefault(quote.hit.evidence.document.id, quote)
    return tuple(alike.values())[: question.top_k]


def _with_more(quotes: tuple[Quote, ...]) -> tuple[Quote, ...]:
    """Quotes of one passage with the sentence after the last that says `also` what more belongs to it."""
    if not quotes:
        return ()
    last, text = quotes[-1], quotes[-1].hit.evidence.text
    following = next((span for span in sentences_of(text) if span.start >= last.span.end), None)
    if following is None or _ALSO.match(text, following.start, following.end) is None:
        return quotes
    return (*quotes, replace(last, span=following, twins=()))


def _order(quote: Quote) -> tuple[float, str, str, int]:
    """The best first; of equal ones the older, the one that comes first in its document."""
    evidence = quote.hit.evidence
    return -round(quote.rank, 6), evidence.date or "", evidence.id, quote.span.start


def _account(first: Quote, piece: Piece, most: int) -> tuple[Quote, ...]:
    """A quote and the sentences of its passage that follow it."""
    later = (span for span in sentences_of(piece.text) if span.start >= first.span.start)
    following = [span for span in later if not is_heading(piece.text[span.start : span.end], piece)]
    return tuple(replace(first, span=span) for span in following[:most])


def _without_twins(ranked: Sequence[Quote]) -> list[Quote]:
    kept: dict[str, Quote] = {}
    for quote in ranked:
        text = " ".join(quote.text.split())
        first = kept.get(text)
        if first is None:
            kept[text] = quote
        elif quote.hit.evidence.document.id != first.hit.evidence.document.id:
            kept[text] = replace(first, twins=(*first.twins, quote.hit))
    return list(kept.values())


def _unsaid(question: DocumentQuestion, hits: Sequence[DocumentHit]) -> tuple[str, ...]:
    """The asked words that none of the best passages says."""
    said = frozenset[str]().union(*_said_by_document(hits[:_TOP], question.language).values())
    return tuple(word for word in question.asked if asked_as(word, question.language) not in said)
