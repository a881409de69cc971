"""What a stretch of a question can mean, and how the stretches are found: the longest cue that begins first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus

from agent_core.agents.rule_based.beginnings import LONGEST, beginnings
from agent_core.agents.rule_based.text import NAME
from agent_core.schemas import AskedField, AskedRelation


class Form(StrEnum):
    """How a relation stands in a sentence."""

    NOUN = "noun"
    VERB = "verb"
    PASSIVE = "passive"


class Mark(StrEnum):
    """Words that steer how the others are read."""

    WHEN = "when"
    HOW_MANY = "how_many"
    HOW_LONG = "how_long"
    STARTS = "starts"
    ENDS = "ends"
    OTHER = "other"
    BOTH = "both"
    NOT = "not"
    IN_LANGUAGE = "in_language"
    COMES_FROM = "comes_from"


@dataclass(frozen=True, slots=True)
class RelationCue:
    """A relation. `of`: the steps when the operand follows (`director of X`, `directed X`, `directed by X`) or owns it
    (`X's director`); `inverse`: the steps when it precedes (`X directed`, `X was directed by`, `X is the sequel of`).
    """

    family: str
    form: Form
    of: tuple[AskedRelation, ...]
    inverse: tuple[AskedRelation, ...]


def asked(edge: EdgeType, qualifier: str | None = None, entity_type: EntityType | None = None) -> AskedRelation:
    """One step."""
    return AskedRelation(edge=edge, qualifier=qualifier, entity_type=entity_type)


@dataclass(frozen=True, slots=True)
class TypeCue:
    """A word for a kind of entity, and the format that it implies."""

    types: tuple[EntityType, ...]
    format: WorkFormat | None = None


@dataclass(frozen=True, slots=True)
class FieldCue:
    """A word for a property."""

    fields: tuple[AskedField, ...]


@dataclass(frozen=True, slots=True)
class UnsupportedCue:
    """A word for something that no catalogue row holds; `what` names it in an answer."""

    what: str


@dataclass(frozen=True, slots=True)
class StatusCue:
    """A word for a release status."""

    status: WorkStatus


@dataclass(frozen=True, slots=True)
class SourceCue:
    """Words for what a work is based on."""

    source: WorkSource


@dataclass(frozen=True, slots=True)
class SeasonCue:
    """A broadcast season."""

    season: Season


@dataclass(frozen=True, slots=True)
class GenreCue:
    """A genre by the name that rows carry."""

    genre: str


@dataclass(frozen=True, slots=True)
class MarkCue:
    """A steering word; `value` is what it carries, such as a language tag."""

    mark: Mark
    value: str = ""


Cue = RelationCue | TypeCue | FieldCue | UnsupportedCue | StatusCue | SourceCue | SeasonCue | GenreCue | MarkCue
CueRow = tuple[str, Cue]
"""A pattern over the text of a reading, and what it means."""


def relation_row(pattern: str, family: str, form: Form, *, of: AskedRelation, inverse: AskedRelation) -> CueRow:
    """A row for a relation of one step each way."""
    return pattern, RelationCue(family, form, (of,), (inverse,))


@dataclass(frozen=True, slots=True)
class Found:
    """A cue at its place in the text."""

    cue: Cue
    start: int
    end: int


_NAME = re.compile(NAME)
_WORD_START = re.compile(r"(?<!\w)")
_MAX_BEGINNINGS = 4_096


class CueTable:
    """Rows of cues, found by what their patterns begin with. Of two that cover the same words the first row wins.

    The patterns are compiled when the table is first used.
    """

    def __init__(self, *rows: Iterable[CueRow]) -> None:
        self.rows = tuple(row for part in rows for row in part)
        self._at: dict[str, tuple[_Row, ...]] = {}

    @cached_property
    def _by_beginning(self) -> dict[str, list["_Row"]]:
        """The rows by each of their beginnings; those that may begin with anything under the empty one."""
        index: dict[str, list[_Row]] = {"": []}
        for order, (pattern, cue) in enumerate(self.rows):
            row = (order, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), cue)
            for beginning in beginnings(pattern) or ("",):
                index.setdefault(beginning, []).append(row)
        return index

    def longest_at(self, text: str, start: int) -> Found | None:
        """The longest cue that begins there, of equal ones the first row's; never one over a name."""
        found: Found | None = None
        best = (0, 0)
        for order, pattern, cue in self._rows_at(text, start):
            match = pattern.match(text, start)
            if match is None or match.end() == start or _NAME.search(text, start, match.end()):
                continue
            rank = (match.end(), -order)
            if found is None or rank > best:
                found, best = Found(cue, start, match.end()), rank
        return found

    def _rows_at(self, text: str, start: int) -> tuple["_Row", ...]:
        beginning = text[start : start + LONGEST]
        rows = self._at.get(beginning)
        if rows is None:
            lengths = range(len(beginning) + 1)
            rows = tuple(row for length in lengths for row in self._by_beginning.get(beginning[:length], ()))
            if len(self._at) < _MAX_BEGINNINGS:
                self._at[beginning] = rows
        return rows


_Row = tuple[int, re.Pattern[str], Cue]
"""The place of a row in its table, its pattern as whole words, and its cue."""


def find_cues(text: str, table: CueTable) -> tuple[Found, ...]:
    """The cues of a text in order, none overlapping and none over a name.

    The first to begin wins, of those the longest, then the first row.
    """
    found: list[Found] = []
    position = 0
    for place in _WORD_START.finditer(text):
        if place.start() < position:
            continue
        cue = table.longest_at(text, place.start())
        if cue is not None:
            found.append(cue)
            position = cue.end
    return tuple(found)


def words_of(patterns: Sequence[str]) -> frozenset[str]:
    """The words that patterns spell out in full."""
    return frozenset(
        word for pattern in patterns for word in re.findall(r"(?<![a-z?\]])[a-z]{3,}(?![a-z?\[(])", pattern)
    )
