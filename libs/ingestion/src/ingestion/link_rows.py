"""Links as rows of the truth tables: which table, which ends, and which rows say the same thing. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.edges import EDGES, EdgeType
from datastore.postgres import catalogue
from datastore.vocabulary import INVERSE_CHARACTER_RELATION, WORK_TYPES, CharacterRelationKind, EntityType

from ingestion.records import AnyLink

_CHARACTER = frozenset({EntityType.CHARACTER})
_PERSON = frozenset({EntityType.PERSON})
_STUDIO = frozenset({EntityType.STUDIO})


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """A field of a link record that names an entity, and its column."""

    field: str
    column: str
    entity_types: frozenset[EntityType]


@dataclass(frozen=True, slots=True)
class LinkTable:
    """Where one type of link is kept. The first two ends are never null.

    `key_fields` and the ends make the key; `value_fields` are compared on re-import, and the row's `source` is the one
    whose value is shown; `noted_fields` are kept as first given.
    An insert changes what the index holds about the entity in `indexed_column`.
    """

    table: sa.Table
    ends: tuple[LinkEnd, ...]
    key_fields: tuple[str, ...] = ()
    value_fields: tuple[str, ...] = ()
    noted_fields: tuple[str, ...] = ()
    indexed_column: str | None = None

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that make a row this row."""
        return (*(end.column for end in self.ends), *self.key_fields)


LINK_TABLES: Mapping[str, LinkTable] = {
    "relation": LinkTable(
        catalogue.work_relations,
        (LinkEnd("from_", "work_id", WORK_TYPES), LinkEnd("to", "related_work_id", WORK_TYPES)),
        key_fields=("relation",),
        noted_fields=("raw_type",),
    ),
    "appearance": LinkTable(
        catalogue.appearances,
        (LinkEnd("character", "character_id", _CHARACTER), LinkEnd("work", "work_id", WORK_TYPES)),
        value_fields=("role",),
        indexed_column="character_id",
    ),
    "character_relation": LinkTable(
        catalogue.character_relations,
        (LinkEnd("from_", "character_id", _CHARACTER), LinkEnd("to", "related_character_id", _CHARACTER)),
        key_fields=("kind",),
        value_fields=("note",),
    ),
    "voice": LinkTable(
        catalogue.voices,
        (
            LinkEnd("person", "person_id", _PERSON),
            LinkEnd("character", "character_id", _CHARACTER),
            LinkEnd("work", "work_id", WORK_TYPES),
        ),
        key_fields=("language",),
    ),
    "staff": LinkTable(
        catalogue.staff_credits,
        (LinkEnd("person", "person_id", _PERSON), LinkEnd("work", "work_id", WORK_TYPES)),
        key_fields=("role", "raw_role"),
    ),
    "studio_credit": LinkTable(
        catalogue.studio_credits,
        (LinkEnd("studio", "studio_id", _STUDIO), LinkEnd("work", "work_id", WORK_TYPES)),
        value_fields=("is_main",),
        indexed_column="work_id",
    ),
}

LinkKey = tuple[UUID | str | None, ...]


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link whose ends are known. `values` are compared with what is stored, `noted` only go into a new row."""

    key: LinkKey
    values: Mapping[str, Any]
    noted: Mapping[str, Any]


def link_row(record: AnyLink, ends: Mapping[str, UUID]) -> LinkRow:
    """The row of a link; `ends` holds the entity of each end that the record names, by field."""
    table = LINK_TABLES[record.record]
    key = [ends.get(end.field) for end in table.ends]
    # A credit without wording is the empty text, so that it is equal to itself.
    texts = [str(getattr(record, field) or "") for field in table.key_fields]
    return LinkRow(
        key=(*key, *texts),
        values={field: getattr(record, field) for field in table.value_fields},
        noted={field: getattr(record, field) for field in table.noted_fields},
    )


def equal_keys(record: str, key: LinkKey) -> Iterator[LinkKey]:
    """The keys of rows that say the same, or more, from the other end: b is a's sequel, a is b's prequel.

    A spin-off tells of its parent story; a parent story does not tell whether its child is a spin-off.
    """
    if record == "relation":
        source, target, relation = key
        for edge in EDGES.values():
            if edge.inverse == relation:
                yield (target, source, str(edge.type))
    elif record == "character_relation":
        source, target, kind = key
        member = CharacterRelationKind(str(kind))
        yield (target, source, str(INVERSE_CHARACTER_RELATION.get(member, member)))


def weaker_keys(record: str, key: LinkKey) -> Iterator[LinkKey]:
    """The keys of rows that say less than this one from the other end, and give way to it."""
    if record == "relation":
        source, target, relation = key
        inverse = EDGES[EdgeType(str(relation))].inverse
        if EDGES[inverse].inverse != relation:
            yield (target, source, str(inverse))
