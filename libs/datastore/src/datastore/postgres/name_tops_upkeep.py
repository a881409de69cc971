"""Keeps the lists of common prefixes up with every write: after it they are what a rebuild would make."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.name_keys import END
from datastore.postgres.catalogue import entities, name_starts, name_tops, names
from datastore.postgres.name_pages import follow_pages
from datastore.postgres.name_tops import Prefix, given_prefixes, recompute_tops
from datastore.postgres.name_tops_rebuild import rebuild_tops
from datastore.top_lists import ALL_TYPES, PART_PREFERENCE, TOP

# More entities than these are in so many lists that all are made anew.
_FEW_CHANGES = 500

type _OrderKey = tuple[float, str, UUID]
type _Place = tuple[bool, float, str, UUID]


@dataclass(frozen=True, slots=True)
class _Start:
    """A row of `name_starts`, with the type of its entity."""

    shelf: int
    start: str
    node: int
    entity_type: str
    name_id: int
    preference: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entity of a list."""

    node: int
    name_id: int
    preference: int


@dataclass(frozen=True, slots=True)
class _List:
    """A stored list."""

    prefix: Prefix
    entity_type: str
    entries: tuple[_Entry, ...]

    @property
    def is_cut(self) -> bool:
        """Whether there may be more entities than the list has."""
        return len(self.entries) >= TOP


@dataclass(slots=True)
class _ChangedPages:
    """Prefixes whose rows in `name_pages` have changed, see name_pages.follow_pages."""

    listed: set[Prefix] = field(default_factory=set[Prefix])
    leaves: set[Prefix] = field(default_factory=set[Prefix])
    reshaped: set[Prefix] = field(default_factory=set[Prefix])


@asynccontextmanager
async def keeping_tops(connection: AsyncConnection, entity_ids: Collection[UUID]) -> AsyncGenerator[None]:
    """Let the lists follow what the block does to names, popularity and existence of these entities, and no others."""
    if not entity_ids:
        yield
        return
    async with _reading_by_index(connection):
        before = await _starts_of(connection, entity_ids)
    yield
    async with _reading_by_index(connection):
        after = await _starts_of(connection, entity_ids)
    await _Upkeep(connection, before, after).run()


async def follow_popularity(connection: AsyncConnection, entity_ids: Sequence[UUID]) -> None:
    """Bring the lists into the order of the popularity that these entities have got."""
    if len(entity_ids) > _FEW_CHANGES:
        await rebuild_tops(connection)
    else:
        async with keeping_tops(connection, entity_ids):
            pass


@asynccontextmanager
async def _reading_by_index(connection: AsyncConnection) -> AsyncGenerator[None]:
    """Keep the planner from plans for an empty catalogue: an import outgrows its statistics within one transaction."""
    names = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")
    await connection.execute(sa.select(*(sa.func.set_config(name, "off", True) for name in names)))
    yield
    await connection.execute(sa.select(*(sa.func.set_config(name, "on", True) for name in names)))


