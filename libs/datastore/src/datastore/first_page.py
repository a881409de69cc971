"""The first hits of a typed text, out of the rows of `name_pages` that may answer it (pure).

The entries of a row are lines of a key, SEPARATOR and a hit. A key is one of name_keys; of a common prefix, whose row
has its first hits only, it is the prefix, or equal to it as a whole name. Whole names come first, then parts, each by
the order of search; only exact names may stand anywhere.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

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


_decode_hits = msgspec.json.Decoder(list[NameHit]).decode
_decode_stored_hits = msgspec.json.Decoder(list[StoredHit]).decode

# Where a hit has its entity's id, as its row was written.
_ID = slice(2, 38)


def first_hits(keys: TypedKeys, pages: Sequence[str], limit: int) -> list[NameHit]:
    """The first entities, each once, in the order of search.

    `pages` are the entries of those rows that may answer the prefixes of `keys`: they hold all there is, or `limit` is
    at most PAGE.
    """
    if len(pages) == 1:
        return _hits_of(keys, pages[0], limit, _decode_hits)
    # What is among the first in the end is among the first of each row that has it.
    return _merged(hit for page in pages for hit in _hits_of(keys, page, limit, _decode_stored_hits))[:limit]


def corrected_hits(forms: Collection[str], pages: Iterable[tuple[str, str]]) -> list[NameHit]:
    """The entities that a text in these forms misspells by a letter, each once, most popular first.

    `pages` are entries with what was looked up: a correction, whose first PAGE entities count, or one of the forms,
    with which their keys are compared.
    """
    met: list[str] = []
    for prefix, page in pages:
        entries = (line.partition(SEPARATOR) for line in page.split(END_OF_ENTRY))
        if prefix in forms:
            met += [hit for start, _, hit in entries if has_gap(start, prefix)]
        else:
            met += [hit for start, _, hit in entries if start.startswith(prefix)][:PAGE]
    return _merged(_in_class(TYPO, hit) for hit in _decode_stored_hits(_listed(met)))


def _hits_of[Hit: NameHit](keys: TypedKeys, page: str, limit: int, decode: Callable[[str], list[Hit]]) -> list[Hit]:
    """What the text meets in a row: exact names, which may stand anywhere, then as they stand."""
    prefixes, exact = keys.prefixes, keys.exact + SEPARATOR
    # By id, and decoded all at once when they are known: that takes a third of the time of one after the other.
    chosen: dict[str, str] = {}
    lines = page.split(END_OF_ENTRY)
    if exact in page:
        whole = len(exact)
        for line in lines:
            if line.startswith(exact) and len(chosen) < limit:
                chosen.setdefault(line[whole:][_ID], line[whole:])
    exact_count = len(chosen)
    if exact_count < limit:
        for line in lines:
            if line.startswith(prefixes):
                hit = line[line.index(SEPARATOR) + 1 :]
                entity_id = hit[_ID]
                if entity_id not in chosen:
                    chosen[entity_id] = hit
                    if len(chosen) >= limit:
                        break
    hits = decode(_listed(chosen.values()))
    return [_in_class(EXACT, hit) for hit in hits[:exact_count]] + hits[exact_count:] if exact_count else hits


def _listed(hits: Iterable[str]) -> str:
    return f"[{','.join(hits)}]"


def _in_class[Hit: NameHit](match: int, hit: Hit) -> Hit:
    return msgspec.structs.replace(hit, match=MATCH_KINDS[match])


def _merged(hits: Iterable[StoredHit]) -> list[NameHit]:
    """Each entity once, with its best class and name, in the order of search."""
    best: dict[int, tuple[int, int, int, StoredHit]] = {}
    for hit in hits:
        found = (MATCH_KINDS.index(hit.match), hit.preference, hit.name_id, hit)
        known = best.get(hit.entity_id.int)
        if known is None or found[:3] < known[:3]:
            best[hit.entity_id.int] = found
    each_once = sorted(
        best.values(), key=lambda each: (each[0], -each[3].popularity, each[3].name, each[3].entity_id.int)
    )
    return [
        NameHit(
            hit.entity_id,
            hit.entity_type,
            hit.name,
            hit.matched_name,
            hit.kind,
            hit.match,
            hit.popularity,
            hit.version,
        )
        for *_, hit in each_once
    ]
