"""The text of an entity that its vectors are made from (pure)."""

import re

from datastore.postgres.entity_cards import PersonDetails, WorkDetails
from datastore.postgres.index_reads import IndexCard
from datastore.vectors.collections import prose_of, year_of

_MAX_NAMES = 4
_MAX_TAGS = 12
_LATIN = re.compile(r"[A-Za-z]")


def index_text(source: IndexCard) -> str:
    """What the meaning of an entity is made from, the most telling first: a model's window may end before the text.

    Of the names only a few in Latin script are in it; the bundled model reads no other.
    """
    names = [each.name for each in source.card.names if _LATIN.search(each.name)][:_MAX_NAMES]
    return _joined(names or [source.card.name], source)


def lexical_text(source: IndexCard) -> str:
    """What the words of an entity are taken from: all names, and the rest."""
    return _joined([each.name for each in source.card.names], source)


def _joined(names: list[str], source: IndexCard) -> str:
    parts = [" / ".join(dict.fromkeys(names)), _kind(source), _labels(source), prose_of(source.card) or ""]
    return ". ".join(part.rstrip(". ") for part in parts if part)


def _kind(source: IndexCard) -> str:
    card, details = source.card, source.card.details
    format_ = details.format.replace("_", " ") if isinstance(details, WorkDetails) and details.format else ""
    words = [card.entity_type.value, "" if format_ == card.entity_type else format_, str(year_of(card) or "")]
    if isinstance(details, PersonDetails):
        words += details.occupations
    return " ".join(word for word in words if word)


def _labels(source: IndexCard) -> str:
    details = source.card.details
    labels = [*source.studios]
    if isinstance(details, WorkDetails):
        labels += [*details.genres, *details.tags[:_MAX_TAGS]]
    return ", ".join(labels)
