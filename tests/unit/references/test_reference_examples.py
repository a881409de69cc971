"""The examples of the documentation: each is found, with its type and target."""

import re
from pathlib import Path

import pytest
from datastore.edges import STORED_EDGES, EdgeType
from references.detection import Detector
from references.model import ReferenceType, Relation
from references.registry import KnownDocument, Registry

_PAGE = Path(__file__).parents[3] / "docs" / "references.md"
_ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
EXAMPLES = _ROW.findall(_PAGE.read_text(encoding="utf-8"))
_DETECTOR = Detector(Registry([KnownDocument(8, "Style Guide for Python Code")]))


def test_every_type_has_an_example() -> None:
    assert {kind for kind, _, _ in EXAMPLES} == set(ReferenceType)


@pytest.mark.parametrize(("kind", "text", "target"), EXAMPLES)
def test_it_is_found(kind: str, text: str, target: str) -> None:
    assert [(each.type, each.target) for each in _DETECTOR.detect(text)] == [(kind, target)]


def test_relations_are_stored_edges_of_the_catalogue() -> None:
    assert {EdgeType(relation.value) for relation in Relation} <= STORED_EDGES
