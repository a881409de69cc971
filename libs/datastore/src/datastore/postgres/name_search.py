"""The search lane: one statement from what a person typed to entities, and the name lookups of the resolver.

A hit is `exact` (equal once folded), `prefix` (a name begins so), `word_prefix` (a later word, script or kanji of a
name begins so) or `typo` (it would be one of those, were a letter of the text another one). Spaces don't matter, except
in short texts that have some.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from datastore.first_page import PAGE, NameHits, corrected_hits, first_hits, read_hits
from datastore.folding import MAX_INDEXED_CHARS, edit_distance, fold, spell, squeeze, words
from datastore.name_hits import MATCH_KINDS, MatchKind, NameHit
from datastore.name_keys import END, PLAIN, SPACED, TypedKeys, is_spaceless, typed_keys
from datastore.postgres.hot import NameSource, Row, fetch_rows, fetch_shared
from datastore.postgres.name_statements import CORRECTED, DEEP_SEARCH, EQUAL, NEAR, SEARCH, SHARED_FIRST_PAGE, TWO_PAGES
from datastore.top_lists import ALL_TYPES, TOP
from datastore.typos import MIN_TYPO_CHARS, NOTHING, Corrections, corrections, has_long_word, near_blocks
from datastore.vocabulary import EntityType, NameKind

FEW_HITS = 3
"""Typos are looked for when the other classes together give fewer entities than this."""

WELL_KNOWN = 0.25
"""An entity of this popularity and more that begins as was typed is what was meant: typos are not looked for."""

_MAX_NEAR_CANDIDATES = 100
# More words than these in a text that begins no name are no misspelled name.
_MAX_TYPO_WORDS = 12
_MANY_LETTERS = 8
_NOWHERE = UUID(int=0)
# Looked up much faster than the enumerations are called.
_TYPES = {each.value: each for each in EntityType}
_KINDS = {each.value: each for each in NameKind}


@dataclass(frozen=True, slots=True)
class SearchPosition:
    """The place of a hit in the results of one text: `number` hits come up to it, itself included."""

    number: int
    match: MatchKind
    popularity: float
    name: str
    entity_id: UUID

    @classmethod
    def of(cls, hit: NameHit, number: int) -> "SearchPosition":
        """The place of a hit."""
        return cls(number, hit.match, hit.popularity, hit.name, hit.entity_id)


async def search_names(
    source: NameSource,
    query: str,
    *,
    entity_types: Collection[EntityType] = (),
    limit: int = 20,
    after: SearchPosition | None = None,
) -> list[NameHit]:
    """The entities that `query` may name or begin to name, best first, each once; empty `entity_types` means all.

    Order: match class, most popular, name, id; `after` gives the hits behind a place. Typos only fill a list of fewer
    than FEW_HITS entities, of which none is WELL_KNOWN. A `%`, `_` or backslash means itself: where names have the ones
    that were typed, names without them are left out.
    """
    return read_hits(await search_written(source, query, entity_types=entity_types, limit=limit, after=after))


async def search_written(
    source: NameSource,
    query: str,
    *,
    entity_types: Collection[EntityType] = (),
    limit: int = 20,
    after: SearchPosition | None = None,
) -> NameHits:
    """The same for those who only show the hits: first pages come as they are stored."""
    keys = typed_keys(query)
    if keys is None or limit < 1:
        return []
    for each in (keys, keys.signless) if keys.has_signs else (keys,):
        hits = await _named(source, each, entity_types, limit, after)
        if len(hits) < limit:
            hits = await _with_typos(source, each, hits, entity_types, limit=limit, after=after)
        if hits:
            return hits
        if each.has_signs and after is not None and await _named(source, each, entity_types, 1, None):
            return []
    return [] if after is not None else await _misspelled(source, query, entity_types, limit)


async def names_equal(
    source: NameSource, folded: Sequence[str], *, limit_per_name: int = 20
) -> dict[str, list[NameHit]]:
    """The entities that bear each of these folded names, most popular first; names that nobody bears are missing.

    One statement, however many names. At most TOP entities of each.
    """
    wanted = [text for text in dict.fromkeys(folded) if text]
    if not wanted:
        return {}
    spaceless = [is_spaceless(text) for text in wanted]
    parameters = {
        "wanted": wanted,
        "shelves": [PLAIN if each else SPACED for each in spaceless],
        "keys": [(squeeze(text) if each else text) + END for text, each in zip(wanted, spaceless, strict=True)],
        "listed_types": [ALL_TYPES],
        "limit": limit_per_name,
    }
    found: dict[str, list[NameHit]] = {}
    for row in await fetch_rows(source, EQUAL, parameters):
        found.setdefault(row["wanted"], []).append(_hit(row))
    return found


async def names_near(
    source: NameSource, text: str, *, entity_types: Collection[EntityType] = (), limit: int = 10
) -> list[NameHit]:
    """The entities with a name that `text` misspells as a whole, nearest first, then most popular.

    One letter may be wrong in 5 to 7, two in more; every word may carry the mistake, and words may be parted otherwise.
    Equal names are not among them.
    """
    if limit < 1:
        return []
    best: dict[UUID, tuple[int, NameHit]] = {}
    for hit in await _near(source, text, entity_types):
        distance = _distance(text, hit.matched_name)
        known = best.get(hit.entity_id)
        if distance is not None and (known is None or distance < known[0]):
            best[hit.entity_id] = (distance, hit)
    ordered = sorted(best.values(), key=lambda found: (found[0], *_popular_first(found[1])))
    return [hit for _, hit in ordered[:limit]]


async def _named(
    source: NameSource, keys: TypedKeys, entity_types: Collection[EntityType], limit: int, after: SearchPosition | None
) -> NameHits:
    """One page of what isn't misspelled."""
    if after is None and not entity_types and limit <= PAGE:
        return first_hits(keys, await _pages(source, keys), limit)
    reach = limit + (after.number if after else 0)
    parameters: dict[str, object] = {
        "shelf": keys.shelf,
        "prefixes": [keys.exact, *keys.prefixes],
        "exactness": [True] + [False] * len(keys.prefixes),
        "entity_types": list(entity_types),
        "listed_types": list(entity_types) or [ALL_TYPES],
        "reach": reach,
        "after_class": -1 if after is None else MATCH_KINDS.index(after.match),
        "after_popularity": 0.0 if after is None else after.popularity,
        "after_name": "" if after is None else after.name,
        "after_id": _NOWHERE if after is None else after.entity_id,
        "limit": limit,
    }
    return [_hit(row) for row in await fetch_rows(source, DEEP_SEARCH if reach > TOP else SEARCH, parameters)]


