"""The SQL of entities, their parts, and the facts behind edges, reviewed as SQL."""

import pytest
from datastore.postgres.entity_rows import EXTERNAL_IDS, LINKS, LIVING, NAMES, ROWS_OF_TYPE
from datastore.postgres.graph_facts import READS
from datastore.postgres.hot import HotStatement
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

STATEMENTS: dict[str, HotStatement] = {
    "living": LIVING,
    "names": NAMES,
    "external_ids": EXTERNAL_IDS,
    "links": LINKS[False],
    "links_qualified": LINKS[True],
    **{f"rows_of_{entity_type}": statement for entity_type, statement in ROWS_OF_TYPE.items()},
    **{f"facts_of_{table}": statement for table, (statement, _) in READS.items()},
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_the_reviewed_one(name: str, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(STATEMENTS[name].statement) == sql_snapshot
