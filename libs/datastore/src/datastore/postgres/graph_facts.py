"""The truth rows behind edges: their ends as stored, version, and what a sentence about them needs to be complete."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.edges import EDGES, EdgeType
from datastore.postgres.catalogue import (
    appearances,
    character_relations,
    entities,
    episodes,
    staff_credits,
    studio_credits,
    voices,
    work_relations,
)
from datastore.postgres.documents import document_references
from datastore.postgres.hot import HotStatement, NameSource, Row, fetch_rows
from datastore.vocabulary import INVERSE_CHARACTER_RELATION, CharacterRelationKind

RowKey = tuple[str, int]
"""A truth table's name and the row's id in it, as `edges` keeps them."""


@dataclass(frozen=True, slots=True)
class TruthRow:
    """One row of a role or relation table, read `(first)-[edge]->(second)`.

    `note` is a sentence about the pair, `raw` the source's own word for the role or relation, `work` the name of the
    work that a voice role belongs to.
    """

    table: str
    row_id: int
    version: int
    first: UUID
    second: UUID
    edge: EdgeType
    qualifier: str
    note: str | None = None
    raw: str | None = None
    work: str | None = None

    def says(self, from_: UUID, edge: EdgeType, to: UUID, qualifier: str) -> bool:
        """Whether the row, read in either direction, is exactly this edge."""
        if (self.first, self.second) == (from_, to):
            return (self.edge, self.qualifier) == (edge, qualifier)
        if (self.second, self.first) == (from_, to):
            return (EDGES[self.edge].inverse, self._inverse_qualifier()) == (edge, qualifier)
        return False

    def _inverse_qualifier(self) -> str:
        if self.edge is not EdgeType.CHARACTER_RELATION:
            return self.qualifier
        kind = CharacterRelationKind(self.qualifier)
        return INVERSE_CHARACTER_RELATION.get(kind, kind)


async def read_truth_rows(source: NameSource, keys: Iterable[RowKey]) -> dict[RowKey, TruthRow]:
    """Truth rows by table and id, one statement for each table named; rows that are gone are missing."""
    by_table: dict[str, set[int]] = {}
    for table, row_id in keys:
        by_table.setdefault(table, set()).add(row_id)
    found: dict[RowKey, TruthRow] = {}
    for table in sorted(by_table.keys() & READS.keys()):
        statement, shape = READS[table]
        for row in await fetch_rows(source, statement, {"ids": sorted(by_table[table])}):
            found[(table, row["row_id"])] = shape(row)
    return found


_IDS = sa.bindparam("ids", type_=pg.ARRAY(sa.BigInteger))


def _rows(table: sa.Table, first: str, second: str, *more: sa.ColumnElement[Any]) -> HotStatement:
    return HotStatement(
        sa.select(
            table.c.id.label("row_id"),
            table.c.version,
            table.c[first].label("first"),
            table.c[second].label("second"),
            *more,
        )
        .where(table.c.id == sa.any_(_IDS))
        .order_by(table.c.id)
    )


def _work_relation(row: Row) -> TruthRow:
    return TruthRow(
        "work_relations",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType(row["relation"]),
        "",
        raw=row["raw_type"],
    )


def _appearance(row: Row) -> TruthRow:
    return TruthRow(
        "appearances",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType.APPEARS_IN,
        row["role"] or "",
    )


def _character_relation(row: Row) -> TruthRow:
    return TruthRow(
        "character_relations",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType.CHARACTER_RELATION,
        row["kind"],
        note=row["note"],
    )


def _voice(row: Row) -> TruthRow:
    return TruthRow(
        "voices",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType.VOICES,
        row["language"],
        work=row["work"],
    )


def _staff_credit(row: Row) -> TruthRow:
    return TruthRow(
        "staff_credits",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType.STAFF_OF,
        row["role"],
        raw=row["raw_role"] or None,
    )


def _studio_credit(row: Row) -> TruthRow:
    qualifier = "main" if row["is_main"] else ""
    return TruthRow(
        "studio_credits", row["row_id"], row["version"], row["first"], row["second"], EdgeType.PRODUCED, qualifier
    )


def _episode(row: Row) -> TruthRow:
    return TruthRow(
        "episodes", row["row_id"], row["version"], row["first"], row["second"], EdgeType.EPISODE_OF, str(row["number"])
    )


def _reference(row: Row) -> TruthRow:
    return TruthRow(
        "document_references",
        row["row_id"],
        row["version"],
        row["first"],
        row["second"],
        EdgeType(row["edge"]),
        "",
        raw=row["target_text"],
    )


# A reference stands in its document, and is of that one's version.
_REFERENCE_ROWS: sa.Select[*tuple[Any, ...]] = (
    sa.select(
        document_references.c.id.label("row_id"),
        entities.c.version,
        document_references.c.document_id.label("first"),
        document_references.c.target_id.label("second"),
        document_references.c.edge,
        document_references.c.target_text,
    )
    .join_from(document_references, entities, entities.c.id == document_references.c.document_id)
    .where(document_references.c.id == sa.any_(_IDS), document_references.c.target_id.is_not(None))
    .order_by(document_references.c.id)
)
_EPISODE_ROWS: sa.Select[*tuple[Any, ...]] = (
    sa.select(
        entities.c.node.label("row_id"),
        entities.c.version,
        episodes.c.id.label("first"),
        episodes.c.anime_id.label("second"),
        episodes.c.number,
    )
    .join_from(episodes, entities, entities.c.id == episodes.c.id)
    .where(entities.c.node == sa.any_(_IDS))
    .order_by(entities.c.node)
)
_VOICED_WORK = sa.select(entities.c.name).where(entities.c.id == voices.c.work_id).scalar_subquery().label("work")

READS: dict[str, tuple[HotStatement, Callable[[Row], TruthRow]]] = {
    "work_relations": (
        _rows(work_relations, "work_id", "related_work_id", work_relations.c.relation, work_relations.c.raw_type),
        _work_relation,
    ),
    "appearances": (_rows(appearances, "character_id", "work_id", appearances.c.role), _appearance),
    "character_relations": (
        _rows(
            character_relations,
            "character_id",
            "related_character_id",
            character_relations.c.kind,
            character_relations.c.note,
        ),
        _character_relation,
    ),
    "voices": (_rows(voices, "person_id", "character_id", voices.c.language, _VOICED_WORK), _voice),
    "staff_credits": (
        _rows(staff_credits, "person_id", "work_id", staff_credits.c.role, staff_credits.c.raw_role),
        _staff_credit,
    ),
    "studio_credits": (_rows(studio_credits, "studio_id", "work_id", studio_credits.c.is_main), _studio_credit),
    "episodes": (HotStatement(_EPISODE_ROWS), _episode),
    "document_references": (HotStatement(_REFERENCE_ROWS), _reference),
}
"""How each table that holds facts is read by `ids`, and what its rows say."""
