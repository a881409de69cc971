"""From bytes to text: which reader reads what, and where it runs."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.readers.docx import read_docx
from ingestion.documents.readers.html import read_html
from ingestion.documents.readers.markdown import read_markdown
from ingestion.documents.readers.pdf import read_pdf
from ingestion.documents.readers.plain import read_plain
from ingestion.documents.readers.restructured import read_restructured

type Reader = Callable[[bytes, DocumentLimits], ParsedText]

MARKDOWN, HTML, PLAIN, RST, PDF = "text/markdown", "text/html", "text/plain", "text/x-rst", "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

READERS: Mapping[str, Reader] = {
    MARKDOWN: read_markdown,
    HTML: read_html,
    PLAIN: read_plain,
    RST: read_restructured,
    PDF: read_pdf,
    DOCX: read_docx,
}
"""What reads each media type."""


class DocumentReader(Protocol):
    """Makes a text of the bytes of a document."""

    async def read(self, media_type: str, data: bytes, limits: DocumentLimits) -> ParsedText:
        """The text. Raises UnreadableDocument, and KeyError for a media type that nothing reads."""
        ...


class DirectReader:
    """Reads in this process, one document at a time: for documents that are trusted, for nothing bounds the time."""

    async def read(self, media_type: str, data: bytes, limits: DocumentLimits) -> ParsedText:
        """See DocumentReader."""
        return await asyncio.to_thread(READERS[media_type], data, limits)
