"""A text as sentences that know where they stand."""

import re
from dataclasses import dataclass

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』）]*|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•#>|]|\d+[.)]\s))")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Za-z]|\b(?:mr|mrs|ms|dr|st|vol|ep|eps|vs|no|nr|jr|sr|art|abs|sec|e\.g|i\.e|etc|feat))\.$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, half-open, without blanks at its ends."""

    start: int
    end: int


def sentences_of(text: str) -> list[Span]:
    """The sentences of a text in order; headings and list items count as sentences of their own."""
    spans: list[Span] = []
    begin = 0
    for match in _END.finditer(text):
        end = match.end()
        if not match.group().isspace() and _ABBREVIATION.search(text, begin, end):
            continue
        spans.append(_stripped(text, begin, end))
        begin = end
    spans.append(_stripped(text, begin, len(text)))
    return [span for span in spans if any(map(str.isalnum, text[span.start : span.end]))]


def sentence_at(text: str, place: int) -> str:
    """The sentence around a place of a text; empty when there is none."""
    return next((text[span.start : span.end] for span in sentences_of(text) if span.start <= place < span.end), "")


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
