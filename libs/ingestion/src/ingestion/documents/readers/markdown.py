"""Markdown: the source is the text; front matter and a list of definitions under the title are its fields. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ingestion.documents.decoding import decode
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Heading, ParsedText
from ingestion.errors import UnreadableDocument

_MARKUP = re.compile(r"[`*]|\\(?=[^\w\s])")


def read_markdown(data: bytes, limits: DocumentLimits) -> ParsedText:
    """The source with its headings, as CommonMark has them; those inside quotations and lists are none.

    Raises:
        UnreadableDocument: the front matter is no mapping, or too large.
    """
    decoded = decode(data)
    text = decoded.value
    # Inline markup says nothing about the structure, and takes most of the time.
    parser = MarkdownIt("commonmark").use(front_matter_plugin).use(deflist_plugin).disable("inline")
    tokens = parser.parse(text)
    starts = _line_starts(text)
    headings = tuple(
        Heading(int(token.tag[1:]), _MARKUP.sub("", tokens[place + 1].content), starts[token.map[0]])
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )
    front = next((token for token in tokens[:1] if token.type == "front_matter"), None)
    fields = _front_matter(front.content, limits) if front else {}
    title = next((heading.text.strip() for heading in headings if heading.level == 1), None)
    return ParsedText(
        text=text,
        headings=headings,
        title=title,
        fields=_definitions(tokens) | fields,
        body=starts[front.map[1]] if front and front.map else 0,
        repairs=decoded.repairs,
    )


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(min(starts[-1] + len(line) + 1, len(text)))
    return starts


def _front_matter(source: str, limits: DocumentLimits) -> dict[str, tuple[str, ...]]:
    if len(source.encode()) > limits.header_bytes:
        raise UnreadableDocument(f"its front matter is longer than {limits.header_bytes} bytes")
    try:
        # Every value stays the text that it is: a date is read by our own rule.
        loaded: Any = yaml.load(source, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        raise UnreadableDocument("its front matter is no YAML") from None
    if loaded in (None, ""):
        return {}
    if not isinstance(loaded, dict):
        raise UnreadableDocument("its front matter is no mapping of names to values")
    given = cast("Mapping[object, object]", loaded)
    return {str(name).lower(): texts for name, value in given.items() if (texts := _texts(value))}


def _texts(value: object) -> tuple[str, ...]:
    values = cast("Sequence[object]", value) if isinstance(value, list) else (value,)
    return tuple(each.strip() for each in values if isinstance(each, str) and each.strip())


def _definitions(tokens: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """Terms and definitions that stand before the second heading."""
    fields: dict[str, tuple[str, ...]] = {}
    term, headings, is_term = "", 0, False
    for token in tokens:
        headings += token.type == "heading_open"
        if headings > 1:
            break
        if token.type in ("dt_open", "dd_open"):
            is_term = token.type == "dt_open"
        elif token.type == "dl_close":
            term = ""
        elif token.type == "inline" and is_term:
            term, is_term = token.content.strip().lower(), False
        elif token.type == "inline" and term:
            fields[term] = (*fields.get(term, ()), token.content.strip())
    return fields
