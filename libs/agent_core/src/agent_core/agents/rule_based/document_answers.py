"""Answers from documents: sentences quoted as they stand, each under the title and date of its document."""

from collections.abc import Sequence
from uuid import UUID

from datastore.edges import EdgeType

from agent_core.agents.rule_based.composing import Composition
from agent_core.context.orders import looks_like_orders
from agent_core.document_contracts import DocumentQuestion
from agent_core.evidence import ChunkEvidence, PathEvidence
from agent_core.grounding.sentences import NameFinder, sentences
from agent_core.passages import PageQuote, Progress, Quote, State, disagreements, elsewhere, progress_of, sentences_of
from agent_core.schemas import ConfidenceBand

_SUCCESSION = frozenset({EdgeType.SUPERSEDES, EdgeType.SUPERSEDED_BY})
_HOPS = {EdgeType.REQUIRES: "requires", EdgeType.MENTIONS: "mentions"}
_OF_THE_WEB = 0.3
_NEAREST = 2
_CONFIDENCE = {ConfidenceBand.HIGH: 0.9, ConfidenceBand.MEDIUM: 0.7}


def say_documents(composition: Composition, question: DocumentQuestion) -> None:
    """Quote what answers each part of the question; nothing when the passages answer none of them."""
    view = composition.view
    unresolved = elsewhere(view.references, view.offered_actions)
    read = [(part, progress_of(part, view.evidence, view.outcomes, view.bands, unresolved)) for part in question.parts]
    told: list[Quote] = []
    unsaid = [(part, progress) for part, progress in read if not _say_part(composition, part, progress, told)]
    for part, progress in unsaid if len(unsaid) < len(read) else ():
        _say_unsaid(composition, part, progress)


def _say_unsaid(composition: Composition, part: DocumentQuestion, progress: Progress) -> None:
    """Which part of the question the nearest passages don't answer."""
    nearest = progress.passages.hits[:_NEAREST]
    is_plain = part.half.islower() and part.half.isascii() and not any(map(str.isdigit, part.half))
    asked = part.half.rstrip(" ?.!") if is_plain else "the other part of the question"
    if nearest:
        composition.say(f"No passage that was found answers this: {asked}", *(hit.evidence.id for hit in nearest))


def _say_part(composition: Composition, question: DocumentQuestion, progress: Progress, told: list[Quote]) -> bool:
    """Whether anything answers it; what answered an earlier part too is not said again. Quotes are added to `told`."""
    passages = progress.passages
    if passages.state is not State.ANSWERS:
        _say_pages(composition, progress.pages[: question.top_k])
        return bool(progress.pages)
    if progress.taken is not None:
        composition.say(f"The document described was taken to be “{progress.taken.title}”", progress.taken.id)
    _say_succession(composition, passages.quotes)
    _say_hops(composition, passages.quotes)
    for found in disagreements(passages.quotes, question.wanted):
        if not found.is_same_text:
            text = f"“{found.left.title}” and “{found.right.title}” disagree on this"
            composition.say(text, found.left.id, found.right.id)
    for quote in passages.quotes:
        if not any(quote.overlaps(other) for other in told):
            is_same = bool(told) and told[-1].hit.evidence.document.id == quote.hit.evidence.document.id
            _say_quote(composition, quote, names_document=not is_same)
            told.append(quote)
    composition.sentences[:] = dict.fromkeys(composition.sentences)
    composition.doubt(_CONFIDENCE.get(passages.band, 0.5))
    return True


def _say_succession(composition: Composition, quotes: tuple[Quote, ...]) -> None:
    """Which older document the quoted one replaces, and which newer one replaces it."""
    quoted = {quote.hit.evidence.document.id for quote in quotes}
    told: set[frozenset[UUID]] = set()
    for item in composition.view.evidence:
        if not isinstance(item, PathEvidence) or len(item.path.steps) != 1:
            continue
        step = item.path.steps[0]
        both = frozenset((step.from_.id, step.to.id))
        if step.rel in _SUCCESSION and both & quoted and both not in told:
            told.add(both)
            verb = "is superseded by" if step.rel is EdgeType.SUPERSEDED_BY else "supersedes"
            composition.say(f"“{composition.name(step.from_)}” {verb} “{composition.name(step.to)}”", item.id)


def _say_hops(composition: Composition, quotes: tuple[Quote, ...]) -> None:
    """By which references the quoted documents were come to."""
    links = [item for item in composition.view.evidence if isinstance(item, PathEvidence) and len(item.path.steps) == 1]
    told: set[frozenset[UUID]] = set()
    for quote in quotes:
        hop = quote.hit.via
        if hop is None or hop.reference.leads_to is None or hop.reference.edge in _SUCCESSION:
            continue
        start, end = hop.reference.document, hop.reference.leads_to
        for item in links:
            step = item.path.steps[0]
            is_it = (step.from_.id, step.rel, step.to.id) == (start.id, hop.reference.edge, end.id)
            if is_it and frozenset((start.id, end.id)) not in told:
                told.add(frozenset((start.id, end.id)))
                verb = _HOPS.get(step.rel, "refers to")
                composition.say(f"“{composition.name(start)}” {verb} “{composition.name(end)}”", item.id)


def _say_pages(composition: Composition, quotes: Sequence[PageQuote]) -> None:
    """What pages of the web say, told as theirs."""
    for quote in quotes:
        text = " ".join(quote.text.split()).rstrip(".")
        said = f"On the web, “{quote.page.title}” says: “{text}”"
        cited = composition.cite(quote.page.id)
        for part in sentences(said, NameFinder((quote.page.title,))):
            composition.sentences.append(f"{part.text.rstrip('.')} {cited}.")
        composition.doubt(_OF_THE_WEB)


def _say_quote(composition: Composition, quote: Quote, *, names_document: bool) -> None:
    evidence = quote.hit.evidence
    cited = composition.cite(evidence.id, *(twin.evidence.id for twin in quote.twins))
    said = [" ".join(quote.text[span.start : span.end].split()).rstrip(".") for span in sentences_of(quote.text)]
    source = f"{_source(evidence)}: " if names_document else ""
    text = ". ".join(f"{'' if place else source}“{each}”" for place, each in enumerate(said))
    # What reads as several sentences needs its marker in each of them.
    for part in sentences(text, NameFinder((evidence.title,))):
        composition.sentences.append(f"{part.text.rstrip('.')} {cited}.")
    composition.found(evidence.document, *(twin.evidence.document for twin in quote.twins))
    if looks_like_orders(quote.text):
        composition.doubt(0.4)


def _source(evidence: ChunkEvidence) -> str:
    return f"“{evidence.title}” ({evidence.date})" if evidence.date else f"“{evidence.title}”"
