"""References in documents: what finds them, what knows their targets, and how they are stored and linked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

import sqlalchemy as sa
from datastore.edges import EdgeType
from datastore.postgres.catalogue import external_ids, names
from datastore.postgres.documents import document_references, documents
from datastore.postgres.projection import project_edges
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.chunking import chunk_at
from ingestion.documents.incoming import KIND, IncomingDocument
from ingestion.documents.model import Chunk

_PAGE = 5_000
_DANGLING_NAMED = 50


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A reference from `start` to `end` of a text. `target` is what it names, None for the document itself.

    `edge` reads from the document to its target; a reference that is no edge has none.
    """

    reference_type: str
    method: str
    start: int
    end: int
    target: str | None
    text: str
    section: str | None = None
    edge: EdgeType | None = None


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document as a registry knows it: by its title first, then by its other names."""

    id: UUID
    collection: str
    key: str
    names: tuple[str, ...]


class TargetRegistry(Protocol):
    """Knows documents by their names."""

    def resolve(self, target: str, collection: str) -> UUID | None:
        """The one document that a reference in `collection` means; None where none is, or several are."""
        ...


class ReferenceRules(Protocol):
    """Finds references, and makes the registry of their targets. Both are pure, and slow enough for a thread."""

    def find(self, document: IncomingDocument) -> Sequence[FoundReference]:
        """Every reference of a document, by its place in the text."""
        ...

    def registry(self, known: Sequence[NamedDocument]) -> TargetRegistry:
        """A registry of all documents there are."""
        ...


def reference_rows(
    document_id: UUID, found: Sequence[FoundReference], chunks: Sequence[Chunk], chunk_ids: Mapping[int, UUID]
) -> list[dict[str, Any]]:
    """What is stored of the references; a target that is another document is linked later."""
    rows: list[dict[str, Any]] = []
    for each in found:
        chunk = chunk_at(chunks, each.start)
        rows.append(
            {
                "document_id": document_id,
                "chunk_id": chunk and chunk_ids[chunk.position],
                "start_offset": each.start,
                "end_offset": each.end,
                "reference_type": each.reference_type,
                "method": each.method,
                "edge": each.edge,
                "target_text": each.text if each.target is None else each.target,
                "target_section": each.section,
                "target_id": document_id if each.target is None else None,
            }
        )
    return rows


async def known_documents(connection: AsyncConnection) -> list[NamedDocument]:
    """Every document with its names, the main one first."""
    key = (
        sa.select(external_ids.c.external_id)
        .where(external_ids.c.entity_id == documents.c.id, external_ids.c.kind == KIND)
        .order_by(external_ids.c.external_id)
        .limit(1)
        .scalar_subquery()
    )
    statement = (
        sa.select(
            documents.c.id,
            documents.c.collection,
            sa.func.coalesce(key, "").label("key"),
            sa.func.array_agg(pg.aggregate_order_by(names.c.name, names.c.kind != "main", names.c.id)).label("names"),
        )
        .join(names, names.c.entity_id == documents.c.id)
        .group_by(documents.c.id, documents.c.collection)
        .order_by(documents.c.id)
    )
    rows = await connection.execute(statement)
    return [NamedDocument(row.id, row.collection, row.key, tuple(row.names)) for row in rows]


async def open_targets(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Each target that a reference names, with the collection it is named in; those to a document itself left out."""
    statement = (
        sa.select(documents.c.collection, document_references.c.target_text)
        .join(documents, documents.c.id == document_references.c.document_id)
        .where(document_references.c.target_id.is_distinct_from(document_references.c.document_id))
        .distinct()
        .order_by(documents.c.collection, document_references.c.target_text)
    )
    return [(row.collection, row.target_text) for row in await connection.execute(statement)]


async def link_references(connection: AsyncConnection, targets: Mapping[tuple[str, str], UUID | None]) -> None:
    """Lead every reference to its target by collection and text, and make the edges of the documents that changed."""
    given = (
        sa.func.unnest(
            sa.cast([collection for collection, _ in targets], pg.ARRAY(sa.Text)),
            sa.cast([text for _, text in targets], pg.ARRAY(sa.Text)),
            sa.cast(list(targets.values()), pg.ARRAY(pg.UUID(as_uuid=True))),
        )
        .table_valued("collection", "target_text", "target_id", name="given")
        .render_derived()
    )
    columns = document_references.c
    changed = await connection.scalars(
        sa.update(document_references)
        .values(target_id=given.c.target_id)
        .where(
            columns.document_id == documents.c.id,
            documents.c.collection == given.c.collection,
            columns.target_text == given.c.target_text,
            columns.target_id.is_distinct_from(columns.document_id),
            columns.target_id.is_distinct_from(given.c.target_id),
        )
        .returning(columns.document_id)
    )
    await project_document_edges(connection, sorted(set(changed)))


async def project_document_edges(connection: AsyncConnection, document_ids: Sequence[UUID]) -> None:
    """Make the edges that lead from these documents."""
    columns = document_references.c
    for at in range(0, len(document_ids), _PAGE):
        page = sa.literal(list(document_ids[at : at + _PAGE]), pg.ARRAY(pg.UUID(as_uuid=True)))
        ids = await connection.scalars(
            sa.select(columns.id).where(columns.document_id == sa.any_(page), columns.edge.is_not(None))
        )
        await project_edges(connection, document_references, ids.all())


async def dangling_references(connection: AsyncConnection) -> tuple[int, tuple[str, ...]]:
    """How many references that are edges lead nowhere, and the first of their targets."""
    columns = document_references.c
    wanted = sa.and_(columns.edge.is_not(None), columns.target_id.is_(None))
    count = await connection.scalar(sa.select(sa.func.count()).select_from(document_references).where(wanted))
    named = sa.select(columns.target_text).where(wanted).distinct().order_by(columns.target_text)
    return count or 0, tuple(await connection.scalars(named.limit(_DANGLING_NAMED)))
