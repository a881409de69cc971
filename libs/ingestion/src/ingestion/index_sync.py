"""The relay: carries what the outbox says changed from PostgreSQL into the vector index."""

import asyncio
import random
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

import structlog
from datastore.errors import CollectionMissing, DatabaseUnavailable, VectorStoreRefused, VectorStoreUnavailable
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.index_reads import IndexCard, read_index_cards
from datastore.vectors.collections import (
    COLLECTION_TYPES,
    alias_of,
    ensure_collections,
    image_model_of,
    is_of_model,
)
from datastore.vectors.protocol import Tombstone, VectorStore
from datastore.vocabulary import EntityType
from embeddings.protocol import Embedder, EmbedderUnavailable
from observability.attributes import BATCH_SIZE, HITS
from observability.tracing import span

from ingestion import outbox_claims
from ingestion.chunk_sync import ChunkCarrier
from ingestion.index_points import PointMaker
from ingestion.outbox_claims import ClaimedRow

_LOG = structlog.get_logger(__name__)

_POISON = (VectorStoreRefused, ValueError, TypeError, LookupError, ArithmeticError)
"""What one row's content can cause; anything else is an error of ours and ends the relay."""

_AWAY = (DatabaseUnavailable, VectorStoreUnavailable, EmbedderUnavailable)
_MAX_BACKOFF_SECONDS = 5.0
_DRAIN_POLL_SECONDS = 0.1
_DRAIN_TRIES = 6


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """How a relay works. A row whose worker is silent for `lease_seconds` is taken over by another.

    `retry_seconds` is waited for each failure of a row; after `max_attempts` it is set aside with its reason.
    `call_seconds` bounds each call on the store, the embedder and the database.
    """

    batch_size: int = 64
    lease_seconds: float = 60.0
    max_attempts: int = 5
    retry_seconds: float = 2.0
    poll_seconds: float = 0.5
    call_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class RelayReport:
    """What was done. `claimed` are outbox rows; several of one entity make one write. `failed` counts attempts.

    `upserted` and `deleted` are points: one of an entity, one of each chunk of a document.
    """

    claimed: int = 0
    upserted: int = 0
    deleted: int = 0
    failed: int = 0
    dead: int = 0

    def __add__(self, other: "RelayReport") -> "RelayReport":
        return RelayReport(
            self.claimed + other.claimed,
            self.upserted + other.upserted,
            self.deleted + other.deleted,
            self.failed + other.failed,
            self.dead + other.dead,
        )


