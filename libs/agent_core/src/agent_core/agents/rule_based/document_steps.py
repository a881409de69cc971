"""Steps for a question of documents: the named one first, then searches in other and other words, and references."""

from collections.abc import Iterator
from uuid import UUID

from agent_core.document_contracts import DocumentIntent, DocumentQuestion, FollowIntent, LookupIntent, SearchMode
from agent_core.passages import Progress, asks_about, document_slot, elsewhere, keywords_of, leads_on, progress_of
from agent_core.protocols import LoopView
from agent_core.schemas import Action, NextStep, WebIntent

SEARCHED = 20
"""How many passages a search brings at least."""

DEPTH = 2
"""How many steps away references are followed where the question doesn't say which."""

WEB_PAGES = 2
_WEB_CHARACTERS = 400


def document_step(view: LoopView) -> NextStep | None:
    """The next step toward an answer from documents; None when there is none, or no such question."""
    question = view.rewrite.document_question
    steps = (_step_of(view, part) for part in question.parts) if question is not None else ()
    return next((step for step in steps if step is not None), None)


def _step_of(view: LoopView, question: DocumentQuestion) -> NextStep | None:
    unresolved = elsewhere(view.references, view.offered_actions)
    progress = progress_of(question, view.evidence, view.outcomes, view.bands, unresolved)
    if document_slot(question, progress).state != "empty":
        return None
    if question.document and not progress.has_looked_up and Action.DOCUMENT_LOOKUP in view.offered_actions:
        return _look_up(question, question.document)
    if question.is_described and not progress.named and not progress.has_sought:
        return _describe(question, question.document or "")
    if (step := _follow(view, question, progress) or _ask_web(question, progress)) is not None:
        return step
    if Action.DOCUMENT_SEARCH not in view.offered_actions or (question.follows and not progress.followed):
        return None
    tried = [intent for outcome in view.outcomes if (intent := outcome.step.document_intent) is not None]
    return next((_search(intent) for intent in _intents(question, progress) if _is_new(intent, tried)), None)


def _look_up(question: DocumentQuestion, name: str) -> NextStep:
    intent = LookupIntent(rationale="the document that is named", name=name, section=question.section)
    return NextStep(action=Action.DOCUMENT_LOOKUP, rationale=intent.rationale, lookup_intent=intent)


def _describe(question: DocumentQuestion, description: str) -> NextStep:
    """A search for the document that the question tells by what it is about."""
    intent = DocumentIntent(
        rationale="the document that is described",
        query=description,
        collections=question.collections,
        top_k=SEARCHED,
    )
    return _search(intent)


def _follow(view: LoopView, question: DocumentQuestion, progress: Progress) -> NextStep | None:
    """What the named document refers to, where that is asked; else what the passages found do in words of the question.

    Each reference of a passage is followed once.
    """
    if Action.FOLLOW_REFERENCES not in view.offered_actions:
        return None
    if question.follows:
        if progress.has_followed or not progress.named:
            return None
        documents = tuple(sorted(progress.named))
        return _following("what the named document refers to", question, documents=documents, edges=question.follows)
    done = [intent for outcome in view.outcomes if (intent := outcome.step.follow_intent) is not None]
    followed = {(chunk, target) for intent in done for chunk in intent.chunks for target in intent.targets}
    asked = [
        each
        for each in view.references
        if leads_on(each) and asks_about(question, each) and (each.chunk_id, each.target) not in followed
    ]
    if progress.searches == 0 or not asked:
        return None
    chunks = tuple(dict.fromkeys(each.chunk_id for each in asked if each.chunk_id is not None))
    targets = tuple(dict.fromkeys(each.target for each in asked))
    return _following("where the passages say it stands", question, chunks=chunks, targets=targets, depth=DEPTH)


def _following(rationale: str, question: DocumentQuestion, **start: object) -> NextStep:
    intent = FollowIntent.model_validate(
        {"rationale": rationale, "query": question.query, "collections": question.collections, **start}
    )
    return NextStep(action=Action.FOLLOW_REFERENCES, rationale=rationale, follow_intent=intent)


def _ask_web(question: DocumentQuestion, progress: Progress) -> NextStep | None:
    """The web, for what passages refer to and no collection holds."""
    if not progress.sought:
        return None
    words = " ".join((progress.sought[0].target, *question.asked))[:_WEB_CHARACTERS]
    rationale = "what no collection holds and a passage refers to"
    return NextStep(action=Action.WEB_SEARCH, rationale=rationale, web_intent=WebIntent(query=words, top_k=WEB_PAGES))


def _search(intent: DocumentIntent) -> NextStep:
    return NextStep(action=Action.DOCUMENT_SEARCH, rationale=intent.rationale, document_intent=intent)


def _is_new(intent: DocumentIntent, tried: list[DocumentIntent]) -> bool:
    return all((intent.query, intent.mode, intent.documents) != (old.query, old.mode, old.documents) for old in tried)


def _intents(question: DocumentQuestion, progress: Progress) -> Iterator[DocumentIntent]:
    """A search in what replaces a quoted document, else the question as it is, its words alone, its sense alone."""
    words = keywords_of(question)
    if progress.unread:
        newer = tuple(ref.id for ref in progress.unread)
        yield _intent(question, question.query, SearchMode.HYBRID, newer, "what replaces the document")
        return
    within = tuple(sorted(progress.followed if question.follows else progress.named))
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
