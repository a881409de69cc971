"""Text from outside made safe to hash, store and embed; HTML and light markup made plain. Pure."""

import html
import re
from dataclasses import dataclass
from typing import Any, cast

from bs4 import BeautifulSoup

from ingestion.report import RepairKind

_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# What in the source of a JSON value can make an unsafe character of a text; pairs of surrogates are suspects too.
_JSON_SUSPECT = re.compile(r"\\u(?:00[01789]|[dD][89a-fA-F])|\\[rbf]|[\r\x7f-\x9f]")
_NEWLINE = re.compile("\r\n?")
_SPOILER = re.compile(r"~!|!~")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)")
_EMPHASIS = re.compile(r"(?<!\w)(__|\*\*|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INLINE_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|small|sub|sup|font|a)(?:\s[^<>]*)?/?>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|blockquote|center|div|em|font|h[1-6]|i|img|li|ol|p|s|small|span|strong|su[bp]|u|ul|script|style)"
    r"(?:\s[^<>]*)?/?>|<[bh]r\s*/?>|<!--",
    re.IGNORECASE,
)
# What opens no element of HTML is a bracket and nothing else: `the <<Fruitmaster>> skill`.
_BRACKET = re.compile(
    r"<(?!!--|/?(?:a|abbr|address|article|aside|audio|b|bdi|bdo|big|blockquote|body|br|button|caption|center|cite|code|"
    r"col|dd|del|details|dfn|div|dl|dt|em|figure|font|footer|form|h[1-6r]|head|header|html|i|iframe|img|input|ins|kbd|"
    r"label|li|link|main|mark|meta|nav|ol|p|pre|q|rp|rt|ruby|s|samp|script|section|small|source|span|strike|strong|"
    r"style|su[bp]|summary|svg|t(?:able|body|d|foot|h|head|ime|itle|r|t)|u|ul|var|video|wbr)(?:[\s/>]|$))",
    re.IGNORECASE,
)
_HORIZONTAL_SPACE = re.compile(r"[^\S\n]+")
_EMPTY_LINES = re.compile(r"\n{3,}")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Repairs:
    """How many characters of each kind were repaired."""

    nuls: int = 0
    controls: int = 0
    surrogates: int = 0
    invalid_utf8: int = 0

    def __add__(self, other: "Repairs") -> "Repairs":
        return Repairs(
            self.nuls + other.nuls,
            self.controls + other.controls,
            self.surrogates + other.surrogates,
            self.invalid_utf8 + other.invalid_utf8,
        )

    def by_kind(self) -> tuple[tuple[RepairKind, int], ...]:
        """The kinds that occurred, with their counts."""
        counts = (
            (RepairKind.NUL_REMOVED, self.nuls),
            (RepairKind.CONTROL_REMOVED, self.controls),
            (RepairKind.SURROGATE_REPLACED, self.surrogates),
            (RepairKind.INVALID_UTF8_REPLACED, self.invalid_utf8),
        )
        return tuple((kind, count) for kind, count in counts if count)


@dataclass(frozen=True, slots=True)
class Cleaned[T]:
    """A value whose texts are safe, and what had to be repaired for that."""

    value: T
    repairs: Repairs


def clean_text(text: str) -> Cleaned[str]:
    """`text` without NUL and other control characters, and with U+FFFD for each lone surrogate.

    Line ends become `\\n`; tab and newline stay. Nothing else changes: no Unicode normalisation, no trimming.
    Cleaning a cleaned text changes nothing.
    """
    if _SUSPECT.search(text) is None:
        return Cleaned(text, Repairs())
    text = _NEWLINE.sub("\n", text)
    found = _UNSAFE.findall(text)
    surrogates = sum(character >= "\ud800" for character in found)
    nuls = found.count("\x00")
    cleaned = _UNSAFE.sub(lambda match: _REPLACEMENT if match[0] >= "\ud800" else "", text)
    return Cleaned(cleaned, Repairs(nuls, len(found) - nuls - surrogates, surrogates))


def clean_values(value: Any) -> Cleaned[Any]:
    """`clean_text` on every text of a parsed JSON value, keys included. Lists and objects are changed in place."""
    found: list[Repairs] = []
    cleaned = _clean_in_place(value, found)
    return Cleaned(cleaned, sum(found, Repairs()))


def _clean_in_place(value: Any, found: list[Repairs]) -> Any:
    if isinstance(value, str):
        if _SUSPECT.search(value) is None:
            return value
        cleaned = clean_text(value)
        found.append(cleaned.repairs)
        return cleaned.value
    if isinstance(value, list):
        items = cast("list[Any]", value)
        for index, item in enumerate(items):
            items[index] = _clean_in_place(item, found)
        return items
    if isinstance(value, tuple):
        return tuple(_clean_in_place(item, found) for item in cast("tuple[Any, ...]", value))
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        for key, item in list(fields.items()):
            if _SUSPECT.search(key) is not None:
                del fields[key]
            fields[_clean_in_place(key, found)] = _clean_in_place(item, found)
        return fields
    return value


def may_need_cleaning(json_text: str) -> bool:
    """False when no text in this JSON can hold anything that `clean_text` repairs: a look that saves the walk."""
    return _JSON_SUSPECT.search(json_text) is not None


def html_to_text(markup: str) -> str:
    """The text of a piece of HTML: `<br>` is a line end, entities are characters, scripts and styles are gone.

    At most one empty line stays between paragraphs.
    """
    text = _without_tags(markup) if "<" in markup else html.unescape(markup)
    return _tidy_lines(text)


def plain_prose(text: str) -> str:
    """A description that may be HTML as plain text; a text without tags and entities stays as it is.

    What is plain now stays so: doing it again changes nothing.
    """
    while _TAG.search(text) or _ENTITY.search(text):
        plain = clean_text(html_to_text(text)).value
        if plain == text:
            break
        text = plain
    return text


def plain_name(text: str) -> str:
    """A name without entities and the tags that style text; every other angle bracket is a part of the name.

    What is plain now stays so: doing it again changes nothing.
    """
    while "&" in text or "<" in text:
        plain = _INLINE_TAG.sub(lambda tag: " " if tag[0][:3].lower() == "<br" else "", text)
        plain = clean_text(_ENTITY.sub(lambda entity: html.unescape(entity[0]), plain)).value
        if plain == text:
            break
        text = plain
    return text


def light_markup_to_text(markup: str) -> str:
    """HTML mixed with the light markup of fan sites: spoiler marks, emphasis and links leave their text behind."""
    text = _SPOILER.sub("", html_to_text(markup))
    text = _LINK.sub(r"\1", text)
    return _tidy_lines(_EMPHASIS.sub(r"\2", text))


def _without_tags(markup: str) -> str:
    soup = BeautifulSoup(_BRACKET.sub("&lt;", markup), "html.parser")
    for hidden in soup.find_all(["script", "style"]):
        hidden.decompose()
    for line_end in soup.find_all("br"):
        line_end.replace_with("\n")
    for block in soup.find_all(["p", "div", "li"]):
        block.append("\n")
    return soup.get_text()


def _tidy_lines(text: str) -> str:
    lines = (_HORIZONTAL_SPACE.sub(" ", line).strip() for line in text.splitlines())
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()
