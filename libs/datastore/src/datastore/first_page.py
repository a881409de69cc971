"""The first hits of a typed text, out of the rows of `name_pages` that may answer it (pure).

The entries of a row are lines of a key, SEPARATOR and a hit. A key is one of name_keys, with PART behind it where it
begins at a later part of a name; of a common prefix, whose row has its first hits only, it is no longer than the
prefix, or equal to it. Whole names come first, then parts, each by the order of search.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

from datastore.name_keys import TypedKeys
from datastore.typos import has_gap
from datastore.vocabulary import EntityType, NameKind

PAGE = 20
"""So many hits of a common prefix are kept ready."""

PART = "\x02"
SEPARATOR = "\t"
END_OF_ENTRY = "\n"

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


type Found = tuple[int, StoredHit]
"""A hit and its match class."""

_decode = msgspec.json.Decoder(StoredHit).decode


def first_hits(keys: TypedKeys, pages: Sequence[str], limit: int) -> list[Found]:
    """The first entities with their match classes, each once, in the order of search.

    `pages` are the entries of those rows that may answer the prefixes of `keys`: they hold all there is, or `limit` is
    at most PAGE.
    """
    if len(pages) == 1:
        return _first_of(_in_order(keys, pages[0]), limit)
    return _merged(each for page in pages for each in _in_order(keys, page))[:limit]


def corrected_hits(forms: Collection[str], pages: Iterable[tuple[str, str]]) -> list[StoredHit]:
    """The entities that a text in these forms misspells by a letter, each once, most popular first.

    `pages` are entries with what was looked up: a correction, whose first PAGE entities count, or one of the forms,
    with which their keys are compared.
    """
    found: list[tuple[int, str]] = []
    for prefix, page in pages:
        entries = (line.partition(SEPARATOR) for line in page.split(END_OF_ENTRY))
        if prefix in forms:
            found += [(TYPO, hit) for start, _, hit in entries if has_gap(start, prefix)]
        else:
            found += [(TYPO, hit) for start, _, hit in entries if start.startswith(prefix)][:PAGE]
    return [hit for _, hit in _merged(found)]


def _in_order(keys: TypedKeys, page: str) -> Iterator[tuple[int, str]]:
    """What the text meets in a row, with its class: exact names, which may stand anywhere, then as they stand."""
    prefixes, exact = keys.prefixes, keys.exact + SEPARATOR
    has_exact = exact in page
    lines = page.split(END_OF_ENTRY)
    if has_exact:
        yield from ((EXACT, line[len(exact) :]) for line in lines if line.startswith(exact))
    for line in lines:
        if line.startswith(prefixes) and not (has_exact and line.startswith(exact)):
            start, _, hit = line.partition(SEPARATOR)
            yield (WORD_PREFIX if start[-1] == PART else PREFIX), hit


def _first_of(matching: Iterable[tuple[int, str]], limit: int) -> list[Found]:
    found: dict[int, Found] = {}
    for match, text in matching:
        hit = _decode(text)
        # Numbers are compared much faster than their UUIDs.
        number = hit.entity_id.int
        if number not in found:
            found[number] = (match, hit)
            if len(found) == limit:
                break
    return list(found.values())


def _merged(matching: Iterable[tuple[int, str]]) -> list[Found]:
    best: dict[UUID, tuple[int, int, int, StoredHit]] = {}
    for match, text in matching:
        hit = _decode(text)
        found = (match, hit.preference, hit.name_id, hit)
        known = best.get(hit.entity_id)
        if known is None or found[:3] < known[:3]:
            best[hit.entity_id] = found
    each_once = [(match, hit) for match, _, _, hit in best.values()]
    return sorted(each_once, key=lambda each: (each[0], -each[1].popularity, each[1].name, each[1].entity_id))
