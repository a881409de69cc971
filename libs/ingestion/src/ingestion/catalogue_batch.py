"""One batch of records inside one transaction: entities, episodes, links, what waited for them, then the outbox."""

from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.name_tops_upkeep import keeping_tops
from datastore.postgres.outbox import OutboxOperation, outbox
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.catalogue_entities import ChangedEntity, EntityWriter, SourcedEntity
from ingestion.catalogue_links import LinkWriter, SourcedLink, Waiting, named_ends, store_waiting, take_waiting
from ingestion.formats.protocol import Located
from ingestion.identities import Directory
from ingestion.records import AnyEntity, AnyLink, EntityRecord, EpisodeRecord
from ingestion.report import ReportBuilder
from ingestion.run_memory import RunMemory

# Any constant does, as long as all writers use it: they take turns, batch by batch.
_WRITER_LOCK = 5_871_202_611_940_233


class BatchWriter:
    """Writes one batch of one source."""

    def __init__(self, connection: AsyncConnection, source: str, report: ReportBuilder, run: RunMemory) -> None:
        self._connection = connection
        self._source = source
        self._report = report
        self._directory = Directory()
        self._entities = EntityWriter(connection, self._directory, report, run)
        self._links = LinkWriter(connection, self._directory, report, run)

    async def write(self, batch: Sequence[Located]) -> None:
        """Write the batch, and everything of any source that was waiting for its entities."""
        await self._directory.load(self._connection, (ref for each in batch for ref in refs_in(each.record)))
        links: list[SourcedLink] = []
        given: list[SourcedEntity] = []
        for each in batch:
            record = each.record
            if isinstance(record, EntityRecord):
                given.append(SourcedEntity(record, self._source, each.place, is_partial=each.is_partial))
            else:
                links.append(SourcedLink(record, self._source, each.place))
        await self._write_entities(given)
        while waited := await take_waiting(self._connection, self._entities.take_new_refs()):
            self._report.links_completed(len(waited))
            links += await self._write_waited(waited)
        await self._links.write(links)
        await self._tell_index()

    async def remerge(self, ids: Sequence[UUID]) -> None:
        """Store anew what the sources of these entities say together, of which one has fallen silent."""
        await self._entities.remerge(ids)
        await self._tell_index()

    async def _tell_index(self) -> None:
        indexed = (self._entities.indexed | self._links.indexed) - self._entities.changed.keys()
        changed = [*self._entities.changed.values(), *await bump_versions(self._connection, indexed)]
        await append_outbox(self._connection, self._entities.removed, OutboxOperation.DELETE)
        await append_outbox(self._connection, changed, OutboxOperation.UPSERT)

    async def _write_waited(self, waited: Sequence[Waiting]) -> list[SourcedLink]:
        """Write the entities that have waited; returns the links."""
        await self._directory.load(self._connection, (ref for each in waited for ref in refs_in(each.record)))
        links: list[SourcedLink] = []
        released: list[SourcedEntity] = []
        for each in waited:
            record = each.record
            if isinstance(record, EntityRecord):
                released.append(SourcedEntity(record, each.source))
            else:
                links.append(SourcedLink(record, each.source))
        await self._write_entities(released)
        return links

    async def _write_entities(self, given: Sequence[SourcedEntity]) -> None:
        """Episodes come after the anime that they belong to, and wait for those that are not there."""
        await self._entities.write([each for each in given if not isinstance(each.record, EpisodeRecord)])
        episodes: list[SourcedEntity] = []
        waiting: list[Waiting] = []
        for each in given:
            if isinstance(each.record, EpisodeRecord):
                if self._directory.owner(each.record.anime) is None:
                    waiting.append(Waiting(each.record, each.source, each.record.anime))
                else:
                    episodes.append(each)
        await self._entities.write(episodes)
        await store_waiting(self._connection, waiting)


def refs_in(record: AnyEntity | AnyLink) -> Iterator[str]:
    """Every reference that a record names."""
    if isinstance(record, EntityRecord):
        yield record.ref
        yield from record.external_ids
        if isinstance(record, EpisodeRecord):
            yield record.anime
    else:
        yield from named_ends(record)


async def lock_writers(connection: AsyncConnection) -> None:
    """Wait until no other transaction writes the catalogue; the lock goes with the transaction."""
    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_WRITER_LOCK)))


async def bump_versions(connection: AsyncConnection, entity_ids: Iterable[UUID]) -> list[ChangedEntity]:
    """Give entities a new version because the index holds more about them than their own rows."""
    ids = sorted(entity_ids)
    statement = (
        entities.update()
        .where(entities.c.id.in_(ids))
        .values(version=entities.c.version + 1, updated_at=sa.func.now())
        .returning(entities.c.id, entities.c.entity_type, entities.c.version)
    )
    async with keeping_tops(connection, ids):
        rows = (await connection.execute(statement)).all()
    return [ChangedEntity(row.id, EntityType(row.entity_type), row.version) for row in rows]


async def append_outbox(
    connection: AsyncConnection, changed: Iterable[ChangedEntity], operation: OutboxOperation
) -> None:
    """One outbox row for each entity."""
    rows = [
        {
            "entity_id": each.entity_id,
            "entity_type": each.entity_type,
            "version": each.version,
            "operation": operation,
        }
        for each in changed
    ]
    if rows:
        await connection.execute(outbox.insert(), rows)
