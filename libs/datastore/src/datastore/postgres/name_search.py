"""The search lane: one statement from what a person typed to entities, and the name lookups of the resolver.

A hit is `exact` (equal once folded), `prefix` (a name begins so), `word_prefix` (a later word, script or kanji of a
name begins so) or `typo` (every longer word is a letter or two away from a word of the name). Spaces don't matter,
except in short texts that have some.
"""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.folding import MAX_INDEXED_CHARS, deletions, edit_distance, fold, spell, squeeze, words
from datastore.postgres.name_statements import EQUAL_STATEMENT, NEAR_STATEMENT, SEARCH_STATEMENT
from datastore.vocabulary import EntityType, NameKind

type MatchKind = Literal["exact", "prefix", "word_prefix", "typo"]

MATCH_KINDS: tuple[MatchKind, ...] = ("exact", "prefix", "word_prefix", "typo")
FEW_HITS = 3
"""Typos are looked for when the other classes together give fewer entities than this."""

# Shorter words are too near to too many others.
_MIN_TYPO_CHARS = 4
# From this many letters on, "onepunch man" and "one punch man" are the same beginning, and no accident.
_MIN_SPACELESS_CHARS = 6
# From this many letters on, another romanisation of the beginning of a name counts as that beginning.
_MIN_ROMANISED_PREFIX = 4
_SIGNS = frozenset("%_\\")
# Among so many names that are equal but for such signs, those with them are looked for.
_SIGN_CANDIDATES = 100
_MAX_NEAR_CANDIDATES = 500
# More words than these in a text that begins no name are no misspelled name.
_MAX_TYPO_WORDS = 12
_AFTER_EVERY_TEXT = "\U0010ffff"
# What sorts behind one text and before all that begin with it: a range that holds this text only.
_AFTER_THE_TEXT = "\x01"


@dataclass(frozen=True, slots=True)
class NameHit:
    """One entity that a text may mean: `matched_name` is the name that was met, `match` says how."""

    entity_id: UUID
    entity_type: EntityType
    name: str
    matched_name: str
    kind: NameKind
    match: MatchKind
    popularity: float
    version: int


async def search_names(
    conn: AsyncConnection, query: str, *, entity_types: Collection[EntityType] = (), limit: int = 20
) -> list[NameHit]:
    """The entities that `query` may name or begin to name, best first, each once; empty `entity_types` means all.

    Order: match class, most popular, name, id. Typos only fill a list of fewer than FEW_HITS entities. A `%`, `_` or
    backslash means itself: where names have the ones that were typed, names without them are left out.
    """
    folded = fold(query)[:MAX_INDEXED_CHARS].rstrip()
    if not folded or limit < 1:
        return []
    parameters = {
        **_ranges(folded, spell(query)[:MAX_INDEXED_CHARS].rstrip()),
        **_typos(query),
        "entity_types": list(entity_types),
        "few_hits": FEW_HITS,
        "limit": limit,
    }
    signs = _signs(query)
    if not signs:
        return [_hit(row) for row in await conn.execute(SEARCH_STATEMENT, parameters)]
    parameters["limit"] = max(limit, _SIGN_CANDIDATES)
    hits = [_hit(row) for row in await conn.execute(SEARCH_STATEMENT, parameters)]
    return ([hit for hit in hits if signs <= _signs(hit.matched_name)] or hits)[:limit]


async def names_equal(
    conn: AsyncConnection, folded: Sequence[str], *, limit_per_name: int = 20
) -> dict[str, list[NameHit]]:
    """The entities that bear each of these folded names, most popular first; names that nobody bears are missing.

    One statement, however many names.
    """
    wanted = [text for text in dict.fromkeys(folded) if text]
    if not wanted:
        return {}
    parameters = {
        "wanted": wanted,
        "squeezed": [squeeze(text) for text in wanted],
        "spaceless": [_is_spaceless(text) for text in wanted],
        "limit": limit_per_name,
    }
    found: dict[str, list[NameHit]] = {}
    for row in await conn.execute(EQUAL_STATEMENT, parameters):
        found.setdefault(row.wanted, []).append(_hit(row))
    return found


