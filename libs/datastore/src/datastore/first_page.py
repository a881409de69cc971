"""The first hits of a typed text, out of the rows of `name_pages` that may answer it (pure).

The entries of a row are lines of a key, SEPARATOR and a hit. A key is one of name_keys; of a common prefix, whose row
has its first hits only, it is the prefix, or equal to it as a whole name. Whole names come first, then parts, each by
the order of search; only exact names may stand anywhere.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from uuid import UUID

import msgspec

from datastore.name_hits import EXACT, MATCH_KINDS, TYPO, NameHit
from datastore.name_keys import TypedKeys
from datastore.typos import has_gap

PAGE = 20
"""So many hits of a common prefix are kept ready."""

PART = "\x02"
"""Behind the key of a later part of a name, which is no exact name."""

SEPARATOR = "\t"
END_OF_ENTRY = "\n"


class StoredHit(NameHit, frozen=True, array_like=True):
    """A hit as a row has it, never an exact one. Of an entity's names, the one with the lowest of both is shown."""

    preference: int
    name_id: int


_decode = msgspec.json.Decoder(NameHit).decode
_decode_stored = msgspec.json.Decoder(StoredHit).decode


def first_hits(keys: TypedKeys, pages: Sequence[str], limit: int) -> list[NameHit]:
    """The first entities, each once, in the order of search.

    `pages` are the entries of those rows that may answer the prefixes of `keys`: they hold all there is, or `limit` is
    at most PAGE.
    """
    if len(pages) == 1:
        return _first_of(_in_order(keys, pages[0]), limit)
    found = (each for page in pages for each in _in_order(keys, page))
    return _merged((EXACT if is_exact else None, hit) for is_exact, hit in found)[:limit]


def corrected_hits(forms: Collection[str], pages: Iterable[tuple[str, str]]) -> list[NameHit]:
    """The entities that a text in these forms misspells by a letter, each once, most popular first.

    `pages` are entries with what was looked up: a correction, whose first PAGE entities count, or one of the forms,
    with which their keys are compared.
    """
    found: list[tuple[int | None, str]] = []
    for prefix, page in pages:
        entries = (line.partition(SEPARATOR) for line in page.split(END_OF_ENTRY))
        if prefix in forms:
            found += [(TYPO, hit) for start, _, hit in entries if has_gap(start, prefix)]
        else:
            found += [(TYPO, hit) for start, _, hit in entries if start.startswith(prefix)][:PAGE]
    return _merged(found)


def _in_order(keys: TypedKeys, page: str) -> Iterator[tuple[bool, str]]:
    """The hits that the text meets in a row, with whether it is the name."""
    prefixes, exact = keys.prefixes, keys.exact + SEPARATOR
    lines = page.split(END_OF_ENTRY)
    has_exact = exact in page
    if has_exact:
        yield from ((True, line[len(exact) :]) for line in lines if line.startswith(exact))
    for line in lines:
        if line.startswith(prefixes) and not (has_exact and line.startswith(exact)):
            yield False, line[line.index(SEPARATOR) + 1 :]


def _first_of(matching: Iterable[tuple[bool, str]], limit: int) -> list[NameHit]:
    found: dict[int, NameHit] = {}
    for is_exact, text in matching:
        hit = _decode(text)
        # Numbers are compared much faster than their UUIDs.
        number = hit.entity_id.int
        if number not in found:
            found[number] = _shown(hit, EXACT) if is_exact else hit
            if len(found) == limit:
                break
    return list(found.values())


def _merged(matching: Iterable[tuple[int | None, str]]) -> list[NameHit]:
    """Each entity once, in the order of search; the class of a hit is its own where none is given."""
    best: dict[UUID, tuple[int, int, int, StoredHit]] = {}
    for given, text in matching:
        hit = _decode_stored(text)
        match = MATCH_KINDS.index(hit.match) if given is None else given
        found = (match, hit.preference, hit.name_id, hit)
        known = best.get(hit.entity_id)
        if known is None or found[:3] < known[:3]:
            best[hit.entity_id] = found
    each_once = [(match, hit) for match, _, _, hit in best.values()]
    each_once.sort(key=lambda each: (each[0], -each[1].popularity, each[1].name, each[1].entity_id))
    return [_shown(hit, match) for match, hit in each_once]


def _shown(hit: NameHit, match: int) -> NameHit:
    return NameHit(
        hit.entity_id,
        hit.entity_type,
        hit.name,
        hit.matched_name,
        hit.kind,
        MATCH_KINDS[match],
        hit.popularity,
        hit.version,
    )
