"""VectorStore on a Qdrant server, through its own asynchronous client."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from math import ceil
from uuid import UUID

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from datastore.errors import CollectionMissing, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors import stamps
from datastore.vectors.filters import NOTHING, PayloadFilter, simplified
from datastore.vectors.finite import refuse_endless
from datastore.vectors.protocol import (
    CollectionInfo,
    CollectionSpec,
    DenseVector,
    Point,
    Query,
    ScoredPoint,
    ScrollPage,
    StoredPoint,
    Tombstone,
)
from datastore.vectors.query_plan import planned
from datastore.vectors.server_points import (
    INDEX_KINDS,
    dense_params,
    guarded_upsert,
    live_filter,
    query_request,
    read_record,
    read_scored,
    sparse_params,
)

MINIMUM_SERVER_VERSION = "1.16"
"""Conditional upserts, the write guard, arrived with this version."""

_CLIENT_SECONDS = 120
_BUSY_STATUS = frozenset({408, 429})
_CONFLICT, _NOT_FOUND = 409, 404
_MODEL = "model"


def open_qdrant_store(url: str, *, api_key: str | None = None) -> "QdrantVectorStore":
    """A store on the server at `url`; nothing is sent before the first call."""
    # The compatibility check would be a blocking request; `enishi doctor` asks for the version instead.
    return QdrantVectorStore(
        AsyncQdrantClient(url=url, api_key=api_key, timeout=_CLIENT_SECONDS, check_compatibility=False)
    )


@asynccontextmanager
async def _translating(collection: str, seconds: float) -> AsyncGenerator[None]:
    """The client's errors as ours; `collection` is what a 404 is about."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise VectorStoreUnavailable(timed_out=True) from error
    except (ResponseHandlingException, ResourceExhaustedResponse) as error:
        raise VectorStoreUnavailable from error
    except UnexpectedResponse as error:
        status = error.status_code or 500
        if status == _NOT_FOUND:
            raise CollectionMissing(collection) from error
        if status >= 500 or status in _BUSY_STATUS:
            raise VectorStoreUnavailable from error
        raise VectorStoreRefused(f"the vector server refused the request (status {status})") from error
    except ValueError as error:
        # The client's in-memory engine says so by text; the client itself where arguments don't fit together.
        if "not found" in str(error):
            raise CollectionMissing(collection) from error
        raise VectorStoreRefused("the vector client does not accept this request") from error


