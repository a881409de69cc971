"""Export: what comes out goes in again, and comes out the same, byte for byte."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import entities, external_ids
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_only, open_read_write
from fixtures.catalogue_imports import entity, fetch, import_records, kept, record
from fixtures.postgres import TEMPLATE, TestServer
from ingestion.demo import demo_catalogue_folder
from ingestion.errors import NothingToExport
from ingestion.exporting import ExportReport, export_catalogue
from ingestion.importing import import_path


@asynccontextmanager
async def fresh_catalogue(server: TestServer) -> AsyncGenerator[tuple[ReadWriteEngine, str]]:
    """An empty catalogue's writer, and its address."""
    name = server.create(TEMPLATE)
    engine = open_read_write(
        PostgresOptions(dsn=server.dsn(name), pool_max_size=2, acquire_timeout_ms=60_000, statement_timeout_ms=60_000)
    )
    try:
        yield engine, server.dsn(name)
    finally:
        await engine.close()
        server.drop(name)


async def exported(dsn: str, source: str | None = None) -> tuple[list[str], ExportReport]:
    """All lines of an export, and its report."""
    lines: list[str] = []
    engine = open_read_only(PostgresOptions(dsn=dsn, acquire_timeout_ms=60_000, statement_timeout_ms=60_000))
    try:
        report = await export_catalogue(engine, lines.extend, source=source)
    finally:
        await engine.close()
    return lines, report


async def imported_again(server: TestServer, folder: Path, lines: Sequence[str]) -> tuple[list[str], Any]:
    """What an empty catalogue exports after an import of `lines`; beside it what identifies its entities."""
    (folder / "export.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    async with fresh_catalogue(server) as (engine, dsn):
        report = await import_path("interchange", folder / "export.jsonl", engine)
        assert (report.refused_count, report.repaired) == (0, ())
        return (await exported(dsn))[0], await identities(engine)


async def identities(engine: ReadWriteEngine) -> list[Any]:
    """Every entity with its shown name and references."""
    columns = external_ids.c
    shown = sa.select(entities.c.id, entities.c.name, columns.source, columns.kind, columns.external_id)
    joined = shown.join(columns_table := external_ids, columns_table.c.entity_id == entities.c.id)
    return sorted(await fetch(engine, joined))


@pytest.mark.data
async def test_demo_and_anilist_are_the_same_after_export_and_import(
    postgres_server: TestServer, data_folder: Path, tmp_path: Path
) -> None:
    async with fresh_catalogue(postgres_server) as (engine, dsn):
        await import_path("interchange", demo_catalogue_folder(), engine, source="demo")
        await import_path("anilist", data_folder / "anime" / "anilist_json", engine)
        lines, report = await exported(dsn)
        before = await identities(engine)
    again, after = await imported_again(postgres_server, tmp_path, lines)

    assert again == lines
    assert after == before
    assert report.sources == ("anilist", "demo")
    assert report.lines == len(lines)
    sections = [json.loads(line)["source"] for line in lines if '"record":"source"' in line]
    assert sections == ["anilist", "demo", "anilist", "demo"]
    assert sum(each.count for each in report.records) == len(lines) - len(sections)
