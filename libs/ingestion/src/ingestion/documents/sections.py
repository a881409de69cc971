"""Headings to sections: where each ends, what it lies in, and the number it bears. Pure."""

import re
from collections.abc import Sequence

from ingestion.documents.model import Heading, Section
from ingestion.errors import UnreadableDocument

MAX_HEADING = 300
"""Characters of a heading that are kept; what is longer is a paragraph that was set as one."""

_NUMBER = re.compile(
    r"\s*(?P<number>§{1,2}\s?\d{1,5}[a-z]?\b"
    r"|(?:Art(?:ikel|icle|\.)?|Section|Sec\.|Chapter|Part|Annex|Appendix|Abschnitt|Kapitel|Teil|Titel|Buch|Anlage|Anhang)"
    r"\s(?:\d{1,5}[a-z]?(?:\.\d{1,5}){0,6}|[IVXLC]{1,8}|[A-Z])\b"
    r"|\d{1,5}[a-z]?(?:\.\d{1,5}){0,6}(?=[.):]?(?:\s|$))"
    r"|[IVXLC]{1,8}(?=\.(?:\s|$)))"
)


def sections_of(headings: Sequence[Heading], length: int, *, limit: int) -> tuple[Section, ...]:
    """The sections that the headings begin, in reading order; a section ends where one of its level or above begins.

    Raises:
        UnreadableDocument: there are more than `limit`.
    """
    ordered = [each for each in sorted(headings, key=lambda each: each.start) if each.text.strip()]
    if len(ordered) > limit:
        raise UnreadableDocument(f"it has more than {limit} sections")
    ends = _ends(ordered, length)
    sections: list[Section] = []
    above: list[tuple[int, str]] = []
    for position, (heading, end) in enumerate(zip(ordered, ends, strict=True)):
        text = " ".join(heading.text.split())[:MAX_HEADING]
        above = [*(each for each in above if each[0] < heading.level), (heading.level, text)]
        path = tuple(each for _, each in above)
        sections.append(Section(position, heading.level, section_number(text), text, path, heading.start, end))
    return tuple(sections)


def section_number(heading: str) -> str | None:
    """What a heading begins with that people cite it by, single-spaced: `§ 5a`, `4.2`, `Art 6`, `Abschnitt 1`."""
    match = _NUMBER.match(heading)
    if match is None:
        return None
    number = " ".join(match["number"].split())
    return re.sub(r"^(§{1,2})\s?", r"\1 ", number)


def _ends(headings: Sequence[Heading], length: int) -> list[int]:
    ends = [length] * len(headings)
    unfinished: list[int] = []
    for position, heading in enumerate(headings):
        while unfinished and headings[unfinished[-1]].level >= heading.level:
            ends[unfinished.pop()] = heading.start
        unfinished.append(position)
    return ends