async def names_near(
    conn: AsyncConnection, text: str, *, entity_types: Collection[EntityType] = (), limit: int = 10
) -> list[NameHit]:
    """The entities with a name that `text` misspells as a whole, nearest first, then most popular.

    One letter may be wrong in 4 to 7, two in more; every word may carry the mistake. Equal names are not among them.
    """
    typos = _typos(text)
    if not typos["deletions"] or limit < 1:
        return []
    parameters = {**typos, "entity_types": list(entity_types), "limit": _MAX_NEAR_CANDIDATES}
    best: dict[UUID, tuple[int, NameHit]] = {}
    for row in await conn.execute(NEAR_STATEMENT, parameters):
        distance = _distance(text, row.matched_name)
        known = best.get(row.id)
        if distance is not None and (known is None or distance < known[0]):
            best[row.id] = (distance, _hit(row))
    ordered = sorted(
        best.values(), key=lambda found: (found[0], -found[1].popularity, found[1].name, found[1].entity_id)
    )
    return [hit for _, hit in ordered[:limit]]


def _signs(text: str) -> frozenset[str]:
    """What folding takes for a space, and other searches for a wildcard."""
    return _SIGNS.intersection(unicodedata.normalize("NFKC", text))


def _distance(text: str, name: str) -> int | None:
    """How far apart they are in the nearer of their two forms; None when equal or too far apart for a typo."""
    allowed = 2 if len(fold(text)) >= 8 else 1
    distance = min(edit_distance(form(text), form(name)) for form in (fold, spell))
    return distance if 0 < distance <= allowed else None


def _ranges(folded: str, spelled: str) -> dict[str, object]:
    """Two index ranges: what begins as the text is spelled; what begins as, or is, another romanisation of it."""
    low_spelled, low_folded = squeeze(spelled), squeeze(folded)
    is_prefix = len(low_spelled) >= _MIN_ROMANISED_PREFIX
    return {
        "spelled": spelled,
        "low_spelled": low_spelled,
        "high_spelled": low_spelled + _AFTER_EVERY_TEXT,
        "folded": folded,
        "low_folded": low_folded,
        "high_folded": low_folded + (_AFTER_EVERY_TEXT if is_prefix else _AFTER_THE_TEXT),
        "spaceless": _is_spaceless(folded),
    }


def _is_spaceless(folded: str) -> bool:
    return " " not in folded or len(squeeze(folded)) >= _MIN_SPACELESS_CHARS


def _typos(text: str) -> dict[str, list[str] | list[int] | int]:
    """What the words of the text leave when letters are left out, in both forms, each with its word's position."""
    folded = fold(text)[:MAX_INDEXED_CHARS]
    forms = zip(words(folded), words(spell(text)), strict=False)
    # Short words are not looked at; where they are most of the text, the others alone would mean too much.
    long_words = [{*both} for both in forms if max(map(len, both)) >= _MIN_TYPO_CHARS]
    letters = sum(len(min(both, key=len)) for both in long_words)
    if len(long_words) > _MAX_TYPO_WORDS or 2 * letters < len(squeeze(folded)):
        long_words = []
    pairs = [
        (deletion, position)
        for position, both in enumerate(long_words)
        for deletion in sorted(set[str]().union(*map(deletions, both)))
    ]
    return {
        "deletions": [deletion for deletion, _ in pairs],
        "positions": [position for _, position in pairs],
        "word_count": len(long_words),
        "typed_chars": len(folded),
    }


def _hit(row: sa.Row[*tuple[Any, ...]]) -> NameHit:
    return NameHit(
        entity_id=row.id,
        entity_type=EntityType(row.entity_type),
        name=row.name,
        matched_name=row.matched_name,
        kind=NameKind(row.kind),
        match=MATCH_KINDS[int(row.match_class)],
        popularity=row.popularity,
        version=row.version,
    )
