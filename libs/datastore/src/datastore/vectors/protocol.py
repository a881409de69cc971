"""What a vector store promises, and the frozen values that go in and out of it. No engine's word appears here."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from datastore.vectors.filters import PayloadFilter

PayloadValue = str | int | float | bool | tuple[str, ...]
"""What a payload field can hold. An unknown value is an absent field, never None or an empty text."""

RRF_K = 60
"""The constant of reciprocal rank fusion: how much the first ranks are worth more than the later ones."""


class FieldKind(StrEnum):
    """What a payload field holds, as far as its index cares."""

    KEYWORD = "keyword"
    INTEGER = "integer"
    FLOAT = "float"
    UUID = "uuid"


class PayloadIndex(Struct, frozen=True):
    """An index on one payload field, so that a filter on it never reads every point."""

    field: str
    kind: FieldKind


class DenseVector(Struct, frozen=True):
    """A named dense vector, compared by cosine."""

    name: str
    dimensions: int


class CollectionSpec(Struct, frozen=True):
    """What a collection holds. The sparse vectors are weighted with inverse document frequency by the engine.

    `model` says in words which embedding model its dense vectors come from; it is stored with the collection.
    `optional` names dense vectors that a point may lack.
    """

    name: str
    dense: tuple[DenseVector, ...]
    sparse: tuple[str, ...] = ()
    indexes: tuple[PayloadIndex, ...] = ()
    model: str = ""
    optional: tuple[str, ...] = ()


class CollectionInfo(Struct, frozen=True):
    """A collection as it is. `indexed_fields` is None where the engine keeps no payload indexes at all.

    `model` is empty for a collection from before models were stored.
    """

    name: str
    dense: tuple[DenseVector, ...]
    sparse: tuple[str, ...]
    indexed_fields: tuple[str, ...] | None
    points: int
    model: str = ""


class SparseValues(Struct, frozen=True):
    """A sparse vector: `values[i]` stands at `indices[i]`; an index occurs once.

    Raises:
        ValueError: there are more of the one than of the other.
    """

    indices: tuple[int, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.indices) != len(self.values):
            raise ValueError(f"a sparse vector of {len(self.indices)} indices and {len(self.values)} values")


class Point(Struct, frozen=True):
    """A point to write. `sequence` orders the writes of one id; equal ones are ordered by `version`.

    `sequence` is the outbox row that caused the write, 0 for a write that any change may overwrite.
    """

    id: UUID
    version: int
    content_hash: str
    payload: Mapping[str, PayloadValue]
    dense: Mapping[str, Sequence[float]]
    sparse: Mapping[str, SparseValues]
    sequence: int = 0


class Tombstone(Struct, frozen=True):
    """A point to delete. It stays as a mark, so that a late write of an older state cannot bring the point back."""

    id: UUID
    version: int
    sequence: int = 0


class PointStamp(Struct, frozen=True):
    """What tells whether a stored point still says what the catalogue says."""

    id: UUID
    version: int
    content_hash: str


class ScrollPage(Struct, frozen=True):
    """Stamps in ascending order of id. `next_id` is where the next page begins; None after the last."""

    stamps: tuple[PointStamp, ...]
    next_id: UUID | None


class StoredPoint(Struct, frozen=True):
    """A point as it was read. `payload`, `dense` and `sparse` hold what was asked for and exists."""

    id: UUID
    version: int
    content_hash: str
    payload: Mapping[str, PayloadValue]
    dense: Mapping[str, Sequence[float]] = {}
    sparse: Mapping[str, SparseValues] = {}


class ScoredPoint(Struct, frozen=True):
    """A match: with one prefetch its own score, with several the fused rank score."""

    point: StoredPoint
    score: float


class DensePrefetch(Struct, frozen=True, tag="dense"):
    """The nearest neighbours of a dense vector, none below `min_score` (cosine). `filter` narrows the query's own."""

    using: str
    vector: Sequence[float]
    limit: int
    min_score: float | None = None
    filter: PayloadFilter | None = None


