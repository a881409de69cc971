"""References as documents state them: those that stand in given pieces, and those of whole documents, headers too."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.edges import EdgeType
from datastore.postgres.catalogue import entities
from datastore.postgres.documents import chunks, document_references, documents


@dataclass(frozen=True, slots=True)
class ReferenceCard:
    """One reference with the document that it stands in and the one that it leads to, where that is there.

    `place` counts code points from the beginning of `text`, the piece that it stands in; both are empty for one in the
    front matter. `target_text` is empty where the very document is meant.
    """

    document_id: UUID
    title: str
    chunk_id: UUID | None
    text: str
    place: int
    length: int
    reference_type: str
    edge: str | None
    target_text: str
    target_section: str
    target_until: str
    target_id: UUID | None
    target_title: str | None


_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))
_EDGES = sa.bindparam("edges", type_=pg.ARRAY(sa.Text))
_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_TAIL = sa.bindparam("characters", type_=sa.Integer)

_OWNER = entities.alias("owner")
_TARGET = entities.alias("target")
_columns = document_references.c
_SELECTED = (
    sa.select(
        _columns.document_id,
        _OWNER.c.name.label("title"),
        _columns.chunk_id,
        sa.func.coalesce(chunks.c.text, "").label("text"),
        sa.func.coalesce(_columns.start_offset - chunks.c.start_offset, 0).label("place"),
        (_columns.end_offset - _columns.start_offset).label("length"),
        _columns.reference_type,
        _columns.edge,
        _columns.target_text,
        _columns.target_section,
        _columns.target_until,
        _columns.target_id,
        _TARGET.c.name.label("target_title"),
    )
    .select_from(
        document_references.join(_OWNER, _OWNER.c.id == _columns.document_id)
        .outerjoin(chunks, chunks.c.id == _columns.chunk_id)
        .outerjoin(_TARGET, _TARGET.c.id == _columns.target_id)
    )
    .order_by(_columns.document_id, _columns.start_offset, _columns.end_offset, _columns.id)
    .limit(_LIMIT)
)
REFERENCES_IN_CHUNKS = _SELECTED.where(_columns.chunk_id == sa.any_(_IDS))
REFERENCES_OF_DOCUMENTS = _SELECTED.where(_columns.document_id == sa.any_(_IDS), _columns.edge == sa.any_(_EDGES))
END_OF_TEXT = sa.select(sa.func.right(documents.c.text, _TAIL)).where(documents.c.id == sa.any_(_IDS))


async def read_references_in(conn: AsyncConnection, ids: Collection[UUID], *, limit: int) -> list[ReferenceCard]:
    """The references of these chunks in reading order."""
    return await _cards(conn, REFERENCES_IN_CHUNKS, {"ids": list(ids), "limit": limit})


async def read_references_of(
    conn: AsyncConnection, ids: Collection[UUID], edges: Collection[EdgeType], *, limit: int
) -> list[ReferenceCard]:
    """What these documents say of others by one of these edges, anywhere in them, in reading order."""
    return await _cards(
        conn, REFERENCES_OF_DOCUMENTS, {"ids": list(ids), "edges": [edge.value for edge in edges], "limit": limit}
    )


async def read_end_of_text(conn: AsyncConnection, document_id: UUID, *, characters: int) -> str:
    """The last code points of a document, where a bibliography stands; nothing of one that is gone."""
    found = await conn.scalar(END_OF_TEXT, {"ids": [document_id], "characters": characters})
    return found or ""


async def _cards(
    conn: AsyncConnection, statement: sa.Select[*tuple[object, ...]], parameters: dict[str, object]
) -> list[ReferenceCard]:
    found = await conn.execute(statement, parameters)
    return [ReferenceCard(**row) for row in found.mappings()]
