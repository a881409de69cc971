"""The SQL of traces and of the index's lag, reviewed as SQL."""

from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.postgres.outbox_lag import lag_statement
from datastore.postgres.trace_rows import get_statement, insert_statement, list_statement, purge_statement
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

STATEMENTS: dict[str, sa.ClauseElement] = {
    "insert": insert_statement(),
    "list": list_statement("local", limit=20, before=None),
    "list_before": list_statement("local", limit=20, before=UUID(int=1)),
    "get": get_statement(UUID(int=1), "local"),
    "purge": purge_statement(),
    "lag": lag_statement(),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_the_reviewed_one(name: str, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(STATEMENTS[name]) == sql_snapshot
