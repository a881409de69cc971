"""Our frozen values to the Qdrant client's models and back; no request is made here."""

from qdrant_client import models

from datastore.vectors import stamps
from datastore.vectors.filters import FilterValue, PayloadFilter, translate
from datastore.vectors.protocol import (
    RRF_K,
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


def single_query(only: Prefetch | None) -> list[float] | models.SparseVector | models.RrfQuery:
    """What the request asks: the one prefetch's vector, else the fusion of all."""
    return models.RrfQuery(rrf=models.Rrf(k=RRF_K)) if only is None else _vector(only)


def query_prefetch(query: Query, condition: models.Filter) -> list[models.Prefetch]:
    """The searches to fuse, each under the filter."""
    return [
        models.Prefetch(
            query=_vector(each),
            using=each.using,
            limit=each.limit,
            filter=condition,
            score_threshold=each.min_score,
        )
        for each in query.prefetch
    ]


def read_record(record: models.Record) -> StoredPoint:
    """A record as our value."""
    return stamps.stored_point(stamps.as_uuid(record.id), record.payload or {}, record.vector)


def read_scored(scored: models.ScoredPoint) -> ScoredPoint:
    """A match as our value."""
    point = stamps.stored_point(stamps.as_uuid(scored.id), scored.payload or {}, scored.vector)
    return ScoredPoint(point, scored.score)