class IndexRelay:
    """One of any number of relays over the same outbox and index.

    The outbox says which entities changed; what is written is always the catalogue's present state, so a row that is
    carried over twice, late, or out of order does no harm.
    """

    def __init__(
        self, engine: ReadWriteEngine, store: VectorStore, embedder: Embedder, options: RelayOptions | None = None
    ) -> None:
        self._engine = engine
        self._store = store
        self._model = embedder.identity
        self._maker = PointMaker(embedder)
        self._options = options or RelayOptions()
        self._chunks = ChunkCarrier(engine, store, embedder, call_seconds=self._options.call_seconds)
        self._worker = f"relay-{uuid4().hex[:12]}"
        self._image_models: dict[EntityType, str] = {}

    async def prepare(self) -> None:
        """Make sure that the collections exist.

        Raises:
            VectorStoreRefused: the index was built with another model.
            VectorStoreUnavailable: the store is away.
        """
        await ensure_collections(
            self._store,
            model=self._model.short_hash,
            dimensions=self._model.dimensions,
            timeout=self._options.call_seconds,
            description=str(self._model),
        )

    async def drain(
        self, *, timeout: float | None = None, progress: Callable[[int, int], None] | None = None
    ) -> RelayReport:
        """Carry over until no row is open any more; rows in the hands of other relays are waited for.

        `progress` is told after each batch how many rows this call has carried over, and how many that is with those
        still open.

        Raises:
            TimeoutError: `timeout` seconds are over.
            DatabaseUnavailable, VectorStoreUnavailable, EmbedderUnavailable: away for several tries on end.
            VectorStoreRefused: the index was built with another model.
        """
        total, away = RelayReport(), 0
        async with asyncio.timeout(timeout):
            await self.prepare()
            while True:
                try:
                    report = await self.run_once(retry_seconds=0)
                    total += report
                    if progress is not None:
                        progress(total.claimed, total.claimed + await self._count_open())
                    if report.claimed == 0 and await self._count_open() == 0:
                        return total
                    away = 0
                except _AWAY:
                    away += 1
                    if away >= _DRAIN_TRIES:
                        raise
                    await asyncio.sleep(_backoff(away))
                    continue
                if report.claimed == 0:
                    await asyncio.sleep(_DRAIN_POLL_SECONDS)

    async def run_forever(self, stop: asyncio.Event) -> RelayReport:
        """Carry over as rows come, until `stop` is set; the batch in hand is finished first.

        A database, store or model that is away is waited for. Raises VectorStoreRefused when the index was built with
        another model.
        """
        total, away = RelayReport(), 0
        while not stop.is_set():
            pause = 0.0
            try:
                report = await self.run_once()
                total += report
                away = 0
                pause = 0.0 if report.claimed else self._options.poll_seconds
            except _AWAY as error:
                away += 1
                pause = _backoff(away)
                _LOG.warning("relay_dependency_away", error=str(error), retry_in_seconds=round(pause, 2))
            if pause:
                await _wait(stop, pause)
        return total

    async def run_once(self, *, retry_seconds: float | None = None) -> RelayReport:
        """Carry over one batch. A dependency that is away is raised; the rows wait, and no attempt is counted."""
        try:
            await self._check_model()
            rows = await self._claim(self._options.retry_seconds if retry_seconds is None else retry_seconds)
            if not rows:
                return RelayReport()
            try:
                with span("batch index", {BATCH_SIZE: len(rows)}):
                    report = await self._carry(rows)
            except (*_AWAY, CollectionMissing):
                await self._put_back(rows)
                raise
        except CollectionMissing:
            # Somebody emptied the store: what was in it comes back by a rebuild, what changes now finds a place.
            await self.prepare()
            return RelayReport()
        _LOG.debug("relay_batch_done", claimed=report.claimed, upserted=report.upserted, deleted=report.deleted)
        return report

    async def _carry(self, rows: Sequence[ClaimedRow]) -> RelayReport:
        """Carry over these rows; what goes wrong with a group is tried again entity by entity."""
        report = RelayReport(claimed=len(rows))
        for group in _grouped(rows, _group_of).values():
            try:
                report += await self._carry_group(group)
            except CollectionMissing:
                raise
            except _POISON:
                for of_entity in _grouped(group, lambda row: row.entity_id).values():
                    report += await self._carry_alone(of_entity)
        return report

    async def _carry_alone(self, rows: Sequence[ClaimedRow]) -> RelayReport:
        try:
            return await self._carry_group(rows)
        except CollectionMissing:
            raise
        except _POISON as error:
            reason = f"{type(error).__name__}: {error}"
            async with self._engine.begin(timeout=self._options.call_seconds) as conn:
                dead = await outbox_claims.record_failure(
                    conn, rows, worker=self._worker, reason=reason, max_attempts=self._options.max_attempts
                )
            _LOG.warning("relay_row_failed", entity_id=str(rows[0].entity_id), reason=reason, is_dead=dead > 0)
            return RelayReport(failed=len(rows), dead=dead)

    async def _carry_group(self, rows: Sequence[ClaimedRow]) -> RelayReport:
        """Rows of one type; of a document's, those of one document."""
        known_type, seconds = EntityType(rows[0].entity_type), self._options.call_seconds
        with span(f"batch {known_type}", {BATCH_SIZE: len(rows)}) as traced:
            if known_type is EntityType.DOCUMENT:
                carried = await self._chunks.carry(rows[-1].entity_id, rows[-1].id, on_page=self._hold)
                report = RelayReport(upserted=carried.upserted, deleted=carried.deleted)
            else:
                report = await self._carry_entities(known_type, rows)
            async with self._engine.begin(timeout=seconds) as conn:
                await outbox_claims.finish(conn, rows, worker=self._worker)
            traced.set_attribute(HITS, report.upserted + report.deleted)
        return report

    async def _carry_entities(self, known_type: EntityType, rows: Sequence[ClaimedRow]) -> RelayReport:
        # The last row of an entity orders its write; the card is read after all of them were claimed.
        sequences = {row.entity_id: row.id for row in rows}
        cards = await self._read(known_type, list(sequences))
        gone = [Tombstone(each, 0, sequence) for each, sequence in sequences.items() if each not in cards]
        alias, seconds = alias_of(known_type), self._options.call_seconds
        if cards:
            points = await self._maker.make(list(cards.values()), sequences=sequences, timeout=seconds)
            await self._store.upsert(alias, points, timeout=seconds)
        if gone:
            await self._store.delete(alias, gone, timeout=seconds)
        return RelayReport(upserted=len(cards), deleted=len(gone))

    async def _hold(self) -> None:
        """Keep what is in hand from being taken over: a long document takes its time."""
        async with self._engine.begin(timeout=self._options.call_seconds) as conn:
            await outbox_claims.hold(conn, worker=self._worker)

    async def _check_model(self) -> None:
        """Never write vectors of this model among those of another, e.g. after a rebuild by a newer process."""
        aliases = await self._store.aliases(timeout=self._options.call_seconds)
        for entity_type in COLLECTION_TYPES:
            target = aliases.get(alias_of(entity_type))
            if target is None:
                raise CollectionMissing(alias_of(entity_type))
            if not is_of_model(target, self._model.short_hash):
                raise VectorStoreRefused(f"the index '{target}' belongs to another model; restart or rebuild the index")
            self._image_models[entity_type] = image_model_of(target)

    async def _read(self, entity_type: EntityType, ids: Sequence[UUID]) -> dict[UUID, IndexCard]:
        async with self._engine.begin(timeout=self._options.call_seconds) as conn:
            image_model = self._image_models.get(entity_type, "")
            return await read_index_cards(conn, entity_type, ids, image_model=image_model)

    async def _claim(self, retry_seconds: float) -> list[ClaimedRow]:
        options = self._options
        async with self._engine.begin(timeout=options.call_seconds) as conn:
            await outbox_claims.reclaim_expired(conn, lease_seconds=options.lease_seconds)
            return await outbox_claims.claim(
                conn, worker=self._worker, limit=options.batch_size, retry_seconds=retry_seconds
            )

    async def _put_back(self, rows: Sequence[ClaimedRow]) -> None:
        async with self._engine.begin(timeout=self._options.call_seconds) as conn:
            await outbox_claims.put_back(conn, rows, worker=self._worker)

    async def _count_open(self) -> int:
        async with self._engine.begin(timeout=self._options.call_seconds) as conn:
            return await outbox_claims.count_open(conn)


def _grouped[K: Hashable](rows: Sequence[ClaimedRow], key: Callable[[ClaimedRow], K]) -> dict[K, list[ClaimedRow]]:
    groups: dict[K, list[ClaimedRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _group_of(row: ClaimedRow) -> tuple[str, UUID | None]:
    """Entities of a type are carried together, documents one by one: they have any number of chunks."""
    return row.entity_type, row.entity_id if row.entity_type == EntityType.DOCUMENT else None


def _backoff(failures: int) -> float:
    """Longer with each failure, and never the same for two relays."""
    return min(_MAX_BACKOFF_SECONDS, 0.1 * 2 ** min(failures, 10)) * random.uniform(0.5, 1.0)


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
