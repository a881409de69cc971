"""Catalogue cards to points: their texts, embedded in batches, each text once in a run."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from datastore.folding import fold, words
from datastore.postgres.index_reads import IndexCard
from datastore.vectors.collections import entity_point
from datastore.vectors.index_text import index_text, lexical_text
from datastore.vectors.protocol import Point, SparseValues
from embeddings.protocol import Embedder
from embeddings.sparse import SparseEncoder

_MAX_CACHED = 4_096


@dataclass(frozen=True, slots=True)
class _Described:
    card: IndexCard
    text: str
    digest: bytes
    lexical: SparseValues


class PointMaker:
    """Makes points with one embedder. Texts that were embedded lately are not embedded again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._encoder = SparseEncoder(folded_words)
        self._vectors: OrderedDict[bytes, list[float]] = OrderedDict()

    async def make(
        self, cards: Sequence[IndexCard], *, sequences: Mapping[UUID, int] | None = None, timeout: float
    ) -> list[Point]:
        """A point for each card; `sequences` orders their writes. Raises EmbedderUnavailable."""
        described = await asyncio.to_thread(self._describe, cards)
        fresh = {each.digest: each.text for each in described if each.digest not in self._vectors}
        made = await self._embedder.embed(list(fresh.values()), timeout=timeout)
        vectors = {**self._vectors, **dict(zip(fresh, made, strict=True))}
        points = [
            entity_point(
                each.card,
                text=vectors[each.digest],
                lexical=each.lexical,
                sequence=(sequences or {}).get(each.card.card.id, 0),
            )
            for each in described
        ]
        self._remember({each.digest: vectors[each.digest] for each in described})
        return points

    def _describe(self, cards: Sequence[IndexCard]) -> list[_Described]:
        return [self._description(card) for card in cards]

    def _description(self, card: IndexCard) -> _Described:
        text = index_text(card)
        terms = self._encoder.encode_text(lexical_text(card))
        return _Described(card, text, sha256(text.encode()).digest(), SparseValues(terms.indices, terms.values))

    def _remember(self, used: Mapping[bytes, list[float]]) -> None:
        for digest, vector in used.items():
            self._vectors[digest] = vector
            self._vectors.move_to_end(digest)
        while len(self._vectors) > _MAX_CACHED:
            self._vectors.popitem(last=False)


def folded_words(text: str) -> list[str]:
    """A text's words in their folded form, as lexical search compares them."""
    return words(fold(text))
