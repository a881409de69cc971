"""Rows of documents as evidence: what they refer to that no collection holds stands in them."""

from pathlib import Path

from agent_core.evidence import EntityRef, EntityRowEvidence, absent_field
from agent_core.retrieval.catalogue import PostgresCatalogue
from datastore.edges import EdgeType
from datastore.identity import entity_id
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import EntityType
from fixtures.document_files import import_documents, write_files

_PEP = "PEP: {number}\nTitle: Number {number}\nStatus: Final\nCreated: 01-Jan-2001\n{more}\n\nText\n====\n\nSo.\n"


async def test_what_a_document_replaces_and_nobody_has_is_a_field_of_its_row(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine, tmp_path: Path
) -> None:
    folder = write_files(
        tmp_path / "peps",
        **{
            "pep-0001_rst": _PEP.format(number=1, more="Requires: 3\nReplaces: 2"),
            "pep-0003_rst": _PEP.format(number=3, more="Superseded-By: 1"),
        },
    )
    await import_documents(read_write, folder, collection="peps")
    rows = await PostgresCatalogue(read_only).rows([_ref("pep-0001.rst"), _ref("pep-0003.rst")], timeout=5)

    first, third = rows[_ref("pep-0001.rst").id], rows[_ref("pep-0003.rst").id]
    assert _absent(first) == {absent_field(EdgeType.SUPERSEDES): "PEP 2"}
    assert "supersedes, not in the collection: PEP 2" in first.text
    assert _absent(third) == {}


def _ref(key: str) -> EntityRef:
    return EntityRef(entity_type=EntityType.DOCUMENT, id=entity_id("peps", "document", key))


def _absent(row: EntityRowEvidence) -> dict[str, str]:
    return {field.name: field.value for field in row.fields if field.name.endswith("not in the collection")}