class QdrantVectorStore:
    """See VectorStore for the promises. `keeps_indexes` is False for the client's in-memory engine only."""

    def __init__(self, client: AsyncQdrantClient, *, keeps_indexes: bool = True) -> None:
        self._client = client
        self.keeps_indexes = keeps_indexes

    async def ensure_collection(self, spec: CollectionSpec, *, timeout: float) -> None:
        """See VectorStore."""
        async with _translating(spec.name, timeout):
            if spec.name in await self._aliases():
                raise VectorStoreRefused(f"'{spec.name}' is the name of an alias")
            if not await self._client.collection_exists(spec.name):
                await self._create(spec)
            present = await self._info(spec.name)
            if (set(present.dense), set(present.sparse)) != (set(spec.dense), set(spec.sparse)):
                raise VectorStoreRefused(f"collection '{spec.name}' exists with other vectors")
            if present.model not in {"", spec.model}:
                raise VectorStoreRefused(f"collection '{spec.name}' holds vectors of {present.model}")
            if present.indexed_fields is None:
                return
            for index in (*spec.indexes, *stamps.STAMP_INDEXES):
                if index.field not in present.indexed_fields:
                    await self._client.create_payload_index(spec.name, index.field, INDEX_KINDS[index.kind])

    async def drop_collection(self, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        async with _translating(collection, timeout):
            aliases = await self._aliases()
            if collection in aliases or collection in aliases.values():
                raise VectorStoreRefused(f"collection '{collection}' is in use by an alias")
            if await self._client.collection_exists(collection):
                await self._client.delete_collection(collection)

    async def collections(self, *, timeout: float) -> tuple[str, ...]:
        """See VectorStore."""
        async with _translating("", timeout):
            found = await self._client.get_collections()
        return tuple(sorted(each.name for each in found.collections))

    async def describe(self, collection: str, *, timeout: float) -> CollectionInfo:
        """See VectorStore."""
        async with _translating(collection, timeout):
            name = (await self._aliases()).get(collection, collection)
            return await self._info(name)

    async def switch_alias(self, alias: str, collection: str, *, timeout: float) -> None:
        """See VectorStore."""
        async with _translating(collection, timeout):
            names = {each.name for each in (await self._client.get_collections()).collections}
            if alias in names:
                raise VectorStoreRefused(f"'{alias}' is the name of a collection")
            if collection not in names:
                raise CollectionMissing(collection)
            create = models.CreateAliasOperation(
                create_alias=models.CreateAlias(collection_name=collection, alias_name=alias)
            )
            steps: list[models.CreateAliasOperation | models.DeleteAliasOperation] = [create]
            if alias in await self._aliases():
                steps.insert(0, models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias)))
            # The server applies the operations of one request as one step.
            await self._client.update_collection_aliases(steps)

    async def aliases(self, *, timeout: float) -> Mapping[str, str]:
        """See VectorStore."""
        async with _translating("", timeout):
            return await self._aliases()

    async def upsert(self, collection: str, points: Sequence[Point], *, timeout: float) -> None:
        """See VectorStore."""
        refuse_endless(points)
        await self._write(collection, points, timeout=timeout)

    async def delete(self, collection: str, tombstones: Sequence[Tombstone], *, timeout: float) -> None:
        """See VectorStore."""
        await self._write(collection, tombstones, timeout=timeout)

    async def retrieve(
        self, collection: str, ids: Sequence[UUID], *, timeout: float, with_vectors: Sequence[str] = ()
    ) -> list[StoredPoint]:
        """See VectorStore."""
        if not ids:
            return []
        async with _translating(collection, timeout):
            records = await self._client.retrieve(
                collection, [str(each) for each in ids], with_payload=True, with_vectors=list(with_vectors) or False
            )
        live = {stamps.as_uuid(each.id): each for each in records if not stamps.is_tombstone(each.payload or {})}
        return [read_record(live[each]) for each in ids if each in live]

    async def query(self, collection: str, query: Query, *, timeout: float) -> list[ScoredPoint]:
        """See VectorStore."""
        searches = planned(query)
        if not searches:
            await self.count(collection, timeout=timeout)
            return []
        request = query_request(query, searches)
        async with _translating(collection, timeout):
            response = await self._client.query_points(
                collection,
                query=request.query,
                using=request.using,
                prefetch=request.prefetch,
                query_filter=request.query_filter,
                search_params=request.search_params,
                score_threshold=request.score_threshold,
                limit=request.limit,
                with_payload=[*stamps.STAMP_FIELDS, *query.with_payload],
                with_vectors=list(query.with_vectors) or False,
                timeout=max(1, ceil(timeout)),
            )
        return [read_scored(each) for each in response.points]

    async def scroll(
        self,
        collection: str,
        *,
        start: UUID | None,
        limit: int,
        timeout: float,
        filter: PayloadFilter | None = None,
    ) -> ScrollPage:
        """See VectorStore."""
        condition = None if filter is None else simplified(filter)
        if condition == NOTHING:
            return ScrollPage((), None)
        async with _translating(collection, timeout):
            records, next_id = await self._client.scroll(
                collection,
                scroll_filter=live_filter(condition),
                limit=limit,
                offset=None if start is None else str(start),
                with_payload=list(stamps.STAMP_FIELDS),
                with_vectors=False,
            )
        read = tuple(stamps.point_stamp(stamps.as_uuid(each.id), each.payload or {}) for each in records)
        return ScrollPage(read, None if next_id is None else stamps.as_uuid(next_id))

    async def count(self, collection: str, *, timeout: float, filter: PayloadFilter | None = None) -> int:
        """See VectorStore."""
        condition = None if filter is None else simplified(filter)
        if condition == NOTHING:
            return 0
        async with _translating(collection, timeout):
            counted = await self._client.count(collection, count_filter=live_filter(condition), exact=True)
        return counted.count

    async def optimize(self, collection: str, *, timeout: float) -> bool:
        """Nothing to do: the server optimises by itself, beside its searches."""
        return False

    async def close(self) -> None:
        """See VectorStore."""
        await self._client.close()

    async def _aliases(self) -> dict[str, str]:
        found = await self._client.get_aliases()
        return {each.alias_name: each.collection_name for each in found.aliases}

    async def _create(self, spec: CollectionSpec) -> None:
        try:
            await self._client.create_collection(
                spec.name,
                vectors_config=dense_params(spec),
                sparse_vectors_config=sparse_params(spec),
                metadata={_MODEL: spec.model} if spec.model else None,
            )
        except UnexpectedResponse as error:
            # Another client was faster; the caller compares what is there.
            if error.status_code != _CONFLICT:
                raise

    async def _info(self, name: str) -> CollectionInfo:
        found = await self._client.get_collection(name)
        vectors = found.config.params.vectors
        named = vectors if isinstance(vectors, dict) else {}
        counted = await self._client.count(name, count_filter=live_filter(None), exact=True)
        return CollectionInfo(
            name,
            tuple(DenseVector(vector, params.size) for vector, params in sorted(named.items())),
            tuple(sorted(found.config.params.sparse_vectors or {})),
            tuple(sorted(found.payload_schema)) if self.keeps_indexes else None,
            counted.count,
            str((found.config.metadata or {}).get(_MODEL, "")),
        )

    async def _write(self, collection: str, writes: Sequence[Point | Tombstone], *, timeout: float) -> None:
        newest = stamps.newest_writes(writes)
        if not newest:
            return
        async with _translating(collection, timeout):
            # Strong ordering: with replicas, the guard is judged where the point's last write was accepted.
            await self._client.batch_update_points(
                collection,
                [guarded_upsert(write) for write in newest],
                wait=True,
                ordering=models.WriteOrdering.STRONG,
            )