class SparsePrefetch(Struct, frozen=True, tag="sparse"):
    """The best lexical matches, none below `min_score`. `filter` narrows the query's own."""

    using: str
    values: SparseValues
    limit: int
    min_score: float | None = None
    filter: PayloadFilter | None = None


Prefetch = DensePrefetch | SparsePrefetch


class Boost(Struct, frozen=True):
    """A payload number that raises scores, by the share `weight` for each power of ten of 1 + the number.

    With a weight of 0.1 and a popularity of 999 a score counts 1.3 times. An absent number counts as 0.
    """

    field: str
    weight: float


class Query(Struct, frozen=True):
    """One search: each prefetch runs under the filter; several are fused by reciprocal rank with the constant RRF_K.

    Matches carry the payload fields of `with_payload` and the vectors of `with_vectors`, for each costs time.
    `boost` rescores what the prefetches found. `exact` compares every vector instead of walking an index; engines do
    so by themselves where a filter leaves few points.
    """

    prefetch: tuple[Prefetch, ...]
    limit: int
    filter: PayloadFilter | None = None
    with_payload: tuple[str, ...] = ()
    with_vectors: tuple[str, ...] = ()
    boost: Boost | None = None
    exact: bool = False


class VectorStore(Protocol):
    """Collections of points behind aliases. A `collection` argument is the name of a collection or of an alias.

    Every call is bounded by `timeout` seconds and raises VectorStoreUnavailable when it is over; a write that timed out
    may or may not have happened, and can be repeated. VectorStoreRefused says that repeating will not help,
    CollectionMissing that the name is unknown. Deleted points appear in no answer.
    """

    async def ensure_collection(self, spec: CollectionSpec, *, timeout: float) -> None:
        """Create what is missing of the collection and its indexes.

        One of the same name with other vectors, or with those of another model, is refused.
        """
        ...

    async def drop_collection(self, collection: str, *, timeout: float) -> None:
        """Remove a collection; a missing one is no error, one behind an alias is refused."""
        ...

    async def collections(self, *, timeout: float) -> tuple[str, ...]:
        """Names of the collections, sorted, without aliases."""
        ...

    async def describe(self, collection: str, *, timeout: float) -> CollectionInfo:
        """The collection's vectors, indexed fields and number of points."""
        ...

    async def switch_alias(self, alias: str, collection: str, *, timeout: float) -> None:
        """Let the alias name this collection, in one step: a search meets the old one or the new one."""
        ...

    async def aliases(self, *, timeout: float) -> Mapping[str, str]:
        """Alias to collection."""
        ...

    async def upsert(self, collection: str, points: Sequence[Point], *, timeout: float) -> None:
        """Write points; each is left alone where a newer (sequence, version), a tombstone's included, is stored."""
        ...

    async def delete(self, collection: str, tombstones: Sequence[Tombstone], *, timeout: float) -> None:
        """Replace points with tombstones under the same guard."""
        ...

    async def retrieve(
        self, collection: str, ids: Sequence[UUID], *, timeout: float, with_vectors: Sequence[str] = ()
    ) -> list[StoredPoint]:
        """The points with these ids in the order asked, with their whole payload; missing ones are left out."""
        ...

    async def query(self, collection: str, query: Query, *, timeout: float) -> list[ScoredPoint]:
        """Matches, best first, at most `query.limit`."""
        ...

    async def scroll(
        self,
        collection: str,
        *,
        start: UUID | None,
        limit: int,
        timeout: float,
        filter: PayloadFilter | None = None,
    ) -> ScrollPage:
        """One page of the stamps that match, from `start` on (the beginning when None)."""
        ...

    async def count(self, collection: str, *, timeout: float, filter: PayloadFilter | None = None) -> int:
        """How many points match, counted exactly."""
        ...

    async def optimize(self, collection: str, *, timeout: float) -> bool:
        """Build search indexes for what was written since; searches go on meanwhile. Whether anything was built."""
        ...

    async def close(self) -> None:
        """Release everything; may be called twice."""
        ...
