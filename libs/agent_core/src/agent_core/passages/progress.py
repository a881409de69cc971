"""How far a question of documents has come: what was searched, and what that answers. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from agent_core.document_contracts import Bands, DocumentIntent, DocumentQuestion, PassageReference
from agent_core.evidence import ChunkEvidence, EntityRef, Evidence, WebPageEvidence
from agent_core.passages.described import described, is_description
from agent_core.passages.grading import Passages, State, read_passages
from agent_core.passages.hops import asks_about, followed_from, named_in
from agent_core.passages.pages import PageQuote, quotes_of_pages
from agent_core.passages.succession import successors
from agent_core.protocols import Slot, StepOutcome
from agent_core.schemas import StepStatus

MAX_SEARCHES = 3
"""The first wording of a search and two others."""

MAX_SEARCHES_OF_PART = 2
"""The same for one of several parts of a question, which the search for the first part may have answered as well."""

MAX_QUERY_CHARACTERS = 400

_ANSWERED = frozenset({StepStatus.OK, StepStatus.EMPTY, StepStatus.TRUNCATED})


@dataclass(frozen=True, slots=True)
class Progress:
    """`unread` are successors of quoted documents that no search has gone into yet.

    `followed` are the documents to which references of the named ones led. `sought` are unresolved references that the
    question asks about and that the web wasn't asked of yet; `pages` is what it said, where no document answers.
    `has_sought` says that the document which the question describes was searched for, `taken` is a passage of the one
    that was taken for it.
    """

    passages: Passages
    searches: int
    named: frozenset[UUID]
    has_looked_up: bool
    unread: tuple[EntityRef, ...] = ()
    has_followed: bool = False
    followed: frozenset[UUID] = frozenset()
    sought: tuple[PassageReference, ...] = ()
    pages: tuple[PageQuote, ...] = ()
    has_sought: bool = False
    taken: ChunkEvidence | None = None


def progress_of(
    question: DocumentQuestion,
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome],
    bands: Bands,
    unresolved: Sequence[PassageReference] | None = None,
) -> Progress:
    """The progress of a run. `unresolved` are references to elsewhere, None where the web may not be asked."""
    done = [outcome for outcome in outcomes if outcome.status in _ANSWERED]
    lookups = [outcome for outcome in done if outcome.step.lookup_intent is not None]
    named = frozenset(hit.evidence.document.id for outcome in lookups for hit in outcome.passages)
    sought = [outcome for outcome in done if is_description(question, outcome.step.document_intent)]
    taken = described(question, (hit for outcome in sought for hit in outcome.passages), bands) if not named else None
    named |= {taken.document.id} if taken is not None else set[UUID]()
    newest = successors(evidence)
    made = (outcome.step.document_intent for outcome in done)
    searches = [intent for intent in made if intent is not None and _is_search_of(question, intent)]
    hits = [hit for outcome in done for hit in outcome.passages]
    # Who asks of a time asks of the document that held then.
    replaced = newest if question.dates is None else {}
    passages = read_passages(
        question, hits, bands, succeeded={old: new.id for old, new in replaced.items()}, named=named
    )
    asked: tuple[PassageReference, ...] = ()
    if unresolved is not None and passages.state is not State.ANSWERS:
        absent = hits if lookups and not named else ()
        asked = (*named_in(question, absent), *(each for each in unresolved if asks_about(question, each)))
    follows = {ref.id for ref in newest.values()}
    return Progress(
        passages,
        sum(not (intent.documents and follows.issuperset(intent.documents)) for intent in searches),
        named,
        bool(lookups),
        _unread(passages, replaced, searches),
        has_followed=any(outcome.step.follow_intent is not None for outcome in done),
        followed=followed_from(hits, named),
        sought=() if any(outcome.step.web_intent is not None for outcome in outcomes) else asked,
        pages=quotes_of_pages(question, _pages(evidence), asked) if asked else (),
        has_sought=bool(sought),
        taken=taken,
    )


def _is_search_of(question: DocumentQuestion, intent: DocumentIntent) -> bool:
    """Whether a search was for what is asked: one of several parts has searches of its own."""
    is_own = not question.half or intent.query in (question.query, keywords_of(question))
    return is_own and not is_description(question, intent)


def keywords_of(question: DocumentQuestion) -> str:
    """The asked words alone, as a query."""
    return " ".join(question.asked)[:MAX_QUERY_CHARACTERS] or question.query


def _unread(
    passages: Passages, newest: Mapping[UUID, EntityRef], searches: Sequence[DocumentIntent]
) -> tuple[EntityRef, ...]:
    """Successors of quoted documents that no search went into."""
    searched = {document for intent in searches for document in intent.documents}
    quoted = dict.fromkeys(quote.hit.evidence.document.id for quote in passages.quotes)
    newer = dict.fromkeys(newest[old] for old in quoted if old in newest)
    return tuple(ref for ref in newer if ref.id not in searched)


def _pages(evidence: Sequence[Evidence]) -> list[WebPageEvidence]:
    return [item for item in evidence if isinstance(item, WebPageEvidence)]


def document_slot(question: DocumentQuestion, progress: Progress) -> Slot:
    """Filled by passages that answer, else by pages of the web.

    Absent when no passage is even alike, when all wordings of the search were tried, or when nothing that the named
    document refers to is there.
    """
    name = f"document:{question.document}" if question.document else "document"
    name = f"{name}:{question.half}" if question.half else name
    passages = progress.passages
    ids = tuple(dict.fromkeys(quote.hit.evidence.id for quote in passages.quotes))
    if passages.state is State.ANSWERS and not progress.unread:
        return Slot(name, "filled", ids)
    if progress.pages:
        return Slot(name, "filled", tuple(quote.page.id for quote in progress.pages))
    is_open = progress.unread or progress.sought or not _is_over(question, progress)
    return Slot(name, "empty" if is_open else "absent", ids)


def _is_over(question: DocumentQuestion, progress: Progress) -> bool:
    if question.follows and not progress.followed:
        is_sought = progress.has_sought if question.is_described else progress.has_looked_up
        return progress.has_followed or (is_sought and not progress.named)
    is_nothing = progress.passages.state is State.NOTHING
    most = MAX_SEARCHES_OF_PART if question.half else MAX_SEARCHES
    return progress.searches >= most or (progress.searches > 0 and is_nothing)
