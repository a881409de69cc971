"""Links: addresses of the web, and Markdown links to other documents or to sections of this one."""

import re
from collections.abc import Iterator

from references.model import Reference, ReferenceType, Relation

_ADDRESS = re.compile(r"(?:http://|https://|www\.)[^\s<>\"'`\\^{}|\[\]]{3,2000}")
_IDENTIFIER = re.compile(r"(?:doi:|DOI:|arXiv:|arxiv:) ?(?:10\.\d{4,9}/[^\s<>\"'`]{1,200}|\d{4}\.\d{4,5}(?:v\d{1,2})?)")
_MARKDOWN = re.compile(
    r"\]\((?!https?:|www\.|mailto:)(?P<path>[^()\s#]{0,400})(?:#(?P<anchor>[^()\s]{1,200}))?"
    r"(?:[ ]\"[^\"\n]{0,200}\")?\)"
)
_PAGES = (".md", ".rst", ".txt", ".html", ".htm", ".pdf", ".docx")
_CLOSING = ".,;:!?*_"


def find_links(text: str) -> Iterator[Reference]:
    """Every address (as `external`, its document being the address) and every link to a document or section nearby."""
    for pattern in (_ADDRESS, _IDENTIFIER):
        for found in pattern.finditer(text):
            address = _trimmed(found[0])
            end = found.start() + len(address)
            yield Reference(ReferenceType.EXTERNAL, address, found.start(), end, document="".join(address.split()))
    for link in _MARKDOWN.finditer(text):
        path, anchor = link["path"], link["anchor"]
        if path.lower().endswith(_PAGES) or (anchor and not path):
            start, end = link.start("path"), link.end("anchor" if anchor else "path")
            kind = ReferenceType.DOCUMENT if path else ReferenceType.SECTION
            section = f"#{anchor}" if anchor else ""
            relation = Relation.MENTIONS if path else Relation.REFERENCES
            yield Reference(kind, text[start:end], start, end, path, section, relation=relation)


def _trimmed(address: str) -> str:
    """An address without the punctuation of the sentence around it; a bracket belongs to it when it opens there."""
    surplus = address.count(")") - address.count("(")
    end = len(address)
    while end and (address[end - 1] in _CLOSING or (address[end - 1] == ")" and surplus > 0)):
        end -= 1
        surplus -= address[end] == ")"
    return address[:end]
