"""What a text may mean: entities with a name that it is, begins, or misspells."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from datastore.vocabulary import EntityType, NameKind

type MatchKind = Literal["exact", "prefix", "word_prefix", "typo"]

MATCH_KINDS: tuple[MatchKind, ...] = ("exact", "prefix", "word_prefix", "typo")
"""Best first."""

EXACT, PREFIX, WORD_PREFIX, TYPO = range(4)
"""Places in MATCH_KINDS."""


class NameHit(Struct, frozen=True, array_like=True):
    """One entity that a text may mean: `matched_name` is the name that was met, `match` says how."""

    entity_id: UUID
    entity_type: EntityType
    name: str
    matched_name: str
    kind: NameKind
    match: MatchKind
    popularity: float
    version: int
