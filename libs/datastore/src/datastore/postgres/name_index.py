"""Writes the search rows of names: `name_words`, `name_tokens` and the shared `word_deletions`."""

from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

from datastore.folding import NameEntry, deepest_deletion, deletions, name_entry
from datastore.postgres.catalogue import name_tokens, name_words, names, word_deletions

_PAGE = 5000
_MOST_IN_WORDS = 2
# Hardly any two names share their joined form, so that each costs rows of its own: one mistake has to do.
_MOST_IN_JOINED = 1


async def index_names(connection: AsyncConnection, names_by_id: Mapping[int, str]) -> None:
    """Add the search rows of rows that were just added to `names`, in a fixed number of statements.

    A removed name takes its rows along by cascade; a changed name is removed and added.
    """
    if not names_by_id:
        return
    entries = {name_id: name_entry(name) for name_id, name in names_by_id.items()}
    await _insert_words(connection, entries)
    tokens = [
        (token, name_id) for name_id, entry in entries.items() for token in dict.fromkeys(entry.tokens + entry.joined)
    ]
    await connection.execute(
        pg.insert(name_tokens).from_select(["word", "name_id"], _pairs(tokens, sa.BigInteger)).on_conflict_do_nothing()
    )
    depths = {word: _MOST_IN_JOINED for entry in entries.values() for word in entry.joined}
    depths |= {word: _MOST_IN_WORDS for entry in entries.values() for word in entry.tokens}
    await _insert_deletions(connection, depths)


async def reindex_names(connection: AsyncConnection) -> int:
    """Make all search rows anew, as after a change of folding; returns how many names there are."""
    for table in (name_words, name_tokens, word_deletions):
        await connection.execute(sa.delete(table))
    total, last_id = 0, 0
    while True:
        page = sa.select(names.c.id, names.c.name).where(names.c.id > last_id).order_by(names.c.id).limit(_PAGE)
        rows = (await connection.execute(page)).all()
        if not rows:
            return total
        names_by_id = {row.id: row.name for row in rows}
        await _refold(connection, names_by_id)
        await index_names(connection, names_by_id)
        total, last_id = total + len(rows), rows[-1].id


async def _refold(connection: AsyncConnection, names_by_id: Mapping[int, str]) -> None:
    given = (
        sa.func.unnest(
            sa.cast(list(names_by_id), pg.ARRAY(sa.BigInteger)),
            sa.cast([name_entry(name).folded for name in names_by_id.values()], pg.ARRAY(sa.Text)),
        )
        .table_valued("id", "folded", name="refolded")
        .render_derived()
    )
    await connection.execute(
        sa.update(names)
        .values(folded=given.c.folded)
        .where(names.c.id == given.c.id, names.c.folded.is_distinct_from(given.c.folded))
    )


async def _insert_words(connection: AsyncConnection, entries: Mapping[int, NameEntry]) -> None:
    rows = [
        (name_id, position, suffix.text, suffix.is_whole)
        for name_id, entry in entries.items()
        for position, suffix in enumerate(entry.suffixes)
    ]
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    source = (
        sa.func.unnest(
            sa.cast(list(columns[0]), pg.ARRAY(sa.BigInteger)),
            sa.cast(list(columns[1]), pg.ARRAY(sa.SmallInteger)),
            sa.cast(list(columns[2]), pg.ARRAY(sa.Text)),
            sa.cast(list(columns[3]), pg.ARRAY(sa.Boolean)),
        )
        .table_valued("name_id", "position", "suffix", "is_whole", name="added")
        .render_derived()
    )
    added = sa.select(source.c.name_id, source.c.position, source.c.suffix, source.c.is_whole)
    await connection.execute(sa.insert(name_words).from_select(["name_id", "position", "suffix", "is_whole"], added))


async def _insert_deletions(connection: AsyncConnection, depths: Mapping[str, int]) -> None:
    """Only words that are new to the vocabulary cost anything; one order of rows, so that writers don't deadlock."""
    deepest = [(deepest_deletion(word, most=most), word) for word, most in depths.items()]
    given = _given_pairs(deepest, sa.Text)
    known = sa.select(word_deletions.c.word).where(
        word_deletions.c.deletion == given.c.first, word_deletions.c.word == given.c.second
    )
    fresh = (await connection.execute(sa.select(given.c.second).where(~known.exists()))).scalars().all()
    rows = sorted((deletion, word) for word in fresh for deletion in deletions(word, most=depths[word]))
    await connection.execute(
        pg.insert(word_deletions).from_select(["deletion", "word"], _pairs(rows, sa.Text)).on_conflict_do_nothing()
    )


def _pairs[Second](rows: Iterable[tuple[str, Second]], second: type[TypeEngine[Second]]) -> sa.SelectBase:
    given = _given_pairs(rows, second)
    return sa.select(given.c.first, given.c.second)


def _given_pairs[Second](rows: Iterable[tuple[str, Second]], second: type[TypeEngine[Second]]) -> sa.TableValuedAlias:
    pairs = list(rows)
    return (
        sa.func.unnest(
            sa.cast([first for first, _ in pairs], pg.ARRAY(sa.Text)),
            sa.cast([other for _, other in pairs], pg.ARRAY(second)),
        )
        .table_valued("first", "second", name="given")
        .render_derived()
    )
