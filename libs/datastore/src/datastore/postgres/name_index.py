"""Writes the search rows of names: `name_starts` and the shared `start_gaps`. See name_tops_rebuild for the lists."""

from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.name_keys import GAP, NameKeys, gapped, name_keys
from datastore.postgres.catalogue import entities, name_pages, name_starts, name_tops, names, start_gaps
from datastore.postgres.name_tops_rebuild import rebuild_tops
from datastore.top_lists import PART_PREFERENCE
from datastore.vocabulary import NameKind

_PAGE = 5000
_NOT_MAIN = 1_000


async def index_names(connection: AsyncConnection, names_by_id: Mapping[int, str]) -> None:
    """Add the search rows of rows that were just added to `names`, in a fixed number of statements.

    A removed name takes its rows along by cascade; a changed name is removed and added. The lists of common prefixes
    follow in name_tops_upkeep.keeping_tops, around all of a write.
    """
    if names_by_id:
        await _insert(connection, {name_id: name_keys(name) for name_id, name in names_by_id.items()})


async def reindex_names(connection: AsyncConnection) -> int:
    """Make all search rows anew, as after a change of folding; returns how many names there are. Run it alone."""
    for table in (name_starts, name_tops, name_pages, start_gaps):
        await connection.execute(sa.delete(table))
    total, last_id = 0, 0
    while True:
        page = sa.select(names.c.id, names.c.name).where(names.c.id > last_id).order_by(names.c.id).limit(_PAGE)
        rows = (await connection.execute(page)).all()
        if not rows:
            break
        keys = {row.id: name_keys(row.name) for row in rows}
        await _refold(connection, keys)
        await _insert(connection, keys)
        total, last_id = total + len(rows), rows[-1].id
    await rebuild_tops(connection)
    return total


async def fill_search_rows(connection: AsyncConnection) -> int:
    """Make the search rows of names where there are none at all, as after a migration; returns of how many names."""
    has_names, has_starts, has_pages = (sa.select(table).exists() for table in (names, name_starts, name_pages))
    state = (await connection.execute(sa.select(has_names, has_starts, has_pages))).one()
    match tuple(state):
        case True, False, _:
            return await reindex_names(connection)
        case True, True, False:
            await rebuild_tops(connection)
            return await connection.scalar(sa.select(sa.func.count()).select_from(names)) or 0
        case _:
            return 0


async def _refold(connection: AsyncConnection, keys: Mapping[int, NameKeys]) -> None:
    given = (
        sa.func.unnest(
            sa.cast(list(keys), pg.ARRAY(sa.BigInteger)),
            sa.cast([of_name.folded for of_name in keys.values()], pg.ARRAY(sa.Text)),
        )
        .table_valued("id", "folded", name="refolded")
        .render_derived()
    )
    await connection.execute(
        sa.update(names)
        .values(folded=given.c.folded)
        .where(names.c.id == given.c.id, names.c.folded.is_distinct_from(given.c.folded))
    )


async def _insert(connection: AsyncConnection, keys: Mapping[int, NameKeys]) -> None:
    await _insert_starts(connection, keys)
    await _insert_gaps(connection, {block for of_name in keys.values() for block in of_name.blocks})


async def _insert_starts(connection: AsyncConnection, keys: Mapping[int, NameKeys]) -> None:
    rows = [
        (name_id, position, key.shelf, key.text, key.is_part)
        for name_id, of_name in keys.items()
        for position, key in enumerate(of_name.keys)
    ]
    columns = list(zip(*rows, strict=True)) or [(), (), (), (), ()]
    types = (sa.BigInteger, sa.SmallInteger, sa.SmallInteger, sa.Text, sa.Boolean)
    given = (
        sa.func.unnest(*(sa.cast(list(column), pg.ARRAY(kind)) for column, kind in zip(columns, types, strict=True)))
        .table_valued("name_id", "position", "shelf", "start", "is_part", name="added")
        .render_derived()
    )
    # The whole name is shown before a part, the main name before others, a short one before a long one.
    rank = (
        sa.case((given.c.is_part, PART_PREFERENCE), else_=0)
        + sa.case((names.c.kind == NameKind.MAIN, 0), else_=_NOT_MAIN)
        + sa.func.length(names.c.folded)
    )
    added = (
        sa.select(given.c.name_id, given.c.position, given.c.shelf, given.c.start, entities.c.node, rank)
        .join_from(given, names, names.c.id == given.c.name_id)
        .join(entities, entities.c.id == names.c.entity_id)
    )
    target = ["name_id", "position", "shelf", "start", "node", "preference"]
    await connection.execute(sa.insert(name_starts).from_select(target, added))


async def _insert_gaps(connection: AsyncConnection, blocks: Iterable[str]) -> None:
    """Only blocks that are new cost anything; one order of rows, so that writers don't deadlock."""
    given = (
        sa.func.unnest(sa.cast(sorted(blocks), pg.ARRAY(sa.Text))).table_valued("block", name="given").render_derived()
    )
    is_known = (
        sa.select(start_gaps.c.block)
        .where(
            start_gaps.c.gapped == sa.literal(GAP, sa.Text).concat(sa.func.substr(given.c.block, 2)),
            start_gaps.c.block == given.c.block,
        )
        .exists()
    )
    fresh = (await connection.execute(sa.select(given.c.block).where(~is_known))).scalars()
    rows = sorted((gap, block) for block in fresh for gap in gapped(block))
    added = (
        sa.func.unnest(
            sa.cast([gap for gap, _ in rows], pg.ARRAY(sa.Text)),
            sa.cast([block for _, block in rows], pg.ARRAY(sa.Text)),
        )
        .table_valued("gapped", "block", name="added")
        .render_derived()
    )
    await connection.execute(
        pg.insert(start_gaps)
        .from_select(["gapped", "block"], sa.select(added.c.gapped, added.c.block))
        .on_conflict_do_nothing()
    )
