"""The writer of the catalogue: every change, its edges and its outbox row in one transaction."""

import asyncio
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import episodes, pending_links, source_records
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.postgres.projection import delete_entities, refresh_popularity, refresh_statistics
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.catalogue_batch import BatchWriter, append_outbox, bump_versions, lock_writers, refs_in
from ingestion.catalogue_conflicts import write_sequel_loops
from ingestion.catalogue_entities import ChangedEntity
from ingestion.formats.protocol import Located
from ingestion.identities import Directory
from ingestion.index_neighbours import index_neighbours
from ingestion.records import AnyEntity, AnyLink
from ingestion.report import ReportBuilder
from ingestion.run_memory import RunMemory
from ingestion.sequel_loops import find_sequel_loops

_WAITING_NAMED = 50
# So many records make other plans right than those that fit the catalogue before.
_MANY_RECORDS = 1_000
# SQLSTATE classes: data exception, integrity constraint violation, program limit exceeded.
_VALUE_ERROR_CLASSES = frozenset({"22", "23", "54"})


class CatalogueWriter:
    """Writes records into PostgreSQL. Writing the same records twice changes nothing.

    A statement writes up to a whole batch: give it an engine whose statement time-out allows for that, 10 s and more.
    `batch_timeout` seconds bound each transaction but the last, which has `finish_timeout`: in it, the order and the
    search rows of the whole catalogue may be made anew.
    """

    def __init__(
        self, engine: ReadWriteEngine, *, batch_size: int = 500, batch_timeout: float = 60, finish_timeout: float = 1800
    ) -> None:
        self._engine = engine
        self._batch_size = batch_size
        self._batch_timeout = batch_timeout
        self._finish_timeout = finish_timeout

    async def write(
        self,
        records: Iterable[AnyEntity | AnyLink | Located],
        *,
        source: str,
        report_builder: ReportBuilder,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        """Store `records` of one import of `source`; the iterable is read in a thread, batch by batch.

        A record that can't be stored is refused by name and takes no other with it. Links to entities that are not
        there yet wait for them, over imports. `on_batch` is told how many records each batch had.

        Raises:
            DatabaseUnavailable: PostgreSQL is away. The batches before stay, and the same import can be run again.
        """
        run = RunMemory()
        located = iter(records)
        total = 0
        while batch := await asyncio.to_thread(_take, located, self._batch_size):
            await self._write_batch(batch, source, report_builder, run)
            total += len(batch)
            if on_batch is not None:
                on_batch(len(batch))
        async with self._engine.begin(timeout=self._finish_timeout) as connection:
            await lock_writers(connection)
            await refresh_popularity(connection)
            report_builder.links_waiting(source, *await _still_waiting(connection, source))
            loops = await find_sequel_loops(connection)
            await write_sequel_loops(connection, loops)
            for loop in loops:
                report_builder.conflict(loop.conflict())
            if total >= _MANY_RECORDS:
                await refresh_statistics(connection)

    async def delete(self, refs: Iterable[str]) -> int:
        """Remove the entities that these references name, an anime with its episodes; returns how many were removed.

        Each removal leaves a tombstone in the outbox. A reference that names nothing is no error.
        """
        wanted = sorted(set(refs))
        async with self._engine.begin(timeout=self._batch_timeout) as connection:
            await lock_writers(connection)
            directory = Directory()
            await directory.load(connection, wanted)
            named = {owner.entity_id for ref in wanted if (owner := directory.owner(ref)) is not None}
            return await _remove(connection, named)

    async def withdraw(self, source: str, entity_ids: Sequence[UUID], *, report_builder: ReportBuilder) -> None:
        """Forget what `source` said about these entities; those of no other source are removed as by `delete`."""
        for ids in itertools.batched(entity_ids, self._batch_size):
            async with self._engine.begin(timeout=self._batch_timeout) as connection:
                await lock_writers(connection)
                of_these = source_records.c.entity_id.in_(ids)
                await connection.execute(source_records.delete().where(of_these, source_records.c.source == source))
                spoken_of = set(await connection.scalars(sa.select(source_records.c.entity_id).where(of_these)))
                await BatchWriter(connection, source, report_builder, RunMemory()).remerge(sorted(spoken_of))
                report_builder.entities_removed(await _remove(connection, set(ids) - spoken_of))
        async with self._engine.begin(timeout=self._finish_timeout) as connection:
            await lock_writers(connection)
            await refresh_popularity(connection)
            await write_sequel_loops(connection, await find_sequel_loops(connection))

    async def _write_batch(self, batch: Sequence[Located], source: str, report: ReportBuilder, run: RunMemory) -> None:
        """Write all of a batch or, when the database refuses something in it, each half by itself."""
        counted = report.fresh()
        try:
            async with self._engine.begin(timeout=self._batch_timeout) as connection:
                await lock_writers(connection)
                await BatchWriter(connection, source, counted, run).write(batch)
        except DBAPIError as error:
            run.end(committed=False)
            if not is_about_values(error):
                raise
            middle = len(batch) // 2
            if middle:
                await self._write_batch(batch[:middle], source, report, run)
                await self._write_batch(batch[middle:], source, report, run)
            else:
                subject = " - ".join(refs_in(batch[0].record))
                report.record_refused(refusal_of(error), place=batch[0].place, subject=subject)
        else:
            run.end(committed=True)
            report.absorb(counted)


async def _remove(connection: AsyncConnection, named: set[UUID]) -> int:
    """Delete entities, an anime with its episodes, and tell the index; returns how many there were."""
    children = sa.select(episodes.c.id).where(episodes.c.anime_id.in_(named))
    doomed = named | set(await connection.scalars(children))
    neighbours = await index_neighbours(connection, doomed)
    removed = [
        ChangedEntity(entity.id, entity.entity_type, entity.version + 1)
        for entity in await delete_entities(connection, doomed)
    ]
    await append_outbox(connection, removed, OutboxOperation.DELETE)
    await append_outbox(connection, await bump_versions(connection, neighbours), OutboxOperation.UPSERT)
    return len(removed)


def _take(records: Iterator[AnyEntity | AnyLink | Located], count: int) -> list[Located]:
    taken = itertools.islice(records, count)
    return [record if isinstance(record, Located) else Located(record) for record in taken]


def is_about_values(error: DBAPIError) -> bool:
    """Whether the database, or its driver, refuses a value rather than the statement."""
    state = getattr(error.orig, "sqlstate", None)
    if isinstance(state, str):
        return state[:2] in _VALUE_ERROR_CLASSES
    return isinstance(getattr(error.orig, "__cause__", None), ValueError)


def refusal_of(error: DBAPIError) -> str:
    """What the database says about the values, without the statement that carried them."""
    constraint = getattr(getattr(error.orig, "__cause__", None), "constraint_name", None)
    if isinstance(constraint, str):
        return f"the database refused it: {constraint} does not hold"
    text = str(error.orig).partition("\n")[0]
    # The dialect puts the driver's class in front of its message.
    return f"the database refused it: {text.partition(': ')[2] or text}"


async def _still_waiting(connection: AsyncConnection, source: str) -> tuple[int, tuple[str, ...]]:
    """How many links of a source wait, and the first references they wait for."""
    of_source = pending_links.c.source == source
    count = await connection.scalar(sa.select(sa.func.count()).select_from(pending_links).where(of_source))
    missing = sa.select(pending_links.c.missing_ref).where(of_source).distinct().order_by(pending_links.c.missing_ref)
    return count or 0, tuple(await connection.scalars(missing.limit(_WAITING_NAMED)))
