"""The statements of name search, reviewed as SQL."""

import pytest
from datastore.postgres.hot import HotStatement
from datastore.postgres.name_statements import DEEP_SEARCH, EQUAL, FIRST_PAGE, NEAR, SEARCH, SEARCH_OR_CORRECT
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion


@pytest.mark.parametrize(
    "statement",
    [FIRST_PAGE, SEARCH, SEARCH_OR_CORRECT, DEEP_SEARCH, EQUAL, NEAR],
    ids=["first_page", "search", "search_or_correct", "deep_search", "equal", "near"],
)
def test_the_statement_is_the_reviewed_one(statement: HotStatement, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(statement.statement) == sql_snapshot
    assert f"{statement.text};\n" == sql_text(statement.statement)
