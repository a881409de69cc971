"""The first hits of a typed text, out of the rows of `name_pages` that may answer it (pure).

The entries of a row are lines of a key, SEPARATOR and a hit. A key is one of name_keys; of a common prefix, whose row
has its first hits only, it is the prefix, or equal to it as a whole name. Whole names come first, then parts, each by
the order of search; only exact names may stand anywhere.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import heapify, heappop
from itertools import islice

import msgspec

from datastore.name_hits import EXACT, MATCH_KINDS, TYPO, MatchKind, NameHit
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


_decode_all = msgspec.json.Decoder(list[NameHit]).decode
_decode_all_stored = msgspec.json.Decoder(list[StoredHit]).decode

# Where a stored hit has the id of its entity, and what stands between two of its texts: never inside of one, where
# each quote has a backslash before it.
_ID = slice(2, 38)
_BETWEEN = '", "'
_TEXTS = 6


type HitTexts = tuple[str, str, str, str, str, str, str, str]
"""A hit as texts, in the order of NameHit: names are escaped for JSON, but have no quotes around; numbers as stored."""


class WrittenHits:
    """Hits as their row has them, each entity once, in the order of search: to be shown, they needn't be read."""

    __slots__ = ("_exact", "_hits")

    def __init__(self, hits: Sequence[str], exact: int) -> None:
        """The first `exact` of these are exact hits, whatever is written in them."""
        self._hits = hits
        self._exact = exact

    def __len__(self) -> int:
        return len(self._hits)

    @property
    def ids(self) -> list[str]:
        """The ids of the entities."""
        return [hit[_ID] for hit in self._hits]

    def texts(self) -> list[HitTexts]:
        """Each as texts."""
        found: list[HitTexts] = []
        for place, hit in enumerate(self._hits):
            start, entity_type, name, matched_name, kind, rest = hit.split(_BETWEEN, _TEXTS - 1)
            match, popularity, version, _ = rest.split(", ", 3)
            match = MATCH_KINDS[EXACT] if place < self._exact else match[:-1]
            found.append((start[_ID], entity_type, name, matched_name, kind, match, popularity, version))
        return found

    def read(self) -> list[NameHit]:
        """Each as an object."""
        hits = _decode_all(_listed(self._hits))
        for place in range(self._exact):
            hits[place] = _in_class(EXACT, hits[place])
        return hits


type NameHits = WrittenHits | list[NameHit]


def read_hits(hits: NameHits) -> list[NameHit]:
    """The hits as objects."""
    return hits if isinstance(hits, list) else hits.read()


def first_hits(keys: TypedKeys, pages: Sequence[str], limit: int) -> NameHits:
    """The first entities, each once, in the order of search.

    `pages` are the entries of those rows that may answer the prefixes of `keys`: they hold all there is, or `limit` is
    at most PAGE.
    """
    met = [_met(keys, page, limit) for page in pages]
    if len(met) == 2:
        # As other romanisations have it, a text nearly always begins all that it does as it is spelled, and more.
        one, other = met
        met = [other] if _are_first(other, one, limit) else [one] if _are_first(one, other, limit) else met
    if len(met) == 1:
        return WrittenHits(*met[0])
    # What is among the first in the end is among the first of each row that has it.
    return _merged((hit for hits in met for hit in _stored(*hits)), limit)


def corrected_hits(forms: Collection[str], pages: Iterable[tuple[str, str]]) -> Iterator[NameHit]:
    """The entities that a text in these forms misspells by a letter, each once, most popular first.

    `pages` are entries with what was looked up: a correction, whose first PAGE entities count, or one of the forms,
    with which their keys are compared. There may be hundreds, of which few are shown: they are put in order one by one.
    """
    met: list[str] = []
    for prefix, page in pages:
        met += _gapped(prefix, page) if prefix in forms else islice(_begun(prefix, page), PAGE)
    best: dict[int, StoredHit] = {}
    for hit in _decode_all_stored(_listed(met)):
        known = best.get(hit.entity_id.int)
        if known is None or (hit.preference, hit.name_id) < (known.preference, known.name_id):
            best[hit.entity_id.int] = hit
    order = [(-hit.popularity, hit.name, number, hit) for number, hit in best.items()]
    heapify(order)
    while order:
        yield _shown(heappop(order)[-1], MATCH_KINDS[TYPO])


def _begun(prefix: str, page: str) -> Iterator[str]:
    lines = page.split(END_OF_ENTRY)
    return (_hit_of(line) for line in lines if line.startswith(prefix))


def _gapped(form: str, page: str) -> Iterator[str]:
    lines = page.split(END_OF_ENTRY)
    return (_hit_of(line) for line in lines if has_gap(line, form))


def _hit_of(line: str) -> str:
    return line[line.index(SEPARATOR) + 1 :]


type _Met = tuple[list[str], int]
"""Hits in the order of search, and how many of them are exact."""


def _are_first(hits: _Met, others: _Met, limit: int) -> bool:
    """Whether these hits are those of both rows: the others are among them, or behind the last that is shown."""
    (first, exact), (second, second_exact) = hits, others
    if second_exact and not frozenset(first[:exact]).issuperset(second[:second_exact]):
        return False
    known = frozenset(first)
    further = [hit for hit in second if hit not in known]
    if not further:
        return True
    if len(first) < limit:
        return False
    last, nearest = _decode_all_stored(_listed([first[-1], further[0]]))
    return _place(last) < _place(nearest)


def _met(keys: TypedKeys, page: str, limit: int) -> _Met:
    """What the text meets in a row: exact names, which may stand anywhere, then as they stand; how many are exact."""
    prefixes, exact = keys.prefixes, keys.exact + SEPARATOR
    found: dict[str, str] = {}
    lines = page.split(END_OF_ENTRY)
    if exact in page:
        for line in lines:
            if line.startswith(exact):
                hit = line[len(exact) :]
                found.setdefault(hit[_ID], hit)
                if len(found) >= limit:
                    return list(found.values()), limit
    are_exact = len(found)
    for line in lines:
        if line.startswith(prefixes):
            hit = line[line.index(SEPARATOR) + 1 :]
            found.setdefault(hit[_ID], hit)
            if len(found) >= limit:
                break
    return list(found.values()), are_exact


def _stored(hits: Sequence[str], exact: int) -> list[StoredHit]:
    stored = _decode_all_stored(_listed(hits))
    return [_in_class(EXACT, hit) for hit in stored[:exact]] + stored[exact:]


def _listed(hits: Sequence[str]) -> str:
    return f"[{','.join(hits)}]"


def _in_class[Hit: NameHit](match: int, hit: Hit) -> Hit:
    return msgspec.structs.replace(hit, match=MATCH_KINDS[match])


def _merged(hits: Iterable[StoredHit], limit: int) -> list[NameHit]:
    """The first entities, each once, with its best class and name, in the order of search."""
    found: dict[int, StoredHit] = {}
    for hit in sorted(hits, key=_place):
        found.setdefault(hit.entity_id.int, hit)
        if len(found) == limit:
            break
    return [_shown(hit, hit.match) for hit in found.values()]


def _place(hit: StoredHit) -> tuple[int, float, str, int, int, int]:
    match = MATCH_KINDS.index(hit.match)
    return (match, -hit.popularity, hit.name, hit.entity_id.int, hit.preference, hit.name_id)


def _shown(hit: StoredHit, match: MatchKind) -> NameHit:
    return NameHit(
        hit.entity_id,
        hit.entity_type,
        hit.name,
        hit.matched_name,
        hit.kind,
        match,
        hit.popularity,
        hit.version,
    )
