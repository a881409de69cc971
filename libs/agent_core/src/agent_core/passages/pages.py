"""Pages of the web read for what they say about a question; what they say is a stranger's word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datastore.folding import fold

from agent_core.document_contracts import DocumentQuestion, PassageReference
from agent_core.evidence import WebPageEvidence
from agent_core.passages.answering import MAX_CHARACTERS, Piece, answering
from agent_core.passages.sentences import Span
from agent_core.passages.words import senses


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
    question: DocumentQuestion, pages: Iterable[WebPageEvidence], sought: Sequence[PassageReference]
) -> tuple[PageQuote, ...]:
    """The sentence of each page that answers best; first those of pages that name what was sought."""
    told = senses(" ".join(f"{each.sentence} {each.name}" for each in sought), question.language)
    names = {fold(each.name) for each in sought}
    best: list[PageQuote] = []
    for page in pages:
        text = f"{page.title}\n{page.text[:MAX_CHARACTERS]}"
        bonus = any(name in fold(text) for name in names)
        piece = Piece(page.title, "", page.text, told)
        found = answering(question, piece, senses(text, question.language))
        quotes = [PageQuote(page, each.span, each.rank + bonus) for each in found]
        best += [max(quotes, key=lambda quote: quote.rank)] if quotes else []
    return tuple(sorted(best, key=lambda quote: (-round(quote.rank, 6), quote.page.id)))
