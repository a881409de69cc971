"""Where quotes contradict each other: another value of what is wanted, or one text under two dates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from agent_core.document_contracts import DocumentHit, Wanted
from agent_core.evidence import ChunkEvidence
from agent_core.passages.grading import Quote


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two passages, and in words what is wrong between them."""

    left: ChunkEvidence
    right: ChunkEvidence
    is_same_text: bool

    @property
    def subject(self) -> str:
        """What a warning about it is about."""
        return f"{self.left.title} / {self.right.title}"

    @property
    def message(self) -> str:
        """For the caller."""
        both = f"{_dated(self.left)} and {_dated(self.right)}"
        if self.is_same_text:
            return f"The same text stands in {both}; which of them it belongs to can't be told."
        return f"{both} disagree; both are quoted."


def disagreements(quotes: Sequence[Quote], wanted: Wanted) -> tuple[Disagreement, ...]:
    """Every contradiction among the quotes of one answer, in their order."""
    return (*_twins(quotes), *(_rivals(quotes) if wanted in (Wanted.NUMBER, Wanted.DATE) else ()))


def _twins(quotes: Sequence[Quote]) -> Iterator[Disagreement]:
    for quote in quotes:
        for twin in _differently_dated(quote):
            yield Disagreement(quote.hit.evidence, twin.evidence, is_same_text=True)


def _differently_dated(quote: Quote) -> list[DocumentHit]:
    return [twin for twin in quote.twins if twin.evidence.date != quote.hit.evidence.date]


def _rivals(quotes: Sequence[Quote]) -> Iterator[Disagreement]:
    for left, right in combinations(quotes, 2):
        if not left.values & right.values:
            yield Disagreement(left.hit.evidence, right.hit.evidence, is_same_text=False)


def _dated(evidence: ChunkEvidence) -> str:
    return f"“{evidence.title}” ({evidence.date})" if evidence.date else f"“{evidence.title}”"
