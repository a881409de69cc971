"""Which document a question means that tells it by what it is about: `the report on the film week`."""

from collections.abc import Iterable

from embeddings.languages import DEFAULT

from agent_core.document_contracts import Bands, DocumentHit, DocumentIntent, DocumentQuestion
from agent_core.evidence import ChunkEvidence
from agent_core.passages.words import asked_as, senses, stem_of, stems, words_in

MIN_SAID = 0.5
"""The least share of the words of a description that a passage with its title must say."""

_TITLE_HELPS = 0.3
_KIND_HELPS = 0.2
_KINDS_TEXT = """
    article document report text essay paper page letter review interview note handbook manual guideline policy glossary
    rule minutes index
"""
_KINDS = frozenset(stem_of(word, DEFAULT) for word in _KINDS_TEXT.split())
_LITTLE_TEXT = """
    the a an of on in for by from about to and article articles document documents report reports text texts essay
    paper page letter letters review interview notes one ones
"""
_LITTLE = frozenset(_LITTLE_TEXT.split())


def is_description(question: DocumentQuestion, intent: DocumentIntent | None) -> bool:
    """Whether a search was for the document that the question describes."""
    return question.is_described and intent is not None and intent.query == question.document


def described(question: DocumentQuestion, found: Iterable[DocumentHit], bands: Bands) -> ChunkEvidence | None:
    """A passage of the document that fits the description best; None where none does.

    Its score has to be in a band, and with its title it has to say every name and half of all words of the description.
    A report is rather not one whose title says that it is a letter.
    """
    words = [word for word in words_in(question.document or "") if word.casefold() not in _LITTLE]
    asked = {asked_as(word, question.language) for word in words}
    names = {asked_as(word, question.language) for word in words if word[0].isupper()}
    told = stems(question.document or "")
    fitting: list[tuple[float, DocumentHit]] = []
    for hit in found:
        title = asked & senses(hit.evidence.title, question.language)
        said = title | (asked & senses(f"{hit.evidence.section or ''}\n{hit.evidence.text}", question.language))
        if asked and hit.score >= bands.low and names <= said and len(said) >= MIN_SAID * len(asked):
            kinds = _KINDS & stems(hit.evidence.title)
            of_kind = _KIND_HELPS * (bool(kinds & told) - bool(kinds - told))
            fitting.append((hit.score + _TITLE_HELPS * len(title) / len(asked) + of_kind, hit))
    best = max(fitting, key=lambda each: (each[0], each[1].evidence.id), default=None)
    return best[1].evidence if best is not None else None
