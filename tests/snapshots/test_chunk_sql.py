"""The SQL of chunks and sections, reviewed as SQL."""

import pytest
import sqlalchemy as sa
from datastore.postgres import chunk_reads
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

STATEMENTS: dict[str, sa.Select[*tuple[object, ...]]] = {
    "chunks_by_id": chunk_reads.CHUNKS_BY_ID,
    "chunks_at": chunk_reads.CHUNKS_AT,
    "chunks_in": chunk_reads.CHUNKS_IN,
    "chunks_from_start": chunk_reads.CHUNKS_FROM_START,
    "sections": chunk_reads.SECTIONS,
    "chunk_stamps": chunk_reads.CHUNK_STAMPS,
    "chunk_owners": chunk_reads.CHUNK_OWNERS,
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_the_reviewed_one(name: str, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(STATEMENTS[name]) == sql_snapshot
