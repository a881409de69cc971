"""Pictures of the catalogue's entities: read, seen by a model, stored, and told to the index."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import batched
from pathlib import Path
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import entities, external_ids
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.postgres.pictures import EntityPicture, count_pictures, read_pictures, write_pictures
from datastore.vectors.collections import INDEXED_TYPES, alias_of, image_model_of
from datastore.vectors.protocol import VectorStore
from datastore.vocabulary import EntityType
from embeddings.images.decoding import decode_picture
from embeddings.images.fetching import PictureFetcher
from embeddings.images.limits import PictureLimits
from embeddings.images.protocol import ImageEmbedder, Picture, PictureRefused
from embeddings.protocol import Embedder, ModelIdentity
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.outbox_claims import IndexTask, append_tasks
from ingestion.picture_sources import LeftOut, PictureSource
from ingestion.rebuild import RebuiltCollection, rebuild_index

_BATCH = 32
_MAX_NAMED = 50


@dataclass(slots=True)
class PicturesReport:
    """`stored` are new or another than before, `unchanged` the same file as before; `left_out` names the first ones."""

    stored: int = 0
    unchanged: int = 0
    refused: int = 0
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])

    def leave_out(self, item: LeftOut) -> None:
        """Count a picture that was not taken, and name it unless there are many."""
        self.refused += 1
        if len(self.left_out) < _MAX_NAMED:
            self.left_out.append(item)


class PictureImport:
    """Stores pictures of entities that are in the catalogue. Storing the same ones again changes nothing."""

    def __init__(
        self,
        engine: ReadWriteEngine,
        embedder: ImageEmbedder,
        *,
        limits: PictureLimits | None = None,
        call_seconds: float = 30.0,
    ) -> None:
        self._engine = engine
        self._embedder = embedder
        self._limits = limits or PictureLimits()
        self._fetcher = PictureFetcher(self._limits)
        self._seconds = call_seconds

    async def store(
        self, sources: Iterable[PictureSource | LeftOut], *, progress: Callable[[int], None] | None = None
    ) -> PicturesReport:
        """Read, see and store these pictures; `progress` is told how many are done.

        Raises:
            DatabaseUnavailable, EmbedderUnavailable: what was stored until then stays.
        """
        report, done = PicturesReport(), 0
        for batch in batched(sources, _BATCH):
            await self._store_batch(batch, report)
            done += len(batch)
            if progress is not None:
                progress(done)
        return report

    async def _store_batch(self, batch: Sequence[PictureSource | LeftOut], report: PicturesReport) -> None:
        sources = [each for each in batch if isinstance(each, PictureSource)]
        for each in batch:
            if isinstance(each, LeftOut):
                report.leave_out(each)
        model = self._embedder.identity.short_hash
        async with self._engine.begin(timeout=self._seconds) as conn:
            known = await _entities_of(conn, sources)
            stored = await read_pictures(conn, [each.id for each in known.values()], model=model)
        fresh: dict[UUID, tuple[str, Picture]] = {}
        for source in sources:
            entity = known.get(str(source.ref))
            if entity is None:
                report.leave_out(LeftOut(source.where, "no entity of the catalogue has this reference"))
                continue
            try:
                data = await self._read(source.place)
                digest = sha256(data).hexdigest()
                before = stored.get(entity.id)
                if before is not None and before.digest == digest:
                    report.unchanged += 1
                    continue
                fresh[entity.id] = (digest, await asyncio.to_thread(decode_picture, data, self._limits))
            except PictureRefused as refused:
                report.leave_out(LeftOut(source.where, refused.reason))
        await self._write(fresh, {each.id: each for each in known.values()}, report)

    async def _write(
        self, fresh: dict[UUID, tuple[str, Picture]], known: dict[UUID, "_Known"], report: PicturesReport
    ) -> None:
        vectors = await self._embedder.embed([picture for _, picture in fresh.values()], timeout=self._seconds)
        pictures = [
            EntityPicture(entity_id, digest, vector)
            for (entity_id, (digest, _)), vector in zip(fresh.items(), vectors, strict=True)
            if any(vector)
        ]
        plain = len(fresh) - len(pictures)
        for _ in range(plain):
            report.leave_out(LeftOut("a picture", "it is of one colour, which is like nothing"))
        async with self._engine.begin(timeout=self._seconds) as conn:
            changed = await write_pictures(conn, pictures, model=self._embedder.identity.short_hash)
            await append_tasks(conn, [known[each].task() for each in changed])
        report.stored += len(changed)

    async def _read(self, place: Path | str) -> bytes:
        if isinstance(place, str):
            return await self._fetcher.fetch(place, timeout=self._limits.seconds)
        return await asyncio.to_thread(_file_bytes, place, self._limits)


async def make_room_for_pictures(
    engine: ReadWriteEngine,
    store: VectorStore,
    embedder: Embedder,
    images: ModelIdentity,
    *,
    call_seconds: float = 300.0,
    grace_seconds: float = 5.0,
) -> tuple[RebuiltCollection, ...]:
    """Rebuild the collections of types that have pictures of this model and no room for them in the index.

    Raises:
        DatabaseUnavailable, VectorStoreUnavailable, EmbedderUnavailable: the old index is still in use.
    """
    async with engine.begin(timeout=call_seconds) as conn:
        counts = await count_pictures(conn, model=images.short_hash)
    aliases = await store.aliases(timeout=call_seconds)
    cramped = [
        each
        for each in INDEXED_TYPES
        if each in counts and image_model_of(aliases.get(alias_of(each), "")) != images.short_hash
    ]
    return await rebuild_index(
        engine,
        store,
        embedder,
        images=images,
        entity_types=cramped,
        call_seconds=call_seconds,
        grace_seconds=grace_seconds,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    id: UUID
    entity_type: EntityType
    version: int

    def task(self) -> IndexTask:
        return IndexTask(self.id, self.entity_type, self.version, OutboxOperation.UPSERT)


async def _entities_of(conn: AsyncConnection, sources: Sequence[PictureSource]) -> dict[str, _Known]:
    """The entities that the references lead to, by reference; documents have no point and count as none."""
    columns = external_ids.c.source, external_ids.c.kind, external_ids.c.external_id
    statement = (
        sa.select(*columns, entities.c.id, entities.c.entity_type, entities.c.version)
        .join(entities, entities.c.id == external_ids.c.entity_id)
        .where(
            sa.tuple_(*columns).in_([(each.ref.source, each.ref.kind, each.ref.external_id) for each in sources]),
            entities.c.entity_type.in_([each.value for each in INDEXED_TYPES]),
        )
    )
    rows = await conn.execute(statement) if sources else ()
    return {
        f"{row.source}:{row.kind}:{row.external_id}": _Known(row.id, EntityType(row.entity_type), row.version)
        for row in rows
    }


def _file_bytes(path: Path, limits: PictureLimits) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(limits.bytes + 1)
    except OSError as error:
        raise PictureRefused("the file can't be read") from error
