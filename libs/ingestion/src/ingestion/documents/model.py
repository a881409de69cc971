"""What a reader makes of a document, before it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingestion.text import Repairs

type Fields = Mapping[str, tuple[str, ...]]
"""What a document says about itself: names of fields in lower case, and their values in the order of the text."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where its section begins. `level` is 1 for the outermost."""

    level: int
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A document's text and what its markup says about it; offsets count code points of `text`.

    `body` is where the text begins that is searched: behind the front matter. `repairs` are those of the characters.
    """

    text: str
    headings: tuple[Heading, ...] = ()
    title: str | None = None
    language: str | None = None
    date: str | None = None
    fields: Fields = field(default_factory=dict[str, tuple[str, ...]])
    body: int = 0
    repairs: Repairs = field(default_factory=Repairs)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a text, from its heading to its end; sections inside it belong to it.

    `number` is what the heading begins with, e.g. `§ 5` or `4.2`; `path` are the headings down to this one.
    """

    position: int
    level: int
    number: str | None
    heading: str
    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text: `text` is what stands from `start` to `end`. `section` is the position of the innermost."""

    position: int
    start: int
    end: int
    text: str
    section: int | None
