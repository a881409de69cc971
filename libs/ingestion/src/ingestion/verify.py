"""Compares every entity and chunk of the catalogue with its point, and repairs by way of the outbox."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from datastore.postgres.chunk_reads import read_chunk_owners, read_chunk_stamps
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.index_reads import EntityStamp, read_stamps
from datastore.postgres.outbox import OutboxOperation
from datastore.vectors.chunk_points import document_of
from datastore.vectors.collections import COLLECTION_TYPES, alias_of, image_model_of
from datastore.vectors.protocol import PointStamp, VectorStore
from datastore.vocabulary import EntityType

from ingestion.outbox_claims import IndexTask, append_tasks, open_entities

_PAGE = 500
_MAX_NAMED = 20


class DriftKind(StrEnum):
    """How a point differs from its entity."""

    MISSING = "missing"
    EXTRA = "extra"
    OTHER_VERSION = "other_version"
    OTHER_CONTENT = "other_content"


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference of an entity, or of a chunk. `version` is the catalogue's, or the point's where it has none."""

    kind: DriftKind
    entity_id: UUID
    version: int


@dataclass(frozen=True, slots=True)
class TypeVerdict:
    """One type compared; of documents, their chunks.

    `waiting` differ but have an open outbox row; `repaired` outbox rows were written.
    """

    entity_type: EntityType
    entities: int
    points: int
    waiting: int
    drifts: dict[DriftKind, int]
    named: tuple[Drift, ...]
    repaired: int

    @property
    def is_sound(self) -> bool:
        """Whether nothing differs that is not already on its way."""
        return not any(self.drifts.values())


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """All types compared."""

    verdicts: tuple[TypeVerdict, ...]

    @property
    def is_sound(self) -> bool:
        """Whether every type is."""
        return all(verdict.is_sound for verdict in self.verdicts)

    @property
    def drift_count(self) -> int:
        """How many differences there are in all."""
        return sum(sum(verdict.drifts.values()) for verdict in self.verdicts)


async def verify_index(
    engine: ReadWriteEngine,
    store: VectorStore,
    *,
    repair: bool = False,
    entity_types: Sequence[EntityType] = COLLECTION_TYPES,
    call_seconds: float = 30.0,
) -> VerifyReport:
    """Compare ids, versions and content hashes of these types; with `repair`, tell the outbox of each difference.

    Raises:
        DatabaseUnavailable, VectorStoreUnavailable: nothing is known then.
        CollectionMissing: a type has no index yet.
    """
    return VerifyReport(
        tuple(
            [await verify_type(engine, store, each, repair=repair, call_seconds=call_seconds) for each in entity_types]
        )
    )


@dataclass(slots=True)
class _Tally:
    entities: int = 0
    points: int = 0
    waiting: int = 0
    repaired: int = 0
    drifts: dict[DriftKind, int] = field(default_factory=lambda: dict.fromkeys(DriftKind, 0))
    named: list[Drift] = field(default_factory=list[Drift])


async def verify_type(
    engine: ReadWriteEngine, store: VectorStore, entity_type: EntityType, *, repair: bool, call_seconds: float
) -> TypeVerdict:
    """`verify_index` for one type. Both sides are read in order of id, page by page; memory does not grow with them."""
    tally = _Tally()
    found: list[Drift] = []
    target = (await store.aliases(timeout=call_seconds)).get(alias_of(entity_type), "")
    catalogue = _catalogue_stamps(engine, entity_type, image_model_of(target), call_seconds)
    index = _index_stamps(store, entity_type, call_seconds)
    async with aclosing(catalogue), aclosing(index):
        async for drift in _differences(catalogue, index, tally):
            found.append(drift)
            if len(found) >= _PAGE:
                await _settle(engine, store, entity_type, found, tally, repair=repair, call_seconds=call_seconds)
                found = []
    await _settle(engine, store, entity_type, found, tally, repair=repair, call_seconds=call_seconds)
    return TypeVerdict(
        entity_type,
        tally.entities,
        tally.points,
        tally.waiting,
        tally.drifts,
        tuple(tally.named),
        tally.repaired,
    )


