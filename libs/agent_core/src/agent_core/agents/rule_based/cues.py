"""What a stretch of a question can mean, and how the stretches are found: the longest cue that begins first."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus

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


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


def _everywhere(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Every match, those that overlap an earlier one too: the earlier may lose to another cue."""
    match = pattern.search(text)
    while match is not None:
        yield match
        match = pattern.search(text, match.start() + 1)


def find_cues(text: str, rows: Iterable[CueRow]) -> tuple[Found, ...]:
    """The cues of a text in order, none overlapping and none over a name.

    The first to begin wins, of those the longest, then the first row.
    """
    matches = [
        (match.start(), match.start() - match.end(), order, cue)
        for order, (pattern, cue) in enumerate(rows)
        for match in _everywhere(_compiled(pattern), text)
        if match.end() > match.start() and not _NAME.search(match.group())
    ]
    found: list[Found] = []
    position = 0
    for start, negative_length, _, cue in sorted(matches, key=lambda match: match[:3]):
        if start >= position:
            found.append(Found(cue, start, start - negative_length))
            position = start - negative_length
    return tuple(found)


def words_of(patterns: Sequence[str]) -> frozenset[str]:
    """The words that patterns spell out in full."""
    return frozenset(
        word for pattern in patterns for word in re.findall(r"(?<![a-z?\]])[a-z]{3,}(?![a-z?\[(])", pattern)
    )
