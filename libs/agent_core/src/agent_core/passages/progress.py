"""How far a question of documents has come: what was searched, and what that answers. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agent_core.document_contracts import Bands, DocumentQuestion
from agent_core.evidence import EntityRef, Evidence
from agent_core.passages.grading import Passages, State, read_passages
from agent_core.passages.succession import successors
from agent_core.protocols import Slot, StepOutcome
from agent_core.schemas import StepStatus

MAX_SEARCHES = 3
"""The first wording of a search and two others."""

_ANSWERED = frozenset({StepStatus.OK, StepStatus.EMPTY, StepStatus.TRUNCATED})


@dataclass(frozen=True, slots=True)
class Progress:
    """`unread` are successors of quoted documents that no search has gone into yet."""

    passages: Passages
    searches: int
    named: frozenset[UUID]
    has_looked_up: bool
    unread: tuple[EntityRef, ...] = ()


def progress_of(
    question: DocumentQuestion, evidence: Sequence[Evidence], outcomes: Sequence[StepOutcome], bands: Bands
) -> Progress:
    """The progress of a run."""
    done = [outcome for outcome in outcomes if outcome.status in _ANSWERED]
    lookups = [outcome for outcome in done if outcome.step.lookup_intent is not None]
    named = frozenset(hit.evidence.document.id for outcome in lookups for hit in outcome.passages)
    newest = successors(evidence)
    searches = [intent for outcome in done if (intent := outcome.step.document_intent) is not None]
    passages = read_passages(
        question,
        [hit for outcome in done for hit in outcome.passages],
        bands,
        succeeded={old: new.id for old, new in newest.items()} if question.dates is None else {},
        named=named,
    )
    searched = {document for intent in searches for document in intent.documents}
    quoted = dict.fromkeys(quote.hit.evidence.document.id for quote in passages.quotes)
    # Who asks of a time asks of the document that held then.
    is_of_now = question.dates is None
    unread = dict.fromkeys(
        newest[old] for old in quoted if is_of_now and old in newest and newest[old].id not in searched
    )
    follows = {ref.id for ref in newest.values()}
    tries = sum(not (intent.documents and follows.issuperset(intent.documents)) for intent in searches)
    return Progress(passages, tries, named, bool(lookups), tuple(unread))


def document_slot(question: DocumentQuestion, progress: Progress) -> Slot:
    """Filled by passages that answer; absent when none is even alike, or when all wordings of the search were tried."""
    name = f"document:{question.document}" if question.document else "document"
    passages = progress.passages
    ids = tuple(dict.fromkeys(quote.hit.evidence.id for quote in passages.quotes))
    if passages.state is State.ANSWERS and not progress.unread:
        return Slot(name, "filled", ids)
    is_over = progress.searches >= MAX_SEARCHES or (progress.searches > 0 and passages.state is State.NOTHING)
    return Slot(name, "absent" if is_over and not progress.unread else "empty", ids)
