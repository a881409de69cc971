"""Text to chunks: along sections, then paragraphs, then sentences, then words. Pure.

A token is a run of up to six letters or digits, one Chinese, Japanese or Korean character, or one sign. That count
never changes with a model, and is near what the small embedding models count.
"""

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.documents.model import Chunk, Section

_WIDE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_WIDE}]|[^\W{_WIDE}]{{1,6}}|[^\w\s]")
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n")
_SENTENCE_END = re.compile(
    r"(?<![\s.(]\w)[.!?…][\"'”’)\]»]*\s+(?=[\"'“‘(\[«„]?[^\W\d_a-zäöü])"
    r"|[。！？]+"
    r"|\n(?=[^\S\n]*(?:[-*+•]|\(?\w{1,3}[.)])\s)"
)
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """Tokens in a chunk at most, and how many of them a chunk may repeat from the one before in its section."""

    size: int = 200
    overlap: int = 40

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise ValueError("overlap: must be less than size")


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is not divided: a sentence, or a part of an endless one."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Region:
    """A stretch of text whose innermost section is one and the same."""

    start: int
    end: int
    section: int | None


def count_tokens(text: str) -> int:
    """How many tokens a text has."""
    return sum(1 for _ in _TOKEN.finditer(text))


def chunk_text(text: str, sections: Sequence[Section], *, body: int, options: ChunkOptions) -> tuple[Chunk, ...]:
    """The chunks of `text` from `body` on, in reading order.

    Every character but space is in a chunk, each chunk lies in one innermost section, and none has more tokens than
    `options.size`. A heading without a text of its own belongs to the section that it is followed by inside it.
    """
    chunks: list[Chunk] = []
    for region in _regions(text, sections, body):
        for start, end in _pack(_paragraphs(text, region, options.size), options):
            chunks.append(Chunk(len(chunks), start, end, text[start:end], region.section))
    return tuple(chunks)


def _regions(text: str, sections: Sequence[Section], body: int) -> Iterator[_Region]:
    behind = [section for section in sections if section.start >= body]
    starts = [*(section.start for section in behind), len(text)]
    if body < starts[0]:
        yield _Region(body, starts[0], None)
    begun: int | None = None
    for place, section in enumerate(behind):
        end = starts[place + 1]
        start = section.start if begun is None else begun
        following = behind[place + 1] if place + 1 < len(behind) else None
        is_bare = _letters(text[section.start : end]) == _letters(section.heading)
        if following is not None and following.level > section.level and is_bare:
            begun = start
        else:
            begun = None
            yield _Region(start, end, section.position)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text)


def _paragraphs(text: str, region: _Region, size: int) -> Iterator[list[_Unit]]:
    start = region.start
    for match in (*_PARAGRAPH_END.finditer(text, region.start, region.end), None):
        end = match.start() if match else region.end
        if units := list(_units(text, start, end, size)):
            yield units
        start = match.end() if match else end


def _units(text: str, start: int, end: int, size: int) -> Iterator[_Unit]:
    for first, last in _split(text, start, end):
        tokens = [match.span() for match in _TOKEN.finditer(text, first, last)]
        for at in range(0, len(tokens), size):
            part = tokens[at : at + size]
            yield _Unit(part[0][0], part[-1][1], len(part))


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE_END.finditer(text, start, end):
        if start < match.end():
            yield start, match.end()
            start = match.end()
    if start < end:
        yield start, end


def _pack(paragraphs: Iterator[list[_Unit]], options: ChunkOptions) -> Iterator[tuple[int, int]]:
    """Whole paragraphs where they fit, else as many sentences as do."""
    packing = _Packing(options)
    for units in paragraphs:
        total = sum(unit.tokens for unit in units)
        if packing.tokens + total > options.size and total + options.overlap <= options.size:
            yield from packing.finish()
        for unit in units:
            if packing.tokens + unit.tokens > options.size:
                yield from packing.finish()
            packing.add(unit)
    yield from packing.finish()


class _Packing:
    """The chunk that is being filled; it begins with what it repeats from the one before."""

    def __init__(self, options: ChunkOptions) -> None:
        self._options = options
        self._units: list[_Unit] = []
        self._repeated = 0
        self.tokens = 0

    def add(self, unit: _Unit) -> None:
        """Append a unit, for which repeated ones give way."""
        while self._repeated and self.tokens + unit.tokens > self._options.size:
            self._drop_first()
        self._units.append(unit)
        self.tokens += unit.tokens

    def finish(self) -> Iterator[tuple[int, int]]:
        """The chunk, if it holds anything new; then begin the next."""
        if len(self._units) > self._repeated:
            yield self._units[0].start, self._units[-1].end
            while self.tokens > self._options.overlap:
                self._drop_first()
            self._repeated = len(self._units)

    def _drop_first(self) -> None:
        self.tokens -= self._units.pop(0).tokens
        self._repeated = max(0, self._repeated - 1)


def span_at(spans: Sequence[tuple[int, int]], offset: int) -> int | None:
    """Which of some ascending half-open spans is the first to cover a place of the text; None where none does."""
    at = bisect.bisect_left(spans, offset + 1, key=lambda span: span[1])
    return at if at < len(spans) and spans[at][0] <= offset else None
