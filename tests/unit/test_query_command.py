"""`enishi query`: what its parameters mean, and rows as CSV."""

import pytest
from enishi.commands.errors import UsageError
from enishi.commands.querying import csv_of, parameters_of
from pydantic import JsonValue


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("year=1998", 1998),
        ("name=Cowboy Bebop", "Cowboy Bebop"),
        ('name="1998"', "1998"),
        ("names=[1, null]", [1, None]),
        ("name=", ""),
        ("name=a=b", "a=b"),
    ],
)
def test_a_value_is_json_or_text(given: str, expected: JsonValue) -> None:
    assert list(parameters_of((given,)).values()) == [expected]


@pytest.mark.parametrize("given", ["year", "=1", "a b=1", ""])
def test_what_is_no_pair_is_named(given: str) -> None:
    with pytest.raises(UsageError, match="--param"):
        parameters_of((given,))


def test_csv_quotes_what_needs_it() -> None:
    rows: list[list[JsonValue]] = [['say "hi", you', 1], [None, ["a", True]]]
    assert csv_of(["text", "more"], rows) == 'text,more\r\n"say ""hi"", you",1\r\n,"[""a"", true]"\r\n'
