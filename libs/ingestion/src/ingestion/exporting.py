"""One export from start to end: the catalogue, or one source's part of it, as interchange lines."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from datastore.postgres.engine import ReadOnlyEngine
from pydantic import BaseModel, ConfigDict
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.errors import ExportNotWritten, NothingToExport
from ingestion.export_lines import Page, count_records, entity_pages, link_pages, read_sources
from ingestion.records import AnyEntity, AnyLink, SourceSection
from ingestion.report import Counted


class ExportReport(BaseModel):
    """What an export wrote: lines in all, and records by type."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: tuple[str, ...]
    lines: int
    records: tuple[Counted, ...]


async def export_catalogue(
    engine: ReadOnlyEngine,
    write: Callable[[Sequence[str]], None],
    *,
    source: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    timeout: float = 3600,
) -> ExportReport:
    """Hand the catalogue to `write`, some lines at a time and without their line ends; one snapshot, however long.

    The lines depend on the content only: importing them into an empty catalogue and exporting that gives the same
    ones. With `source`, what only that source said. `write` is called in a thread; `progress` is told how many
    records are written and how many there are.

    Raises:
        NothingToExport: nothing in the catalogue is from `source`.
        ExportNotWritten: `write` raised an OSError.
        DatabaseUnavailable: PostgreSQL is away; what was written is no export.
    """
    counts: Counter[str] = Counter()
    lines = 0
    async with engine.connect(timeout=timeout) as connection:
        sources = await _wanted_sources(connection, source)
        total = await count_records(connection, sources)
        section = None
        async for said_by, page in _pages(connection, sources, is_whole=source is None):
            texts = [record_line(record) for record in page]
            counts.update(record.record for record in page)
            if said_by != section:
                section = said_by
                texts.insert(0, record_line(SourceSection(source=said_by)))
            await asyncio.to_thread(_write, write, texts)
            lines += len(texts)
            if progress is not None:
                progress(counts.total(), total)
    records = tuple(Counted(kind=kind, count=count) for kind, count in sorted(counts.items()))
    return ExportReport(sources=tuple(sources), lines=lines, records=records)


def record_line(record: AnyEntity | AnyLink | SourceSection) -> str:
    """The record as one line of JSON: its type first, then its fields in the order of their declaration, no empty ones.

    A line that is read and written again is the same line.
    """
    fields: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    said = {name: value for name, value in fields.items() if value not in ([], {})}
    return json.dumps({"record": record.record, **said}, ensure_ascii=False, separators=(",", ":"))


def _write(write: Callable[[Sequence[str]], None], texts: Sequence[str]) -> None:
    """A full disk must not look like a database that is away."""
    try:
        write(texts)
    except OSError as error:
        raise ExportNotWritten(str(error)) from error


async def _wanted_sources(connection: AsyncConnection, source: str | None) -> list[str]:
    known = await read_sources(connection)
    if source is None:
        return known
    if source not in known:
        raise NothingToExport(source, known)
    return [source]


async def _pages(
    connection: AsyncConnection, sources: Sequence[str], *, is_whole: bool
) -> AsyncGenerator[tuple[str, Page]]:
    """All entities before the first link: an importer then waits for nothing that is there."""
    for source in sources:
        async for page in entity_pages(connection, source, is_whole=is_whole):
            yield source, page
    for source in sources:
        async for page in link_pages(connection, source):
            yield source, page
