"""Makes two stored entities one: what belongs to the one moves to the other, and its id leads there from then on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import content_hash
from datastore.postgres.catalogue import (
    episodes,
    external_ids,
    redirects,
    source_records,
)
from datastore.postgres.documents import document_references
from datastore.postgres.pictures import move_picture
from datastore.postgres.projection import DeletedEntity, delete_entities, project_edges
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.index_neighbours import index_neighbours
from ingestion.link_rows import LINK_TABLES, LinkKey, LinkTable, equal_keys, weaker_keys
from ingestion.merging import combine
from ingestion.precedence import rank


@dataclass(frozen=True, slots=True)
class Merge:
    """What one merge did: entities that are gone, and those that stay whose rows or index entries have to follow.

    `to_merge` have other source records than before; `to_index` other links.
    """

    gone: tuple[DeletedEntity, ...]
    to_merge: tuple[UUID, ...]
    to_index: frozenset[UUID]


async def merge_entities(connection: AsyncConnection, *, kept: UUID, gone: UUID, reason: str) -> Merge:
    """Move references, source records, links, episodes and older redirects of `gone` to `kept`, and delete `gone`.

    Both are of one type. An anime's episode goes as well when `kept` has one of that number. The caller merges what the
    sources say of those in `to_merge`, and writes the outbox rows.
    """
    inner = [
        await merge_entities(connection, kept=ours, gone=theirs, reason=reason)
        for ours, theirs in await _episodes_of_both(connection, kept, gone)
    ]
    neighbours = await index_neighbours(connection, {gone})
    moved = await _move_episodes(connection, kept, gone)
    await _move_source_records(connection, kept, gone)
    for column in (external_ids.c.entity_id, redirects.c.to_id, document_references.c.target_id):
        await connection.execute(sa.update(column.table).where(column == gone).values({column.name: kept}))
    await move_picture(connection, kept=kept, gone=gone)
    touched = {record: await _move_links(connection, record, kept, gone) for record in LINK_TABLES}
    removed = await delete_entities(connection, [gone])
    await connection.execute(redirects.insert().values(from_id=gone, to_id=kept, reason=reason))
    await project_edges(connection, episodes, moved)
    for record, ids in touched.items():
        await project_edges(connection, LINK_TABLES[record].table, ids)
    return Merge(
        gone=(*removed, *(each for merge in inner for each in merge.gone)),
        to_merge=(kept, *(each for merge in inner for each in merge.to_merge)),
        to_index=frozenset({*neighbours, *moved}.union(*(merge.to_index for merge in inner)) - {kept}),
    )


async def _episodes_of_both(connection: AsyncConnection, kept: UUID, gone: UUID) -> list[tuple[UUID, UUID]]:
    ours, theirs = episodes.alias("ours"), episodes.alias("theirs")
    statement = (
        sa.select(ours.c.id, theirs.c.id)
        .join(theirs, theirs.c.number == ours.c.number)
        .where(ours.c.anime_id == kept, theirs.c.anime_id == gone)
        .order_by(ours.c.number)
    )
    return [(row[0], row[1]) for row in await connection.execute(statement)]


async def _move_episodes(connection: AsyncConnection, kept: UUID, gone: UUID) -> Sequence[UUID]:
    statement = episodes.update().where(episodes.c.anime_id == gone).values(anime_id=kept).returning(episodes.c.id)
    return (await connection.scalars(statement)).all()


async def _move_source_records(connection: AsyncConnection, kept: UUID, gone: UUID) -> None:
    """A source that spoke of both entities keeps one record, of all it said."""
    columns = source_records.c
    statement = sa.select(columns.id, columns.entity_id, columns.source, columns.record).where(
        columns.entity_id.in_([kept, gone])
    )
    rows = (await connection.execute(statement)).all()
    ours = {row.source: row for row in rows if row.entity_id == kept}
    for row in rows:
        if row.entity_id == gone and row.source in ours:
            record = combine(ours[row.source].record, row.record)
            await connection.execute(
                source_records.update()
                .where(columns.id == ours[row.source].id)
                .values(record=record, record_hash=content_hash(record), updated_at=sa.func.now())
            )
    moving = sa.and_(columns.entity_id == gone, columns.source.not_in(list(ours)))
    await connection.execute(source_records.update().where(moving).values(entity_id=kept))


async def _move_links(connection: AsyncConnection, record: str, kept: UUID, gone: UUID) -> list[int]:
    """Turn the links of `gone` into links of `kept`; returns the rows that are other ones now, or none any more.

    A link between the two, and one that `kept` has already, is deleted; the value that stays is the one that
    `precedence` ranks first.
    """
    spec = LINK_TABLES[record]
    rows = await _rows_of(connection, spec, (kept, gone))
    stored = {key: row for row in rows if gone not in (key := _key(spec, row))}
    updates: dict[int, Mapping[str, Any]] = {}
    deletes: set[int] = set()
    for row in rows:
        old = _key(spec, row)
        if gone not in old:
            continue
        key = tuple(kept if part == gone else part for part in old)
        known = next((stored[each] for each in (key, *equal_keys(record, key)) if each in stored), None)
        if key[0] == key[1]:
            deletes.add(row["id"])
        elif known is None:
            updates[row["id"]] = dict(zip(spec.key_columns, key, strict=True))
            deletes.update(stored.pop(weaker)["id"] for weaker in weaker_keys(record, key) if weaker in stored)
            stored[key] = {**row, **updates[row["id"]]}
        else:
            deletes.add(row["id"])
            if (better := _better_values(spec, known, row)) is not None:
                updates[known["id"]] = {**updates.get(known["id"], {}), **better}
    await connection.execute(spec.table.delete().where(spec.table.c.id.in_(deletes)))
    for row_id, values in updates.items():
        if row_id not in deletes:
            new = {**values, "version": spec.table.c.version + 1, "updated_at": sa.func.now()}
            await connection.execute(spec.table.update().where(spec.table.c.id == row_id).values(new))
    return sorted(deletes | updates.keys())


async def _rows_of(connection: AsyncConnection, spec: LinkTable, ids: Sequence[UUID]) -> list[dict[str, Any]]:
    table = spec.table
    columns = (table.c.id, table.c.source, *(table.c[name] for name in (*spec.key_columns, *spec.value_fields)))
    of_both = sa.or_(*(table.c[end.column].in_(ids) for end in spec.ends))
    found = await connection.execute(sa.select(*columns).where(of_both).order_by(table.c.id))
    return [dict(row) for row in found.mappings()]


def _key(spec: LinkTable, row: Mapping[str, Any]) -> LinkKey:
    return tuple(row[name] for name in spec.key_columns)


def _better_values(spec: LinkTable, known: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any] | None:
    """The other row's values and source, where they are to be shown instead of the known ones."""
    for name in spec.value_fields:
        if other[name] is None:
            continue
        if known[name] is None or rank(other["source"], name) < rank(known["source"], name):
            return {name: other[name] for name in spec.value_fields} | {"source": other["source"]}
    return None
