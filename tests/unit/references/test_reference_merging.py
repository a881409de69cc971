"""A model's references beside those of the rules: inventions go, duplicates unite."""

from collections.abc import Sequence

from references.detection import Detector
from references.merging import Proposal, find_with_model, unique
from references.model import Method, ReferenceType


class _Model:
    def __init__(self, proposals: Sequence[Proposal]) -> None:
        self._proposals = proposals

    async def propose(self, text: str) -> Sequence[Proposal]:
        assert text == _TEXT
        return self._proposals


_TEXT = "Nach § 5 TMG und dem Rundschreiben vom Mai gilt PEP 8, auch PEP 8."


async def test_both_lists_unite_by_type_and_target() -> None:
    model = _Model(
        [
            Proposal(ReferenceType.LEGAL_SECTION, "§ 5 TMG", document="Telemediengesetz", section="§ 5"),
            Proposal(ReferenceType.DOCUMENT_MENTION, "dem Rundschreiben vom Mai", document="Rundschreiben  vom Mai"),
            Proposal(ReferenceType.DOCUMENT_MENTION, "dem Erlass vom Juni", document="Erlass vom Juni"),
            Proposal(ReferenceType.DOCUMENT, " "),
        ],
    )

    merged = await find_with_model(_TEXT, Detector[int]().detect(_TEXT), model)

    assert [(each.method, each.text, each.target) for each in merged] == [
        (Method.HYBRID, "§ 5 TMG", "TMG § 5"),
        (Method.LLM, "dem Rundschreiben vom Mai", "Rundschreiben vom Mai"),
        (Method.RULES, "PEP 8", "PEP 8"),
        (Method.RULES, "PEP 8", "PEP 8"),
    ]
    assert all(_TEXT[each.start : each.end] == each.text for each in merged)


def test_duplicates_are_the_same_type_and_target() -> None:
    references = unique(Detector[int]().detect(_TEXT))

    assert [(each.target, each.start) for each in references] == [("TMG § 5", 5), ("PEP 8", 48)]
