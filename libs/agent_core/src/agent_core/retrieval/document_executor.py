"""Documents: the index finds chunks, PostgreSQL says what is shown."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from uuid import UUID

from datastore.errors import DatabaseUnavailable
from datastore.postgres.chunk_reads import (
    ChunkCard,
    read_chunks,
    read_chunks_at,
    read_chunks_in,
    read_first_chunks,
    read_sections,
)
from datastore.postgres.document_reads import read_same_texts
from datastore.postgres.engine import ReadOnlyEngine
from datastore.vectors.chunk_points import chunk_filter
from datastore.vectors.filters import AllOf, PayloadFilter
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.document_contracts import DateSpan, DocumentHit, DocumentIntent, DocumentResult, LookupIntent
from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import ChunkEvidence, EntityRef
from agent_core.protocols import Resolver
from agent_core.retrieval.chunk_search import ChunkMatch, ChunkMatches, ChunkSearch
from agent_core.retrieval.named_documents import named_documents
from agent_core.retrieval.sections import sections_meant
from agent_core.retrieval.spreading import spread
from agent_core.retrieval.store_calls import Deadline
from agent_core.schemas import Mention

SOURCE = "postgresql"

MAX_BRIDGES, NAMED_BONUS, WIDER = 3, 0.1, 4
"""Of the first finds, how many are read for names; what being named adds to a rank; and how many times the finds that
are asked for an expanded search chooses from. The first two were chosen on the even questions of HotpotQA and
MuSiQue."""

MAX_SECTIONS = 10_000
"""Of a longer document, only the first sections are found by number or heading."""


class PostgresDocumentExecutor:
    """See DocumentExecutor for the promises.

    A chunk is shown as it is stored now. One that the index holds in another state, or that is gone, is no hit.
    """

    def __init__(self, engine: ReadOnlyEngine, search: ChunkSearch, resolver: Resolver) -> None:
        self._engine = engine
        self._search = search
        self._resolver = resolver

    async def search(self, intent: DocumentIntent, *, timeout: float) -> DocumentResult:
        """The best chunks. With dates, those dated so come first; others only fill up, and are flagged."""
        if not intent.query.strip():
            raise IntentRefused("query", "a text to search for is needed")
        deadline = Deadline(timeout)
        found = await self._pass(intent, intent.dates, deadline)
        searched = [_searched(intent, intent.dates)]
        if intent.dates is not None and len(found.hits) < intent.top_k:
            wider = await self._pass(intent, None, deadline)
            known = {hit.evidence.id for hit in found.hits}
            others = [hit.model_copy(update={"is_relaxed": True}) for hit in wider.hits if hit.evidence.id not in known]
            hits = (*found.hits, *others[: intent.top_k - len(found.hits)])
            left_out = max(found.left_out, wider.left_out)
            found = found.model_copy(update={"hits": hits, "left_out": left_out})
            searched.append(_searched(intent, None))
        return found.model_copy(update={"searched": tuple(searched)})

    async def look_up(self, intent: LookupIntent, *, timeout: float) -> DocumentResult:
        """The asked chunks in reading order; none when there is no such document, section or chunk."""
        deadline = Deadline(timeout)
        if intent.chunk_id is not None:
            return await self._around(intent.chunk_id, intent, deadline)
        document, warnings = await self._document(intent, deadline)
        if document is None:
            return DocumentResult(searched=(f"documents named '{intent.name}'",), warnings=warnings)
        cards = await self._of_document(document.id, intent, deadline)
        return DocumentResult(
            hits=tuple(_hit(card, 1.0) for card in cards[: intent.max_chunks]),
            searched=(_looked_up(intent, cards[0].title if cards else document.name),),
            warnings=warnings,
            truncated=len(cards) > intent.max_chunks,
        )

    async def same_texts(self, documents: Sequence[EntityRef], *, timeout: float) -> dict[UUID, tuple[EntityRef, ...]]:
        """The other documents that hold the same text, by the id of each that has such."""
        asked = {ref.id for ref in documents}
        try:
            async with self._engine.connect(timeout) as conn:
                groups = await read_same_texts(conn, asked)
        except DatabaseUnavailable as error:
            raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error
        return {
            each.id: tuple(
                EntityRef(entity_type=EntityType.DOCUMENT, id=other.id, name=other.title)
                for other in group
                if other.id != each.id
            )
            for group in groups
            for each in group
            if each.id in asked
        }

    async def _of_document(self, document_id: UUID, intent: LookupIntent, deadline: Deadline) -> list[ChunkCard]:
        """The asked chunks, and one more where there are more than may be shown."""
        limit = intent.max_chunks + 1
        async with self._reading(deadline) as conn:
            if intent.section is None:
                return await read_first_chunks(conn, document_id, limit=limit)
            known = await read_sections(conn, document_id, limit=MAX_SECTIONS)
            sections = sections_meant(known, intent.section, intent.until or "")
            return await read_chunks_in(conn, document_id, sections, limit=limit)

    async def _pass(self, intent: DocumentIntent, dates: DateSpan | None, deadline: Deadline) -> DocumentResult:
        condition = chunk_filter(
            documents=intent.documents,
            collections=intent.collections,
            first=dates.first if dates else None,
            last=dates.last if dates else None,
        )
        limit = WIDER * intent.top_k if intent.expand else intent.top_k
        found = await self._search.find(intent.query, intent.mode, condition, limit=limit, deadline=deadline)
        if intent.expand:
            found = await self._expanded(found, intent, condition, deadline)
            found = replace(found, matches=tuple(spread(found.matches, intent.top_k)))
        cards = await self._read([match.id for match in found.matches], deadline)
        standing = [
            _hit(card, match.similarity)
            for match in found.matches
            if (card := cards.get(match.id)) is not None and _stands(match, card) and _is_asked(card, intent, dates)
        ]
        left_out = len(found.matches) - len(standing)
        return DocumentResult(hits=tuple(standing), left_out=left_out, lacks_meaning=found.lacks_meaning)

    async def _expanded(
        self, found: ChunkMatches, intent: DocumentIntent, condition: PayloadFilter | None, deadline: Deadline
    ) -> ChunkMatches:
        """With what the documents say that the first finds name: the second half of many an answer stands there."""
        first = await self._read([match.id for match in found.matches[:MAX_BRIDGES]], deadline)
        async with self._reading(deadline) as conn:
            named = await named_documents(conn, list(first.values()))
        if not named:
            return found
        among = chunk_filter(documents=named)
        more = await self._search.find(
            intent.query,
            intent.mode,
            AllOf(tuple(each for each in (condition, among) if each is not None)),
            limit=WIDER * intent.top_k,
            deadline=deadline,
            most_words=found.most_words,
        )
        ranked = {match.id: match for match in found.matches}
        ranked |= {match.id: replace(match, rank=match.rank + NAMED_BONUS) for match in more.matches}
        return replace(found, matches=tuple(ranked.values()))

    async def _document(self, intent: LookupIntent, deadline: Deadline) -> tuple[EntityRef | None, tuple[str, ...]]:
        if intent.document is not None:
            return intent.document, ()
        mention = Mention(text=intent.name or "", entity_types=(EntityType.DOCUMENT,))
        (resolved,) = await self._resolver.resolve([mention], timeout=deadline.left())
        if resolved.chosen is not None:
            return resolved.chosen.entity, ()
        names = "; ".join(candidate.matched_name for candidate in resolved.candidates)
        return None, (f"'{mention.text}' fits more than one document: {names}",) if names else ()

    async def _around(self, chunk_id: UUID, intent: LookupIntent, deadline: Deadline) -> DocumentResult:
        middle = (await self._read([chunk_id], deadline)).get(chunk_id)
        if middle is None:
            return DocumentResult(searched=("one piece of a document",))
        first = max(0, middle.position - intent.neighbours)
        positions = range(first, middle.position + intent.neighbours + 1)
        cards = await self._at(middle.document_id, positions, deadline) if intent.neighbours else [middle]
        return DocumentResult(
            hits=tuple(_hit(card, 1.0) for card in cards[: intent.max_chunks]),
            searched=(f"around one piece of '{middle.title}'",),
            truncated=len(cards) > intent.max_chunks,
        )

    @asynccontextmanager
    async def _reading(self, deadline: Deadline) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engine.connect(deadline.left()) as conn:
                yield conn
        except DatabaseUnavailable as error:
            raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error

    async def _read(self, ids: Sequence[UUID], deadline: Deadline) -> dict[UUID, ChunkCard]:
        if not ids:
            return {}
        async with self._reading(deadline) as conn:
            return await read_chunks(conn, ids)

    async def _at(self, document_id: UUID, positions: Sequence[int], deadline: Deadline) -> list[ChunkCard]:
        async with self._reading(deadline) as conn:
            return await read_chunks_at(conn, document_id, positions)


def chunk_evidence(card: ChunkCard) -> ChunkEvidence:
    """A chunk as evidence, with an id that is the same whichever tool found it."""
    return ChunkEvidence(
        id=f"chunk:{card.id}",
        source="postgresql:chunks",
        title=card.title,
        text=card.text,
        row_version=card.version,
        content_hash=card.text_hash,
        locator=card.heading or "",
        document=EntityRef(entity_type=EntityType.DOCUMENT, id=card.document_id, name=card.title),
        chunk_id=card.id,
        start_offset=card.start_offset,
        end_offset=card.end_offset,
        position=card.position,
        section=card.heading,
        date=str(card.known_date) if card.date else None,
        collection=card.collection,
    )


def _hit(card: ChunkCard, score: float) -> DocumentHit:
    return DocumentHit(evidence=chunk_evidence(card), score=round(score, 4))


def _stands(match: ChunkMatch, card: ChunkCard) -> bool:
    """Whether the index spoke of the text that is stored now."""
    return card.text_hash == match.content_hash


def _is_asked(card: ChunkCard, intent: DocumentIntent, dates: DateSpan | None) -> bool:
    """Whether the document meets the filters as it is now; the index may know an older state of it."""
    if intent.documents and card.document_id not in intent.documents:
        return False
    if intent.collections and card.collection not in intent.collections:
        return False
    if dates is None or (dates.first is None and dates.last is None):
        return True
    first, last = dates.first or date.min, dates.last or date.max
    return card.date is not None and card.last_day is not None and card.date <= last and first <= card.last_day


def _searched(intent: DocumentIntent, dates: DateSpan | None) -> str:
    where = [*intent.collections]
    if intent.documents:
        where.append(f"{len(intent.documents)} given")
    if dates is not None:
        where.append(f"dated {dates.first or '…'} to {dates.last or '…'}")
    return f"documents ({', '.join(where) or 'all'}): '{intent.query}'"


def _looked_up(intent: LookupIntent, title: str | None) -> str:
    name = f"'{title or intent.name or 'one document'}'"
    return f"section '{intent.section}' of {name}" if intent.section else f"document {name}"
