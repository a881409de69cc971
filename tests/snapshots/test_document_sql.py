"""The SQL of documents, reviewed as SQL, and the plan of the one that looks for equal texts."""

from uuid import uuid4

from datastore.postgres.document_reads import SAME_TEXTS, UNRESOLVED
from datastore.postgres.engine import ReadWriteEngine
from fixtures.sql import generic_plan, scans, sql_text
from syrupy.assertion import SnapshotAssertion


def test_the_statement_for_equal_texts_is_the_reviewed_one(sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(SAME_TEXTS) == sql_snapshot


async def test_equal_texts_are_found_by_their_hash(read_write: ReadWriteEngine) -> None:
    async with read_write.begin(5) as connection:
        await connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        nodes = await generic_plan(connection, SAME_TEXTS, {"ids": [uuid4()]})
    assert "ix_documents_text_hash" in {node.get("Index Name") for node in nodes}
    assert not [scan for scan in scans(nodes) if scan == ("Seq Scan", "documents")]


def test_the_statement_for_what_no_collection_holds_is_the_reviewed_one(sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(UNRESOLVED) == sql_snapshot


async def test_unresolved_references_are_found_by_their_document(read_write: ReadWriteEngine) -> None:
    async with read_write.begin(5) as connection:
        await connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        nodes = await generic_plan(connection, UNRESOLVED, {"ids": [uuid4()]})
    assert not [scan for scan in scans(nodes) if scan[0] == "Seq Scan"]
