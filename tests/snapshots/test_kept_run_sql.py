"""The SQL of kept runs, reviewed as SQL."""

from datetime import timedelta
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.postgres.kept_runs import get_statement, insert_statement, purge_statement, trim_statement
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion

STATEMENTS: dict[str, sa.ClauseElement] = {
    "insert": insert_statement(UUID(int=1), "local", b"[]", keep=timedelta(minutes=1)),
    "trim": trim_statement("local", most=20),
    "purge": purge_statement(),
    "get": get_statement(UUID(int=1), "local"),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_is_the_reviewed_one(name: str, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(STATEMENTS[name]) == sql_snapshot
