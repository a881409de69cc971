"""Writes entities: finds or makes their ids, merges what their sources say, and stores what differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import content_hash, parse_ref
from datastore.postgres.catalogue import entities, episodes, external_ids, source_records, studio_credits
from datastore.postgres.name_tops_upkeep import keeping_tops
from datastore.postgres.projection import project_edges
from datastore.vocabulary import EntityType
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.catalogue_conflicts import write_conflicts
from ingestion.catalogue_names import write_names
from ingestion.entity_rows import DETAIL_TABLES, detail_row
from ingestion.identities import Directory, IdentityConflict, Owner
from ingestion.merging import MergedEntity, SourceRecord, merge, source_json
from ingestion.records import AnyEntity, EpisodeRecord
from ingestion.redirects import merge_entities
from ingestion.report import Conflict, Outcome, Place, ReportBuilder
from ingestion.run_memory import RunMemory


@dataclass(frozen=True, slots=True)
class SourcedEntity:
    """An entity's record, the source that gave it, and where. See `Located` for partial records."""

    record: AnyEntity
    source: str
    place: Place | None = None
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class ChangedEntity:
    """An entity whose content is another one now."""

    entity_id: UUID
    entity_type: EntityType
    version: int


@dataclass(frozen=True, slots=True)
class _Stored:
    """An entity as the catalogue holds it."""

    name: str
    content_hash: str
    version: int
    popularity: int | None
    popularity_source: str | None


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entity as it shall be; `stored` is None for a new one."""

    owner: Owner
    merged: MergedEntity
    content_hash: str
    stored: _Stored | None
    anime_id: UUID | None

    @property
    def has_new_content(self) -> bool:
        """Readers and the index see a difference."""
        return self.stored is None or self.stored.content_hash != self.content_hash

    @property
    def has_new_popularity(self) -> bool:
        new = (self.merged.popularity, self.merged.popularity_source)
        return self.stored is not None and (self.stored.popularity, self.stored.popularity_source) != new

    @property
    def version(self) -> int:
        return 1 if self.stored is None else self.stored.version + self.has_new_content

    @property
    def outcome(self) -> Outcome:
        if self.stored is None:
            return Outcome.CREATED
        return Outcome.CHANGED if self.has_new_content or self.has_new_popularity else Outcome.UNCHANGED


@dataclass(frozen=True, slots=True)
class _Proof:
    """Two entities that are the same, and which record shows it."""

    kept: Owner
    gone: Owner
    reason: str


class EntityWriter:
    """Writes entities inside one transaction and remembers which ones are new, changed or merged into another."""

    def __init__(
        self, connection: AsyncConnection, directory: Directory, report: ReportBuilder, run: RunMemory
    ) -> None:
        self._connection = connection
        self._directory = directory
        self._report = report
        self._run = run
        self._new_refs: list[str] = []
        self.changed: dict[UUID, ChangedEntity] = {}
        self.removed: list[ChangedEntity] = []
        self.indexed: set[UUID] = set()

    def take_new_refs(self) -> list[str]:
        """The references that entities have got since the last call."""
        taken, self._new_refs = self._new_refs, []
        return taken

    async def write(self, given: Sequence[SourcedEntity]) -> None:
        """Store each record, or refuse it by name. The directory must know the references of all of them."""
        placed = [each.record for each in given if isinstance(each.record, EpisodeRecord)]
        if placed:
            await self._directory.load_episodes(self._connection, placed)
        proven: list[_Proof] = []
        claimed = [(entity, owner) for entity in given if (owner := self._claim(entity, proven)) is not None]
        ids = [owner.entity_id for _, owner in claimed]
        if not ids:
            return
        merged_episodes = await self._merge(proven)
        stored = await self._stored(ids)
        sources = await self._sources(ids)
        drafts: list[_Draft] = []
        said: list[dict[str, Any]] = []
        for entity, owner in claimed:
            records = sources.get(owner.entity_id, {})
            before = records.get(entity.source)
            now = SourceRecord(
                entity.source, source_json(entity.record, before and before.record, is_partial=entity.is_partial)
            )
            if before is None or before.record != now.record:
                said.append(_source_row(owner.entity_id, now))
            merged = merge(list({**records, entity.source: now}.values()))
            self._report_conflicts(entity.record.ref, merged)
            anime = entity.record.anime if isinstance(entity.record, EpisodeRecord) else None
            drafts.append(_draft(owner, merged, stored.get(owner.entity_id), self._directory, anime))
        await self._store(drafts)
        await self._store_sources(said)
        for (entity, _), draft in zip(claimed, drafts, strict=True):
            self._report.record_kept(entity.record.record, draft.outcome)
        await self.remerge([episode for episode in merged_episodes if episode not in ids])

    async def remerge(self, ids: Sequence[UUID]) -> None:
        """Store anew what the source records of these entities say together."""
        sources = await self._sources(ids) if ids else {}
        refs = {ref for records in sources.values() for each in records.values() for ref in _refs_of(each.record)}
        await self._directory.load(self._connection, refs)
        stored = await self._stored(list(sources))
        drafts: list[_Draft] = []
        for entity, records in sources.items():
            merged = merge(list(records.values()))
            drafts.append(_draft(Owner(entity, EntityType(merged.record)), merged, stored[entity], self._directory))
        await self._store(drafts)

    async def _merge(self, proven: Sequence[_Proof]) -> list[UUID]:
        """Make one of entities that are the same; returns the episodes that are to be merged anew."""
        episodes_to_merge: list[UUID] = []
        for proof in proven:
            merge_ = await merge_entities(
                self._connection, kept=proof.kept.entity_id, gone=proof.gone.entity_id, reason=proof.reason
            )
            self.removed += [ChangedEntity(each.id, each.entity_type, each.version + 1) for each in merge_.gone]
            self.indexed |= merge_.to_index
            episodes_to_merge += merge_.to_merge[1:]
        gone = {each.entity_id for each in self.removed}
        self.indexed -= gone
        self._report.entities_merged(len(proven))
        return [episode for episode in dict.fromkeys(episodes_to_merge) if episode not in gone]

    def _claim(self, entity: SourcedEntity, proven: list[_Proof]) -> Owner | None:
        record = entity.record
        try:
            if isinstance(record, EpisodeRecord):
                anime = self._directory.owner(record.anime)
                if anime is not None and anime.entity_type is not EntityType.ANIME:
                    raise IdentityConflict(f"anime: {record.anime} names an entity of type {anime.entity_type}")
            claim = self._directory.claim(record, self._run.entities)
        except IdentityConflict as conflict:
            self._report.record_refused(str(conflict), place=entity.place, subject=record.ref)
            return None
        self._run.entities.add(claim.owner.entity_id)
        proven += [_Proof(claim.owner, gone, f"{entity.source}: {record.ref}") for gone in claim.proven]
        for ref in claim.disputed:
            self._report.conflict(
                Conflict(
                    subject=record.ref,
                    field="external_ids",
                    kept="another entity has it",
                    other=ref,
                    source=entity.source,
                )
            )
        return claim.owner

    def _report_conflicts(self, ref: str, merged: MergedEntity) -> None:
        for each in merged.disagreements:
            for other in each.others:
                self._report.conflict(
                    Conflict(
                        subject=ref,
                        field=each.field,
                        kept=each.shown.value,
                        other=other.value,
                        source=other.source,
                        kept_source=each.shown.source,
                    )
                )

    async def _stored(self, ids: Sequence[UUID]) -> dict[UUID, _Stored]:
        columns = entities.c
        statement = sa.select(
            columns.id,
            columns.name,
            columns.content_hash,
            columns.version,
            columns.popularity_count,
            columns.popularity_source,
        ).where(columns.id == _any_id(ids))
        return {
            row.id: _Stored(row.name, row.content_hash, row.version, row.popularity_count, row.popularity_source)
            for row in await self._connection.execute(statement)
        }

    async def _sources(self, ids: Sequence[UUID]) -> dict[UUID, dict[str, SourceRecord]]:
        """What each source said, in the order in which they first spoke."""
        columns = source_records.c
        statement = (
            sa.select(columns.entity_id, columns.source, columns.record)
            .where(columns.entity_id == _any_id(ids))
            .order_by(columns.id)
        )
        found: dict[UUID, dict[str, SourceRecord]] = {}
        for row in await self._connection.execute(statement):
            found.setdefault(row.entity_id, {})[row.source] = SourceRecord(row.source, row.record)
        return found

    async def _store(self, drafts: Sequence[_Draft]) -> None:
        new_content = [draft for draft in drafts if draft.has_new_content]
        async with keeping_tops(self._connection, [draft.owner.entity_id for draft in new_content]):
            await self._store_entities(drafts)
            if new_content:
                wanted = {draft.owner.entity_id: draft.merged.names for draft in new_content}
                await write_names(self._connection, wanted)
        for record, table in DETAIL_TABLES.items():
            rows = [
                detail_row(draft.owner.entity_id, draft.merged, draft.anime_id)
                for draft in new_content
                if draft.merged.record == record
            ]
            if rows:
                insert = pg.insert(table)
                columns = {name: insert.excluded[name] for name in rows[0] if name != "id"}
                await self._connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=columns), rows)
        if new_content:
            await self._store_refs(new_content)
        if drafts:
            disagreements = {draft.owner.entity_id: draft.merged.disagreements for draft in drafts}
            await write_conflicts(self._connection, disagreements)
        for draft in new_content:
            owner = draft.owner
            self.changed[owner.entity_id] = ChangedEntity(owner.entity_id, owner.entity_type, draft.version)
        episode_ids = [draft.owner.entity_id for draft in new_content if draft.merged.record == "episode"]
        if episode_ids:
            await project_edges(self._connection, episodes, episode_ids)
        await self._note_renamed_studios(new_content)

    async def _store_entities(self, drafts: Sequence[_Draft]) -> None:
        created = [_entity_row(draft) for draft in drafts if draft.stored is None]
        if created:
            await self._connection.execute(entities.insert(), created)
        changed = [_entity_row(draft) for draft in drafts if draft.stored is not None and draft.has_new_content]
        if changed:
            await self._connection.execute(
                _update_entities(*changed[0], updated_at=sa.func.now()), _as_updates(changed)
            )
        counted = [
            {name: value for name, value in _entity_row(draft).items() if name in _POPULARITY}
            for draft in drafts
            if not draft.has_new_content and draft.has_new_popularity
        ]
        if counted:
            await self._connection.execute(_update_entities(*counted[0]), _as_updates(counted))

    async def _store_refs(self, drafts: Sequence[_Draft]) -> None:
        rows: list[dict[str, Any]] = []
        for draft in drafts:
            entity = draft.owner.entity_id
            for ref in map(parse_ref, self._directory.new_refs(entity)):
                self._new_refs.append(str(ref))
                rows.append(
                    {"source": ref.source, "kind": ref.kind, "external_id": ref.external_id, "entity_id": entity}
                )
        if rows:
            await self._connection.execute(external_ids.insert(), rows)

    async def _store_sources(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            insert = pg.insert(source_records)
            new = {name: insert.excluded[name] for name in ("record", "record_hash")}
            statement = insert.on_conflict_do_update(
                index_elements=["entity_id", "source"], set_={**new, "updated_at": sa.func.now()}
            )
            await self._connection.execute(statement, list(rows))

    async def _note_renamed_studios(self, drafts: Sequence[_Draft]) -> None:
        """The index holds the names of a work's studios."""
        renamed = [
            draft.owner.entity_id
            for draft in drafts
            if draft.merged.record == "studio" and draft.stored and draft.stored.name != draft.merged.main_name
        ]
        if renamed:
            statement = sa.select(studio_credits.c.work_id).where(studio_credits.c.studio_id == _any_id(renamed))
            self.indexed.update(await self._connection.scalars(statement))


