"""Quotations held against the documents themselves: what an answer says a document says must stand there. Pure."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from agent_core.evidence import ChunkEvidence, Evidence
from agent_core.schemas import AgentResponse, AnswerStatus

_SHORTEST = 4
_ANSWERING = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})


def quote_faults(response: AgentResponse, texts: Mapping[UUID, str]) -> Iterator[str]:
    """Every passage and every quotation that does not stand where it is said to, in words.

    `texts` are the stored texts of the documents by id; offsets are code points, half-open.
    """
    passages = {item.id: item for item in response.evidence if isinstance(item, ChunkEvidence)}
    for passage in passages.values():
        stored = texts.get(passage.document.id)
        if stored is None:
            yield f"{passage.id}: its document is not stored"
        elif stored[passage.start_offset : passage.end_offset] != passage.text:
            yield f"{passage.id}: its text does not stand at {passage.start_offset}"
    evidence = {item.id: item for item in response.evidence}
    cited = [text for source in response.sources for text in _texts(evidence.get(source.evidence_id))]
    for source in response.sources:
        passage = passages.get(source.evidence_id)
        if passage is None:
            continue
        begin, end = source.offsets or (0, 0)
        if not source.quote or passage.text[begin:end] != source.quote:
            yield f"[{source.marker}]: its quote does not stand at {begin} of {passage.id}"
    if passages and response.status in _ANSWERING:
        yield from _unsaid(response.answer, cited)


def _texts(evidence: Evidence | None) -> tuple[str, ...]:
    return (evidence.title, evidence.text) if evidence is not None else ()


def _unsaid(answer: str, cited: list[str]) -> Iterator[str]:
    said = [" ".join(text.split()) for text in cited]
    for quotation in quotations(answer):
        if len(quotation.split()) >= _SHORTEST and not any(quotation in text for text in said):
            yield f"quoted, but said by nothing that is cited: {quotation}"


def quotations(text: str) -> Iterator[str]:
    """What stands between quotation marks, with what is quoted inside it."""
    depth = begin = 0
    for place, character in enumerate(text):
        if character == "“":
            begin = place + 1 if depth == 0 else begin
            depth += 1
        elif character == "”" and depth:
            depth -= 1
            if depth == 0:
                yield text[begin:place]