class _Upkeep:
    """Goes through the prefixes of the changed entities, a letter longer each time, as far as there are lists."""

    def __init__(self, connection: AsyncConnection, before: Sequence[_Start], after: Sequence[_Start]) -> None:
        self._connection = connection
        self._before, self._after = before, after
        self._nodes = {start.node for start in (*before, *after)}
        self._keys: dict[int, _OrderKey] = {}
        self._pages = _ChangedPages()

    async def run(self) -> None:
        """Bring every list up to date."""
        if not self._nodes:
            return
        async with _reading_by_index(self._connection):
            await self._follow()

    async def _follow(self) -> None:
        await self._learn_order(self._nodes)
        length = 1
        while self._before or self._after:
            was, now = _by_prefix(self._before, length), _by_prefix(self._after, length)
            listed = await self._update(was, now)
            self._pages.leaves |= (was.keys() | now.keys()) - listed
            self._before = [each for each in self._before if (each.shelf, each.start[:length]) in listed]
            self._after = [each for each in self._after if (each.shelf, each.start[:length]) in listed]
            length += 1
        pages = self._pages
        await follow_pages(self._connection, listed=pages.listed, leaves=pages.leaves, reshaped=pages.reshaped)

    async def _update(self, was: Mapping[Prefix, list[_Start]], now: Mapping[Prefix, list[_Start]]) -> set[Prefix]:
        """Update the lists of prefixes of one length; returns those that have lists, before or after."""
        touched = was.keys() | now.keys()
        lists = await self._lists(touched)
        listed = {each.prefix for each in lists}
        unclear = {
            prefix
            for prefix in now.keys() - listed
            if {s.node for s in now[prefix]} - {s.node for s in was.get(prefix, ())}
        }
        unclear |= {
            each.prefix
            for each in lists
            if each.entity_type == ALL_TYPES and _has_lost(each, was.get(each.prefix, ()), now.get(each.prefix, ()))
        }
        known = {(each.prefix, each.entity_type) for each in lists}
        new_types = [
            _List(prefix, entity_type, ())
            for prefix in now.keys() & listed
            for entity_type in sorted({start.entity_type for start in now[prefix]})
            if (prefix, entity_type) not in known
        ]
        await self._merge([each for each in (*lists, *new_types) if each.prefix not in unclear], now, unclear)
        await recompute_tops(self._connection, unclear)
        made = {each.prefix for each in await self._lists(unclear)}
        self._pages.reshaped |= made ^ (listed & unclear)
        named = {key for key in touched if any(s.start == key[1] + END for s in (*was.get(key, ()), *now.get(key, ())))}
        self._pages.listed |= (listed & named) - unclear | made
        return listed | made

    async def _merge(self, lists: Sequence[_List], now: Mapping[Prefix, list[_Start]], unclear: set[Prefix]) -> None:
        """Write the lists that changed; what can't be told from the list alone becomes `unclear`."""
        await self._learn_order({each.entries[-1].node for each in lists if each.entries})
        changing = [each for each in lists if self._may_change(each, now.get(each.prefix, ()))]
        self._pages.listed |= {each.prefix for each in changing if each.entity_type == ALL_TYPES} - unclear
        await self._learn_order({entry.node for each in changing for entry in each.entries})
        merged: list[_List] = []
        for each in changing:
            new = self._merged(each, now.get(each.prefix, ()))
            if new is None:
                unclear.add(each.prefix)
            elif new.entries != each.entries:
                merged.append(new)
        await self._store([each for each in merged if each.prefix not in unclear])

    def _may_change(self, stored: _List, members: Iterable[_Start]) -> bool:
        if not stored.is_cut or self._nodes & {entry.node for entry in stored.entries}:
            return True
        last = self._place(stored.entries[-1])
        return any(self._place(each) < last for each in _best(_of_type(stored, members)))

    def _merged(self, stored: _List, members: Iterable[_Start]) -> _List | None:
        """The list with the changed entities in their places; None where an unlisted one may have moved up."""
        unchanged = [entry for entry in stored.entries if entry.node not in self._nodes]
        entries = sorted([*unchanged, *_best(_of_type(stored, members))], key=self._place)
        if stored.is_cut:
            certain = entries.index(unchanged[-1]) + 1 if unchanged else 0
            if certain < TOP:
                return None
        return _List(stored.prefix, stored.entity_type, tuple(entries[:TOP]))

    def _place(self, entry: _Entry) -> _Place:
        return (entry.preference >= PART_PREFERENCE, *self._keys[entry.node])

    async def _store(self, lists: Sequence[_List]) -> None:
        rows = [
            {
                "shelf": each.prefix[0],
                "prefix": each.prefix[1],
                "entity_type": each.entity_type,
                "nodes": [entry.node for entry in each.entries],
                "name_ids": [entry.name_id for entry in each.entries],
                "preferences": [entry.preference for entry in each.entries],
            }
            for each in lists
            if each.entries
        ]
        if rows:
            insert = pg.insert(name_tops)
            new = {name: insert.excluded[name] for name in ("nodes", "name_ids", "preferences")}
            await self._connection.execute(
                insert.on_conflict_do_update(index_elements=["shelf", "prefix", "entity_type"], set_=new), rows
            )
        for each in lists:
            if not each.entries:
                shelf, prefix = each.prefix
                await self._connection.execute(
                    sa.delete(name_tops).where(
                        name_tops.c.shelf == shelf,
                        name_tops.c.prefix == prefix,
                        name_tops.c.entity_type == each.entity_type,
                    )
                )

    async def _lists(self, prefixes: Collection[Prefix]) -> list[_List]:
        if not prefixes:
            return []
        given = given_prefixes(prefixes)
        statement = sa.select(name_tops).join_from(
            given, name_tops, sa.and_(name_tops.c.shelf == given.c.shelf, name_tops.c.prefix == given.c.prefix)
        )
        return [
            _List(
                (row.shelf, row.prefix),
                row.entity_type,
                tuple(map(_Entry, row.nodes, row.name_ids, row.preferences)),
            )
            for row in await self._connection.execute(statement)
        ]

    async def _learn_order(self, nodes: Collection[int]) -> None:
        """Read the order of entities; one that is gone comes last."""
        missing = sorted(set(nodes) - self._keys.keys())
        if not missing:
            return
        self._keys |= {node: (1.0, "", UUID(int=0)) for node in missing}
        columns = entities.c
        statement = sa.select(columns.node, columns.popularity, columns.name, columns.id).where(
            columns.node == sa.any_(sa.literal(missing, pg.ARRAY(sa.Integer)))
        )
        for row in await self._connection.execute(statement):
            self._keys[row.node] = (-row.popularity, row.name, row.id)


def _has_lost(stored: _List, was: Iterable[_Start], now: Iterable[_Start]) -> bool:
    """Whether an entity of the list begins so no more. Where only an unlisted one doesn't, TOP others still do."""
    lost = {each.node for each in was} - {each.node for each in now}
    return any(entry.node in lost for entry in stored.entries)


async def _starts_of(connection: AsyncConnection, entity_ids: Collection[UUID]) -> list[_Start]:
    ids = sa.literal(list(entity_ids), pg.ARRAY(pg.UUID(as_uuid=True)))
    columns = name_starts.c
    statement = (
        sa.select(
            columns.shelf, columns.start, columns.node, entities.c.entity_type, columns.name_id, columns.preference
        )
        .join_from(entities, names, names.c.entity_id == entities.c.id)
        .join(name_starts, columns.name_id == names.c.id)
        .where(entities.c.id == sa.any_(ids))
    )
    return [_Start(*row) for row in await connection.execute(statement)]


def _by_prefix(starts: Iterable[_Start], length: int) -> dict[Prefix, list[_Start]]:
    found: dict[Prefix, list[_Start]] = {}
    for each in starts:
        if len(each.start) >= length:
            found.setdefault((each.shelf, each.start[:length]), []).append(each)
    return found


def _of_type(stored: _List, starts: Iterable[_Start]) -> list[_Start]:
    return [each for each in starts if stored.entity_type in (ALL_TYPES, each.entity_type)]


def _best(starts: Iterable[_Start]) -> list[_Entry]:
    """Each entity once, with its preferred name."""
    best: dict[int, _Entry] = {}
    for each in sorted(starts, key=lambda each: (each.preference, each.name_id)):
        best.setdefault(each.node, _Entry(each.node, each.name_id, each.preference))
    return list(best.values())
