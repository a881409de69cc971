"""Catalogue cards and chunks to points: their texts, embedded in batches, each text once in a run."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from uuid import UUID

from datastore.folding import fold, words
from datastore.postgres.chunk_reads import ChunkCard
from datastore.postgres.index_reads import IndexCard
from datastore.vectors.chunk_points import chunk_point, chunk_text, chunk_words
from datastore.vectors.collections import entity_point
from datastore.vectors.index_text import index_text, lexical_text
from datastore.vectors.protocol import Point, SparseValues
from embeddings.protocol import Embedder
from embeddings.sparse import PassageEncoder, SparseEncoder, SparseTerms

_MAX_CACHED = 4_096


class TextVectors:
    """Vectors of texts from one embedder. Texts that were embedded lately are not embedded again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[bytes, list[float]] = OrderedDict()

    async def of(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """A vector for each text, in their order. Raises EmbedderUnavailable."""
        digests = [sha256(text.encode()).digest() for text in texts]
        fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in self._kept}
        made = await self._embedder.embed(list(fresh.values()), timeout=timeout)
        vectors = {**self._kept, **dict(zip(fresh, made, strict=True))}
        self._remember({digest: vectors[digest] for digest in digests})
        return [vectors[digest] for digest in digests]

    def _remember(self, used: Mapping[bytes, list[float]]) -> None:
        for digest, vector in used.items():
            self._kept[digest] = vector
            self._kept.move_to_end(digest)
        while len(self._kept) > _MAX_CACHED:
            self._kept.popitem(last=False)


class PointMaker:
    """Makes points of entities with one embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = TextVectors(embedder)
        self._encoder = SparseEncoder(folded_words)

    async def make(
        self, cards: Sequence[IndexCard], *, sequences: Mapping[UUID, int] | None = None, timeout: float
    ) -> list[Point]:
        """A point for each card; `sequences` orders their writes. Raises EmbedderUnavailable."""
        texts, terms = await asyncio.to_thread(self._describe, cards)
        vectors = await self._vectors.of(texts, timeout=timeout)
        return [
            entity_point(card, text=vector, lexical=lexical, sequence=(sequences or {}).get(card.card.id, 0))
            for card, vector, lexical in zip(cards, vectors, terms, strict=True)
        ]

    def _describe(self, cards: Sequence[IndexCard]) -> tuple[list[str], list[SparseValues]]:
        terms = [_sparse(self._encoder.encode_text(lexical_text(card))) for card in cards]
        return [index_text(card) for card in cards], terms


class ChunkPointMaker:
    """Makes points of chunks with one embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = TextVectors(embedder)
        self._encoder = PassageEncoder(chunk_words)

    async def make(self, chunks: Sequence[ChunkCard], *, sequence: int = 0, timeout: float) -> list[Point]:
        """A point for each chunk; `sequence` orders their writes. Raises EmbedderUnavailable."""
        texts = [chunk_text(chunk) for chunk in chunks]
        terms = await asyncio.to_thread(self._terms, texts, [chunk.language for chunk in chunks])
        vectors = await self._vectors.of(texts, timeout=timeout)
        return [
            chunk_point(chunk, text=vector, lexical=lexical, sequence=sequence)
            for chunk, vector, lexical in zip(chunks, vectors, terms, strict=True)
        ]

    def _terms(self, texts: Sequence[str], languages: Sequence[str | None]) -> list[SparseValues]:
        return [
            _sparse(self._encoder.encode_text(text, language)) for text, language in zip(texts, languages, strict=True)
        ]


def folded_words(text: str) -> list[str]:
    """A text's words in their folded form, as lexical search compares them."""
    return words(fold(text))


def _sparse(terms: SparseTerms) -> SparseValues:
    return SparseValues(terms.indices, terms.values)
