"""References as ingestion stored them, each with its sentence and with the document that it leads to."""

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from uuid import UUID

from datastore.edges import EdgeType
from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.reference_reads import (
    ReferenceCard,
    read_end_of_text,
    read_references_in,
    read_references_of,
)
from datastore.vocabulary import EntityType
from references.citations import find_entries
from references.model import ReferenceType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.document_contracts import PassageReference
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.passages import sentence_at

SOURCE = "postgresql"

MAX_REFERENCES = 200
"""How many references are read at once; of a piece that has more, only the first."""

BIBLIOGRAPHY = 100_000
"""How many code points at the end of a document may hold its bibliography."""


class StoredReferences:
    """See ReferenceReader for the promises."""

    def __init__(self, engine: ReadOnlyEngine) -> None:
        self._engine = engine

    async def in_chunks(self, chunks: Collection[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        """What stands in these pieces."""
        async with self._reading(timeout) as conn:
            cards = await read_references_in(conn, chunks, limit=MAX_REFERENCES)
        return tuple(map(_reference, cards))

    async def of_documents(
        self, documents: Collection[UUID], edges: Collection[EdgeType], *, timeout: float
    ) -> tuple[PassageReference, ...]:
        """What these documents say of others by one of these edges, wherever in them."""
        async with self._reading(timeout) as conn:
            cards = await read_references_of(conn, documents, edges, limit=MAX_REFERENCES)
        return tuple(map(_reference, cards))

    async def entries(self, document: UUID, *, timeout: float) -> dict[str, str]:
        """The words of the document's bibliography by number, `[3]`."""
        async with self._reading(timeout) as conn:
            text = await read_end_of_text(conn, document, characters=BIBLIOGRAPHY)
        return {number: " ".join(text[start:end].split()) for number, (start, end) in find_entries(text).items()}

    @asynccontextmanager
    async def _reading(self, timeout: float) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engine.connect(timeout) as conn:
                yield conn
        except DatabaseUnavailable as error:
            raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error


def _reference(card: ReferenceCard) -> PassageReference:
    return PassageReference(
        document=_document(card.document_id, card.title),
        chunk_id=card.chunk_id,
        type=ReferenceType(card.reference_type),
        edge=EdgeType(card.edge) if card.edge else None,
        text=card.text[card.place : card.place + card.length],
        sentence=sentence_at(card.text, card.place) if card.text else "",
        name=card.target_text,
        section=card.target_section,
        until=card.target_until,
        leads_to=None if card.target_id is None else _document(card.target_id, card.target_title),
    )


def _document(document_id: UUID, title: str | None) -> EntityRef:
    return EntityRef(entity_type=EntityType.DOCUMENT, id=document_id, name=title)