async def _pages(source: NameSource, keys: TypedKeys) -> list[str]:
    """The entries of the rows that may answer a text."""
    prefix, other = keys.prefixes[0], keys.prefixes[-1]
    if prefix.startswith(other):
        # What begins with the longer one begins with the shorter one, too.
        row = await fetch_shared(source, SHARED_FIRST_PAGE, {"shelf": keys.shelf, "prefix": other})
        return [] if row is None else [row["entries"]]
    parameters = {"shelf": keys.shelf, "prefix": prefix, "other_prefix": other}
    [row] = await fetch_rows(source, TWO_PAGES, parameters)
    one, other = row["entries"], row["other_entries"]
    return [page for page in ((one,) if one == other else (one, other)) if page is not None]


async def _with_typos(
    source: NameSource,
    keys: TypedKeys,
    hits: NameHits,
    entity_types: Collection[EntityType],
    *,
    limit: int,
    after: SearchPosition | None,
) -> NameHits:
    """The hits of a page and what follows them where the text has only a few: what it misspells by a letter."""
    guessed = after if after is not None and after.match == "typo" else None
    if guessed is None and len(hits) + (after.number if after else 0) >= FEW_HITS:
        return hits
    found = corrections(keys.prefixes) if keys.shelf == PLAIN else NOTHING
    if found is NOTHING:
        return hits
    hits = read_hits(hits)
    named = hits if after is None else read_hits(await _named(source, keys, entity_types, FEW_HITS, None))
    if any(hit.popularity >= WELL_KNOWN for hit in named):
        return hits
    known = {hit.entity_id for hit in named}
    all_guesses = await _guesses(source, found)
    guesses = (
        hit
        for hit in all_guesses
        if hit.entity_id not in known and (not entity_types or hit.entity_type in entity_types)
    )
    if guessed is not None:
        place = (-guessed.popularity, guessed.name, guessed.entity_id)
        guesses = (hit for hit in guesses if _popular_first(hit) > place)
    return hits + list(islice(guesses, limit - len(hits)))


