"""Words that ask for the extreme of a field, and which of several entities it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.evidence import EntityRef, Evidence
from agent_core.fields import FieldReading, read_field
from agent_core.schemas import AskedField

_F = AskedField


@dataclass(frozen=True, slots=True)
class Superlative:
    """Whose extreme is asked: the highest value of a field, or the lowest. `words` say it in an answer."""

    field: AskedField
    is_highest: bool
    words: str

    @property
    def noun(self) -> str:
        """The field in a word."""
        amounts = {_F.EPISODES: "episodes", _F.CHAPTERS: "chapters", _F.VOLUMES: "volumes"}
        if self.field in amounts:
            return f"number of {amounts[self.field]}"
        return "score" if self.field is _F.SCORE else "start date"


_MOST, _FEWEST = r"(?:most|(?:highest|largest|greatest) number of)", r"(?:fewest|(?:lowest|smallest) number of)"
_PATTERNS: tuple[tuple[re.Pattern[str], Superlative], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})\b"), superlative)
    for pattern, superlative in (
        (rf"{_MOST} episodes", Superlative(_F.EPISODES, True, "the most episodes")),
        (rf"{_MOST} chapters", Superlative(_F.CHAPTERS, True, "the most chapters")),
        (rf"{_MOST} volumes", Superlative(_F.VOLUMES, True, "the most volumes")),
        (rf"{_FEWEST} episodes", Superlative(_F.EPISODES, False, "the fewest episodes")),
        (rf"{_FEWEST} chapters", Superlative(_F.CHAPTERS, False, "the fewest chapters")),
        (rf"{_FEWEST} volumes", Superlative(_F.VOLUMES, False, "the fewest volumes")),
        (
            r"(?:highest|best|top)(?: (?:rated|ranked|scored|scoring|reviewed|score|rating))?",
            Superlative(_F.SCORE, True, "the highest score"),
        ),
        (
            r"(?:lowest|worst)(?: (?:rated|ranked|scored|score|rating))?",
            Superlative(_F.SCORE, False, "the lowest score"),
        ),
        (r"longest", Superlative(_F.EPISODES, True, "the most episodes")),
        (r"shortest", Superlative(_F.EPISODES, False, "the fewest episodes")),
        (r"oldest|earliest|first", Superlative(_F.START_DATE, False, "the earliest start")),
        (r"newest|latest|most recent", Superlative(_F.START_DATE, True, "the latest start")),
    )
)


def superlative_of(question: str) -> Superlative | None:
    """The extreme that a question asks for."""
    return next((found for pattern, found in _PATTERNS if pattern.search(question)), None)


def extreme_of(
    superlative: Superlative, entities: Sequence[EntityRef], evidence: Sequence[Evidence]
) -> tuple[EntityRef, FieldReading] | None:
    """The entity with the extreme, of those whose field is known; None when it is known of none."""
    read = [(entity, read_field(entity, superlative.field, evidence)) for entity in entities]
    known = [(entity, reading) for entity, reading in read if reading is not None]
    ordered = sorted(known, key=lambda each: _sort_key(each[1][0]), reverse=superlative.is_highest)
    return ordered[0] if ordered else None


def _sort_key(value: str) -> tuple[float, str]:
    try:
        return float(value), value
    except ValueError:
        return 0.0, value
