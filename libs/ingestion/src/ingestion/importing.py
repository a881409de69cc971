"""One import from start to end: a dump into the catalogue, and the report of it."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from datastore.postgres.engine import ReadWriteEngine

from ingestion.catalogue import CatalogueWriter
from ingestion.formats.anilist import AniListFormat
from ingestion.formats.bangumi import BangumiFormat
from ingestion.formats.bangumi_data import BangumiDataFormat
from ingestion.formats.interchange import InterchangeFormat
from ingestion.formats.jikan import JikanFormat
from ingestion.formats.manami import ManamiFormat
from ingestion.formats.protocol import CatalogueFormat, Located
from ingestion.formats.season_csv import SeasonCsvFormat
from ingestion.loss import Coverage, LossLimit, coverage_of
from ingestion.report import ImportReport, ReportBuilder
from ingestion.survey import SourceLoss, Surveyor, without_refused

FORMATS: Mapping[str, CatalogueFormat] = {
    each.name: each
    for each in (
        AniListFormat(),
        BangumiFormat(),
        BangumiDataFormat(),
        InterchangeFormat(),
        JikanFormat(),
        ManamiFormat(),
        SeasonCsvFormat(),
    )
}
"""The readers, by the name that people choose them by."""


async def import_path(
    format_name: str,
    path: Path,
    engine: ReadWriteEngine,
    *,
    source: str | None = None,
    accept_loss: bool = False,
    loss_limit: LossLimit | None = None,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Import a file or a folder of one of `FORMATS`, with the index's changes in the outbox.

    `source` says whose values these are: a later import of the same source replaces them, one of another source only
    adds. By default it is what the dump itself says, else the format's name. `progress` is told after each batch how
    many records it had.

    When the dump lacks more of what its source said before than `loss_limit` allows (see `loss`), nothing is written
    and the report says what would be lost, unless `accept_loss` is set.

    Raises:
        KeyError: no format of that name.
        NothingToImport: no file or folder at `path`.
        DatabaseUnavailable: PostgreSQL is away; what was committed stays, and the import can be run again.
    """
    reader = FORMATS[format_name]
    builder = ReportBuilder(format_name=format_name, source=source or format_name)
    found = await _survey(reader, path, engine, source)
    losses = tuple(loss for each in found.of_sources for loss in each.losses)
    is_held_back = not accept_loss and any(each.passes(loss_limit or LossLimit()) for each in found.of_sources)
    builder.lost(losses, is_held_back=is_held_back)
    if is_held_back:
        return builder.build()
    writer = CatalogueWriter(engine)
    async for said_by, records in _by_source(reader.read(path, builder), source, default=format_name):
        await writer.write(records, source=said_by, report_builder=builder, on_batch=progress)
    if accept_loss or coverage_of(format_name) is Coverage.WHOLE:
        for each in found.of_sources:
            missing = await without_refused(engine, each.missing, found.report)
            await writer.withdraw(each.source, missing, report_builder=builder)
    return builder.build()


@dataclass(frozen=True, slots=True)
class _Found:
    """What a first reading of a dump showed, and the report of that reading."""

    of_sources: tuple[SourceLoss, ...]
    report: ImportReport


async def _survey(reader: CatalogueFormat, path: Path, engine: ReadWriteEngine, source: str | None) -> _Found:
    """Read the dump once before it is written; not at all when its source has said nothing yet."""
    builder = ReportBuilder(format_name=reader.name, source=source or reader.name)
    coverage = coverage_of(reader.name)
    surveyor = Surveyor(engine, coverage)
    # Only the interchange format says in the dump whose word a record is.
    says_itself = source is None and coverage is Coverage.EXTENSIBLE
    if not await surveyor.knows(None if says_itself else source or reader.name):
        return _Found((), builder.build())
    records = ((source or each.source or reader.name, each) for each in reader.read(path, builder))
    losses = await surveyor.survey(records)
    return _Found(tuple(losses), builder.build())


async def _by_source(
    records: Iterator[Located], source: str | None, *, default: str
) -> AsyncGenerator[tuple[str, Iterator[Located]]]:
    """The records with their source, run by run; each run has to be read to its end before the next is asked for."""
    runs = itertools.groupby(records, key=lambda each: source or each.source or default)
    while (run := await asyncio.to_thread(next, runs, None)) is not None:
        yield run
