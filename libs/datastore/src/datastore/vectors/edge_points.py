"""Our frozen values to the embedded engine's objects and back; no thread, no file."""

from collections.abc import Iterator, Sequence
from typing import cast
from uuid import UUID

import qdrant_edge as engine

from datastore.vectors import stamps
from datastore.vectors.filters import AllOf, FilterValue, PayloadFilter, translate
from datastore.vectors.protocol import (
    RRF_K,
    Boost,
    CollectionSpec,
    DensePrefetch,
    FieldKind,
    Point,
    Prefetch,
    Query,
    ScoredPoint,
    StoredPoint,
    Tombstone,
)

type _Condition = engine.Filter | engine.FieldCondition

INDEXING_THRESHOLD_KB = 10_000
"""Below this size a segment is searched exactly: as fast there, and perfect."""

# An index compares bytes, a quarter of the memory, and then as many again as are wanted by the vectors themselves.
_BYTES = engine.ScalarQuantizationConfig(engine.ScalarType.Int8, quantile=0.99, always_ram=True)
_SEARCH = engine.SearchParams(hnsw_ef=128, quantization=engine.QuantizationSearchParams(rescore=True, oversampling=2.0))
_EXACT = engine.SearchParams(exact=True, quantization=engine.QuantizationSearchParams(ignore=True))

_INDEX_KINDS = {
    FieldKind.KEYWORD: engine.PayloadSchemaType.Keyword,
    FieldKind.INTEGER: engine.PayloadSchemaType.Integer,
    FieldKind.FLOAT: engine.PayloadSchemaType.Float,
    FieldKind.UUID: engine.PayloadSchemaType.Uuid,
}


class EdgeDialect:
    """Conditions in the embedded engine's words.

    No filter around a single condition: for each one inside another the engine takes half as long again.
    """

    def any_value(self, field: str, values: tuple[FilterValue, ...]) -> _Condition:
        """At least one of the values; texts and numbers are different kinds of match to the engine."""
        texts = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if isinstance(value, int)]
        if len(values) == 1:
            return engine.FieldCondition(field, match=engine.MatchValue(values[0]))
        matches = [engine.FieldCondition(field, match=engine.MatchAny(each)) for each in (texts, numbers) if each]
        return matches[0] if len(matches) == 1 else engine.Filter(should=list(matches))

    def within(self, field: str, at_least: float | None, at_most: float | None) -> _Condition:
        """A number between the bounds."""
        return engine.FieldCondition(field, range=engine.RangeFloat(gte=at_least, lte=at_most))

    def known_without(self, field: str, values: tuple[FilterValue, ...]) -> _Condition:
        """Present, and none of the values."""
        unwanted = [self.any_value(field, values)] if values else []
        return engine.Filter(must_not=[engine.IsEmptyCondition(field), *unwanted])

    def all_of(self, conditions: list[_Condition]) -> _Condition:
        """Every condition."""
        return engine.Filter(must=list(conditions))

    def any_of(self, conditions: list[_Condition]) -> _Condition:
        """At least one condition."""
        return engine.Filter(should=list(conditions))


def live_filter(condition: PayloadFilter | None) -> engine.Filter:
    """The condition (already simplified), and no tombstones."""
    dead = engine.FieldCondition(stamps.DELETED, match=engine.MatchValue(stamps.TOMBSTONE_MARK))
    return engine.Filter(must=[*_wanted(condition)], must_not=[dead])


def _search_filter(condition: PayloadFilter | None) -> engine.Filter | None:
    """The condition alone: a search meets no tombstone, which has no vectors, and must not ask each point for one."""
    return None if condition is None else engine.Filter(must=[*_wanted(condition)])


def _wanted(condition: PayloadFilter | None) -> Iterator[_Condition]:
    return (translate(each, EdgeDialect()) for each in (() if condition is None else _every(condition)))


def _every(condition: PayloadFilter) -> Iterator[PayloadFilter]:
    """The conditions that all have to hold, side by side."""
    if not isinstance(condition, AllOf):
        yield condition
        return
    for each in condition.conditions:
        yield from _every(each)


def shard_config(spec: CollectionSpec) -> engine.EdgeConfig:
    """How a shard of this collection is laid out."""
    return engine.EdgeConfig(
        vectors={
            each.name: engine.EdgeVectorParams(
                size=each.dimensions, distance=engine.Distance.Cosine, quantization_config=_BYTES
            )
            for each in spec.dense
        },
        sparse_vectors={name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf) for name in spec.sparse},
        optimizers=engine.EdgeOptimizersConfig(indexing_threshold=INDEXING_THRESHOLD_KB),
        # The engine then searches in the thread that asks, and wakes none of its own.
        max_search_threads=1,
    )


