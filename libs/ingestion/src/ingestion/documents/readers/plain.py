"""Plain text: no headings; a short first line that stands alone is the title. Pure."""

from ingestion.documents.decoding import decode
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText

_MAX_TITLE = 120


def read_plain(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The text as it is."""
    del limits
    decoded = decode(data)
    return ParsedText(text=decoded.value, title=_title(decoded.value), repairs=decoded.repairs)


def _title(text: str) -> str | None:
    first, _, rest = text.lstrip().partition("\n")
    alone = rest.startswith("\n") or not rest.strip()
    return first.strip() if alone and 0 < len(first.strip()) <= _MAX_TITLE else None
