"""PDF: the text of its pages; bookmarks are the headings, and without any the pages are."""

import io
from collections.abc import Iterator, Sequence
from typing import Any, cast

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from ingestion.documents.decoding import safe_text
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Heading, ParsedText
from ingestion.documents.readers.blocks import BlockText
from ingestion.errors import UnreadableDocument
from ingestion.text import Repairs

_MAX_BOOKMARK_DEPTH = 9
# What a broken file makes of the library beside its own errors.
_BROKEN = (
    PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, AssertionError,
    ArithmeticError, NotImplementedError, OSError, EOFError,
)  # fmt: skip


def read_pdf(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The text that the pages hold; a scanned page has none.

    Raises:
        UnreadableDocument: it is broken or locked, has too many pages, or no text at all.
    """
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableDocument("it is locked with a password")
        if len(reader.pages) > limits.pages:
            raise UnreadableDocument(f"it has more than {limits.pages} pages")
        return _read(reader, limits)
    except _BROKEN as error:
        raise UnreadableDocument(f"it is no PDF that can be read: {type(error).__name__}") from None


def _read(reader: PdfReader, limits: DocumentLimits) -> ParsedText:
    blocks, repairs = BlockText(limits), Repairs()
    starts: list[int] = []
    for page in reader.pages:
        cleaned = safe_text(page.extract_text())
        repairs += cleaned.repairs
        starts.append(blocks.add(cleaned.value))
    if not blocks.text:
        raise UnreadableDocument("its pages hold no text")
    about = reader.metadata
    created: Any = about and about.get("/CreationDate")
    title: Any = about and about.get("/Title")
    language: Any = reader.root_object.get("/Lang")
    return ParsedText(
        text=blocks.text,
        headings=_headings(reader, blocks.text, starts),
        title=str(title) if title else None,
        language=str(language) if language else None,
        date=str(created) if created else None,
        repairs=repairs,
    )


def _headings(reader: PdfReader, text: str, starts: Sequence[int]) -> tuple[Heading, ...]:
    ends = [*starts[1:], len(text)]
    found: list[Heading] = []
    for level, title, page in _bookmarks(reader, cast("Sequence[Any]", reader.outline), 1):
        place = text.find(title, starts[page], ends[page])
        found.append(Heading(level, title, place if place >= 0 else starts[page]))
    if found:
        return tuple(found)
    return tuple(
        Heading(1, f"Page {number}", start)
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
        if start < end
    )


def _bookmarks(reader: PdfReader, outline: Sequence[Any], level: int) -> Iterator[tuple[int, str, int]]:
    if level > _MAX_BOOKMARK_DEPTH:
        return
    for item in outline:
        if isinstance(item, list):
            yield from _bookmarks(reader, cast("Sequence[Any]", item), level + 1)
        else:
            page, title = reader.get_destination_page_number(item), safe_text(str(item.title or "")).value.strip()
            if title and page is not None and page >= 0:
                yield level, title, page
