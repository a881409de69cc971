"""Steps for a question of documents: the named document first, then searches, each worded otherwise than the last."""

from collections.abc import Iterator
from uuid import UUID

from agent_core.document_contracts import DocumentIntent, DocumentQuestion, LookupIntent, SearchMode
from agent_core.passages import Progress, document_slot, progress_of
from agent_core.protocols import LoopView
from agent_core.schemas import Action, NextStep

SEARCHED = 20
"""How many passages a search brings at least."""


def document_step(view: LoopView) -> NextStep | None:
    """The next step toward an answer from documents; None when there is none, or no such question."""
    question = view.rewrite.document_question
    if question is None:
        return None
    progress = progress_of(question, view.evidence, view.outcomes, view.bands)
    if document_slot(question, progress).state != "empty":
        return None
    if question.document and not progress.has_looked_up and Action.DOCUMENT_LOOKUP in view.offered_actions:
        return _look_up(question, question.document)
    if Action.DOCUMENT_SEARCH not in view.offered_actions:
        return None
    tried = [intent for outcome in view.outcomes if (intent := outcome.step.document_intent) is not None]
    return next((_search(intent) for intent in _intents(question, progress) if _is_new(intent, tried)), None)


def _look_up(question: DocumentQuestion, name: str) -> NextStep:
    intent = LookupIntent(rationale="the document that is named", name=name, section=question.section)
    return NextStep(action=Action.DOCUMENT_LOOKUP, rationale=intent.rationale, lookup_intent=intent)


def _search(intent: DocumentIntent) -> NextStep:
    return NextStep(action=Action.DOCUMENT_SEARCH, rationale=intent.rationale, document_intent=intent)


def _is_new(intent: DocumentIntent, tried: list[DocumentIntent]) -> bool:
    return all((intent.query, intent.mode, intent.documents) != (old.query, old.mode, old.documents) for old in tried)


def _intents(question: DocumentQuestion, progress: Progress) -> Iterator[DocumentIntent]:
    """A search in what replaces a quoted document, else the question as it is, its words alone, its sense alone."""
    words = " ".join(question.asked)[:400] or question.query
    if progress.unread:
        newer = tuple(ref.id for ref in progress.unread)
        yield _intent(question, question.query, SearchMode.HYBRID, newer, "what replaces the document")
        return
    within = tuple(sorted(progress.named))
    yield _intent(question, question.query, SearchMode.HYBRID, within, "search as asked")
    yield _intent(question, words, SearchMode.KEYWORD, within, "nothing certain; the asked words alone")
    yield _intent(question, words, SearchMode.DENSE, within, "nothing certain; what the asked words mean")


def _intent(
    question: DocumentQuestion, query: str, mode: SearchMode, documents: tuple[UUID, ...], rationale: str
) -> DocumentIntent:
    return DocumentIntent(
        rationale=rationale,
        query=query,
        mode=mode,
        documents=documents,
        collections=question.collections,
        # A named document is meant whatever its date.
        dates=None if documents else question.dates,
        top_k=max(SEARCHED, question.top_k),
    )
