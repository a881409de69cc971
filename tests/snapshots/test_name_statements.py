"""The statements of name search, reviewed as SQL."""

import pytest
import sqlalchemy as sa
from datastore.postgres.name_statements import EQUAL_STATEMENT, NEAR_STATEMENT, SEARCH_STATEMENT
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion


@pytest.mark.parametrize(
    "statement", [SEARCH_STATEMENT, EQUAL_STATEMENT, NEAR_STATEMENT], ids=["search", "equal", "near"]
)
def test_the_statement_is_the_reviewed_one(statement: sa.ClauseElement, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(statement) == sql_snapshot
