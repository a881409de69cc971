"""Links in text that others wrote, in every form that a page, a chat or a terminal makes one of."""

import re
import unicodedata
from collections.abc import Callable

_TARGET = r"[^\s<>\"”»」』）)\]]+"
_LINK = re.compile(
    "|".join(
        (
            r"!?\[[^\]\n]{0,300}\]\((?=[^)\n]{0,500}[/.:#?@])[^)\n]{0,500}\)?",  # [text](target), with or without `!`
            r"<\s*/?\s*(?:a|img|iframe|script|svg|form|link|meta|object|embed|video|audio|base|style)\b[^>\n]{0,500}>?",
            rf"\b[a-z][a-z0-9+.-]{{1,15}}:[/\\]{{1,3}}{_TARGET}",
            rf"\b(?:javascript|vbscript|mailto|blob|tel)\s?:\s?{_TARGET}",
            rf"\bdata:[a-z]+/[a-z0-9.+-]+[;,]{_TARGET}",
            rf"(?<![\w/:.])//[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{{2,}}{_TARGET}",
            rf"\bwww\.[a-z0-9-]+\.[a-z]{{2,}}(?:[/?#:]{_TARGET})?",
            rf"\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|info|biz|xyz|top|site|online|ru|cn|example|test|invalid|tk)"
            rf"(?:[/?#:]{_TARGET}|\b)",
            rf"\b(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?:[/?#:]{_TARGET})?",
        )
    ),
    re.IGNORECASE,
)
_MAY_BE_ONE = re.compile(r"[:/\\<@\]]|\.(?=\w)")
_END = ".,;:!?'’"


def links_in(text: str) -> list[str]:
    """Every link of a text, each once, in reading order, without the punctuation that ends a sentence."""
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if _MAY_BE_ONE.search(normal) is None:
        return []
    return list(dict.fromkeys(match.group().rstrip(_END) for match in _LINK.finditer(normal)))


def without_links(text: str, *, is_allowed: Callable[[str], bool] | None = None) -> str:
    """The text with `…` for each link that is not allowed; by default none is. A text without any is unchanged."""
    foreign = [link for link in links_in(text) if is_allowed is None or not is_allowed(link)]
    if not foreign:
        return text
    cut = unicodedata.normalize("NFKC", text)
    for link in sorted(foreign, key=len, reverse=True):
        cut = cut.replace(link, "…")
    return cut


def shown_name(name: str) -> str:
    """A name as answers may say it: without the addresses in it, unless the whole name looks like one."""
    links = links_in(name)
    return name if not links or (links == [name] and not set(name) & set("/\\:@")) else without_links(name)


def is_web_address(link: str) -> bool:
    """Whether a link may be followed at all: by http or https, and by nothing else."""
    return re.match(r"https?://[^\s/]", link, re.IGNORECASE) is not None
