"""The point that a chunk of a document becomes, and the filters on it (pure)."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from datastore.folding import spell, words
from datastore.postgres.chunk_reads import ChunkCard
from datastore.vectors.collections import LEXICAL, TEXT
from datastore.vectors.filters import AllOf, AnyValue, PayloadFilter, Within
from datastore.vectors.protocol import PayloadValue, Point, SparseValues

DOCUMENT_ID, COLLECTION, LANGUAGE, POSITION = "document_id", "collection", "language", "position"
FIRST_DAY, LAST_DAY = "first_day", "last_day"


def chunk_text(chunk: ChunkCard) -> str:
    """What a chunk's vectors are made from: where it stands goes before what it says."""
    heading = "" if chunk.heading == chunk.title else chunk.heading or ""
    parts = (chunk.title.rstrip(". "), heading.rstrip(". "), chunk.text)
    return ". ".join(part for part in parts if part)


def chunk_words(text: str) -> list[str]:
    """A text's words as lexical search compares them in chunks and queries: running prose unites no romanisations."""
    return words(spell(text))


def chunk_point(chunk: ChunkCard, *, text: Sequence[float], lexical: SparseValues, sequence: int = 0) -> Point:
    """The point of a chunk under its own id, with the version of its document."""
    payload: dict[str, PayloadValue] = {
        DOCUMENT_ID: str(chunk.document_id),
        COLLECTION: chunk.collection,
        POSITION: chunk.position,
    }
    if chunk.language is not None:
        payload[LANGUAGE] = chunk.language
    if chunk.date is not None and chunk.last_day is not None:
        payload |= {FIRST_DAY: chunk.date.toordinal(), LAST_DAY: chunk.last_day.toordinal()}
    return Point(
        id=chunk.id,
        version=chunk.version,
        content_hash=chunk.text_hash,
        payload=payload,
        dense={TEXT: text},
        sparse={LEXICAL: lexical},
        sequence=sequence,
    )


def document_of(payload: Mapping[str, object]) -> UUID | None:
    """The document that a point's payload names; None where it names none."""
    try:
        return UUID(str(payload.get(DOCUMENT_ID)))
    except ValueError:
        return None


def of_document(document_id: UUID) -> PayloadFilter:
    """The chunks of one document."""
    return AnyValue(DOCUMENT_ID, (str(document_id),))


def chunk_filter(
    *,
    documents: Sequence[UUID] = (),
    collections: Sequence[str] = (),
    first: date | None = None,
    last: date | None = None,
) -> PayloadFilter | None:
    """Chunks of these documents, in these collections, dated in this span; None when nothing is restricted.

    A date of which the month or the year alone is known is in a span that a day of it is in; chunks of an undated
    document are in no span.
    """
    conditions: list[PayloadFilter] = []
    if documents:
        conditions.append(AnyValue(DOCUMENT_ID, tuple(str(each) for each in documents)))
    if collections:
        conditions.append(AnyValue(COLLECTION, tuple(collections)))
    if first is not None:
        conditions.append(Within(LAST_DAY, at_least=first.toordinal()))
    if last is not None:
        conditions.append(Within(FIRST_DAY, at_most=last.toordinal()))
    return AllOf(tuple(conditions)) if conditions else None
