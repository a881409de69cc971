"""Our frozen values to the Qdrant client's models and back; no request is made here."""

from collections.abc import Sequence
from dataclasses import dataclass

from qdrant_client import models

from datastore.vectors import stamps
from datastore.vectors.filters import FilterValue, PayloadFilter, translate
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

INDEX_KINDS = {
    FieldKind.KEYWORD: models.PayloadSchemaType.KEYWORD,
    FieldKind.INTEGER: models.PayloadSchemaType.INTEGER,
    FieldKind.FLOAT: models.PayloadSchemaType.FLOAT,
    FieldKind.UUID: models.PayloadSchemaType.UUID,
}


class ServerDialect:
    """Conditions in the client's models."""

    def any_value(self, field: str, values: tuple[FilterValue, ...]) -> models.Filter:
        """At least one of the values; texts and numbers are different kinds of match to the engine."""
        texts = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if isinstance(value, int)]
        matches = [models.MatchAny(any=each) for each in (texts, numbers) if each]
        return models.Filter(should=[models.FieldCondition(key=field, match=match) for match in matches])

    def within(self, field: str, at_least: float | None, at_most: float | None) -> models.Filter:
        """A number between the bounds."""
        return models.Filter(
            must=[models.FieldCondition(key=field, range=models.Range(gte=at_least, lte=at_most))],
        )

    def known_without(self, field: str, values: tuple[FilterValue, ...]) -> models.Filter:
        """Present, and none of the values."""
        unwanted = [self.any_value(field, values)] if values else []
        return models.Filter(must_not=[_is_empty(field), *unwanted])

    def all_of(self, conditions: list[models.Filter]) -> models.Filter:
        """Every condition."""
        return models.Filter(must=list(conditions))

    def any_of(self, conditions: list[models.Filter]) -> models.Filter:
        """At least one condition."""
        return models.Filter(should=list(conditions))


def _is_empty(field: str) -> models.IsEmptyCondition:
    return models.IsEmptyCondition(is_empty=models.PayloadField(key=field))


def live_filter(condition: PayloadFilter | None) -> models.Filter:
    """The condition (already simplified), and no tombstones."""
    dead = models.FieldCondition(key=stamps.DELETED, match=models.MatchValue(value=stamps.TOMBSTONE_MARK))
    wanted = [] if condition is None else [translate(condition, ServerDialect())]
    return models.Filter(must=list(wanted), must_not=[dead])


def _search_filter(condition: PayloadFilter | None) -> models.Filter | None:
    """The condition alone: a search meets no tombstone, which has no vectors."""
    return None if condition is None else translate(condition, ServerDialect())


def _older_filter(write: Point | Tombstone) -> models.Filter:
    """Matches a stored point that gives way to this write; see `stamps.guard_of`."""
    sequence, version = stamps.guard_of(write)

    def at(key: str, bounds: models.Range) -> models.FieldCondition:
        return models.FieldCondition(key=key, range=bounds)

    same_change = models.Filter(
        must=[
            at(stamps.SEQUENCE, models.Range(gte=sequence, lte=sequence)),
            at(stamps.VERSION, models.Range(lte=version)),
        ]
    )
    earlier = at(stamps.SEQUENCE, models.Range(lt=sequence))
    return models.Filter(should=[earlier, same_change, _is_empty(stamps.SEQUENCE), _is_empty(stamps.VERSION)])


def guarded_upsert(write: Point | Tombstone) -> models.UpsertOperation:
    """One write that the server applies only over an older state; a point that isn't there yet is inserted."""
    return models.UpsertOperation(upsert=models.PointsList(points=[_struct(write)], update_filter=_older_filter(write)))


def _struct(write: Point | Tombstone) -> models.PointStruct:
    if isinstance(write, Tombstone):
        return models.PointStruct(id=str(write.id), vector={}, payload=stamps.tombstone_payload(write))
    vectors: dict[str, models.Vector] = {name: list(vector) for name, vector in write.dense.items()}
    for name, sparse in write.sparse.items():
        if sparse.indices:
            vectors[name] = models.SparseVector(indices=list(sparse.indices), values=list(sparse.values))
    return models.PointStruct(id=str(write.id), vector=vectors, payload=stamps.point_payload(write))


def dense_params(spec: CollectionSpec) -> dict[str, models.VectorParams]:
    """The dense vectors of a new collection."""
    return {
        each.name: models.VectorParams(size=each.dimensions, distance=models.Distance.COSINE) for each in spec.dense
    }


def sparse_params(spec: CollectionSpec) -> dict[str, models.SparseVectorParams]:
    """The sparse vectors of a new collection."""
    return {name: models.SparseVectorParams(modifier=models.Modifier.IDF) for name in spec.sparse}


def _vector(prefetch: Prefetch) -> list[float] | models.SparseVector:
    if isinstance(prefetch, DensePrefetch):
        return list(prefetch.vector)
    return models.SparseVector(indices=list(prefetch.values.indices), values=list(prefetch.values.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRequest:
    """The arguments of the client's `query_points` that differ from query to query."""

    query: list[float] | models.SparseVector | models.RrfQuery | models.FormulaQuery
    limit: int
    prefetch: list[models.Prefetch] | None = None
    using: str | None = None
    query_filter: models.Filter | None = None
    score_threshold: float | None = None
    search_params: models.SearchParams | None = None


def query_request(query: Query, searches: Sequence[Prefetch]) -> QueryRequest:
    """One search asks directly and keeps its own scores, several are fused by rank; then the boost, if any.

    `searches` are what `planned` made of the query; there is at least one.
    """
    if len(searches) == 1 and query.boost is None:
        only = searches[0]
        return QueryRequest(
            query=_vector(only),
            limit=min(query.limit, only.limit),
            using=only.using,
            query_filter=_search_filter(only.filter),
            score_threshold=only.min_score,
            search_params=_params(query),
        )
    prefetch = [_prefetch(each, _params(query)) for each in searches]
    fusion = models.RrfQuery(rrf=models.Rrf(k=RRF_K))
    if query.boost is None:
        return QueryRequest(query=fusion, limit=query.limit, prefetch=prefetch)
    if len(searches) > 1:
        prefetch = [models.Prefetch(query=fusion, prefetch=prefetch, limit=sum(each.limit for each in searches))]
    return QueryRequest(query=_boosted(query.boost), limit=query.limit, prefetch=prefetch)


def _params(query: Query) -> models.SearchParams | None:
    return models.SearchParams(exact=True) if query.exact else None


def _prefetch(prefetch: Prefetch, params: models.SearchParams | None) -> models.Prefetch:
    return models.Prefetch(
        query=_vector(prefetch),
        using=prefetch.using,
        limit=prefetch.limit,
        filter=_search_filter(prefetch.filter),
        score_threshold=prefetch.min_score,
        params=params,
    )


def _boosted(boost: Boost) -> models.FormulaQuery:
    power = models.Log10Expression(log10=models.SumExpression(sum=[1.0, boost.field]))
    factor = models.SumExpression(sum=[1.0, models.MultExpression(mult=[boost.weight, power])])
    return models.FormulaQuery(formula=models.MultExpression(mult=["$score", factor]), defaults={boost.field: 0.0})


def read_record(record: models.Record) -> StoredPoint:
    """A record as our value."""
    return stamps.stored_point(stamps.as_uuid(record.id), record.payload or {}, record.vector)


def read_scored(scored: models.ScoredPoint) -> ScoredPoint:
    """A match as our value."""
    point = stamps.stored_point(stamps.as_uuid(scored.id), scored.payload or {}, scored.vector)
    return ScoredPoint(point, scored.score)
