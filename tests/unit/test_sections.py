"""Sections by number and by heading."""

import pytest
from agent_core.retrieval.sections import sections_meant
from datastore.postgres.chunk_reads import SectionCard

HEADINGS = (
    (1, "1 Production"),
    (2, "1.1 Music"),
    (1, "2. Reception"),
    (1, "§ 5 Scope of application"),
    (1, "§ 5a Exceptions"),
    (1, "Article 15"),
    (1, "10 Music rights"),
    (1, "Scope"),
    (2, "Exhibits"),
)
SECTIONS = tuple(SectionCard(place, level, None, heading) for place, (level, heading) in enumerate(HEADINGS))


@pytest.mark.parametrize(
    ("asked", "positions"),
    [
        ("1", [0, 1]),
        ("§ 1.1", [1]),
        ("Section 2", [2]),
        ("5", [3]),
        ("§ 5a", [4]),
        ("§ 5 Abs. 2 Satz 1", [3]),
        ("5(2)", [3]),
        ("Artikel 15", [5]),
        ("Art. 15 Absatz 3 Nr. 2", [5]),
        ("music", [1]),
        ("RECEPTION", [2]),
        ("1.1 Music", [1]),
        ("2.1 Music", []),
        ("scope", [7, 8]),
        ("application", [3]),
        ("rights", [6]),
        ("3", []),
        ("Cast", []),
        ("", []),
        ("§", []),
    ],
)
def test_a_section_is_meant_by_its_number_or_its_heading(asked: str, positions: list[int]) -> None:
    assert sections_meant(SECTIONS, asked) == positions


def test_a_number_of_one_kind_is_no_section_of_another() -> None:
    headings = ("Abschnitt 5 - Allgemeines", "§ 5 Zweck", "Kapitel 7", "§ 7 Inkrafttreten")
    sections = tuple(SectionCard(place, 1, None, heading) for place, heading in enumerate(headings))
    assert [sections_meant(sections, asked) for asked in ("§ 5 Abs. 2", "Abschnitt 5", "§ 7")] == [[1], [0], [3]]
