"""DOCX: paragraphs and rows of tables in reading order; paragraphs of a heading's style are headings."""

import io
import re
import zipfile

import docx
from docx.document import Document
from docx.opc.exceptions import OpcError
from docx.table import Table
from docx.text.paragraph import Paragraph

from ingestion.documents.decoding import safe_text
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.readers.blocks import BlockText
from ingestion.errors import UnreadableDocument
from ingestion.text import Repairs

_MAX_PARTS = 10_000
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
# What a broken file makes of the library beside its own errors; those of lxml are SyntaxErrors.
_BROKEN = (
    OpcError, zipfile.BadZipFile, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError,
    RecursionError, NotImplementedError, OSError, EOFError,
)  # fmt: skip


def read_docx(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The text of the body, without headers, footers and notes.

    Raises:
        UnreadableDocument: it is broken, or holds more than the limit when it is unpacked.
    """
    try:
        _check_size(data, limits)
        return _read(docx.Document(io.BytesIO(data)), limits)
    except _BROKEN as error:
        raise UnreadableDocument(f"it is no DOCX that can be read: {type(error).__name__}") from None


def _check_size(data: bytes, limits: DocumentLimits) -> None:
    """A part that holds more than it declares is broken to the unpacker, so the declarations can be trusted."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if len(parts) > _MAX_PARTS:
            raise UnreadableDocument(f"it has more than {_MAX_PARTS} parts")
        if sum(part.file_size for part in parts) > limits.unpacked_bytes:
            raise UnreadableDocument(f"it holds more than {limits.unpacked_bytes} bytes when it is unpacked")


def _read(document: Document, limits: DocumentLimits) -> ParsedText:
    blocks, repairs, title = BlockText(limits), Repairs(), ""
    for item in document.iter_inner_content():
        cleaned = safe_text(_row_texts(item) if isinstance(item, Table) else item.text)
        repairs += cleaned.repairs
        style = (item.style.name or "") if isinstance(item, Paragraph) and item.style else ""
        heading = _HEADING.match(style)
        if heading:
            blocks.add_heading(int(heading[1]) or 1, cleaned.value)
        else:
            blocks.add(cleaned.value)
            title = title or (cleaned.value.strip() if style.lower() == "title" else "")
    about = document.core_properties
    return ParsedText(
        text=blocks.text,
        headings=tuple(blocks.headings),
        title=title or about.title or None,
        language=about.language or None,
        date=about.created.isoformat() if about.created else None,
        repairs=repairs,
    )


def _row_texts(table: Table) -> str:
    return "\n".join(" | ".join(cell.text.strip() for cell in row.cells) for row in table.rows)
