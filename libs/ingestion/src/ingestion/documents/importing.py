"""One import of documents from start to end: files into the catalogue, and the report of it."""

import asyncio
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import ExternalRef, parse_ref
from datastore.postgres.catalogue import external_ids
from datastore.postgres.document_reads import read_same_texts
from datastore.postgres.documents import documents
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.projection import refresh_statistics
from sqlalchemy.exc import DBAPIError

from ingestion.catalogue import is_about_values, refusal_of
from ingestion.catalogue_batch import lock_writers
from ingestion.chunking import ChunkOptions, chunk_text
from ingestion.documents.incoming import KIND, IncomingDocument, Origin
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.reading import DirectReader, DocumentReader
from ingestion.documents.referring import dangling_references, find_references, link_references
from ingestion.documents.sources import FoundDocument, Reading, document_files, find_documents
from ingestion.documents.writer import PreparedDocument, read_stored, remove_documents, write_documents
from ingestion.errors import UnreadableDocument
from ingestion.loss import LossLimit
from ingestion.report import Duplicate, ImportReport, Loss, Outcome, RepairKind, ReportBuilder

_RECORD = "document"
_FORMAT = "documents"
_NAMED = 10
# So many documents make other plans right than those that fit the tables before.
_MANY_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """How documents are read and stored.

    A transaction holds up to `batch_size` documents, and up to `batch_bytes` of what was read; `batch_timeout` seconds
    bound it. The last one, which links references, has `finish_timeout`.
    """

    chunks: ChunkOptions = field(default_factory=ChunkOptions)
    limits: DocumentLimits = field(default_factory=DocumentLimits)
    loss: LossLimit = field(default_factory=LossLimit)
    batch_size: int = 32
    batch_bytes: int = 8 * 1024 * 1024
    batch_timeout: float = 120
    finish_timeout: float = 600


