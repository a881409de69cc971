"""Writes `name_pages`: what search shows of each prefix, a projection of the keys, the lists, names and entities.

Common prefixes have their first hits there, by `write_first_hits`; all others are below the shortest prefix without a
list, a leaf, with all that begins with it, by `write_leaves`.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.first_page import END_OF_ENTRY, PAGE, PART, SEPARATOR
from datastore.name_hits import EXACT, MATCH_KINDS, PREFIX, WORD_PREFIX
from datastore.name_keys import AFTER_EVERY_TEXT, END
from datastore.postgres.catalogue import entities, name_pages, name_starts, name_tops, names
from datastore.postgres.name_tops import NO_LIMIT, Prefix, first_entries, given_prefixes, in_range
from datastore.top_lists import ALL_TYPES, PART_PREFERENCE, leaf_of

_AT_ONCE = 1_000


async def write_first_hits(connection: AsyncConnection, prefixes: Collection[Prefix]) -> None:
    """Make the rows of these prefixes anew, all of which have lists."""
    for some in _chunks(prefixes):
        given = given_prefixes(some)
        met = sa.union_all(_equal_keys(given), _list_entries(given)).subquery("met")
        hit, joined = _hits(met)
        each_once = (
            sa.select(met.c.shelf, met.c.prefix, met.c.node, met.c.match_class, *hit)
            .select_from(joined)
            .ext(pg.distinct_on(met.c.shelf, met.c.prefix, met.c.node))
            .order_by(met.c.shelf, met.c.prefix, met.c.node, met.c.match_class, met.c.preference, met.c.name_id)
            .subquery("each_once")
        )
        order = (each_once.c.match_class, *_in_order(each_once))
        place = sa.func.row_number().over(partition_by=[each_once.c.shelf, each_once.c.prefix], order_by=order)
        placed = sa.select(each_once, place.label("place")).subquery("placed")
        start = placed.c.prefix.concat(sa.case({EXACT: END, PREFIX: "", WORD_PREFIX: PART}, value=placed.c.match_class))
        await _write(connection, placed, start, (placed.c.place,), placed.c.place <= PAGE)


async def write_leaves(connection: AsyncConnection, leaves: Collection[Prefix]) -> None:
    """Make the rows of these leaves anew; those without keys get none."""
    for some in _chunks(leaves):
        given = given_prefixes(some)
        columns = (name_starts.c.start, name_starts.c.node, name_starts.c.name_id, name_starts.c.preference)
        key = _nested(sa.select(*columns).where(*in_range(given.c.shelf, given.c.prefix)), "key")
        met = sa.select(given.c.shelf, given.c.prefix, *key.c).join_from(given, key, sa.true()).subquery("met")
        hit, joined = _hits(met)
        found = sa.select(met, *hit).select_from(joined).subquery("found")
        is_part = found.c.preference >= PART_PREFERENCE
        start = found.c.start.concat(sa.case((is_part, PART), else_=""))
        order = (is_part, *_in_order(found), found.c.preference, found.c.name_id, found.c.start)
        await _write(connection, found, start, order)


async def follow_pages(
    connection: AsyncConnection,
    *,
    listed: Collection[Prefix],
    leaves: Collection[Prefix],
    reshaped: Collection[Prefix],
) -> None:
    """Make rows anew: those of prefixes with lists and of leaves, and all below prefixes that got or lost a list."""
    roots = {each for each in reshaped if not _is_below((each[0], each[1][:-1]), reshaped)}
    if roots:
        listed_below, leaves_below = await _below(connection, roots)
        listed = {*listed_below, *(each for each in listed if not _is_below(each, roots))}
        leaves = {*leaves_below, *(each for each in leaves if not _is_below(each, roots))}
    await _delete_below(connection, {*roots, *leaves})
    await write_first_hits(connection, listed)
    await write_leaves(connection, leaves)


async def _delete_below(connection: AsyncConnection, roots: Collection[Prefix]) -> None:
    if roots:
        given = given_prefixes(roots)
        await connection.execute(
            sa.delete(name_pages).where(
                name_pages.c.shelf == given.c.shelf,
                name_pages.c.prefix >= given.c.prefix,
                name_pages.c.prefix < given.c.prefix.concat(AFTER_EVERY_TEXT),
            )
        )


async def _below(connection: AsyncConnection, roots: Collection[Prefix]) -> tuple[set[Prefix], set[Prefix]]:
    """The prefixes with lists and the leaves that begin with these; few keys do."""
    given = given_prefixes(roots)
    keys = sa.select(name_starts.c.shelf, name_starts.c.start).join_from(
        given, name_starts, sa.and_(*in_range(given.c.shelf, given.c.prefix))
    )
    starts = {(row.shelf, row.start) for row in await connection.execute(keys)}
    listed = await _listed(connection, {(shelf, start[:end]) for shelf, start in starts for end in _lengths(start)})
    by_shelf = {shelf: {prefix for of, prefix in listed if of == shelf} for shelf, _ in starts}
    found = {(shelf, leaf_of(start, by_shelf[shelf])) for shelf, start in starts}
    return (
        {each for each in listed if _is_below(each, roots)},
        {(shelf, leaf) for shelf, leaf in found if leaf is not None},
    )


async def _listed(connection: AsyncConnection, prefixes: Collection[Prefix]) -> set[Prefix]:
    if not prefixes:
        return set()
    given = given_prefixes(prefixes)
    found = sa.select(name_tops.c.shelf, name_tops.c.prefix).join_from(
        given, name_tops, sa.and_(name_tops.c.shelf == given.c.shelf, name_tops.c.prefix == given.c.prefix)
    )
    rows = await connection.execute(found.where(name_tops.c.entity_type == ALL_TYPES))
    return {(row.shelf, row.prefix) for row in rows}


def _is_below(prefix: Prefix, roots: Collection[Prefix]) -> bool:
    shelf, text = prefix
    return any((shelf, text[:end]) in roots for end in _lengths(text))


def _lengths(text: str) -> range:
    return range(1, len(text) + 1)


def _chunks(prefixes: Collection[Prefix]) -> Iterable[Sequence[Prefix]]:
    ordered = sorted(prefixes)
    return (ordered[place : place + _AT_ONCE] for place in range(0, len(ordered), _AT_ONCE))


_ENTITY = (
    entities.c.id,
    entities.c.entity_type,
    entities.c.name,
    entities.c.popularity,
    entities.c.version,
)


def _in_order(found: sa.FromClause) -> tuple[sa.ColumnElement[Any], ...]:
    return (found.c.by_popularity.desc(), found.c.by_name, found.c.by_id)


def _list_entries(given: sa.FromClause) -> sa.Select[*tuple[Any, ...]]:
    """The first entries of lists. Those whose names are equal to the prefix may be among them: more than are kept."""
    entry = first_entries(name_tops, sa.literal_column(str(2 * PAGE), sa.Integer))
    is_part = entry.c.preference >= PART_PREFERENCE
    return sa.select(
        given.c.shelf,
        given.c.prefix,
        entry.c.node,
        entry.c.name_id,
        entry.c.preference,
        sa.case((is_part, WORD_PREFIX), else_=PREFIX).label("match_class"),
    ).select_from(
        given.join(
            name_tops,
            sa.and_(
                name_tops.c.shelf == given.c.shelf,
                name_tops.c.prefix == given.c.prefix,
                name_tops.c.entity_type == ALL_TYPES,
            ),
        ).join(entry, sa.true())
    )


def _equal_keys(given: sa.FromClause) -> sa.Select[*tuple[Any, ...]]:
    """Whole names that are equal to the prefix."""
    keys = name_starts.c
    equal = sa.select(keys.node, keys.name_id, keys.preference).where(
        keys.shelf == given.c.shelf, keys.start == given.c.prefix.concat(END), keys.preference < PART_PREFERENCE
    )
    key = _nested(equal, "key")
    return sa.select(given.c.shelf, given.c.prefix, *key.c, sa.literal(EXACT).label("match_class")).join_from(
        given, key, sa.true()
    )


def _nested(rows: sa.Select[*tuple[Any, ...]], name: str) -> sa.FromClause:
    """Rows that are looked up by index, however many the planner expects: what has a limit is not joined otherwise."""
    return rows.limit(NO_LIMIT).lateral(name)


def _hits(met: sa.FromClause) -> tuple[list[sa.ColumnElement[Any]], sa.FromClause]:
    """Hits as datastore.first_page.StoredHit reads them, with what they are ordered by, and where they come from."""
    entity = _nested(sa.select(*_ENTITY).where(entities.c.node == met.c.node), "entity")
    name = _nested(sa.select(names.c.name, names.c.kind).where(names.c.id == met.c.name_id), "name")
    match = sa.case(
        (met.c.preference >= PART_PREFERENCE, sa.literal(MATCH_KINDS[WORD_PREFIX], sa.Text)),
        else_=MATCH_KINDS[PREFIX],
    )
    hit = sa.func.json_build_array(
        entity.c.id,
        entity.c.entity_type,
        entity.c.name,
        name.c.name,
        name.c.kind,
        match,
        entity.c.popularity,
        entity.c.version,
        met.c.preference,
        met.c.name_id,
    )
    order = (
        entity.c.popularity.label("by_popularity"),
        entity.c.name.collate("C").label("by_name"),
        entity.c.id.label("by_id"),
    )
    return [sa.cast(hit, sa.Text).label("hit"), *order], met.join(entity, sa.true()).join(name, sa.true())


async def _write(
    connection: AsyncConnection,
    found: sa.Subquery,
    start: sa.ColumnElement[str],
    order: Sequence[sa.ColumnElement[Any]],
    *conditions: sa.ColumnElement[bool],
) -> None:
    entry = start.concat(SEPARATOR).concat(found.c.hit)
    entries = sa.func.string_agg(entry, pg.aggregate_order_by(sa.literal(END_OF_ENTRY, sa.Text), *order))
    rows = sa.select(found.c.shelf, found.c.prefix, entries).where(*conditions).group_by(found.c.shelf, found.c.prefix)
    insert = pg.insert(name_pages).from_select(["shelf", "prefix", "entries"], rows)
    new = {"entries": insert.excluded.entries}
    await connection.execute(insert.on_conflict_do_update(index_elements=["shelf", "prefix"], set_=new))
