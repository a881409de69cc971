"""References as a question sees them: which it asks about, which lead to nothing here, which documents they lead to."""

from collections.abc import Iterable, Iterator, Set
from uuid import UUID

from datastore.folding import fold
from references.model import ReferenceType

from agent_core.document_contracts import DocumentHit, DocumentQuestion, PassageReference
from agent_core.passages.sentences import sentence_at
from agent_core.passages.words import asked_as, senses
from agent_core.schemas import Action

MIN_TOLD = 0.5
"""The least share of the asked words that the sentence around a reference must hold to be asked about."""

_ELSEWHERE = frozenset(
    {
        ReferenceType.DOCUMENT,
        ReferenceType.DOCUMENT_MENTION,
        ReferenceType.EXTERNAL,
        ReferenceType.LEGAL_SECTION,
        ReferenceType.ACADEMIC_SHORTFORM,
    }
)


def asks_about(question: DocumentQuestion, reference: PassageReference) -> bool:
    """Whether the question asks about what is referred to: by its name, or by what the sentence around it says."""
    if question.document is not None and fold(question.document) == fold(reference.name):
        return True
    asked = frozenset(asked_as(word, question.language) for word in question.asked)
    return bool(asked) and len(asked & senses(reference.sentence, question.language)) >= MIN_TOLD * len(asked)


def is_unresolved(reference: PassageReference) -> bool:
    """Whether it names something that no collection holds."""
    return reference.leads_to is None and bool(reference.name) and reference.type in _ELSEWHERE


def elsewhere(references: Iterable[PassageReference], offered: Set[Action]) -> tuple[PassageReference, ...] | None:
    """The references for which the web may be searched; None where it isn't offered."""
    return tuple(each for each in references if is_unresolved(each)) if Action.WEB_SEARCH in offered else None


def named_in(question: DocumentQuestion, hits: Iterable[DocumentHit]) -> Iterator[PassageReference]:
    """Where passages speak of the title that the question puts in quotation marks."""
    title = question.document or ""
    for hit in hits if title and question.is_title else ():
        place = hit.evidence.text.find(title)
        if place >= 0:
            yield PassageReference(
                document=hit.evidence.document,
                chunk_id=hit.evidence.chunk_id,
                type=ReferenceType.DOCUMENT_MENTION,
                text=title,
                sentence=sentence_at(hit.evidence.text, place),
                name=title,
            )


def leads_on(reference: PassageReference) -> bool:
    """Whether it leads to a document that is here, or to another part of its own."""
    return reference.leads_to is not None or (not reference.name and bool(reference.section))


def can_follow(reference: PassageReference) -> bool:
    """Whether following it may lead anywhere: into a document, or to a search for its words."""
    return leads_on(reference) or (bool(reference.target) and reference.type is not ReferenceType.EXTERNAL)


def followed_from(hits: Iterable[DocumentHit], documents: frozenset[UUID]) -> frozenset[UUID]:
    """The documents to which one step led from these; what was merely found by a search for a name is none."""
    return frozenset(
        hit.evidence.document.id
        for hit in hits
        if hit.via is not None
        and hit.via.depth == 1
        and not hit.via.is_search
        and hit.via.reference.document.id in documents
        and hit.evidence.document.id not in documents
    )