def index_operations(spec: CollectionSpec, existing: Sequence[str]) -> list[engine.UpdateOperation]:
    """What creates the payload indexes that are not there yet."""
    return [
        engine.UpdateOperation.create_field_index(index.field, _INDEX_KINDS[index.kind])
        for index in (*spec.indexes, *stamps.STAMP_INDEXES)
        if index.field not in existing
    ]


def engine_point(write: Point | Tombstone) -> engine.Point:
    """A point, or the mark that replaces it: without vectors, so that no search meets it."""
    if isinstance(write, Tombstone):
        return engine.Point(write.id, {}, stamps.tombstone_payload(write))
    vectors: dict[str, engine.NamedVector] = {name: list(vector) for name, vector in write.dense.items()}
    for name, sparse in write.sparse.items():
        if sparse.indices:
            vectors[name] = engine.SparseVector(list(sparse.indices), list(sparse.values))
    return engine.Point(write.id, vectors, stamps.point_payload(write))


def _engine_prefetch(prefetch: Prefetch, *, exact: bool) -> engine.Prefetch:
    return engine.Prefetch(
        limit=prefetch.limit,
        query=engine.Query.Nearest(_prefetch_vector(prefetch), using=prefetch.using),
        filter=_search_filter(prefetch.filter),
        score_threshold=prefetch.min_score,
        params=_EXACT if exact else _SEARCH,
    )


def _prefetch_vector(prefetch: Prefetch) -> "engine.NamedVector":
    if isinstance(prefetch, DensePrefetch):
        return list(prefetch.vector)
    return engine.SparseVector(list(prefetch.values.indices), list(prefetch.values.values))


def engine_query(query: Query, searches: Sequence[Prefetch]) -> engine.QueryRequest:
    """One search asks directly and keeps its own scores, several are fused by rank; then the boost, if any.

    `searches` are what `planned` made of the query; there is at least one.
    """
    with_vector = list(query.with_vectors) or False
    with_payload = [*stamps.STAMP_FIELDS, *query.with_payload]
    if len(searches) == 1 and query.boost is None:
        only = searches[0]
        return engine.QueryRequest(
            limit=min(query.limit, only.limit),
            query=engine.Query.Nearest(_prefetch_vector(only), using=only.using),
            filter=_search_filter(only.filter),
            score_threshold=only.min_score,
            params=_EXACT if query.exact else _SEARCH,
            with_vector=with_vector,
            with_payload=with_payload,
        )
    prefetches = [_engine_prefetch(each, exact=query.exact) for each in searches]
    fusion = cast("engine.Fusion", engine.Fusion.Rrf(RRF_K))  # the stubs don't say that Rrf is a Fusion
    if query.boost is not None and len(searches) > 1:
        prefetches = [engine.Prefetch(limit=sum(each.limit for each in searches), query=fusion, prefetches=prefetches)]
    return engine.QueryRequest(
        limit=query.limit,
        prefetches=prefetches,
        query=fusion if query.boost is None else _boosted(query.boost),
        with_vector=with_vector,
        with_payload=with_payload,
    )


def scroll_request(start: UUID | None, limit: int, condition: PayloadFilter | None) -> engine.ScrollRequest:
    """One page of stamps under a condition that is already simplified."""
    return engine.ScrollRequest(
        offset=start, limit=limit, filter=live_filter(condition), with_payload=list(stamps.STAMP_FIELDS)
    )


def _boosted(boost: Boost) -> engine.Formula:
    make = engine.Expression
    power = make.Log10(make.Sum([make.Constant(1.0), make.Variable(boost.field)]))
    factor = make.Sum([make.Constant(1.0), make.Mult([make.Constant(boost.weight), power])])
    return engine.Formula(make.Mult([make.Variable("$score"), factor]), {boost.field: 0.0})


def read_record(record: "engine.Record") -> StoredPoint:
    """A record as our value."""
    return stamps.stored_point(stamps.as_uuid(record.id), record.payload or {}, record.vector)


def read_scored(scored: "engine.ScoredPoint") -> ScoredPoint:
    """A match as our value."""
    point = stamps.stored_point(stamps.as_uuid(scored.id), scored.payload or {}, scored.vector)
    return ScoredPoint(point, scored.score)
