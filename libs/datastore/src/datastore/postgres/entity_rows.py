"""Entities without their names and sources, and these by themselves: hot statements for readers that ask for parts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.edges import EDGE_BY_CODE, EDGES, EdgeType
from datastore.postgres.catalogue import entities, external_ids, names, redirects
from datastore.postgres.entity_cards import CardExternalId, CardName, Details, details_of
from datastore.postgres.entity_reads import DETAIL_TABLES, LEFT_OUT
from datastore.postgres.graph_statements import EdgeConditions, links_of_entities
from datastore.postgres.graph_values import EdgeScope
from datastore.postgres.hot import HotPool, HotStatement, Row
from datastore.vocabulary import EntityType, NameKind

_KIND_ORDER = {kind.value: place for place, kind in enumerate(NameKind)}
_TYPES = {entity_type.value: entity_type for entity_type in EntityType}
_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))


class EntityRow(NamedTuple):
    """One entity as it stands in its own two tables. Its columns are read when they are asked for."""

    id: UUID
    entity_type: EntityType
    columns: Row

    @property
    def name(self) -> str:
        """The main name."""
        return self.columns["name"]

    @property
    def version(self) -> int:
        """Raised by one with every change."""
        return self.columns["version"]

    @property
    def updated_at(self) -> datetime:
        """When it changed last."""
        return self.columns["updated_at"]

    @property
    def popularity(self) -> float:
        """Percentile within its type."""
        return self.columns["popularity"]

    def details(self) -> Details:
        """What only entities of its type have; made anew each time."""
        return details_of(self.entity_type, self.columns)


class LinkRow(NamedTuple):
    """One stored edge of an entity, and what is shown of its far end."""

    target_id: UUID
    columns: Row

    @property
    def edge(self) -> EdgeType:
        """Which relation it is."""
        return EDGE_BY_CODE[self.columns["rel"]]

    @property
    def qualifier(self) -> str:
        """Role, language or kind of relation; empty where there is none."""
        return self.columns["qualifier"]

    @property
    def target_type(self) -> EntityType:
        """What the far end is."""
        return _TYPES[self.columns["entity_type"]]

    @property
    def target_name(self) -> str:
        """The far end's main name."""
        return self.columns["name"]


class Living(NamedTuple):
    """What an id leads to, its redirect followed."""

    id: UUID
    entity_type: EntityType


async def fetch_living(pool: HotPool, ids: Sequence[UUID]) -> dict[UUID, Living]:
    """What each id leads to; ids of no entity are missing. Raises DatabaseUnavailable."""
    rows = await pool.fetch(LIVING, {"ids": ids}) if ids else ()
    return {row["asked"]: Living(row["id"], _TYPES[row["entity_type"]]) for row in rows}


async def fetch_rows_of(pool: HotPool, entity_type: EntityType, ids: Sequence[UUID]) -> dict[UUID, EntityRow]:
    """Entities of one type in one statement; redirects are not followed. Raises DatabaseUnavailable."""
    rows = await pool.fetch(ROWS_OF_TYPE[entity_type], {"ids": ids}) if ids else ()
    return {row["id"]: EntityRow(row["id"], entity_type, row) for row in rows}


async def fetch_names(pool: HotPool, ids: Sequence[UUID]) -> dict[UUID, tuple[CardName, ...]]:
    """All names of entities, each one's in the order of its card. Raises DatabaseUnavailable."""
    found: dict[UUID, list[tuple[int, CardName]]] = {entity_id: [] for entity_id in ids}
    for row in await pool.fetch(NAMES, {"ids": ids}) if ids else ():
        kind = row["kind"]
        found[row["entity_id"]].append((_KIND_ORDER[kind], CardName(row["name"], NameKind(kind), row["language"])))
    return {
        entity_id: tuple(name for _, name in sorted(listed, key=lambda each: each[0]))
        for entity_id, listed in found.items()
    }


async def fetch_external_ids(pool: HotPool, ids: Sequence[UUID]) -> dict[UUID, tuple[CardExternalId, ...]]:
    """All external ids of entities, in order. Raises DatabaseUnavailable."""
    found: dict[UUID, list[CardExternalId]] = {entity_id: [] for entity_id in ids}
    for row in await pool.fetch(EXTERNAL_IDS, {"ids": ids}) if ids else ():
        found[row["entity_id"]].append(CardExternalId(row["source"], row["kind"], row["external_id"]))
    return {entity_id: tuple(listed) for entity_id, listed in found.items()}


async def fetch_links(
    pool: HotPool,
    ids: Sequence[UUID],
    edges: Sequence[EdgeType],
    *,
    per_source: int,
    offset: int = 0,
    qualifier: str | None = None,
) -> dict[UUID, list[LinkRow]]:
    """Stored links of many entities in one statement, as `read_links` gives them. Raises DatabaseUnavailable."""
    stored = EdgeScope(tuple(edges)).stored
    links: dict[UUID, list[LinkRow]] = {entity_id: [] for entity_id in ids}
    if not ids or not stored:
        return links
    values: dict[str, object] = {"ids": list(links), "rels": [EDGES[edge].code for edge in stored]}
    values |= {"row_limit": per_source, "row_offset": offset}
    if qualifier is not None:
        values["qualifiers"] = [qualifier]
    for row in await pool.fetch(LINKS[qualifier is not None], values):
        links[row["asked"]].append(LinkRow(row["id"], row))
    return links


def _rows(entity_type: EntityType) -> sa.Select[*tuple[Any, ...]]:
    details = DETAIL_TABLES[entity_type]
    own = (entities.c.id, entities.c.name, entities.c.version, entities.c.updated_at, entities.c.popularity)
    rest = (column for column in details.c if column.name not in LEFT_OUT)
    joined = entities.join(details, details.c.id == entities.c.id)
    return sa.select(*own, *rest).select_from(joined).where(entities.c.id == sa.any_(_IDS)).order_by(entities.c.id)


def _living() -> sa.Select[*tuple[Any, ...]]:
    asked = sa.func.unnest(_IDS).table_valued(sa.column("id", pg.UUID(as_uuid=True))).render_derived(name="asked")
    return (
        sa.select(asked.c.id.label("asked"), entities.c.id, entities.c.entity_type)
        .select_from(asked)
        .outerjoin(redirects, redirects.c.from_id == asked.c.id)
        .join(entities, entities.c.id == sa.func.coalesce(redirects.c.to_id, asked.c.id))
        .order_by(asked.c.id)
    )


LIVING = HotStatement(_living())
ROWS_OF_TYPE: Mapping[EntityType, HotStatement] = {each: HotStatement(_rows(each)) for each in EntityType}
NAMES = HotStatement(
    sa.select(names.c.entity_id, names.c.name, names.c.kind, names.c.language)
    .where(names.c.entity_id == sa.any_(_IDS))
    .order_by(names.c.entity_id, sa.collate(names.c.name, "C"), names.c.id)
)
EXTERNAL_IDS = HotStatement(
    sa.select(external_ids.c.entity_id, external_ids.c.source, external_ids.c.kind, external_ids.c.external_id)
    .where(external_ids.c.entity_id == sa.any_(_IDS))
    .order_by(external_ids.c.entity_id, external_ids.c.source, external_ids.c.kind, external_ids.c.external_id)
)
LINKS = {qualified: HotStatement(links_of_entities(EdgeConditions(qualified=qualified))) for qualified in (False, True)}
"""By whether the edges' qualifiers are given, too."""
