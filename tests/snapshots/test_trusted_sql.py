"""The SQL behind the shipped operations, reviewed as SQL."""

import pytest
from fixtures.sql import SqlFileExtension
from fixtures.trusted_documents import shipped_trees
from syrupy.assertion import SnapshotAssertion

TREES = shipped_trees()


@pytest.mark.parametrize("name", TREES)
def test_the_statement_is_the_reviewed_one(name: str, snapshot: SnapshotAssertion) -> None:
    assert f"{TREES[name].statement.text};\n" == snapshot(extension_class=SqlFileExtension)
