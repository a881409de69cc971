"""Makes all lists of common prefixes anew, one first letter after the other."""

import asyncio
from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.name_keys import AFTER_EVERY_TEXT
from datastore.postgres.catalogue import entities, name_pages, name_starts, name_tops
from datastore.postgres.name_pages import write_first_hits, write_leaves
from datastore.postgres.name_tops import Prefix
from datastore.top_lists import LISTED, Keys, Order, TopList, leaves, top_lists

_MEMORY = "256MB"
_LISTS_AT_ONCE = 2_000

type _Row = dict[str, object]


async def rebuild_tops(connection: AsyncConnection) -> None:
    """Make all lists anew, in one reading of the keys, and the rows of `name_pages`. Run it alone.

    Holds the order of all entities and the keys of one first letter in memory.
    """
    await connection.execute(sa.delete(name_tops))
    # Arrays of rows in order, which workers beside each other would not be in.
    settings = {"work_mem": _MEMORY, "max_parallel_workers_per_gather": "0"}
    await connection.execute(sa.select(*(sa.func.set_config(name, value, True) for name, value in settings.items())))
    order = await _order(connection)
    rows: list[_Row] = []
    listed: list[Prefix] = []
    below: list[Prefix] = []
    for shelf, letter, count in await _letters(connection):
        if count <= LISTED:
            below.append((shelf, letter))
            continue
        keys = await _keys(connection, shelf, letter)
        lists = await asyncio.to_thread(top_lists, keys, order)
        prefixes = {each.prefix for each in lists}
        listed += [(shelf, prefix) for prefix in prefixes]
        below += [(shelf, prefix) for prefix in leaves(keys.starts, prefixes)]
        rows += _rows(shelf, lists)
        if len(rows) >= _LISTS_AT_ONCE:
            await connection.execute(sa.insert(name_tops), rows)
            rows = []
    if rows:
        await connection.execute(sa.insert(name_tops), rows)
    await connection.execute(sa.delete(name_pages))
    await write_first_hits(connection, listed)
    await write_leaves(connection, below)


async def _order(connection: AsyncConnection) -> Order:
    columns = entities.c
    best_first = (columns.popularity.desc(), columns.name.collate("C"), columns.id)
    ordered = sa.select(columns.node, columns.entity_type).order_by(*best_first).subquery("ordered")
    statement = sa.select(sa.func.array_agg(ordered.c.node), sa.func.array_agg(ordered.c.entity_type))
    nodes, types = (await connection.execute(statement)).one()
    return Order.of(nodes or [], types or [])


async def _letters(connection: AsyncConnection) -> list[tuple[int, str, int]]:
    """First letters by shelf, with the number of their keys."""
    letter = sa.func.left(name_starts.c.start, 1)
    statement = sa.select(name_starts.c.shelf, letter, sa.func.count()).group_by(name_starts.c.shelf, letter)
    return [(row[0], row[1], row[2]) for row in await connection.execute(statement)]


async def _keys(connection: AsyncConnection, shelf: int, letter: str) -> Keys:
    columns = name_starts.c
    begins = (columns.shelf == shelf, columns.start >= letter, columns.start < letter + AFTER_EVERY_TEXT)
    found = (
        sa.select(columns.start, columns.node, columns.name_id, columns.preference)
        .where(*begins)
        .order_by(columns.start)
        .subquery("found")
    )
    lists = (sa.func.array_agg(column, type_=pg.ARRAY(column.type)) for column in found.c)
    return Keys(*(await connection.execute(sa.select(*lists))).one())


def _rows(shelf: int, lists: Iterable[TopList]) -> list[_Row]:
    return [
        {
            "shelf": shelf,
            "prefix": each.prefix,
            "entity_type": each.entity_type,
            "nodes": each.nodes,
            "name_ids": each.name_ids,
            "preferences": each.preferences,
        }
        for each in lists
    ]
