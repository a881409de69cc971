"""Header fields: how a document numbers itself, and which documents it names there."""

import pytest
from references.detection import Detector
from references.headers import own_number, read_header
from references.model import ReferenceType, Relation

_HEADER = """PEP: 255
Title: Simple Generators
Requires: 234, 435
Replaces: 219,
          220
Superseded-By: 380

Requires: 999 is no field any more.
"""


def test_fields_become_typed_edges() -> None:
    references = Detector[int]().detect(_HEADER, with_header=True)

    assert [(each.relation, each.document, each.text) for each in references] == [
        (Relation.REQUIRES, "PEP 234", "234"),
        (Relation.REQUIRES, "PEP 435", "435"),
        (Relation.SUPERSEDES, "PEP 219", "219"),
        (Relation.SUPERSEDES, "PEP 220", "220"),
        (Relation.SUPERSEDED_BY, "PEP 380", "380"),
    ]
    assert all(_HEADER[each.start : each.end] == each.text for each in references)
    assert {each.type for each in references} == {ReferenceType.DOCUMENT}


def test_the_header_of_a_piece_of_a_text_is_not_read() -> None:
    assert Detector[int]().detect(_HEADER) == []


@pytest.mark.parametrize(
    ("text", "relation", "document"),
    [
        ("---\ntitle: New rules\nersetzt: Old rules\n---\nText", Relation.SUPERSEDES, "Old rules"),
        ("Obsoletes: RFC 2616\n\nText", Relation.SUPERSEDES, "RFC 2616"),
        ("Superseded by: The other one\n", Relation.SUPERSEDED_BY, "The other one"),
        (":Supersedes: Notes of May\n", Relation.SUPERSEDES, "Notes of May"),
    ],
)
def test_names_and_other_forms(text: str, relation: Relation, document: str) -> None:
    (reference,) = Detector[int]().detect(text, with_header=True)

    assert (reference.relation, reference.document) == (relation, document)


def test_own_number() -> None:
    assert own_number(_HEADER) == "PEP 255"
    assert own_number("RFC:       2119  \nTitle: Words\n") == "RFC 2119"
    assert own_number("Title: Words\nYear: 2119\n") == ""


def test_a_text_without_a_header_has_no_fields() -> None:
    assert read_header("\nPEP: 1\n") == []
    assert read_header("A sentence. And more: of it\n") == []