async def _settle(
    engine: ReadWriteEngine,
    store: VectorStore,
    entity_type: EntityType,
    found: Sequence[Drift],
    tally: _Tally,
    *,
    repair: bool,
    call_seconds: float,
) -> None:
    """Count what differs for good, and write its outbox rows when it is to be repaired."""
    if not found:
        return
    owners = {drift.entity_id: drift.entity_id for drift in found}
    if entity_type is EntityType.DOCUMENT:
        owners |= await _documents_of(engine, store, list(owners), call_seconds)
    async with engine.begin(timeout=call_seconds) as conn:
        waiting = await open_entities(conn, list(owners.values()))
        drifts = [drift for drift in found if owners[drift.entity_id] not in waiting]
        tasks = {owners[drift.entity_id]: drift for drift in drifts}
        if repair:
            await append_tasks(conn, [_task(entity_type, owner, drift) for owner, drift in tasks.items()])
    tally.waiting += len(found) - len(drifts)
    tally.repaired += len(tasks) if repair else 0
    tally.named += drifts[: _MAX_NAMED - len(tally.named)]
    for drift in drifts:
        tally.drifts[drift.kind] += 1


async def _documents_of(
    engine: ReadWriteEngine, store: VectorStore, ids: Sequence[UUID], seconds: float
) -> dict[UUID, UUID]:
    """Chunk to document, by what the catalogue says, else by what the point says; missing where neither does."""
    points = await store.retrieve(alias_of(EntityType.DOCUMENT), ids, timeout=seconds)
    said = {point.id: document for point in points if (document := document_of(point.payload)) is not None}
    async with engine.begin(timeout=seconds) as conn:
        return said | await read_chunk_owners(conn, ids)


def _task(entity_type: EntityType, owner: UUID, drift: Drift) -> IndexTask:
    operation = OutboxOperation.DELETE if drift.kind is DriftKind.EXTRA else OutboxOperation.UPSERT
    return IndexTask(owner, entity_type.value, drift.version, operation)


async def _differences(
    catalogue: AsyncGenerator[EntityStamp], index: AsyncGenerator[PointStamp], tally: _Tally
) -> AsyncGenerator[Drift]:
    """Walk both sides in order of id, like a merge of two sorted lists."""
    entity, point = await anext(catalogue, None), await anext(index, None)
    while entity is not None or point is not None:
        if point is None or (entity is not None and entity.id < point.id):
            assert entity is not None
            tally.entities += 1
            yield Drift(DriftKind.MISSING, entity.id, entity.version)
            entity = await anext(catalogue, None)
        elif entity is None or point.id < entity.id:
            tally.points += 1
            yield Drift(DriftKind.EXTRA, point.id, point.version)
            point = await anext(index, None)
        else:
            tally.entities, tally.points = tally.entities + 1, tally.points + 1
            if (drift := _compared(entity, point)) is not None:
                yield drift
            entity, point = await anext(catalogue, None), await anext(index, None)


def _compared(entity: EntityStamp, point: PointStamp) -> Drift | None:
    if entity.version != point.version:
        return Drift(DriftKind.OTHER_VERSION, entity.id, entity.version)
    if entity.content_hash != point.content_hash:
        return Drift(DriftKind.OTHER_CONTENT, entity.id, entity.version)
    return None


async def _catalogue_stamps(
    engine: ReadWriteEngine, entity_type: EntityType, image_model: str, call_seconds: float
) -> AsyncGenerator[EntityStamp]:
    after = None
    while True:
        async with engine.begin(timeout=call_seconds) as conn:
            if entity_type is EntityType.DOCUMENT:
                stamps = await read_chunk_stamps(conn, after=after, limit=_PAGE)
            else:
                stamps = await read_stamps(conn, entity_type, after=after, limit=_PAGE, image_model=image_model)
        for stamp in stamps:
            yield stamp
        if len(stamps) < _PAGE:
            return
        after = stamps[-1].id


async def _index_stamps(store: VectorStore, entity_type: EntityType, call_seconds: float) -> AsyncGenerator[PointStamp]:
    start: UUID | None = None
    while True:
        page = await store.scroll(alias_of(entity_type), start=start, limit=_PAGE, timeout=call_seconds)
        for stamp in page.stamps:
            yield stamp
        if page.next_id is None:
            return
        start = page.next_id
