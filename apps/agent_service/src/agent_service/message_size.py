"""Keeps messages below the size a receiver accepts, by cutting evidence that nothing cites, then long texts."""

from collections.abc import Iterable

from agent_api.v1 import search_pb2

_HEADROOM_BYTES = 4_096
_SHORT_TEXT_CHARACTERS = 500


def fit_message(message: search_pb2.SearchAIResponse, max_bytes: int) -> search_pb2.SearchAIResponse:
    """`message` itself when it fits; else with less evidence, and flagged.

    What the answer cites goes last: first uncited evidence is dropped, then evidence texts are shortened, then steps
    and near misses are dropped. The answer, its sources and its entities are always kept.
    """
    limit = max_bytes - _HEADROOM_BYTES
    if message.ByteSize() <= limit:
        return message
    message.evidence_truncated = True
    cited = {source.evidence_id for source in message.sources}
    kept = [item for item in message.evidence if item.id in cited]
    del message.evidence[:]
    message.evidence.extend(kept)
    if message.ByteSize() > limit:
        _shorten(message.evidence)
    if message.ByteSize() > limit:
        del message.steps[:]
        del message.near_misses[:]
        del message.alternatives[:]
    return message


def fit_evidence(message: search_pb2.EvidenceAdded, max_bytes: int) -> search_pb2.EvidenceAdded:
    """`message` itself when it fits; else with short texts and, should it need be, fewer entries, and flagged."""
    limit = max_bytes - _HEADROOM_BYTES
    if message.ByteSize() <= limit:
        return message
    message.truncated = True
    _shorten(message.evidence)
    while message.ByteSize() > limit:
        del message.evidence[len(message.evidence) // 2 :]
    return message


def _shorten(evidence: Iterable[search_pb2.Evidence]) -> None:
    for item in evidence:
        item.text = item.text[:_SHORT_TEXT_CHARACTERS]
        if item.WhichOneof("kind") == "entity_row":
            for field in item.entity_row.fields:
                field.value = field.value[:_SHORT_TEXT_CHARACTERS]
