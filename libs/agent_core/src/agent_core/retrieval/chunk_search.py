"""The search in the index of chunks: by meaning, by words, or by both with their scores weighed together."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from math import sumprod
from uuid import UUID

from datastore.errors import VectorStoreRefused
from datastore.vectors.chunk_points import chunk_words
from datastore.vectors.collections import LEXICAL, TEXT, alias_of, is_of_model, other_model
from datastore.vectors.filters import PayloadFilter
from datastore.vectors.protocol import (
    DensePrefetch,
    Prefetch,
    Query,
    ScoredPoint,
    SparsePrefetch,
    SparseValues,
    StoredPoint,
    VectorStore,
)
from datastore.vocabulary import EntityType
from embeddings.protocol import Embedder, EmbedderUnavailable
from embeddings.sparse import PassageEncoder, SparseTerms

from agent_core.document_contracts import SearchMode
from agent_core.errors import SourceUnavailable
from agent_core.retrieval.store_calls import SOURCE, Deadline, asking

LEXICAL_SHARE = 0.3
"""What words count beside meaning in a hybrid search; chosen on the even questions of SciFact."""

MIN_DEPTH = 100
"""How many matches each side brings at least, for the two to overlap."""

_ALIAS = alias_of(EntityType.DOCUMENT)


@dataclass(frozen=True, slots=True)
class ChunkMatch:
    """A chunk as the index knows it. `rank` orders the matches of one search.

    `similarity` is the cosine of the meanings, 0 to 1; where no meaning could be had, the share of the query's words.
    `by_words` is the part of the rank that the query's words gave, and `said` which of them the chunk holds.
    """

    id: UUID
    content_hash: str
    rank: float
    similarity: float
    by_words: float = 0.0
    said: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ChunkMatches:
    """Matches, best first. `lacks_meaning` says that the model was away and only the words were compared.

    `most_words` is the lexical score that counts as a whole one.
    """

    matches: tuple[ChunkMatch, ...]
    lacks_meaning: bool = False
    most_words: float = 0.0


class ChunkSearch:
    """Finds chunks. Raises SourceUnavailable when the store or, where nothing else was asked for, the model is away."""

    def __init__(self, store: VectorStore, embedder: Embedder, *, lexical_share: float = LEXICAL_SHARE) -> None:
        self._store = store
        self._embedder = embedder
        self._encoder = PassageEncoder(chunk_words)
        self._lexical_share = lexical_share

    async def find(
        self,
        text: str,
        mode: SearchMode,
        condition: PayloadFilter | None,
        *,
        limit: int,
        deadline: Deadline,
        most_words: float = 0.0,
    ) -> ChunkMatches:
        """At most `limit` chunks that meet the condition.

        With the `most_words` of another search for the same text, the ranks of both can be compared.
        """
        vector = await self._meaning(text, mode, deadline)
        terms = self._encoder.encode_query(text)
        depth = max(MIN_DEPTH, 2 * limit)
        left = deadline.left()
        async with asking():
            dense, sparse = await asyncio.gather(
                self._near(vector if mode is not SearchMode.KEYWORD else None, condition, depth, left),
                self._worded(terms if mode is not SearchMode.DENSE else None, condition, depth, left),
            )
        share = {SearchMode.DENSE: 0.0, SearchMode.KEYWORD: 1.0}.get(mode, self._lexical_share)
        most = most_words or max((each.score for each in sparse), default=0.0)
        found = _weighed(dense, sparse, vector, terms, _Weights(1.0 if vector is None else share, most or 1.0))
        return ChunkMatches(tuple(found[:limit]), lacks_meaning=vector is None, most_words=most)

    async def _meaning(self, text: str, mode: SearchMode, deadline: Deadline) -> list[float] | None:
        """The query's vector; None when the model is away and words alone will do."""
        try:
            await self._check_model(deadline.left())
            (vector,) = await self._embedder.embed([text], timeout=deadline.left())
        except EmbedderUnavailable as error:
            if mode is SearchMode.DENSE:
                raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error
            return None
        return vector

    async def _check_model(self, left: float) -> None:
        """Raises SourceUnavailable where the index holds another model's vectors, which mean nothing to this one."""
        async with asking():
            collection = (await self._store.aliases(timeout=left)).get(_ALIAS)
        used = self._embedder.identity
        if collection is not None and not is_of_model(collection, used.short_hash):
            raise SourceUnavailable(SOURCE) from VectorStoreRefused(other_model(_ALIAS, collection, str(used)))

    async def _near(
        self, vector: Sequence[float] | None, condition: PayloadFilter | None, depth: int, left: float
    ) -> list[ScoredPoint]:
        return [] if vector is None else await self._ask(DensePrefetch(TEXT, vector, depth), condition, (), left)

    async def _worded(
        self, terms: SparseTerms | None, condition: PayloadFilter | None, depth: int, left: float
    ) -> list[ScoredPoint]:
        if terms is None or not terms.indices:
            return []
        prefetch = SparsePrefetch(LEXICAL, SparseValues(terms.indices, terms.values), depth)
        return await self._ask(prefetch, condition, (TEXT, LEXICAL), left)

    async def _ask(
        self, prefetch: Prefetch, condition: PayloadFilter | None, vectors: tuple[str, ...], left: float
    ) -> list[ScoredPoint]:
        query = Query((prefetch,), prefetch.limit, condition, with_vectors=vectors)
        return await self._store.query(_ALIAS, query, timeout=left)


@dataclass(frozen=True, slots=True)
class _Weights:
    """What words count beside meaning, and the lexical score that counts as a whole one."""

    words: float
    most: float


def _weighed(
    dense: Sequence[ScoredPoint],
    sparse: Sequence[ScoredPoint],
    vector: Sequence[float] | None,
    terms: SparseTerms,
    weights: _Weights,
) -> list[ChunkMatch]:
    """Both sides as one order: the cosine, and the lexical score as a share of the best one, weighed."""
    points = {each.point.id: each.point for each in (*dense, *sparse)}
    words = {each.point.id: weights.words * each.score / weights.most for each in sparse}
    said = {each.point.id: _said(each.point, terms) for each in sparse}
    similarity = {each.point.id: each.score for each in dense}
    for each in sparse:
        if each.point.id not in similarity:
            shared = len(said[each.point.id]) / len(terms.indices)
            similarity[each.point.id] = shared if vector is None else _cosine(vector, each.point.dense.get(TEXT, ()))
    matches = [
        ChunkMatch(
            id=point.id,
            content_hash=point.content_hash,
            rank=words.get(point.id, 0.0) + (1 - weights.words) * similarity[point.id],
            similarity=min(1.0, max(0.0, similarity[point.id])),
            by_words=words.get(point.id, 0.0),
            said=said.get(point.id, frozenset()),
        )
        for point in points.values()
    ]
    return sorted(matches, key=lambda match: (-match.rank, match.id))


def _said(point: StoredPoint, terms: SparseTerms) -> frozenset[int]:
    """Which of the query's words a point holds."""
    held = point.sparse.get(LEXICAL)
    return frozenset(terms.indices).intersection(held.indices) if held is not None else frozenset()


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """Both are of length 1: the embedder and the index see to that."""
    return sumprod(left, right) if right else 0.0
