"""Which prefixes are common, and their first entities: one walk over sorted keys, from the longest prefixes up (pure).

A list of a prefix follows from those of the prefixes that are a letter longer, cut to what any list can hold. So no
key is looked at again once for each of its letters.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from datastore.name_keys import AFTER_EVERY_TEXT

LISTED = 24
"""A prefix of more entities than these has a list. All that is below one of fewer is one row, which is read whole."""

TOP = 64
"""A list has as many entities at most."""

ALL_TYPES = ""

PART_PREFERENCE = 4_000
"""From this preference on, a key is a later part of a name."""

# Bits of an entry, the lowest first: the name, its preference, the entity's rank, whether it is met in a part.
_NAME_BITS, _PREFERENCE_BITS, _RANK_BITS = 40, 14, 32


@dataclass(frozen=True, slots=True)
class Order:
    """All entities in the order of search: nodes and types by rank, ranks by node."""

    nodes: Sequence[int]
    types: Sequence[str]
    ranks: Mapping[int, int]

    @classmethod
    def of(cls, nodes: Sequence[int], types: Sequence[str]) -> "Order":
        """The order that these are in, best first."""
        return cls(nodes, types, {node: rank for rank, node in enumerate(nodes)})


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys that begin with the same letter, sorted, and what each leads to."""

    starts: Sequence[str]
    nodes: Sequence[int]
    name_ids: Sequence[int]
    preferences: Sequence[int]


@dataclass(frozen=True, slots=True)
class TopList:
    """The first entities of a prefix, of a type or of all: three columns of one list."""

    prefix: str
    entity_type: str
    nodes: list[int]
    name_ids: list[int]
    preferences: list[int]


def top_lists(keys: Keys, order: Order) -> list[TopList]:
    """The lists of all common prefixes of these keys."""
    entries = [
        _entry(order.ranks[node], preference, name_id)
        for node, preference, name_id in zip(keys.nodes, keys.preferences, keys.name_ids, strict=True)
    ]
    walk = _Walk(keys.starts, entries, order)
    if len(entries) > LISTED:
        walk.below(0, len(entries), 1)
    return walk.found


def leaves(starts: Sequence[str], listed: Collection[str]) -> list[str]:
    """The shortest prefixes of these sorted keys that have no list; keys that have one themselves are below none."""
    found: list[str] = []
    place = 0
    while place < len(starts):
        prefix = leaf_of(starts[place], listed)
        if prefix is None:
            place += 1
        else:
            found.append(prefix)
            place = bisect_left(starts, prefix + AFTER_EVERY_TEXT, place)
    return found


def leaf_of(start: str, listed: Collection[str]) -> str | None:
    """The shortest prefix of a key that is not `listed`; None when all are."""
    prefixes = (start[:length] for length in range(1, len(start) + 1))
    return next((prefix for prefix in prefixes if prefix not in listed), None)


def _entry(rank: int, preference: int, name_id: int) -> int:
    """One number that sorts as lists do, and of an entity's keys the preferred one first."""
    place = (preference >= PART_PREFERENCE) << _RANK_BITS | rank
    return (place << _PREFERENCE_BITS | preference) << _NAME_BITS | name_id


def _rank(entry: int) -> int:
    return entry >> (_NAME_BITS + _PREFERENCE_BITS) & (1 << _RANK_BITS) - 1


class _Walk:
    """Goes through the prefixes of sorted keys, those with more than LISTED keys only."""

    def __init__(self, starts: Sequence[str], entries: Sequence[int], order: Order) -> None:
        self._starts, self._entries, self._order = starts, entries, order
        self.found: list[TopList] = []

    def below(self, first: int, end: int, length: int) -> list[int]:
        """Make the lists of the prefix of `length` letters that these keys share, and of longer ones.

        Returns the entries that a shorter prefix may list: of each entity the best, of each type one more than TOP.
        """
        gathered: list[int] = []
        for place, next_place in self._groups(first, end, length):
            if next_place - place > LISTED:
                gathered += self.below(place, next_place, length + 1)
            else:
                gathered += self._entries[place:next_place]
        gathered.sort()
        return self._listed(self._starts[first][:length], gathered)

    def _groups(self, first: int, end: int, length: int) -> Iterator[tuple[int, int]]:
        """Keys that share a letter more. Keys that end here come one by one."""
        starts = self._starts
        while first < end:
            start = starts[first]
            if len(start) == length:
                next_place = first + 1
            else:
                next_place = bisect_left(starts, start[: length + 1] + AFTER_EVERY_TEXT, first, end)
            yield first, next_place
            first = next_place

    def _listed(self, prefix: str, entries: Sequence[int]) -> list[int]:
        types = self._order.types
        seen: set[int] = set()
        everything: list[int] = []
        by_type: dict[str, list[int]] = {}
        for entry in entries:
            rank = _rank(entry)
            if rank in seen:
                continue
            seen.add(rank)
            everything.append(entry)
            of_type = by_type.setdefault(types[rank], [])
            if len(of_type) <= TOP:
                of_type.append(entry)
        if len(everything) > LISTED:
            self.found.append(self._list(prefix, ALL_TYPES, everything))
            self.found += [self._list(prefix, each, by_type[each]) for each in by_type]
        return [entry for of_type in by_type.values() for entry in of_type]

    def _list(self, prefix: str, entity_type: str, entries: Sequence[int]) -> TopList:
        first = entries[:TOP]
        return TopList(
            prefix,
            entity_type,
            nodes=[self._order.nodes[_rank(entry)] for entry in first],
            name_ids=[entry & (1 << _NAME_BITS) - 1 for entry in first],
            preferences=[entry >> _NAME_BITS & (1 << _PREFERENCE_BITS) - 1 for entry in first],
        )