_POPULARITY = frozenset({"id", "popularity_count", "popularity_source"})


def _draft(
    owner: Owner, merged: MergedEntity, stored: _Stored | None, directory: Directory, anime_ref: str | None = None
) -> _Draft:
    """`anime_ref` is an episode's anime where the one that is shown is not known to the directory."""
    refs = (merged.values.get("anime"), anime_ref)
    anime = next((found for ref in refs if ref is not None and (found := directory.owner(ref)) is not None), None)
    return _Draft(
        owner=owner,
        merged=merged,
        content_hash=content_hash(merged.content(directory.refs(owner.entity_id))),
        stored=stored,
        anime_id=anime and anime.entity_id,
    )


def _refs_of(record: Mapping[str, Any]) -> list[str]:
    return [record["ref"], *record.get("external_ids", ()), *([record["anime"]] if record.get("anime") else ())]


def _entity_row(draft: _Draft) -> dict[str, Any]:
    return {
        "id": draft.owner.entity_id,
        "entity_type": draft.owner.entity_type,
        "name": draft.merged.main_name,
        "content_hash": draft.content_hash,
        "version": draft.version,
        "popularity_count": draft.merged.popularity,
        "popularity_source": draft.merged.popularity_source,
        "extra": dict(draft.merged.extra),
    }


def _source_row(entity: UUID, said: SourceRecord) -> dict[str, Any]:
    record = dict(said.record)
    return {"entity_id": entity, "source": said.source, "record": record, "record_hash": content_hash(record)}


def _update_entities(*columns: str, **values: Any) -> sa.Update:
    new: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in columns if name != "id"}
    return entities.update().where(entities.c.id == sa.bindparam("new_id")).values(**new, **values)


def _as_updates(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{f"new_{name}": value for name, value in row.items()} for row in rows]


def _any_id(ids: Sequence[UUID]) -> sa.ColumnElement[Any]:
    return sa.any_(sa.literal(list(ids), pg.ARRAY(pg.UUID(as_uuid=True))))