async def _guesses(source: NameSource, found: Corrections) -> Iterator[NameHit]:
    parameters = {"corrections": found.texts, "gapped": found.gapped, "rests": found.rests, "forms": found.forms}
    rows = await fetch_rows(source, CORRECTED, parameters)
    return corrected_hits(found.forms, ((row["prefix"], row["entries"]) for row in rows))


async def _misspelled(source: NameSource, text: str, entity_types: Collection[EntityType], limit: int) -> list[NameHit]:
    """Entities for a text with more than one mistake: each longer word, or the whole, is near one of the name."""
    best: dict[UUID, NameHit] = {}
    for hit in await _near(source, text, entity_types):
        if hit.entity_id not in best and (_has_words_near(text, hit.matched_name) or _distance(text, hit.matched_name)):
            best[hit.entity_id] = hit
    return sorted(best.values(), key=_popular_first)[:limit]


async def _near(source: NameSource, text: str, entity_types: Collection[EntityType]) -> list[NameHit]:
    """Names that may be misspelled so, to be compared."""
    anchors = _anchors(text)
    if not anchors:
        return []
    blocks = [(block, place) for place, word in enumerate(anchors) for block in near_blocks(word)[0]]
    gaps = [(gap, place) for place, word in enumerate(anchors) for gap in near_blocks(word)[1]]
    parameters = {
        "blocks": [block for block, _ in blocks],
        "block_places": [place for _, place in blocks],
        "gapped": [gap for gap, _ in gaps],
        "gap_places": [place for _, place in gaps],
        "entity_types": list(entity_types),
        "listed_types": list(entity_types) or [ALL_TYPES],
        "limit": _MAX_NEAR_CANDIDATES,
    }
    return [_hit(row) for row in await fetch_rows(source, NEAR, parameters)]


def _anchors(text: str) -> list[str]:
    """The beginning of the text and its longer words, in both forms; none where they are too little of the text."""
    forms = [form(text)[:MAX_INDEXED_CHARS] for form in (fold, spell)]
    long_words = [word for word in words(forms[0]) if len(word) >= MIN_TYPO_CHARS]
    if len(long_words) > _MAX_TYPO_WORDS or not has_long_word(text):
        return []
    anchors = [squeeze(form) for form in forms] + [word for form in forms for word in words(form)]
    return [anchor for anchor in dict.fromkeys(anchors) if len(anchor) >= MIN_TYPO_CHARS]


def _has_words_near(text: str, name: str) -> bool:
    """Whether each longer word of the text, in one of the forms, is near a word of the name."""
    long_words = [
        both for both in zip(words(fold(text)), words(spell(text)), strict=False) if len(both[0]) >= MIN_TYPO_CHARS
    ]
    if not long_words or 2 * sum(len(folded) for folded, _ in long_words) < len(squeeze(fold(text))):
        return False
    known = {*words(fold(name)), *words(spell(name))}
    return all(any(_is_near(word, other) for word in both for other in known) for both in long_words)


def _is_near(word: str, other: str) -> bool:
    allowed = _mistakes_in(word)
    return abs(len(word) - len(other)) <= allowed and edit_distance(word, other) <= allowed


def _mistakes_in(text: str) -> int:
    return 2 if len(text) >= _MANY_LETTERS else 1


def _distance(text: str, name: str) -> int | None:
    """How far apart they are in the nearest of their forms; None when equal or too far apart for a typo."""
    allowed = _mistakes_in(fold(text))
    nearest = allowed + 1
    for form in (fold, spell):
        for left, right in ((form(text), form(name)), (squeeze(form(text)), squeeze(form(name)))):
            if abs(len(left) - len(right)) <= allowed:
                nearest = min(nearest, edit_distance(left, right))
    return nearest if 0 < nearest <= allowed else None


def _popular_first(hit: NameHit) -> tuple[float, str, UUID]:
    return (-hit.popularity, hit.name, hit.entity_id)


def _hit(row: Row) -> NameHit:
    return NameHit(
        entity_id=row["id"],
        entity_type=_TYPES[row["entity_type"]],
        name=row["name"],
        matched_name=row["matched_name"],
        kind=_KINDS[row["kind"]],
        match=MATCH_KINDS[int(row["match_class"])],
        popularity=row["popularity"],
        version=row["version"],
    )
