"""A question whose misspelt words stand as the passages found spell them."""

from collections.abc import Sequence

from datastore.folding import edit_distance

from agent_core.document_contracts import DocumentHit, DocumentQuestion
from agent_core.passages.words import asked_as, senses, words_in

LEAST, LEAST_CHANGED = 5, 6
"""From how many letters on a word may be misspelt; the second where one letter stands for another."""

MAX_CHARACTERS = 20_000


def repaired(question: DocumentQuestion, hits: Sequence[DocumentHit]) -> DocumentQuestion:
    """The question with each word that no passage says, and that is one letter away from one, as the passages have it.

    The first letter is never wrong.
    """
    texts = [f"{hit.evidence.title} {hit.evidence.section or ''} {hit.evidence.text[:MAX_CHARACTERS]}" for hit in hits]
    said = frozenset[str]().union(*(senses(text, question.language) for text in texts))
    words = (*question.asked, *question.counted)
    odd = {word for word in words if _may_be_misspelt(word) and asked_as(word, question.language) not in said}
    if not odd:
        return question
    known = sorted({word for text in texts for word in words_in(text) if len(word) >= LEAST})
    meant = {word: near for word in odd if (near := _nearest(word, known)) is not None}
    if not meant:
        return question
    asked = tuple(dict.fromkeys(meant.get(word, word) for word in question.asked))
    relation = meant.get(question.relation, question.relation) if question.relation is not None else None
    counted = tuple(meant.get(word, word) for word in question.counted)
    return question.model_copy(update={"asked": asked, "counted": counted, "relation": relation})


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= LEAST and word.isalpha()


def _nearest(word: str, known: Sequence[str]) -> str | None:
    small = word.casefold()
    for other in known:
        near = other.casefold()
        if near[0] == small[0] and abs(len(near) - len(small)) <= 1 and edit_distance(small, near) == 1:
            is_changed = len(near) == len(small) and sorted(near) != sorted(small)
            if not is_changed or len(small) >= LEAST_CHANGED:
                return near if word.islower() else other
    return None
