"""The lists of the first entities of some prefixes, `name_tops`, made anew by one statement.

A list is a projection of `name_starts` and `entities`. See name_tops_rebuild for all of them, and name_tops_upkeep for
what keeps them equal to a rebuild with every write.
"""

from collections.abc import Collection, Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.name_keys import AFTER_EVERY_TEXT
from datastore.postgres.catalogue import entities, name_starts, name_tops
from datastore.top_lists import ALL_TYPES, LISTED, PART_PREFERENCE, TOP

type Prefix = tuple[int, str]

NO_LIMIT = 1_000_000
"""No list means few entities, but one may have any number of keys. What has a limit is looked up by index."""


async def recompute_tops(connection: AsyncConnection, prefixes: Collection[Prefix]) -> None:
    """Make the lists of these prefixes anew; those of too few entities go."""
    if prefixes:
        given = given_prefixes(prefixes)
        await connection.execute(
            sa.delete(name_tops).where(name_tops.c.shelf == given.c.shelf, name_tops.c.prefix == given.c.prefix)
        )
        await connection.execute(_filling(_members_of(prefixes)))


def given_prefixes(prefixes: Iterable[Prefix]) -> sa.TableValuedAlias:
    """Prefixes as rows, in one order, so that writers don't deadlock."""
    ordered = sorted(prefixes)
    return (
        sa.func.unnest(
            sa.cast([shelf for shelf, _ in ordered], pg.ARRAY(sa.SmallInteger)),
            sa.cast([prefix for _, prefix in ordered], pg.ARRAY(sa.Text)),
        )
        .table_valued(sa.column("shelf", sa.SmallInteger), sa.column("prefix", sa.Text), name="given")
        .render_derived()
    )


def first_entries(lists: sa.FromClause, most: sa.ColumnElement[int]) -> sa.FromClause:
    """The first `most` entries of each of these lists, by column: `node`, `name_id`, `preference`."""
    first = slice(sa.literal_column("1", sa.Integer), most)
    return (
        sa.func.unnest(lists.c.nodes[first], lists.c.name_ids[first], lists.c.preferences[first])
        .table_valued(
            sa.column("node", sa.Integer),
            sa.column("name_id", sa.BigInteger),
            sa.column("preference", sa.SmallInteger),
            name="entry",
        )
        .render_derived()
        .lateral()
    )


def in_range(shelf: sa.ColumnElement[int], prefix: sa.ColumnElement[str]) -> tuple[sa.ColumnElement[bool], ...]:
    """Whether a key begins with the prefix, as a range of the index."""
    return (
        name_starts.c.shelf == shelf,
        name_starts.c.start >= prefix,
        name_starts.c.start < prefix.concat(AFTER_EVERY_TEXT),
    )


def _members(shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]) -> sa.Select[*tuple[Any, ...]]:
    """Each entity of each prefix once, with its preferred name; FROM and WHERE are the caller's."""
    columns = name_starts.c
    return (
        sa.select(shelf.label("shelf"), prefix.label("prefix"), columns.node, columns.name_id, columns.preference)
        .ext(pg.distinct_on(shelf, prefix, columns.node))
        .order_by(shelf, prefix, columns.node, columns.preference, columns.name_id)
    )


def _members_of(prefixes: Collection[Prefix]) -> sa.Select[*tuple[Any, ...]]:
    given = given_prefixes(prefixes)
    joined = given.join(name_starts, sa.and_(*in_range(given.c.shelf, given.c.prefix)))
    return _members(given.c.shelf, given.c.prefix).select_from(joined)


def _filling(members: sa.Select[*tuple[Any, ...]]) -> sa.Insert:
    """Insert the lists of those prefixes that have enough members."""
    found = members.subquery("members")
    of_prefix = [found.c.shelf, found.c.prefix]
    order = (
        found.c.preference >= PART_PREFERENCE,
        entities.c.popularity.desc(),
        entities.c.name.collate("C"),
        entities.c.id,
    )
    placed = (
        sa.select(
            found,
            entities.c.entity_type,
            sa.func.count().over(partition_by=of_prefix).label("total"),
            sa.func.row_number().over(partition_by=of_prefix, order_by=order).label("place"),
            sa.func.row_number()
            .over(partition_by=[*of_prefix, entities.c.entity_type], order_by=order)
            .label("type_place"),
        )
        .join_from(found, entities, entities.c.node == found.c.node)
        .cte("placed")
    )
    everything = _lists_by(placed, sa.cast(sa.literal_column(f"'{ALL_TYPES}'"), sa.Text), placed.c.place)
    by_type = _lists_by(placed, placed.c.entity_type, placed.c.type_place)
    columns = ["shelf", "prefix", "entity_type", "nodes", "name_ids", "preferences"]
    return sa.insert(name_tops).from_select(columns, sa.union_all(everything, by_type))


def _lists_by(
    placed: sa.CTE, entity_type: sa.ColumnElement[Any], place: sa.ColumnElement[Any]
) -> sa.Select[*tuple[Any, ...]]:
    listed = (placed.c.node, placed.c.name_id, placed.c.preference)
    return (
        sa.select(
            placed.c.shelf,
            placed.c.prefix,
            entity_type.label("entity_type"),
            *(sa.func.array_agg(pg.aggregate_order_by(column, place)) for column in listed),
        )
        .where(placed.c.total > LISTED, place <= TOP)
        .group_by(placed.c.shelf, placed.c.prefix, entity_type)
    )
