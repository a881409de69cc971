"""A model's references beside those of the rules: inventions go, duplicates unite."""

from references.detection import Detector
from references.merging import Proposal, locate, merge
from references.model import Method, ReferenceType

_TEXT = "Nach § 5 TMG und dem Rundschreiben vom Mai gilt PEP 8, auch PEP 8."
_PROPOSALS = (
    Proposal(ReferenceType.LEGAL_SECTION, "§ 5 TMG", document="Telemediengesetz", section="§ 5"),
    Proposal(ReferenceType.DOCUMENT_MENTION, "dem Rundschreiben vom Mai", document="Rundschreiben  vom Mai"),
    Proposal(ReferenceType.DOCUMENT_MENTION, "dem Erlass vom Juni", document="Erlass vom Juni"),
    Proposal(ReferenceType.DOCUMENT, " "),
)


def test_both_lists_unite_by_type_and_target() -> None:
    merged = merge(Detector[int]().detect(_TEXT), locate(_TEXT, _PROPOSALS))

    assert [(each.method, each.text, each.target) for each in merged] == [
        (Method.HYBRID, "§ 5 TMG", "TMG § 5"),
        (Method.LLM, "dem Rundschreiben vom Mai", "Rundschreiben vom Mai"),
        (Method.RULES, "PEP 8", "PEP 8"),
        (Method.RULES, "PEP 8", "PEP 8"),
    ]
    assert all(_TEXT[each.start : each.end] == each.text for each in merged)


def test_a_piece_of_a_document_says_where_it_begins() -> None:
    assert [(each.start, each.end) for each in locate(_TEXT, _PROPOSALS[:1], offset=100)] == [(105, 112)]
