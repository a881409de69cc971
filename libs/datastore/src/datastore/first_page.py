"""The first hits of a typed text, out of the rows of `name_pages` that may answer it (pure).

A row has parallel lists of keys and hits. A key is one of name_keys, with PART behind it where it begins at a later
part of a name; of a common prefix, whose row has its first hits only, it is no longer than the prefix, or equal to it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec
from msgspec import Struct

from datastore.name_keys import TypedKeys
from datastore.typos import has_gap
from datastore.vocabulary import EntityType, NameKind

PAGE = 20
"""So many hits of a common prefix are kept ready."""

PART = "\x02"

EXACT, PREFIX, WORD_PREFIX, TYPO = range(4)


class StoredHit(Struct, frozen=True, array_like=True):
    """A hit as a row has it. Of an entity's names, the one with the lowest preference and number is shown."""

    preference: int
    name_id: int
    entity_id: UUID
    entity_type: EntityType
    name: str
    other_name: str | None
    """The name that was met, where it is another one."""
    kind: NameKind
    popularity: float
    version: int


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row of `name_pages`."""

    starts: Sequence[str]
    hits: Sequence[str]


_decode = msgspec.json.Decoder(StoredHit).decode


def first_hits(keys: TypedKeys, rows: Iterable[PageRow], limit: int) -> list[tuple[int, StoredHit]]:
    """The first entities with their match classes, each once, in the order of search.

    `rows` are those that may answer the prefixes of `keys`: they hold all there is, or `limit` is at most PAGE.
    """
    found = [_matching(keys, row) for row in rows]
    if len(found) == 1:
        return _first_of(found[0], limit)
    return _merged(found)[:limit]


def corrected_hits(forms: Collection[str], rows: Iterable[tuple[str, PageRow]]) -> list[StoredHit]:
    """The entities that a text in these forms misspells by a letter, each once, most popular first.

    `rows` come with what was looked up: a correction, whose first PAGE entities count, or one of the forms, whose row
    has keys to compare with it.
    """
    found: list[tuple[int, str]] = []
    for prefix, row in rows:
        if prefix in forms:
            met = [hit for start, hit in zip(row.starts, row.hits, strict=True) if has_gap(start, prefix)]
        else:
            met = [hit for start, hit in zip(row.starts, row.hits, strict=True) if start.startswith(prefix)][:PAGE]
        found += [(TYPO, hit) for hit in met]
    return [hit for _, hit in _merged([found])]


def _matching(keys: TypedKeys, row: PageRow) -> list[tuple[int, str]]:
    """What the text meets, by class; within a class a row is in order."""
    classes: tuple[list[tuple[int, str]], ...] = ([], [], [])
    for start, hit in zip(row.starts, row.hits, strict=True):
        if start.startswith(keys.prefixes):
            match = WORD_PREFIX if start[-1] == PART else EXACT if start == keys.exact else PREFIX
            classes[match].append((match, hit))
    return [each for of_class in classes for each in of_class]


def _first_of(matching: Iterable[tuple[int, str]], limit: int) -> list[tuple[int, StoredHit]]:
    found: dict[UUID, tuple[int, StoredHit]] = {}
    for match, text in matching:
        hit = _decode(text)
        if hit.entity_id not in found:
            found[hit.entity_id] = (match, hit)
            if len(found) == limit:
                break
    return list(found.values())


def _merged(rows: Iterable[Sequence[tuple[int, str]]]) -> list[tuple[int, StoredHit]]:
    best: dict[UUID, tuple[int, int, int, StoredHit]] = {}
    for match, text in (each for row in rows for each in row):
        hit = _decode(text)
        found = (match, hit.preference, hit.name_id, hit)
        known = best.get(hit.entity_id)
        if known is None or found[:3] < known[:3]:
            best[hit.entity_id] = found
    each_once = [(match, hit) for match, _, _, hit in best.values()]
    return sorted(each_once, key=lambda each: (each[0], -each[1].popularity, each[1].name, each[1].entity_id))
