"""reStructuredText: the source is the text; headings and the fields at its beginning are read by docutils."""

import re
from collections.abc import Iterator, Sequence
from email.parser import HeaderParser
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states

from ingestion.documents.decoding import decode
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Heading, ParsedText
from ingestion.errors import UnreadableDocument

_HEADER = re.compile(r"(?:[A-Za-z][A-Za-z0-9-]{0,60}:(?: .*)?\n(?:[ \t]+\S.*\n)*){2,}(?=\s*\n|\Z)")
_MAX_LINE = 1_000_000


def read_restructured(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The source with its sections. Nothing outside of it is read: no inclusion, no raw content, no address.

    Raises:
        UnreadableDocument: it is nested beyond reason, or breaks the parser.
    """
    decoded = decode(data)
    text = decoded.value
    header = _HEADER.match(text)
    document = _parse(text)
    headings = tuple(_headings(document, text))
    if header and len(header[0].encode()) <= limits.header_bytes:
        fields = _header_fields(header[0])
    else:
        fields = _field_list(document)
    outermost = [heading.text for heading in headings if heading.level == 1]
    title = outermost[0] if len(outermost) == 1 else None
    return ParsedText(text=text, headings=headings, title=title, fields=fields, repairs=decoded.repairs)


def _parse(text: str) -> nodes.document:
    components: Any = (Parser,)
    settings: Any = frontend.get_default_settings(*components)
    settings.report_level = settings.halt_level = 5
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.warning_stream = False
    settings.syntax_highlight = "none"
    settings.line_length_limit = _MAX_LINE
    document = utils.new_document("document", settings)
    inliner: Any = states.Inliner()
    # Inline markup says nothing about the structure, and takes most of the time.
    inliner.parse = _as_text
    try:
        Parser(inliner=inliner).parse(text, document)
    except RecursionError:
        raise UnreadableDocument("it is nested too deeply") from None
    # docutils answers some malformed input with errors of its own making.
    except (utils.SystemMessage, AttributeError, AssertionError, IndexError, KeyError, TypeError, ValueError) as error:
        raise UnreadableDocument(f"it is no reStructuredText that can be read: {type(error).__name__}") from None
    return document


def _as_text(text: str, lineno: int, memo: object, parent: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
    del lineno, memo, parent
    return [nodes.Text(text)], []


def _headings(document: nodes.document, text: str) -> Iterator[Heading]:
    # As docutils counts lines.
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    waiting: list[tuple[nodes.Element, int]] = [(document, 0)]
    while waiting:
        node, level = waiting.pop()
        if isinstance(node, nodes.section):
            title = next(iter(node.findall(nodes.title)), None)
            line = None if title is None else _title_line(title, lines)
            if title is not None and line is not None:
                yield Heading(level, title.astext(), starts[line])
        inner = [child for child in node.children if isinstance(child, nodes.section)]
        waiting += [(child, level + 1) for child in reversed(inner)]


def _title_line(title: nodes.title, lines: Sequence[str]) -> int | None:
    """The index of the line that the section begins with: the title's, or that of the rule above it."""
    if title.line is None:
        return None
    wanted = title.astext().strip()
    for line in (title.line - 1, title.line - 2):
        if 0 <= line < len(lines) and lines[line].strip() == wanted:
            above, below = (lines[at].rstrip() if 0 <= at < len(lines) else "" for at in (line - 1, line + 1))
            return line - 1 if above and above == below else line
    return None


def _header_fields(header: str) -> dict[str, tuple[str, ...]]:
    """The fields of a header as mails have it, which is how PEPs begin."""
    parsed = HeaderParser().parsestr(header)
    return {
        name.lower(): tuple(" ".join(value.split()) for value in parsed.get_all(name, []))
        for name in dict.fromkeys(parsed.keys())
    }


def _field_list(document: nodes.document) -> dict[str, tuple[str, ...]]:
    found = next((node for node in document.findall(nodes.field_list)), None)
    if found is None or (found.line or 0) > 20:
        return {}
    pairs = (
        (child[0].astext().lower(), child[1].astext()) for child in found.children if isinstance(child, nodes.field)
    )
    return {name: (" ".join(value.split()),) for name, value in pairs}
