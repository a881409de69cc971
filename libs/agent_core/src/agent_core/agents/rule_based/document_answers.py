"""Answers from documents: sentences quoted as they stand, each under the title and date of its document."""

from uuid import UUID

from datastore.edges import EdgeType

from agent_core.agents.rule_based.composing import Composition
from agent_core.context.orders import looks_like_orders
from agent_core.document_contracts import DocumentQuestion
from agent_core.evidence import ChunkEvidence, PathEvidence
from agent_core.grounding.sentences import NameFinder, sentences
from agent_core.passages import Quote, State, disagreements, progress_of, sentences_of
from agent_core.schemas import ConfidenceBand

_SUCCESSION = frozenset({EdgeType.SUPERSEDES, EdgeType.SUPERSEDED_BY})
_CONFIDENCE = {ConfidenceBand.HIGH: 0.9, ConfidenceBand.MEDIUM: 0.7}


def say_documents(composition: Composition, question: DocumentQuestion) -> None:
    """Quote what answers; nothing when the passages don't."""
    view = composition.view
    passages = progress_of(question, view.evidence, view.outcomes, view.bands).passages
    if passages.state is not State.ANSWERS:
        return
    _say_succession(composition, passages.quotes)
    for found in disagreements(passages.quotes, question.wanted):
        if not found.is_same_text:
            text = f"“{found.left.title}” and “{found.right.title}” disagree on this"
            composition.say(text, found.left.id, found.right.id)
    last: UUID | None = None
    for quote in passages.quotes:
        _say_quote(composition, quote, names_document=quote.hit.evidence.document.id != last)
        last = quote.hit.evidence.document.id
    composition.doubt(_CONFIDENCE.get(passages.band, 0.5))


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
