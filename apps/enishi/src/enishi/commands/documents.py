"""`enishi documents`: files and folders into the catalogue, and on into the index; what there is; and out again."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from datastore.postgres.document_reads import ListedDocument, list_documents
from ingestion.chunking import ChunkOptions
from ingestion.documents.importing import DocumentImporter, DocumentOptions
from ingestion.documents.incoming import COLLECTION
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.reader_process import ReaderProcess
from ingestion.loss import LossLimit
from ingestion.report_table import report_table
from observability.logging import configure_logging
from rich.table import Table

from enishi.commands.errors import UsageError
from enishi.commands.reaching import writable_stack
from enishi.progress_bars import counting_bar, progress_bar
from enishi.settings import Settings
from enishi.terminal import make_console

_PAGE = 500
_STATEMENT_SECONDS = 30.0
_EXIT_NOTHING = 2


@dataclass(frozen=True, slots=True)
class AddRequest:
    """What to read, and into which collection."""

    path: Path
    collection: str
    sync: bool = False
    accept_loss: bool = False


async def run_add(settings: Settings, request: AddRequest, *, as_json: bool) -> int:
    """The report's own exit status: 0 all kept, 1 partial, 2 nothing.

    Raises:
        UsageError: There is nothing at the path, or the collection has no possible name.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    _check_collection(request.collection)
    if not request.path.exists():
        raise UsageError(f"PATH: {request.path} does not exist")
    options = _options(settings)
    async with writable_stack(settings, console) as stack:
        with counting_bar(console, "reading") as more:
            async with ReaderProcess(settings.document_seconds) as reader:
                report = await DocumentImporter(stack.writer, options=options, reader=reader).add(
                    request.path,
                    collection=request.collection,
                    sync=request.sync,
                    accept_loss=request.accept_loss,
                    progress=more,
                )
        with progress_bar(console, "indexing") as advance:
            await stack.relay.drain(progress=advance)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        make_console().print(report_table(report))
    return report.exit_status.code


async def run_remove(settings: Settings, refs: tuple[str, ...], *, collection: str | None, as_json: bool) -> int:
    """0 when something was removed, 2 when there was nothing.

    Raises:
        UsageError: A reference is none.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    async with writable_stack(settings, console) as stack:
        try:
            removed = await DocumentImporter(stack.writer).remove(refs, collection=collection)
        except ValueError as error:
            raise UsageError(f"REF: {error}") from None
        await stack.relay.drain()
    if as_json:
        sys.stdout.write(json.dumps({"removed": removed}) + "\n")
    else:
        make_console().print(f"removed: {removed}")
    return 0 if removed else _EXIT_NOTHING


async def run_list(settings: Settings, *, collection: str | None, as_json: bool) -> int:
    """0, also when there are none."""
    configure_logging(level=settings.log_level)
    table = Table("reference", "title", "date", "language", "characters", "chunks")
    async with writable_stack(settings, make_console(stderr=True)) as stack:
        after = ""
        while True:
            async with stack.writer.begin(_STATEMENT_SECONDS) as connection:
                page = await list_documents(connection, collection=collection, limit=_PAGE, after=after)
            for each in page:
                if as_json:
                    sys.stdout.write(json.dumps(_as_json(each), ensure_ascii=False) + "\n")
                else:
                    date = _date(each) or ""
                    table.add_row(
                        each.ref, each.title, date, each.language or "", str(each.characters), str(each.chunks)
                    )
            if len(page) < _PAGE:
                break
            after = page[-1].ref
    if not as_json:
        make_console().print(table)
    return 0


def _options(settings: Settings) -> DocumentOptions:
    if settings.chunk_overlap >= settings.chunk_tokens:
        raise UsageError("ENISHI_CHUNK_OVERLAP: must be less than ENISHI_CHUNK_TOKENS")
    return DocumentOptions(
        chunks=ChunkOptions(settings.chunk_tokens, settings.chunk_overlap),
        limits=DocumentLimits(
            file_bytes=settings.document_file_bytes,
            unpacked_bytes=settings.document_unpacked_bytes,
            characters=settings.document_characters,
            pages=settings.document_pages,
        ),
        loss=LossLimit(settings.import_loss_share, settings.import_loss_minimum),
    )


def _check_collection(name: str) -> None:
    if COLLECTION.fullmatch(name) is None:
        raise UsageError("--collection: 1 to 64 small letters, digits and _")


def _date(document: ListedDocument) -> str | None:
    """As much of the date as is known."""
    if document.document_date is None:
        return None
    length = {"year": 4, "month": 7}.get(document.date_precision or "", 10)
    return document.document_date.isoformat()[:length]


def _as_json(document: ListedDocument) -> dict[str, object]:
    return {
        "ref": document.ref,
        "id": str(document.id),
        "title": document.title,
        "collection": document.collection,
        "date": _date(document),
        "language": document.language,
        "media_type": document.media_type,
        "characters": document.characters,
        "chunks": document.chunks,
    }
