"""An answer as sentences with their markers; names that hold full stops or brackets are not cut."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MAX_ANSWER_CHARACTERS = 12_000
_MAX_RANGE = 20
_LATIN_CHARACTER = re.compile("[0-9A-Za-zÀ-ɏ]")

_MARKER = re.compile(r"[\[［【]\s*(\d{1,4}(?:\s*[,、;–-]\s*\d{1,4})*)\s*[\]］】]")
_ID_IN_BRACKETS = re.compile(
    r"[\[［【](?:[^\[\]［］【】\n]*:[^\[\]［］【】\n]*|[a-z]{1,10}[ _-]?\d+|citation needed|source|sources)[\]］】]",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ ]{2,}")
_BLANKS_BEFORE_MARK = re.compile(r"\s+([.,;!?。、])")
_BULLET = re.compile(r"^\s*(?:[-*•–]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)?")
_BOUNDARY = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$|[\[［【])|[。！？]+[」』）]*")
_AFTER_BOUNDARY = re.compile(r"(?:\s*[\[［【]\s*\d{1,4}(?:\s*[,、;–-]\s*\d{1,4})*\s*[\]］】])*")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:mr|mrs|ms|dr|st|vol|ep|eps|vs|no|jr|sr|e\.g|i\.e|etc|feat))\.$", re.IGNORECASE
)

_DAY = re.compile(
    r"(?<!\d)\d{1,2}\. (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
"""A day in German, whose full stop ends nothing."""


@dataclass(frozen=True, slots=True)
class Span:
    """A known name where it stands in a text."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as drafted. `markers` are in reading order; `line` and `prefix` rebuild the layout."""

    text: str
    markers: tuple[int, ...]
    line: int
    prefix: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether it only introduces the lines below it."""
        return not self.markers and self.text.rstrip().endswith((":", "："))


class NameFinder:
    """Finds known names in a text, longest first. Names of one word must match in case too."""

    def __init__(self, names: Iterable[str]) -> None:
        unique = {name for name in names if name.strip()}
        self._exact = [name for name in unique if len(name.split()) == 1]
        self._loose = {_small(name) for name in unique if len(name.split()) > 1}
        self._found: dict[str, tuple[Span, ...]] = {}

    def find(self, text: str) -> Sequence[Span]:
        """Names in reading order; of overlapping ones the longest. One text is asked for several times."""
        if text not in self._found:
            self._found[text] = tuple(self._find(text))
        return self._found[text]

    def _find(self, text: str) -> list[Span]:
        small = _small(text)
        found = [
            Span(*ends, text[slice(*ends)]) for name in self._loose if name in small for ends in _places(name, small)
        ]
        found.extend(Span(*ends, name) for name in self._exact if name in text for ends in _places(name, text))
        kept: list[Span] = []
        for span in sorted(found, key=lambda span: (span.start - span.end, span.start)):
            if all(span.end <= other.start or span.start >= other.end for other in kept):
                kept.append(span)
        return sorted(kept, key=lambda span: span.start)


def clean(answer: str) -> str:
    """The answer without control, invisible and direction-changing characters, at most MAX_ANSWER_CHARACTERS long."""
    text = answer[: MAX_ANSWER_CHARACTERS * 2].replace("\r\n", "\n").replace("\r", "\n")
    if not text.replace("\n", "").isprintable():
        text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    return text.replace("\t", " ")[:MAX_ANSWER_CHARACTERS].strip()


def sentences(answer: str, finder: NameFinder) -> list[Sentence]:
    """The sentences of a cleaned answer. Bracketed ids that are no markers are cut out."""
    found: list[Sentence] = []
    for number, raw in enumerate(answer.split("\n")):
        line = _without_bracketed_ids(raw, finder)
        prefix_match = _BULLET.match(line)
        prefix = prefix_match.group() if prefix_match else ""
        found.extend(
            Sentence(text, tuple(marker_numbers(text, finder.find(text))), number, prefix if first else "")
            for first, text in _first_flags(_split(line[len(prefix) :], finder))
        )
    return found


def marker_numbers(text: str, spans: Sequence[Span] = ()) -> list[int]:
    """The numbers of all markers outside names, each once, in reading order."""
    numbers: list[int] = []
    for match in _MARKER.finditer(text):
        if not _inside(match.start(), match.end(), spans):
            numbers.extend(_expand(match.group(1)))
    return list(dict.fromkeys(numbers))


def replace_markers(text: str, numbering: dict[int, int], spans: Sequence[Span] = ()) -> str:
    """The text with each marker under its new number; markers without one vanish."""

    def renumber(match: re.Match[str]) -> str:
        if _inside(match.start(), match.end(), spans):
            return match.group()
        kept = dict.fromkeys(numbering[number] for number in _expand(match.group(1)) if number in numbering)
        return "".join(f"[{number}]" for number in kept)

    replaced = _MARKER.sub(renumber, text)
    return _BLANKS_BEFORE_MARK.sub(r"\1", _BLANKS.sub(" ", replaced)).strip()


def without_markers(text: str, spans: Sequence[Span] = ()) -> str:
    """The text with every marker blanked, so that offsets stay true."""
    return _MARKER.sub(
        lambda match: match.group() if _inside(match.start(), match.end(), spans) else " " * len(match.group()), text
    )


def _small(text: str) -> str:
    """The text in small letters, each in its place."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(low if len(low := c.lower()) == 1 else c for c in text)


def _places(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a name stands that is no part of a longer Latin word."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        goes_on = _are_latin(text[start - 1 : start], name[0]) or _are_latin(name[-1], text[end : end + 1])
        if not goes_on:
            yield start, end
        start = text.find(name, start + 1)


def _are_latin(*characters: str) -> bool:
    """Whether all are Latin letters or digits."""
    return all(map(_LATIN_CHARACTER.match, characters))


def _expand(group: str) -> list[int]:
    if group.isdecimal():
        return [int(group)]
    numbers: list[int] = []
    for part in re.split(r"\s*[,、;]\s*", group):
        ends = [int(end) for end in re.split(r"\s*[–-]\s*", part)]
        is_range = len(ends) == 2 and 0 <= ends[1] - ends[0] < _MAX_RANGE
        numbers.extend(range(ends[0], ends[1] + 1) if is_range else ends)
    return numbers


def _inside(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= start and end <= span.end for span in spans)


def _without_bracketed_ids(line: str, finder: NameFinder) -> str:
    spans = finder.find(line)
    return _ID_IN_BRACKETS.sub(lambda m: m.group() if _inside(m.start(), m.end(), spans) else "", line)


def _first_flags(texts: Iterable[str]) -> Iterable[tuple[bool, str]]:
    return ((index == 0, text) for index, text in enumerate(texts))


def _split(line: str, finder: NameFinder) -> list[str]:
    spans = [*finder.find(line), *(Span(*day.span(), day.group()) for day in _DAY.finditer(line))]
    parts: list[str] = []
    begin = 0
    for match in _BOUNDARY.finditer(line):
        if match.start() < begin or _inside(match.start(), match.start() + 1, spans):
            continue
        if _ABBREVIATION.search(line[begin : match.end()].rstrip("\"'”’»)]")):
            continue
        tail = _AFTER_BOUNDARY.match(line, match.end())
        end = tail.end() if tail else match.end()
        parts.append(line[begin:end].strip())
        begin = end
    parts.append(line[begin:].strip())
    return [part for part in parts if any(character.isalnum() for character in _MARKER.sub("", part))]
