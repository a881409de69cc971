"""Documents in memory that stand in for the executor of documents: passages by the words they share with a query."""

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from uuid import UUID, uuid5

from datastore.folding import fold
from datastore.vocabulary import EntityType
from references.headings import Headings

from agent_core.document_contracts import DateSpan, DocumentHit, DocumentIntent, DocumentResult, LookupIntent
from agent_core.evidence import ChunkEvidence, EntityRef
from agent_core.passages.words import meanings

_NAMESPACE = UUID("0b9d0c3e-4f0a-4c55-8d1c-6f3c1f7f2a11")
_HEADING = re.compile(r"^#{1,6} +(?P<title>.+)$", re.MULTILINE)
_NO_CONTENT_TEXT = """
    a an the of in on at to for from by with and or is are was were be been what which who when where how many
    much does do did say about it its that this there have has had according article document report minutes
"""
_NO_CONTENT = frozenset(_NO_CONTENT_TEXT.split())


@dataclass(slots=True)
class MemoryDocuments:
    """A few documents, cut at their headings. A score is the share of a query's words that a passage holds.

    `intents` records what was asked; `faults` are raised by the next calls, in order.
    """

    chunks: list[ChunkEvidence] = field(default_factory=list[ChunkEvidence])
    intents: list[DocumentIntent | LookupIntent] = field(default_factory=list[DocumentIntent | LookupIntent])
    faults: deque[BaseException] = field(default_factory=deque[BaseException])

    def add(self, title: str, text: str, *, dated: str | None = None, collection: str = "") -> EntityRef:
        """Add a document; its id follows from title and date."""
        ref = EntityRef(entity_type=EntityType.DOCUMENT, id=uuid5(_NAMESPACE, f"{title}\n{dated}"), name=title)
        for position, (start, end, section) in enumerate(_pieces(text)):
            chunk_id = uuid5(ref.id, str(position))
            body = text[start:end]
            self.chunks.append(
                ChunkEvidence(
                    id=f"chunk:{chunk_id}",
                    source="memory:documents",
                    title=title,
                    text=body,
                    row_version=1,
                    content_hash=hashlib.sha256(body.encode()).hexdigest(),
                    locator=section or "",
                    document=ref,
                    chunk_id=chunk_id,
                    start_offset=start,
                    end_offset=end,
                    position=position,
                    section=section,
                    date=dated,
                    collection=collection,
                )
            )
        return ref

    def remove(self, ref: EntityRef) -> None:
        """Delete a document."""
        self.chunks = [chunk for chunk in self.chunks if chunk.document.id != ref.id]

    async def search(self, intent: DocumentIntent, *, timeout: float) -> DocumentResult:
        self._enter(intent)
        inside = [chunk for chunk in self._within(intent) if _is_dated(chunk, intent.dates)]
        hits = _ranked(intent, inside, is_relaxed=False)
        if intent.dates is not None and len(hits) < intent.top_k:
            outside = [chunk for chunk in self._within(intent) if not _is_dated(chunk, intent.dates)]
            hits += _ranked(intent, outside, is_relaxed=True)
        return DocumentResult(hits=tuple(hits[: intent.top_k]), searched=(intent.query,))

    async def look_up(self, intent: LookupIntent, *, timeout: float) -> DocumentResult:
        self._enter(intent)
        found = [chunk for chunk in self.chunks if self._is_meant(chunk, intent)]
        if intent.section is not None:
            numbered = Headings([chunk.section or "" for chunk in found]).find(intent.section, intent.until or "")
            in_section = [chunk for chunk in found if fold(intent.section) in fold(chunk.section or "").split(" ")]
            found = (
                [found[each] for each in numbered]
                or in_section
                or [chunk for chunk in found if fold(intent.section) in fold(chunk.section or "")]
            )
        hits = tuple(DocumentHit(evidence=chunk, score=1.0) for chunk in found[: intent.max_chunks])
        return DocumentResult(hits=hits, truncated=len(found) > intent.max_chunks)

    async def same_texts(self, documents: Sequence[EntityRef], *, timeout: float) -> dict[UUID, tuple[EntityRef, ...]]:
        texts: dict[UUID, tuple[EntityRef, str]] = {}
        for chunk in self.chunks:
            ref, text = texts.get(chunk.document.id, (chunk.document, ""))
            texts[chunk.document.id] = (ref, f"{text}\n{chunk.text}")
        found = {
            ref.id: tuple(other for other, text in texts.values() if other != ref and text == texts[ref.id][1])
            for ref in documents
            if ref.id in texts
        }
        return {document: others for document, others in found.items() if others}

    def _enter(self, intent: DocumentIntent | LookupIntent) -> None:
        self.intents.append(intent)
        if self.faults:
            raise self.faults.popleft()

    def _within(self, intent: DocumentIntent) -> Iterable[ChunkEvidence]:
        return (
            chunk
            for chunk in self.chunks
            if (not intent.documents or chunk.document.id in intent.documents)
            and (not intent.collections or chunk.collection in intent.collections)
        )

    def _is_meant(self, chunk: ChunkEvidence, intent: LookupIntent) -> bool:
        if intent.document is not None:
            return chunk.document.id == intent.document.id
        if intent.name is not None:
            return fold(intent.name) == fold(chunk.title) or (
                fold(intent.name) in fold(chunk.title) and not self._has_title(intent.name)
            )
        return chunk.chunk_id == intent.chunk_id

    def _has_title(self, name: str) -> bool:
        return any(fold(chunk.title) == fold(name) for chunk in self.chunks)


def _pieces(text: str) -> list[tuple[int, int, str | None]]:
    """The stretches between headings, without blanks at their ends, each with the heading above it."""
    marks = list(_HEADING.finditer(text))
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    sections = [None, *(mark.group("title").strip() for mark in marks)]
    pieces: list[tuple[int, int, str | None]] = []
    for start, end, section in zip(starts, ends, sections, strict=True):
        body = text[start:end]
        begin = start + len(body) - len(body.lstrip())
        if body.strip():
            pieces.append((begin, begin + len(body.strip()), section))
    return pieces


@lru_cache(maxsize=4_096)
def _said(text: str) -> frozenset[str]:
    return meanings(text)


def _ranked(intent: DocumentIntent, chunks: Sequence[ChunkEvidence], *, is_relaxed: bool) -> list[DocumentHit]:
    words = meanings(intent.query) - _NO_CONTENT
    hits: list[DocumentHit] = []
    for chunk in chunks:
        said = _said(f"{chunk.title} {chunk.section or ''} {chunk.text}")
        score = len(words & said) / len(words) if words else 0.0
        if score > 0:
            hits.append(DocumentHit(evidence=chunk, score=score, is_relaxed=is_relaxed))
    return sorted(hits, key=lambda hit: -hit.score)


def _is_dated(chunk: ChunkEvidence, days: DateSpan | None) -> bool:
    """Whether all days that a date can mean lie in the asked ones."""
    if days is None:
        return True
    if chunk.date is None:
        return False
    padded = f"{chunk.date}-01-01"[:10] if len(chunk.date) == 4 else f"{chunk.date}-01"[:10]
    first = date.fromisoformat(padded)
    return (days.first is None or first >= days.first) and (days.last is None or first <= days.last)
