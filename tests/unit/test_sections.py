"""Sections by number and by heading."""

import pytest
from agent_core.retrieval.sections import section_positions

HEADINGS = (
    (0, None),
    (1, "1 Production"),
    (2, "1.1 Music"),
    (3, "2. Reception"),
    (4, "§ 5 Scope of application"),
    (5, "§ 5a Exceptions"),
    (6, "Article 15"),
    (7, "10 Music rights"),
    (8, "Scope"),
)


@pytest.mark.parametrize(
    ("asked", "positions"),
    [
        ("1", [1, 2]),
        ("§ 1.1", [2]),
        ("Section 2", [3]),
        ("5", [4]),
        ("§ 5a", [5]),
        ("Artikel 15", [6]),
        ("Art. 15", [6]),
        ("music", [2]),
        ("RECEPTION", [3]),
        ("1.1 Music", [2]),
        ("2.1 Music", []),
        ("scope", [8]),
        ("application", [4]),
        ("rights", [7]),
        ("3", []),
        ("Cast", []),
        ("", []),
        ("§", []),
    ],
)
def test_a_section_is_meant_by_its_number_or_its_heading(asked: str, positions: list[int]) -> None:
    assert section_positions(HEADINGS, asked) == positions
