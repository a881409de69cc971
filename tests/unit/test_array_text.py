"""Lists as parameters: the literal that PostgreSQL reads back as the same list."""

import pytest
from datastore.postgres.array_text import array_literal


@pytest.mark.parametrize(
    ("values", "literal"),
    [
        ([], "{}"),
        ([""], '{""}'),
        (["a", "b c", "null"], '{"a","b c","null"}'),
        (['"', "\\", "{,}", "a\x01"], '{"\\"","\\\\","{,}","a\x01"}'),
        ([1, -2], '{"1","-2"}'),
        ([True, False], '{"True","False"}'),
    ],
)
def test_a_list_is_written_as_the_server_reads_it(values: list[object], literal: str) -> None:
    assert array_literal(values) == literal
