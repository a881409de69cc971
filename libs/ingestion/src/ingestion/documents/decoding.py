"""Bytes of a document to safe text. Pure."""

import codecs
import re

from ingestion.text import Cleaned, Repairs, clean_text

# Embeddings, overrides and isolates: they show text in another order than it is stored in.
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def decode(data: bytes, *, declared: str | None = None) -> Cleaned[str]:
    """The text of a file: in the encoding of its byte order mark, else the declared one, else UTF-8.

    A byte that is none in that encoding becomes U+FFFD; see `safe_text` for the rest.
    """
    encoding, content = declared or "utf-8", data
    for mark, name in _MARKS:
        if data.startswith(mark):
            encoding, content = name, data[len(mark) :]
            break
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        codec = "utf-8"
    # Other codecs make text of anything: the declaration of a page is as hostile as the page.
    if not codec.startswith(("utf-", "iso8859", "cp125", "ascii", "shift_jis", "euc", "gb", "big5", "koi8")):
        codec = "utf-8"
    try:
        text, invalid = content.decode(codec), 0
    except UnicodeDecodeError:
        text = content.decode(codec, errors="replace")
        invalid = text.count(_REPLACEMENT)
    cleaned = safe_text(text)
    return Cleaned(cleaned.value, cleaned.repairs + Repairs(invalid_utf8=invalid))


def safe_text(text: str) -> Cleaned[str]:
    """`text` as `clean_text` leaves it, and without the characters that show it in another order."""
    cleaned = clean_text(text)
    value, removed = _REORDERING.subn("", cleaned.value)
    return Cleaned(value, cleaned.repairs + Repairs(controls=removed))
