"""Chunks with what their document says of them: by id, by section, in reading order, and stamps to compare with."""

import datetime
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.dates import PartialDate
from datastore.postgres.catalogue import entities
from datastore.postgres.documents import chunks, document_sections, documents
from datastore.postgres.index_reads import EntityStamp


@dataclass(frozen=True, slots=True)
class ChunkCard:
    """A chunk and its document. `version` is the document's; offsets are code points of its text, half-open.

    `date` is the first day of what the document's date names, `date_precision` says how much of it is known.
    """

    id: UUID
    document_id: UUID
    version: int
    title: str
    collection: str
    date: datetime.date | None
    date_precision: str | None
    language: str | None
    position: int
    start_offset: int
    end_offset: int
    heading: str | None
    text: str
    text_hash: str

    @property
    def known_date(self) -> PartialDate | None:
        """The date as precise as it is known."""
        if self.date is None:
            return None
        year, month, day = self.date.year, self.date.month, self.date.day
        match self.date_precision:
            case "year":
                return PartialDate(year)
            case "month":
                return PartialDate(year, month)
            case _:
                return PartialDate(year, month, day)

    @property
    def last_day(self) -> datetime.date | None:
        """The last day of what the document's date names."""
        known = self.known_date
        if known is None:
            return None
        month = known.month or 12
        return datetime.date(known.year, month, known.day or monthrange(known.year, month)[1])


@dataclass(frozen=True, slots=True)
class SectionCard:
    """A section by its place in its document. `level` is 1 for the outermost; `number` begins its heading: `§ 5`."""

    position: int
    level: int
    number: str | None
    heading: str


_COLUMNS = (
    chunks.c.id,
    chunks.c.document_id,
    entities.c.version,
    entities.c.name.label("title"),
    documents.c.collection,
    documents.c.document_date.label("date"),
    documents.c.date_precision,
    documents.c.language,
    chunks.c.position,
    chunks.c.start_offset,
    chunks.c.end_offset,
    chunks.c.heading,
    chunks.c.text,
    chunks.c.text_hash,
)
_SOURCE = chunks.join(documents, documents.c.id == chunks.c.document_id).join(
    entities, entities.c.id == chunks.c.document_id
)
_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))
_DOCUMENT = sa.bindparam("document_id", type_=pg.UUID(as_uuid=True))
_POSITIONS = sa.bindparam("positions", type_=pg.ARRAY(sa.Integer))
_LIMIT = sa.bindparam("limit", type_=sa.Integer)

CHUNKS_BY_ID = sa.select(*_COLUMNS).select_from(_SOURCE).where(chunks.c.id == sa.any_(_IDS)).order_by(chunks.c.id)
SECTIONS = (
    sa.select(
        document_sections.c.position,
        document_sections.c.level,
        document_sections.c.number,
        document_sections.c.heading,
    )
    .where(document_sections.c.document_id == _DOCUMENT)
    .order_by(document_sections.c.position)
    .limit(_LIMIT)
)
CHUNKS_IN = (
    sa.select(*_COLUMNS)
    .select_from(_SOURCE)
    .where(chunks.c.document_id == _DOCUMENT, chunks.c.section_position == sa.any_(_POSITIONS))
    .order_by(chunks.c.position)
    .limit(_LIMIT)
)
CHUNKS_FROM_START = (
    sa.select(*_COLUMNS)
    .select_from(_SOURCE)
    .where(chunks.c.document_id == _DOCUMENT)
    .order_by(chunks.c.position)
    .limit(_LIMIT)
)
CHUNKS_AT = (
    sa.select(*_COLUMNS)
    .select_from(_SOURCE)
    .where(chunks.c.document_id == _DOCUMENT, chunks.c.position == sa.any_(_POSITIONS))
    .order_by(chunks.c.position)
)
CHUNK_STAMPS = (
    sa.select(chunks.c.id, entities.c.version, chunks.c.text_hash.label("content_hash"))
    .select_from(chunks.join(entities, entities.c.id == chunks.c.document_id))
    .order_by(chunks.c.id)
    .limit(_LIMIT)
)
CHUNK_OWNERS = sa.select(chunks.c.id, chunks.c.document_id).where(chunks.c.id == sa.any_(_IDS)).order_by(chunks.c.id)


async def read_chunks(conn: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, ChunkCard]:
    """Chunks by id; those that are gone are missing."""
    found = await conn.execute(CHUNKS_BY_ID, {"ids": list(ids)})
    cards = [ChunkCard(**row) for row in found.mappings()]
    return {card.id: card for card in cards}


async def read_chunks_at(conn: AsyncConnection, document_id: UUID, positions: Sequence[int]) -> list[ChunkCard]:
    """The chunks of a document at these positions, in reading order."""
    found = await conn.execute(CHUNKS_AT, {"document_id": document_id, "positions": list(positions)})
    return [ChunkCard(**row) for row in found.mappings()]


async def read_first_chunks(conn: AsyncConnection, document_id: UUID, *, limit: int) -> list[ChunkCard]:
    """The first chunks of a document, in reading order."""
    found = await conn.execute(CHUNKS_FROM_START, {"document_id": document_id, "limit": limit})
    return [ChunkCard(**row) for row in found.mappings()]


async def read_chunks_in(
    conn: AsyncConnection, document_id: UUID, sections: Sequence[int], *, limit: int
) -> list[ChunkCard]:
    """The first chunks whose innermost section is one of these, given by place, in reading order."""
    parameters = {"document_id": document_id, "positions": list(sections), "limit": limit}
    found = await conn.execute(CHUNKS_IN, parameters)
    return [ChunkCard(**row) for row in found.mappings()]


async def read_sections(conn: AsyncConnection, document_id: UUID, *, limit: int) -> list[SectionCard]:
    """The first sections of a document, in reading order."""
    found = await conn.execute(SECTIONS, {"document_id": document_id, "limit": limit})
    return [SectionCard(**row) for row in found.mappings()]


async def read_chunk_stamps(
    conn: AsyncConnection, *, after: UUID | None, limit: int, document_id: UUID | None = None
) -> list[EntityStamp]:
    """Stamps in ascending order of id, from behind `after` on: of one document's chunks, or of all there are."""
    statement = CHUNK_STAMPS
    if after is not None:
        statement = statement.where(chunks.c.id > after)
    if document_id is not None:
        statement = statement.where(chunks.c.document_id == document_id)
    found = await conn.execute(statement, {"limit": limit})
    return [EntityStamp(row.id, row.version, row.content_hash) for row in found]


async def read_chunk_owners(conn: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Chunk to document; chunks that are gone are missing."""
    return {row.id: row.document_id for row in await conn.execute(CHUNK_OWNERS, {"ids": list(ids)})}
