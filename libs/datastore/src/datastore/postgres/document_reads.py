"""Reads of documents that more than one package needs: which say the same, and what a collection holds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.edges import EdgeType
from datastore.postgres.catalogue import entities, external_ids
from datastore.postgres.documents import chunks, document_references, documents

_MAX_UNRESOLVED = 200
_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))


@dataclass(frozen=True, slots=True)
class SameText:
    """One of several documents that hold the same text."""

    id: UUID
    ref: str
    title: str
    collection: str
    document_date: date | None
    date_precision: str | None


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of a listing, without its text; `characters` and `chunks` say how large it is."""

    id: UUID
    ref: str
    title: str
    collection: str
    media_type: str
    language: str | None
    document_date: date | None
    date_precision: str | None
    characters: int
    chunks: int


def _ref() -> sa.ColumnElement[str]:
    """The reference that claims a document."""
    spelled = (
        external_ids.c.source.concat(":").concat(external_ids.c.kind).concat(":").concat(external_ids.c.external_id)
    )
    return (
        sa.select(spelled)
        .where(external_ids.c.entity_id == documents.c.id)
        .order_by(external_ids.c.source, external_ids.c.external_id)
        .limit(1)
        .scalar_subquery()
    )


_ASKED = documents.alias("asked")
SAME_TEXTS = (
    sa.select(
        documents.c.text_hash,
        documents.c.id,
        _ref().label("ref"),
        entities.c.name,
        documents.c.collection,
        documents.c.document_date,
        documents.c.date_precision,
    )
    .join(entities, entities.c.id == documents.c.id)
    .where(
        documents.c.text_hash.in_(sa.select(_ASKED.c.text_hash).where(_ASKED.c.id == sa.any_(_IDS))),
    )
    .order_by(documents.c.text_hash, documents.c.document_date, documents.c.collection, documents.c.id)
)
"""The documents that hold the text of one of `ids`, those themselves included."""


async def read_same_texts(connection: AsyncConnection, ids: Collection[UUID]) -> list[tuple[SameText, ...]]:
    """Groups of documents that hold the same text under several names or dates, each with one of `ids` in it.

    A group is ordered by date. A document whose text is its own is in no group.
    """
    if not ids:
        return []
    groups: dict[str, list[SameText]] = {}
    for row in await connection.execute(SAME_TEXTS, {"ids": list(ids)}):
        same = SameText(row.id, row.ref, row.name, row.collection, row.document_date, row.date_precision)
        groups.setdefault(row.text_hash, []).append(same)
    return [tuple(group) for group in groups.values() if len(group) > 1]


UNRESOLVED = (
    sa.select(document_references.c.document_id, document_references.c.edge, document_references.c.target_text)
    .where(
        document_references.c.document_id == sa.any_(_IDS),
        document_references.c.edge.is_not(None),
        document_references.c.target_id.is_(None),
    )
    .distinct()
    .order_by(document_references.c.document_id, document_references.c.edge, document_references.c.target_text)
    .limit(_MAX_UNRESOLVED)
)
"""What the documents of `ids` refer to that no collection holds."""


async def read_unresolved(connection: AsyncConnection, ids: Collection[UUID]) -> dict[UUID, list[tuple[EdgeType, str]]]:
    """What documents say of others that are not there: the edge and the name, by document."""
    found: dict[UUID, list[tuple[EdgeType, str]]] = {}
    if ids:
        for row in await connection.execute(UNRESOLVED, {"ids": list(ids)}):
            found.setdefault(row.document_id, []).append((EdgeType(row.edge), row.target_text))
    return found


async def list_documents(
    connection: AsyncConnection, *, collection: str | None, limit: int, after: str = ""
) -> Sequence[ListedDocument]:
    """Documents in the order of their references, from behind `after` on, of one collection or of all."""
    ref = _ref()
    counted = sa.select(sa.func.count()).where(chunks.c.document_id == documents.c.id).scalar_subquery()
    statement = (
        sa.select(
            documents.c.id,
            ref.label("ref"),
            entities.c.name,
            documents.c.collection,
            documents.c.media_type,
            documents.c.language,
            documents.c.document_date,
            documents.c.date_precision,
            sa.func.length(documents.c.text).label("characters"),
            counted.label("chunks"),
        )
        .join(entities, entities.c.id == documents.c.id)
        .where(ref > after)
        .order_by(ref)
        .limit(limit)
    )
    if collection is not None:
        statement = statement.where(documents.c.collection == collection)
    return [ListedDocument(*row) for row in await connection.execute(statement)]
