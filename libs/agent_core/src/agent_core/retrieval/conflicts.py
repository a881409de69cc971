"""Where the sources of a row contradict each other, in the words of question fields and values as people read them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from datastore.postgres.entity_cards import AnimeDetails, CardConflict, EntityCard
from datastore.vocabulary import WorkFormat

from agent_core.evidence import FieldConflict, SourcedValue
from agent_core.retrieval.values import format_words, words
from agent_core.schemas import AskedField

_FIELDS: dict[str, tuple[AskedField, ...]] = {
    "start": (AskedField.START_DATE,),
    "end": (AskedField.END_DATE,),
    "duration_minutes": (AskedField.DURATION,),
    "season": (AskedField.SEASON,),
    "season_year": (AskedField.YEAR, AskedField.SEASON),
}
"""What questions call a record's field, where it is another word."""


def field_conflicts(card: EntityCard) -> tuple[FieldConflict, ...]:
    """One for each question field that a contradiction touches; fields that no question asks for keep their name."""
    return tuple(conflict for _, said in _by_field(card) for conflict in _conflicts(card, said))


def _by_field(card: EntityCard) -> Iterator[tuple[str, list[CardConflict]]]:
    for field, said in groupby(card.conflicts, key=lambda each: each.field):
        yield field, list(said)


def _conflicts(card: EntityCard, said: Sequence[CardConflict]) -> Iterator[FieldConflict]:
    """The shown value comes first in `said`."""
    field = said[0].field
    for asked in _FIELDS.get(field, (field,)):
        yield _conflict(asked, said)
    has_own_year = isinstance(card.details, AnimeDetails) and card.details.season_year is not None
    if field == "start" and not has_own_year:
        years = [replace(each, value=each.value[:4]) for each in said]
        others = [each for each in years[1:] if each.value != years[0].value]
        if others:
            yield _conflict(AskedField.YEAR, [years[0], *others])


def _conflict(asked: str, said: Sequence[CardConflict]) -> FieldConflict:
    shown, *others = (SourcedValue(source=each.source, value=_shown(each)) for each in said)
    return FieldConflict(field=asked, shown=shown, others=tuple(others))


def _shown(said: CardConflict) -> str:
    match said.field:
        case "format":
            return format_words(WorkFormat(said.value))
        case "status" | "source" | "season":
            return words(said.value)
        case _:
            return said.value
