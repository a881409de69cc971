"""The SQL of stored references, reviewed as SQL; its plans stand beside those of the other reads of documents."""

import pytest
import sqlalchemy as sa
from datastore.postgres import reference_reads
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

STATEMENTS: dict[str, sa.Select[*tuple[object, ...]]] = {
    "references_in_chunks": reference_reads.REFERENCES_IN_CHUNKS,
    "references_of_documents": reference_reads.REFERENCES_OF_DOCUMENTS,
    "end_of_text": reference_reads.END_OF_TEXT,
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_the_reviewed_one(name: str, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(STATEMENTS[name]) == sql_snapshot
