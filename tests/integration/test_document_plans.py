"""The statements that read documents keep to their indexes, and read no more than they show."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
import sqlalchemy as sa
from datastore.edges import EdgeType
from datastore.postgres import chunk_reads, document_reads, reference_reads
from datastore.postgres.catalogue import entities
from datastore.postgres.documents import chunks, document_references, document_sections, documents
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import EntityType
from fixtures.sql import measured_plan, scans
from sqlalchemy.ext.asyncio import AsyncConnection

DOCUMENTS, PIECES, REFERENCES = 60, 40, 4
_NAMESPACE = uuid4()


def _id(document: int, piece: int | None = None) -> UUID:
    return uuid5(_NAMESPACE, f"{document} {piece}")


@pytest.fixture
async def corpus(read_write: ReadWriteEngine) -> AsyncGenerator[AsyncConnection]:
    """Documents of some size in a transaction of their own, analysed."""
    async with read_write.begin(timeout=30) as conn:
        await conn.execute(sa.insert(entities), [_entity(each) for each in range(DOCUMENTS)])
        await conn.execute(sa.insert(documents), [_document(each) for each in range(DOCUMENTS)])
        pairs = [(each, piece) for each in range(DOCUMENTS) for piece in range(PIECES)]
        await conn.execute(sa.insert(document_sections), [_section(*pair) for pair in pairs])
        await conn.execute(sa.insert(chunks), [_piece(*pair) for pair in pairs])
        await conn.execute(
            sa.insert(document_references), [_reference(*pair, n) for pair in pairs for n in range(REFERENCES)]
        )
        for table in (entities, documents, document_sections, chunks, document_references):
            await conn.exec_driver_sql(f"ANALYZE {table.name}")
        yield conn


def _entity(number: int) -> dict[str, object]:
    return {
        "id": _id(number),
        "entity_type": EntityType.DOCUMENT,
        "name": f"Document {number}",
        "popularity": 0.0,
        "content_hash": "",
    }


def _document(number: int) -> dict[str, object]:
    return {
        "id": _id(number),
        "collection": "press",
        "media_type": "text/plain",
        "text": "word " * 50,
        "text_hash": str(number // 2),
    }


def _section(number: int, piece: int) -> dict[str, object]:
    place = {"position": piece, "start_offset": piece * 100, "end_offset": piece * 100 + 90}
    return {"document_id": _id(number), "level": 1, "heading": f"{piece} Heading", "path": [], **place}


def _piece(number: int, piece: int) -> dict[str, object]:
    place = {"position": piece, "start_offset": piece * 100, "end_offset": piece * 100 + 90}
    return {
        "id": _id(number, piece),
        "document_id": _id(number),
        "section_position": piece,
        "section_path": [],
        "text": "x",
        "text_hash": "",
        **place,
    }


def _reference(number: int, piece: int, n: int) -> dict[str, object]:
    return {
        "document_id": _id(number),
        "chunk_id": _id(number, piece),
        "start_offset": piece * 100 + n,
        "end_offset": piece * 100 + n + 1,
        "reference_type": "document",
        "method": "rules",
        "edge": EdgeType.REQUIRES if n == 0 else EdgeType.MENTIONS,
        "target_text": f"Document {n}",
    }


_IDS = {"ids": [_id(3, 1), _id(3, 2), _id(4, 1)]}
_ONE = {"document_id": _id(3)}
_OWN = {"ids": [_id(3)]}
# The statement, its parameters, the table that it is about, and how many of its rows it may read.
READS: dict[str, tuple[sa.ClauseElement, dict[str, Any], str, int]] = {
    "chunks_by_id": (chunk_reads.CHUNKS_BY_ID, _IDS, "chunks", 3),
    "chunk_owners": (chunk_reads.CHUNK_OWNERS, _IDS, "chunks", 3),
    "chunks_from_start": (chunk_reads.CHUNKS_FROM_START, _ONE | {"limit": 5}, "chunks", 5),
    "chunks_at": (chunk_reads.CHUNKS_AT, _ONE | {"positions": [4, 5]}, "chunks", 2),
    "chunks_in": (chunk_reads.CHUNKS_IN, _ONE | {"positions": [4, 5], "limit": 5}, "chunks", PIECES),
    "sections": (chunk_reads.SECTIONS, _ONE | {"limit": 7}, "document_sections", 7),
    "chunk_stamps": (chunk_reads.CHUNK_STAMPS, {"limit": 9}, "chunks", 9),
    "same_texts": (document_reads.SAME_TEXTS, _OWN, "documents", 3),
    "unresolved": (document_reads.UNRESOLVED, _OWN, "document_references", PIECES * REFERENCES),
    "references_in_chunks": (
        reference_reads.REFERENCES_IN_CHUNKS,
        _IDS | {"limit": 200},
        "document_references",
        3 * REFERENCES,
    ),
    "references_of_documents": (
        reference_reads.REFERENCES_OF_DOCUMENTS,
        _OWN | {"edges": ["requires"], "limit": 200},
        "document_references",
        PIECES * REFERENCES,
    ),
    "end_of_text": (reference_reads.END_OF_TEXT, _OWN | {"characters": 100}, "documents", 1),
}


async def test_every_read_goes_by_an_index_and_is_bounded(corpus: AsyncConnection) -> None:
    # A table of this size would be read whole where no index serves; whether one does is the question here.
    await corpus.exec_driver_sql("SET LOCAL enable_seqscan = off")
    for name, (statement, parameters, table, most) in READS.items():
        nodes = await measured_plan(corpus, statement, parameters)
        of_table = [node for node in nodes if node.get("Relation Name") == table]
        read = sum(_rows(node) for node in of_table)
        assert of_table, name
        assert "Seq Scan" not in {kind for kind, _ in scans(nodes)}, name
        assert 0 < read <= most, (name, read)


def _rows(node: dict[str, Any]) -> float:
    """The rows that a scan read, those that it threw away among them."""
    return (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