class DocumentImporter:
    """Brings documents into the catalogue, and takes them out again. The same import once more writes nothing."""

    def __init__(
        self, engine: ReadWriteEngine, options: DocumentOptions | None = None, *, reader: DocumentReader | None = None
    ) -> None:
        """Without a `reader` documents are read in this process, where nothing bounds the time of one."""
        self._engine = engine
        self._reader = reader or DirectReader()
        self._options = options or DocumentOptions()
        self._chunking = f"{self._options.chunks.size}/{self._options.chunks.overlap}"

    async def add(
        self,
        path: Path,
        *,
        collection: str,
        sync: bool = False,
        accept_loss: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Import a file or a folder; with `sync` what its collections hold beyond it is removed.

        A document that can't be read is refused by name and takes no other with it; what was stored of it stays. When
        `sync` would remove more than the loss limit allows, nothing is removed unless `accept_loss` is set; nor when
        something was refused that doesn't say which document it is. `progress` is told after each batch how many
        documents it had.

        Raises:
            NothingToImport: there is no file or folder at `path`.
            DatabaseUnavailable: PostgreSQL is away; the batches before stay, and the import can be run again.
        """
        builder = ReportBuilder(format_name=_FORMAT, source=collection)
        reading = Reading(collection, self._options.limits, self._chunking)
        files = await asyncio.to_thread(document_files, path, builder)
        found = itertools.chain.from_iterable(find_documents(file, reading, builder) for file in files)
        run = _Run(builder, {collection})
        while batch := await asyncio.to_thread(_take, found, self._options):
            await self._write_batch(batch, run)
            if progress is not None:
                progress(len(batch))
        if sync:
            await self._remove_missing(run, accept_loss=accept_loss)
        await self._finish(run)
        return builder.build()

    async def remove(self, refs: Sequence[str], *, collection: str | None = None) -> int:
        """Remove the documents that these references name, and all of a collection; returns how many there were.

        A reference that names nothing is no error. Raises ValueError for what is no reference.
        """
        wanted = {parse_ref(ref) for ref in refs}
        async with self._engine.begin(timeout=self._options.finish_timeout) as connection:
            await lock_writers(connection)
            ids = {each.id for each in (await read_stored(connection, wanted)).values()}
            if collection is not None:
                ids.update(
                    await connection.scalars(sa.select(documents.c.id).where(documents.c.collection == collection))
                )
            return await remove_documents(connection, ids)

    async def _write_batch(self, batch: Sequence[FoundDocument], run: "_Run") -> None:
        """Write what is new or changed of a batch, all in one transaction."""
        fresh = [each for each in batch if run.claim(each)]
        async with self._engine.begin(timeout=self._options.batch_timeout) as connection:
            stored = await read_stored(connection, [each.origin.ref for each in fresh])
        prepared: list[PreparedDocument] = []
        for each in fresh:
            known = stored.get(each.origin.ref)
            if known is not None and known.source_hash == each.origin.source_hash:
                run.builder.record_read(_RECORD)
                run.builder.record_kept(_RECORD, Outcome.UNCHANGED)
                run.ids.add(known.id)
            elif (made := await self._prepare(each, run)) is not None:
                prepared.append(made)
        if prepared:
            await self._store(prepared, run)

    async def _store(self, prepared: Sequence[PreparedDocument], run: "_Run") -> None:
        """Store all of a batch or, when the database refuses something in it, each half by itself."""
        try:
            await self._store_together(prepared, run)
        except DBAPIError as error:
            if not is_about_values(error):
                raise
            middle = len(prepared) // 2
            if middle:
                await self._store(prepared[:middle], run)
                await self._store(prepared[middle:], run)
            else:
                run.refuse(refusal_of(error), prepared[0].document.origin)

    async def _store_together(self, prepared: Sequence[PreparedDocument], run: "_Run") -> None:
        async with self._engine.begin(timeout=self._options.batch_timeout) as connection:
            await lock_writers(connection)
            outcomes = await write_documents(connection, prepared)
            stored = await read_stored(connection, [each.document.origin.ref for each in prepared])
        for _, outcome in outcomes:
            run.builder.record_kept(_RECORD, outcome)
            run.written += outcome is not Outcome.UNCHANGED
        run.ids.update(each.id for each in stored.values())

    async def _prepare(self, found: FoundDocument, run: "_Run") -> PreparedDocument | None:
        try:
            document = await found.read(self._reader, self._options.limits)
        except UnreadableDocument as error:
            run.refuse(str(error), found.origin)
            return None
        run.builder.record_read(_RECORD)
        _report_repairs(document, run.builder)
        chunks = await asyncio.to_thread(
            chunk_text, document.text, document.sections, body=document.body, options=self._options.chunks
        )
        return PreparedDocument(document, chunks, self._chunking)

    async def _remove_missing(self, run: "_Run", *, accept_loss: bool) -> None:
        async with self._engine.begin(timeout=self._options.finish_timeout) as connection:
            await lock_writers(connection)
            statement = (
                sa.select(external_ids.c.source, external_ids.c.external_id, external_ids.c.entity_id)
                .where(external_ids.c.kind == KIND, external_ids.c.source.in_(run.collections))
                .order_by(external_ids.c.source, external_ids.c.external_id)
            )
            stored = {
                ExternalRef(row.source, KIND, row.external_id): row.entity_id
                for row in await connection.execute(statement)
            }
            missing = {ref: owner for ref, owner in stored.items() if ref not in run.seen}
            is_much = not accept_loss and self._options.loss.is_passed(len(missing), len(stored))
            held = run.has_nameless_refusals or is_much
            if missing:
                first = tuple(str(ref) for ref in list(missing)[:_NAMED])
                loss = Loss(source=run.source, kind=_RECORD, had=len(stored), lost=len(missing), first=first)
                run.builder.lost((loss,), is_held_back=held)
            if not held:
                run.builder.entities_removed(await remove_documents(connection, missing.values()))
                run.written += len(missing)

    async def _finish(self, run: "_Run") -> None:
        """Find and link references, and say what the catalogue as a whole shows: duplicates and dangling references."""
        seconds = self._options.finish_timeout
        found = await find_references(self._engine, page_timeout=self._options.batch_timeout, timeout=seconds)
        if found or run.written:
            await link_references(self._engine, timeout=seconds)
        async with self._engine.begin(timeout=seconds) as connection:
            groups = await read_same_texts(connection, run.ids)
            run.builder.same_texts([Duplicate(documents=tuple(each.ref for each in group)) for group in groups])
            run.builder.references_dangling(*await dangling_references(connection))
            if run.written >= _MANY_DOCUMENTS:
                await refresh_statistics(connection)


class _Run:
    """What one import has seen so far."""

    def __init__(self, builder: ReportBuilder, collections: set[str]) -> None:
        self.builder = builder
        self.collections = collections
        self.source = ", ".join(sorted(collections))
        self.seen: set[ExternalRef] = set()
        self.ids: set[UUID] = set()
        self.written = 0
        self._refused = 0

    @property
    def has_nameless_refusals(self) -> bool:
        """Whether something was refused that may have been any document, as a line that is no JSON."""
        return self.builder.refused_count > self._refused

    def refuse(self, reason: str, origin: Origin) -> None:
        """A document is not taken; what is stored of it stays."""
        self._refused += 1
        self.builder.record_refused(reason, place=origin.place, subject=str(origin.ref))

    def claim(self, found: FoundDocument) -> bool:
        """Whether the document is the first of its name in this import; a second one is refused."""
        ref = found.origin.ref
        if ref in self.seen:
            self.refuse("an earlier document of this import has the same id", found.origin)
            return False
        self.seen.add(ref)
        self.collections.add(found.origin.collection)
        return True


def _take(found: Iterator[FoundDocument], options: DocumentOptions) -> list[FoundDocument]:
    batch: list[FoundDocument] = []
    size = 0
    while len(batch) < options.batch_size and size < options.batch_bytes:
        each = next(found, None)
        if each is None:
            break
        batch.append(each)
        size += each.size
    return batch


def _report_repairs(document: IncomingDocument, builder: ReportBuilder) -> None:
    place, subject = document.origin.place, document.origin.key
    for kind, count in document.repairs.by_kind():
        builder.repaired(kind, count=count, place=place, subject=subject)
    if document.date is not None and document.date.known is None:
        builder.repaired(RepairKind.UNREADABLE_DATE, place=place, subject=subject)
