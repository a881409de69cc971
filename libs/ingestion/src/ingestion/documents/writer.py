"""The writer of documents: a document with its names, sections and chunks, in one transaction."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import sqlalchemy as sa
from datastore.identity import ENISHI_NAMESPACE, ExternalRef, content_hash, entity_id
from datastore.postgres.catalogue import entities, external_ids
from datastore.postgres.documents import chunks as chunk_table
from datastore.postgres.documents import document_references, document_sections, documents
from datastore.postgres.name_tops_upkeep import keeping_tops
from datastore.postgres.outbox import OutboxOperation
from datastore.postgres.projection import delete_entities, project_edges
from datastore.vocabulary import EntityType
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.catalogue_batch import append_outbox
from ingestion.catalogue_entities import ChangedEntity
from ingestion.catalogue_names import write_names
from ingestion.documents.incoming import KIND, IncomingDocument, text_hash
from ingestion.documents.model import Chunk
from ingestion.report import Outcome


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with all that is derived from its text. `chunking` says how the chunks were made."""

    document: IncomingDocument
    chunks: tuple[Chunk, ...]
    chunking: str

    @property
    def content_hash(self) -> str:
        """The hash of all that is stored and shown."""
        document, date = self.document, self.document.date
        origin = document.origin
        return content_hash(
            {
                "names": [[name.name, name.kind] for name in document.names],
                "collection": origin.collection,
                "source": document.source_uri,
                "media_type": origin.media_type,
                "language": document.language,
                "date": date and [str(date.known), date.instant and date.instant.isoformat(), date.raw],
                "text": document.text_hash,
                "body": document.body,
                "fields": {name: list(values) for name, values in document.fields.items()},
                "chunking": self.chunking,
            }
        )


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored: which state of it, and of what was read."""

    id: UUID
    version: int
    content_hash: str
    source_hash: str | None


def chunk_id(document_id: UUID, chunk: Chunk) -> UUID:
    """The id of a chunk: another text, another document or another place has another one."""
    return uuid5(ENISHI_NAMESPACE, f"{document_id}:{chunk.position}:{text_hash(chunk.text)}")


async def read_stored(connection: AsyncConnection, refs: Collection[ExternalRef]) -> dict[ExternalRef, StoredDocument]:
    """The documents that these references claim; those that are not there are missing."""
    if not refs:
        return {}
    wanted = _unnested(refs)
    statement = (
        sa.select(
            external_ids.c.source,
            external_ids.c.external_id,
            entities.c.id,
            entities.c.version,
            entities.c.content_hash,
            documents.c.source_hash,
        )
        .select_from(wanted)
        .join(
            external_ids,
            sa.and_(
                external_ids.c.source == wanted.c.source,
                external_ids.c.kind == KIND,
                external_ids.c.external_id == wanted.c.external_id,
            ),
        )
        .join(entities, entities.c.id == external_ids.c.entity_id)
        .join(documents, documents.c.id == entities.c.id)
        .order_by(external_ids.c.source, external_ids.c.external_id)
    )
    return {
        ExternalRef(row.source, KIND, row.external_id): StoredDocument(
            row.id, row.version, row.content_hash, row.source_hash
        )
        for row in await connection.execute(statement)
    }


async def write_documents(
    connection: AsyncConnection, prepared: Sequence[PreparedDocument]
) -> list[tuple[PreparedDocument, Outcome]]:
    """Store documents in the caller's transaction, and tell the index of those that are new or changed.

    Their references are looked for afterwards, see `referring`.
    """
    stored = await read_stored(connection, [each.document.origin.ref for each in prepared])
    outcomes: list[tuple[PreparedDocument, Outcome]] = []
    changed: dict[UUID, tuple[PreparedDocument, StoredDocument | None]] = {}
    for each in prepared:
        ref = each.document.origin.ref
        known = stored.get(ref)
        if known is not None and known.content_hash == each.content_hash:
            await _note_source(connection, known.id, each.document.origin.source_hash)
            outcomes.append((each, Outcome.UNCHANGED))
        else:
            owner = known.id if known else entity_id(ref.source, ref.kind, ref.external_id)
            changed[owner] = (each, known)
            outcomes.append((each, Outcome.CHANGED if known else Outcome.CREATED))
    if changed:
        await _replace(connection, changed)
    return outcomes


async def remove_documents(connection: AsyncConnection, ids: Collection[UUID]) -> int:
    """Remove documents with all that belongs to them, and leave tombstones for the index; returns how many there were.

    References of others to them stay, and lead nowhere.
    """
    gone = await delete_entities(connection, ids)
    tombstones = [ChangedEntity(each.id, each.entity_type, each.version + 1) for each in gone]
    await append_outbox(connection, tombstones, OutboxOperation.DELETE)
    return len(gone)


async def _note_source(connection: AsyncConnection, document_id: UUID, source_hash: str) -> None:
    await connection.execute(
        sa.update(documents)
        .where(documents.c.id == document_id, documents.c.source_hash.is_distinct_from(source_hash))
        .values(source_hash=source_hash)
    )


async def _replace(
    connection: AsyncConnection, changed: Mapping[UUID, tuple[PreparedDocument, StoredDocument | None]]
) -> None:
    """Put the new state of documents in the place of the old one, of which nothing stays."""
    old = [owner for owner, (_, known) in changed.items() if known is not None]
    if old:
        await _clear(connection, old)
    async with keeping_tops(connection, list(changed)):
        await _write_entities(connection, changed)
        await write_names(connection, {owner: each.document.names for owner, (each, _) in changed.items()})
    rows = [_document_row(owner, each.document) for owner, (each, _) in changed.items()]
    insert = pg.insert(documents)
    new = {name: insert.excluded[name] for name in rows[0] if name != "id"}
    await connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=new), rows)
    await _write_parts(connection, {owner: each for owner, (each, _) in changed.items()})
    await append_outbox(
        connection,
        [
            ChangedEntity(owner, EntityType.DOCUMENT, known.version + 1 if known else 1)
            for owner, (_, known) in changed.items()
        ],
        OutboxOperation.UPSERT,
    )


async def _clear(connection: AsyncConnection, document_ids: Sequence[UUID]) -> None:
    """Remove the parts of documents, with the edges that their references made."""
    of_these = sa.any_(sa.literal(list(document_ids), pg.ARRAY(pg.UUID(as_uuid=True))))
    cited = await connection.scalars(
        sa.delete(document_references)
        .where(document_references.c.document_id == of_these)
        .returning(document_references.c.id)
    )
    await project_edges(connection, document_references, cited.all())
    for table in (chunk_table, document_sections):
        await connection.execute(sa.delete(table).where(table.c.document_id == of_these))


async def _write_entities(
    connection: AsyncConnection, changed: Mapping[UUID, tuple[PreparedDocument, StoredDocument | None]]
) -> None:
    new: list[dict[str, Any]] = []
    refs: list[dict[str, Any]] = []
    for owner, (each, known) in changed.items():
        values = {"name": each.document.title, "content_hash": each.content_hash}
        if known is None:
            new.append({"id": owner, "entity_type": EntityType.DOCUMENT, **values})
            ref = each.document.origin.ref
            refs.append({"source": ref.source, "kind": ref.kind, "external_id": ref.external_id, "entity_id": owner})
        else:
            await connection.execute(
                sa.update(entities)
                .where(entities.c.id == owner)
                .values(**values, version=known.version + 1, updated_at=sa.func.now())
            )
    if new:
        await connection.execute(entities.insert(), new)
        await connection.execute(external_ids.insert(), refs)


def _document_row(owner: UUID, document: IncomingDocument) -> dict[str, Any]:
    date = document.date
    return {
        "id": owner,
        "collection": document.origin.collection,
        "source_uri": document.source_uri,
        "media_type": document.origin.media_type,
        "language": document.language,
        "document_date": date and date.first_day,
        "date_precision": date and date.precision,
        "document_time": date and date.instant,
        "date_raw": date and date.raw,
        "text": document.text,
        "text_hash": document.text_hash,
        "source_hash": document.origin.source_hash,
        "reference_rules": None,
        "properties": {"fields": {name: list(values) for name, values in document.fields.items()}},
    }


async def _write_parts(connection: AsyncConnection, prepared: Mapping[UUID, PreparedDocument]) -> None:
    sections: list[dict[str, Any]] = []
    chunks: list[dict[str, Any]] = []
    for owner, each in prepared.items():
        ids = {chunk.position: chunk_id(owner, chunk) for chunk in each.chunks}
        sections += _section_rows(owner, each.document)
        chunks += _chunk_rows(owner, each, ids)
    for table, rows in ((document_sections, sections), (chunk_table, chunks)):
        if rows:
            await connection.execute(table.insert(), rows)


def _section_rows(owner: UUID, document: IncomingDocument) -> list[dict[str, Any]]:
    return [
        {
            "document_id": owner,
            "position": section.position,
            "level": section.level,
            "number": section.number,
            "heading": section.heading,
            "path": list(section.path),
            "start_offset": section.start,
            "end_offset": section.end,
        }
        for section in document.sections
    ]


def _chunk_rows(owner: UUID, prepared: PreparedDocument, ids: Mapping[int, UUID]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for chunk in prepared.chunks:
        section = None if chunk.section is None else prepared.document.sections[chunk.section]
        rows.append(
            {
                "id": ids[chunk.position],
                "document_id": owner,
                "position": chunk.position,
                "start_offset": chunk.start,
                "end_offset": chunk.end,
                "heading": section and section.heading,
                "section_path": list(section.path) if section else [],
                "section_position": chunk.section,
                "text": chunk.text,
                "text_hash": text_hash(chunk.text),
            }
        )
    return rows


def _unnested(refs: Collection[ExternalRef]) -> sa.FromClause:
    ordered = sorted(refs)
    return (
        sa.func.unnest(
            sa.cast([ref.source for ref in ordered], pg.ARRAY(sa.Text)),
            sa.cast([ref.external_id for ref in ordered], pg.ARRAY(sa.Text)),
        )
        .table_valued("source", "external_id", name="wanted")
        .render_derived()
    )
