"""Catalogue rows as evidence: the fields of a card as people read them, and the text that shows them."""

from collections.abc import Iterable

from datastore.edges import EdgeType
from datastore.postgres.entity_cards import (
    AnimeDetails,
    CharacterDetails,
    DocumentDetails,
    EntityCard,
    EpisodeDetails,
    MangaDetails,
    PersonDetails,
    RawDate,
    StudioDetails,
    WorkDetails,
)
from datastore.vocabulary import EntityType

from agent_core.evidence import EntityRef, EntityRowEvidence, FieldValue, absent_field
from agent_core.retrieval.conflicts import field_conflicts
from agent_core.retrieval.values import format_words, words
from agent_core.schemas import AskedField

MAX_PROSE_CHARACTERS = 2_000
MAX_SHOWN_NAMES = 12
MAX_UNRESOLVED = 20

TABLES: dict[EntityType, str] = {
    EntityType.ANIME: "anime",
    EntityType.MANGA: "manga",
    EntityType.CHARACTER: "characters",
    EntityType.PERSON: "people",
    EntityType.STUDIO: "studios",
    EntityType.EPISODE: "episodes",
    EntityType.DOCUMENT: "documents",
}
PROSE = frozenset({AskedField.SYNOPSIS.value, AskedField.DESCRIPTION.value})

_UNITS = {AskedField.DURATION.value: " minutes an episode", AskedField.SCORE.value: " of 100"}


def ref_of(card: EntityCard) -> EntityRef:
    """The reference to a card's entity, with its name."""
    return EntityRef(entity_type=card.entity_type, id=card.id, name=card.name)


def row_evidence(card: EntityCard) -> EntityRowEvidence:
    """A card as evidence, with an id that is the same whenever the same row is read."""
    table = TABLES[card.entity_type]
    fields = row_fields(card)
    return EntityRowEvidence(
        id=f"row:{card.entity_type}:{card.id}",
        source=f"postgresql:{table}",
        title=card.name,
        text=_text(card, fields),
        row_version=card.version,
        locator=f"{table}/{card.id}",
        entity=ref_of(card),
        names=tuple(dict.fromkeys(name.name for name in card.names)),
        fields=fields,
        conflicts=field_conflicts(card),
    )


def with_unresolved(row: EntityRowEvidence, unresolved: Iterable[tuple[EdgeType, str]]) -> EntityRowEvidence:
    """The row of a document with what it refers to and no collection holds: a field and a line for each relation."""
    by_edge: dict[EdgeType, list[str]] = {}
    for edge, target in unresolved:
        by_edge.setdefault(edge, []).append(target)
    if not by_edge:
        return row
    fields = [
        FieldValue(name=absent_field(edge), value="; ".join(targets[:MAX_UNRESOLVED]))
        for edge, targets in by_edge.items()
    ]
    lines = (f"{field.name}: {field.value}" for field in fields)
    return row.model_copy(update={"fields": (*row.fields, *fields), "text": "\n".join((row.text, *lines))})


def row_fields(card: EntityCard) -> tuple[FieldValue, ...]:
    """The known fields: `name`, then those of AskedField. Numbers are bare, dates as precise as they are known.

    `duration` is in minutes, `score` out of 100; prose is cut at MAX_PROSE_CHARACTERS.
    """
    values = {"name": card.name} | _detail_values(card)
    return tuple(FieldValue(name=name, value=value) for name, value in values.items() if value)


def _detail_values(card: EntityCard) -> dict[str, str]:
    details = card.details
    match details:
        case WorkDetails():
            return _work_values(details)
        case CharacterDetails():
            return {
                AskedField.GENDER: details.gender or "",
                AskedField.DESCRIPTION: shortened(details.description),
            }
        case PersonDetails():
            return {AskedField.DESCRIPTION: shortened(details.description)}
        case EpisodeDetails():
            return {AskedField.AIR_DATE: _date(details.air), AskedField.SYNOPSIS: shortened(details.synopsis)}
        case StudioDetails() | DocumentDetails():
            return {}


def _work_values(details: WorkDetails) -> dict[str, str]:
    values = {
        AskedField.FORMAT: format_words(details.format),
        AskedField.STATUS: words(details.status),
        AskedField.START_DATE: _date(details.start),
        AskedField.END_DATE: _date(details.end),
        AskedField.YEAR: _number(details.year),
        AskedField.SCORE: _number(details.score),
        AskedField.GENRES: ", ".join(details.genres),
    }
    match details:
        case AnimeDetails():
            values |= _anime_values(details)
        case MangaDetails():
            values |= {
                AskedField.CHAPTERS: _number(details.chapters),
                AskedField.VOLUMES: _number(details.volumes),
            }
        case _:
            pass
    return {field.value: value for field, value in values.items()} | {
        AskedField.SYNOPSIS.value: shortened(details.synopsis)
    }


def _anime_values(details: AnimeDetails) -> dict[AskedField, str]:
    season = words(details.season)
    return {
        AskedField.EPISODES: _number(details.episodes),
        AskedField.DURATION: _number(details.duration_minutes),
        AskedField.SEASON: f"{season} {details.season_year}" if season and details.season_year else season,
        AskedField.SOURCE: words(details.source),
    }


def _text(card: EntityCard, fields: tuple[FieldValue, ...]) -> str:
    others = [name for name in dict.fromkeys(name.name for name in card.names) if name != card.name]
    lines = [f"{card.name} ({card.entity_type})"]
    if others:
        lines.append(f"also known as: {'; '.join(others[:MAX_SHOWN_NAMES])}")
    lines += _unasked_lines(card)
    shown = (field for field in fields if field.name != "name")
    lines += [f"{field.name.replace('_', ' ')}: {field.value}{_UNITS.get(field.name, '')}" for field in shown]
    return "\n".join(lines)


def _unasked_lines(card: EntityCard) -> list[str]:
    """What a reader of the row should see although no question field stands for it."""
    match card.details:
        case EpisodeDetails(number=number):
            return [f"number: {number}"]
        case PersonDetails(occupations=occupations) if occupations:
            return [f"occupations: {', '.join(occupations)}"]
        case _:
            return []


def shortened(text: str | None) -> str:
    """Prose of at most MAX_PROSE_CHARACTERS, cut after a sentence where one ends in the last half, else at a space."""
    if text is None or len(text) <= MAX_PROSE_CHARACTERS:
        return text or ""
    cut = text[:MAX_PROSE_CHARACTERS]
    end = max(cut.rfind(mark) for mark in (". ", "! ", "? ", ".\n", "。"))
    if end >= MAX_PROSE_CHARACTERS // 2:
        return cut[: end + 1]
    return f"{cut[: max(cut.rfind(' '), MAX_PROSE_CHARACTERS // 2)].rstrip()} …"


def _date(date: RawDate) -> str:
    return str(date.known) if date.known is not None else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
