"""The statements of name search, reviewed as SQL."""

import pytest
from datastore.postgres.hot import HotStatement
from datastore.postgres.name_statements import (
    CORRECTED,
    DEEP_SEARCH,
    EQUAL,
    FIRST_PAGE,
    FIRST_PAGES,
    NEAR,
    SEARCH,
    TWO_PAGES,
)
from fixtures.sql import sql_text
from syrupy.assertion import SnapshotAssertion


@pytest.mark.parametrize(
    "statement",
    [FIRST_PAGE, FIRST_PAGES, TWO_PAGES, CORRECTED, SEARCH, DEEP_SEARCH, EQUAL, NEAR],
    ids=["first_page", "first_pages", "two_pages", "corrected", "search", "deep_search", "equal", "near"],
)
def test_the_statement_is_the_reviewed_one(statement: HotStatement, sql_snapshot: SnapshotAssertion) -> None:
    assert sql_text(statement.statement) == sql_snapshot
    assert f"{statement.text};\n" == sql_text(statement.statement)
