"""Pages of the web read for what they say about a question; what they say is a stranger's word."""

from collections.abc import Iterable
from dataclasses import dataclass

from agent_core.document_contracts import DocumentQuestion
from agent_core.evidence import WebPageEvidence
from agent_core.passages.grading import MAX_CHARACTERS, Piece, answering
from agent_core.passages.sentences import Span
from agent_core.passages.words import meanings


@dataclass(frozen=True, slots=True)
class PageQuote:
    """A sentence of a page that answers."""

    page: WebPageEvidence
    span: Span
    rank: float

    @property
    def text(self) -> str:
        """The sentence as it stands in the excerpt of its page."""
        return self.page.text[self.span.start : self.span.end]


def quotes_of_pages(
    question: DocumentQuestion, pages: Iterable[WebPageEvidence], told: frozenset[str]
) -> tuple[PageQuote, ...]:
    """The sentence of each page that answers best, the best first. `told` are meanings that led to the pages."""
    best: list[PageQuote] = []
    for page in pages:
        said = meanings(f"{page.title}\n{page.text[:MAX_CHARACTERS]}") | told
        piece = Piece(page.title, "", page.text, told)
        quotes = [PageQuote(page, found.span, found.rank) for found in answering(question, piece, said)]
        best += [max(quotes, key=lambda quote: quote.rank)] if quotes else []
    return tuple(sorted(best, key=lambda quote: (-round(quote.rank, 6), quote.page.id)))
