"""Which document replaces which, from the edges that were read."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from datastore.edges import EdgeType

from agent_core.document_contracts import DateSpan, DocumentHit
from agent_core.evidence import EntityRef, Evidence, PathEvidence

_MAX_LINKS = 10


def successors(evidence: Iterable[Evidence]) -> dict[UUID, EntityRef]:
    """The newest successor of every replaced document; a ring of documents replaces nothing."""
    following: dict[UUID, EntityRef] = {}
    for item in evidence:
        for step in item.path.steps if isinstance(item, PathEvidence) else ():
            if step.rel is EdgeType.SUPERSEDED_BY:
                following.setdefault(step.from_.id, step.to)
            elif step.rel is EdgeType.SUPERSEDES:
                following.setdefault(step.to.id, step.from_)
    newest = {old: _newest(old, following) for old in following}
    return {old: new for old, new in newest.items() if new is not None}


def held_then(hits: Sequence[DocumentHit], newest: Mapping[UUID, EntityRef], days: DateSpan | None) -> frozenset[UUID]:
    """The replaced documents that still held in the asked days: from their own date to that of what replaces them."""
    if days is None or days.last is None:
        return frozenset()
    dated = {hit.evidence.document.id: hit.evidence.date for hit in hits}
    asked = days.last.isoformat()
    return frozenset(
        old
        for old, new in newest.items()
        if (own := dated.get(old)) is not None
        and own <= asked[: len(own)]
        and (later := dated.get(new.id)) is not None
        and later > asked[: len(later)]
    )


def _newest(old: UUID, following: dict[UUID, EntityRef]) -> EntityRef | None:
    seen, current = {old}, following[old]
    for _ in range(_MAX_LINKS):
        if current.id in seen:
            return None
        seen.add(current.id)
        if current.id not in following:
            return current
        current = following[current.id]
    return None
