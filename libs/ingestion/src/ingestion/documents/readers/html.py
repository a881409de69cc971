"""HTML: the text of the page's main part, block by block; what the head says is title, date and language."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ingestion.documents.decoding import decode
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.readers.blocks import BlockText
from ingestion.errors import UnreadableDocument

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]{2,30})", re.IGNORECASE)
_SNIFFED = 4_096
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
# Elements that stand alone, or that the next of their kind ends.
_UNCOUNTED = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "option",
        "thead",
        "tbody",
        "tfoot",
        "colgroup",
        "html",
        "head",
        "body",
    ]
)
_SKIPPED = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "nav",
        "aside",
        "form",
        "button",
        "select",
        "svg",
        "math",
        "iframe",
        "object",
        "canvas",
        "audio",
        "video",
        "dialog",
    ]
)
_OUTER = frozenset({"header", "footer"})
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_DATE_NAMES = (
    "article:published_time",
    "date",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "dcterms.issued",
    "datepublished",
    "last-modified",
)
_SPACE = re.compile(r"\s+")


def read_html(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The text of the only `main` or `article`, or of all; without scripts, navigation and forms.

    Raises:
        UnreadableDocument: its elements are nested beyond the limit.
    """
    declared = _CHARSET.search(data[:_SNIFFED])
    decoded = decode(data, declared=declared[1].decode("ascii") if declared else None)
    _check_depth(decoded.value, limits)
    page = LexborHTMLParser(decoded.value)
    root = _main_part(page)
    blocks = BlockText(limits)
    if root is not None:
        _Reading(blocks, is_whole=root.tag == "body").read(root)
    title = page.css_first("title")
    html = page.css_first("html")
    return ParsedText(
        text=blocks.text,
        headings=tuple(blocks.headings),
        title=(title and _SPACE.sub(" ", title.text()).strip()) or None,
        language=html.attributes.get("lang") if html else None,
        date=_date(page),
        repairs=decoded.repairs,
    )


def _check_depth(source: str, limits: DocumentLimits) -> None:
    """The parser's own time grows with the square of the depth."""
    depth = 0
    for match in _TAG.finditer(source):
        if match[2].lower() not in _UNCOUNTED:
            depth = max(0, depth - 1) if match[1] else depth + 1
            if depth > limits.depth:
                raise UnreadableDocument(f"its elements are nested more than {limits.depth} deep")


def _main_part(page: LexborHTMLParser) -> LexborNode | None:
    for name in ("main", "article"):
        found = page.css(name)
        if len(found) == 1:
            return found[0]
    return page.body


def _date(page: LexborHTMLParser) -> str | None:
    said = {
        (
            node.attributes.get("name") or node.attributes.get("property") or node.attributes.get("itemprop") or ""
        ).lower(): node.attributes.get("content")
        for node in reversed(page.css("meta"))
    }
    time = page.css_first("time[datetime]")
    given = (*(said.get(name) for name in _DATE_NAMES), time and time.attributes.get("datetime"))
    return next((each for each in given if each), None)


class _Reading:
    """Walks the elements without recursion, and gathers words until a block ends."""

    def __init__(self, blocks: BlockText, *, is_whole: bool) -> None:
        self._blocks = blocks
        self._skipped = _SKIPPED | _OUTER if is_whole else _SKIPPED
        self._words: list[str] = []
        self._pre = 0

    def read(self, root: LexborNode) -> None:
        for node, is_end in _walk(root, self._skipped):
            tag = node.tag
            if tag == "-text":
                self._words.append(node.text_content or "")
            elif tag == "br":
                self._words.append("" if is_end else "\n")
            elif tag in ("td", "th"):
                if not is_end and self._words:
                    self._words.append(" | ")
            elif tag in _HEADINGS:
                self._end_heading(tag) if is_end else self._end_block()
            elif tag in _BLOCKS:
                self._end_block()
                if tag == "pre":
                    self._pre += -1 if is_end else 1
                elif tag == "li" and not is_end:
                    self._words.append("- ")
        self._end_block()

    def _taken(self) -> str:
        words, self._words = self._words, []
        if self._pre:
            return "".join(words).strip("\n")
        lines = "".join(word if word == "\n" else _SPACE.sub(" ", word) for word in words).split("\n")
        return "\n".join(_SPACE.sub(" ", line).strip() for line in lines)

    def _end_block(self) -> None:
        text = self._taken()
        if text.strip() not in ("", "-"):
            self._blocks.add(text)

    def _end_heading(self, tag: str) -> None:
        self._blocks.add_heading(int(tag[1]), _SPACE.sub(" ", self._taken()))


def _walk(root: LexborNode, skipped: frozenset[str]) -> Iterator[tuple[LexborNode, bool]]:
    """Every node below `root`, once where it begins and, if it is an element, once where it ends."""
    waiting: list[tuple[LexborNode, bool]] = [(child, False) for child in reversed(_children(root))]
    while waiting:
        node, is_end = waiting.pop()
        if node.tag in skipped or node.tag == "-comment":
            continue
        yield node, is_end
        if not is_end and node.tag != "-text":
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(_children(node))]


def _children(node: LexborNode) -> list[LexborNode]:
    found: list[LexborNode] = []
    child = node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found
