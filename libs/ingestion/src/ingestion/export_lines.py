"""What the catalogue holds of each source, as interchange records in an order that only the content decides."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import entities, episodes, pending_links, source_records
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.export_references import EntityReferences, read_orphans, read_references
from ingestion.link_rows import LINK_TABLES, LinkTable
from ingestion.records import RECORD_ADAPTER, AnyEntity, AnyLink

_PAGE = 500

type Page = Sequence[AnyEntity | AnyLink]


@dataclass(frozen=True, slots=True)
class _Said:
    """One source's record of an entity, as stored; `anime` is the one that an episode belongs to."""

    entity: UUID
    record: Mapping[str, Any]
    anime: UUID | None


async def read_sources(connection: AsyncConnection) -> list[str]:
    """Everybody whose word the catalogue keeps, by name."""
    selects = [sa.select(table.c.source).distinct() for table in _SOURCED]
    return sorted(set(await connection.scalars(sa.union(*selects))))


async def count_records(connection: AsyncConnection, sources: Sequence[str]) -> int:
    """How many records an export of these sources has."""
    total = 0
    for table in _SOURCED:
        statement = sa.select(sa.func.count()).select_from(table).where(table.c.source.in_(sources))
        total += await connection.scalar(statement) or 0
    return total


async def entity_pages(connection: AsyncConnection, source: str, *, is_whole: bool) -> AsyncGenerator[Page]:
    """All that a source says of entities, episodes last.

    Each record names its entity by the founding reference, and has the source's own among its external ids. In a
    whole export the entity's first record takes along what references no source names any more.
    """
    columns = source_records.c
    statement = (
        sa.select(columns.entity_id, columns.record, episodes.c.anime_id)
        .join(entities, entities.c.id == columns.entity_id)
        .outerjoin(episodes, episodes.c.id == columns.entity_id)
        .where(columns.source == source)
        .order_by(entities.c.entity_type == EntityType.EPISODE, entities.c.entity_type, columns.entity_id)
    )
    async for rows in _pages(connection, statement):
        said = [_Said(row.entity_id, row.record, row.anime_id) for row in rows]
        own = await read_references(connection, (each.entity for each in said))
        orphans = await read_orphans(connection, own) if is_whole else {}
        animes = await read_references(connection, (each.anime for each in said if each.anime is not None))
        yield [
            _entity_record(each, own[each.entity], orphans.get((each.entity, source), frozenset()), animes)
            for each in said
        ]


async def link_pages(connection: AsyncConnection, source: str) -> AsyncGenerator[Page]:
    """All links that a source was the first to give, then the records of it that wait for an entity."""
    for record, spec in LINK_TABLES.items():
        table = spec.table
        names = (*spec.key_columns, *spec.value_fields, *spec.noted_fields)
        statement = (
            sa.select(*(table.c[name] for name in names))
            .where(table.c.source == source)
            .order_by(*(table.c[name] for name in spec.key_columns))
        )
        async for rows in _pages(connection, statement):
            found = [dict(zip(names, row, strict=True)) for row in rows]
            ends = {row[end.column] for row in found for end in spec.ends} - {None}
            references = await read_references(connection, ends)
            yield [_link_record(record, spec, row, references) for row in found]
    waiting = (
        sa.select(pending_links.c.record)
        .where(pending_links.c.source == source)
        .order_by(pending_links.c.missing_ref.collate("C"), pending_links.c.record_hash)
    )
    async for rows in _pages(connection, waiting):
        yield [RECORD_ADAPTER.validate_python(row.record) for row in rows]


_SOURCED: tuple[sa.Table, ...] = (source_records, *(spec.table for spec in LINK_TABLES.values()), pending_links)


async def _pages(
    connection: AsyncConnection, statement: sa.Select[*tuple[Any, ...]]
) -> AsyncGenerator[Sequence[sa.Row[*tuple[Any, ...]]]]:
    async with connection.stream(statement) as rows:
        async for page in rows.partitions(_PAGE):
            yield page


def _entity_record(
    said: _Said, own: EntityReferences, orphans: frozenset[str], animes: Mapping[UUID, EntityReferences]
) -> AnyEntity | AnyLink:
    named = {said.record["ref"], *said.record.get("external_ids", ()), *orphans} - {own.founding}
    raw = {**said.record, "ref": own.founding, "external_ids": sorted(named)}
    if said.anime is not None:
        raw["anime"] = animes[said.anime].founding
    return RECORD_ADAPTER.validate_python(raw)


def _link_record(
    record: str, spec: LinkTable, row: Mapping[str, Any], references: Mapping[UUID, EntityReferences]
) -> AnyEntity | AnyLink:
    raw: dict[str, Any] = {"record": record}
    for end in spec.ends:
        if row[end.column] is not None:
            raw[end.field.rstrip("_")] = references[row[end.column]].founding
    for field in (*spec.key_fields, *spec.value_fields, *spec.noted_fields):
        # A credit without wording is stored as the empty text.
        if row[field] not in (None, ""):
            raw[field] = row[field]
    return RECORD_ADAPTER.validate_python(raw)
