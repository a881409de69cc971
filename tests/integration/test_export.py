"""Export: what comes out goes in again, and comes out the same, byte for byte."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import entities, external_ids
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_only, open_read_write
from fixtures.catalogue_imports import entity, fetch, import_records, record
from fixtures.postgres import TEMPLATE, TestServer
from ingestion.demo import demo_catalogue_folder
from ingestion.errors import ExportNotWritten, NothingToExport
from ingestion.exporting import ExportReport, export_catalogue
from ingestion.formats.protocol import Located
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
        assert report.refused_count == 0
        return (await exported(dsn))[0], await identities(engine)


async def identities(engine: ReadWriteEngine) -> list[Any]:
    """Every entity with its shown name and references."""
    columns = external_ids.c
    shown = sa.select(entities.c.id, entities.c.name, columns.source, columns.kind, columns.external_id)
    joined = shown.join(columns_table := external_ids, columns_table.c.entity_id == entities.c.id)
    return sorted(await fetch(engine, joined))


MOON, STAR, LIGHT = "x:anime:1", "x:anime:2", "x:anime:3"


async def small_catalogue(engine: ReadWriteEngine) -> None:
    """Every type of record; two sources on one entity; links and an episode that wait; a work known in part only."""
    await import_records(
        engine,
        entity(
            "anime", MOON, "Moon Gate", external_ids=["mal:anime:9"], start="2001-04", synopsis="A gate.", score=71.0
        ),
        entity("anime", STAR, "Star Gate", start="", extra={"site": "x", "count": 3, "many": ["a", "b"]}),
        entity("manga", "x:manga:1", "Moon Gate", chapters=12, genres=["Drama"]),
        entity("character", "x:character:1", "Aki", description="A guard."),
        entity("character", "x:character:2", "Ren"),
        entity("person", "x:person:1", "Mai Sato", occupations=["voice actor"]),
        entity("studio", "x:studio:1", "Studio Lantern", is_animation_studio=True),
        entity("episode", "x:episode:1", "Arrival", anime=MOON, number=1, air_date="2001-04-05"),
        entity("episode", "x:episode:2", "Lost", anime="x:anime:404", number=1),
        record("relation", from_=MOON, to=STAR, relation="sequel", raw_type="SEQUEL"),
        record("relation", from_=MOON, to="x:manga:1", relation="adaptation_of"),
        record("relation", from_=STAR, to="x:anime:404", relation="sequel"),
        record("appearance", character="x:character:1", work=MOON, role="main"),
        record("character_relation", from_="x:character:1", to="x:character:2", kind_="mentor", note="Ren taught Aki."),
        record("voice", person="x:person:1", character="x:character:1", work=MOON, language="ja"),
        record("voice", person="x:person:1", character="x:character:2", language="en"),
        record("staff", person="x:person:1", work=MOON, role="director"),
        record("staff", person="x:person:1", work=MOON, role="other", raw_role="Thanks"),
        record("studio_credit", studio="x:studio:1", work=MOON, is_main=False),
        source="second",
    )
    moon = entity("anime", "mal:anime:9", "Gate of the Moon", external_ids=["a:anime:5"], episodes=26, popularity=7)
    await import_records(
        engine,
        moon,
        Located(
            entity("anime", LIGHT, "Light Gate", external_ids=["a:anime:6", "a:anime:7"], score=3), is_partial=True
        ),
        record("appearance", character="x:character:2", work="a:anime:5"),
        source="first",
    )
    # The source names this reference no more; the entity keeps it.
    await import_records(engine, entity("anime", LIGHT, "Light Gate", external_ids=["a:anime:6"]), source="first")


async def test_an_export_imports_as_the_same_catalogue(postgres_server: TestServer, tmp_path: Path) -> None:
    async with fresh_catalogue(postgres_server) as (engine, dsn):
        await small_catalogue(engine)
        lines, report = await exported(dsn)
        before = await identities(engine)
        of_second, _ = await exported(dsn, source="second")
        with pytest.raises(NothingToExport, match="holds nothing from 'nobody'; its sources are first, second"):
            await exported(dsn, source="nobody")
    again, after = await imported_again(postgres_server, tmp_path, lines)

    assert again == lines
    assert after == before
    assert {"a:anime:5", "a:anime:7"} <= {":".join(row[2:]) for row in after}
    assert {each.kind: each.count for each in report.records} == {
        "anime": 4,
        "appearance": 2,
        "character": 2,
        "character_relation": 1,
        "episode": 2,
        "manga": 1,
        "person": 1,
        "relation": 3,
        "staff": 2,
        "studio": 1,
        "studio_credit": 1,
        "voice": 2,
    }
    assert (report.sources, report.lines) == (("first", "second"), 22 + 4)
    assert [line for line in lines if '"record":"source"' in line] == [
        '{"record":"source","source":"first"}',
        '{"record":"source","source":"second"}',
        '{"record":"source","source":"first"}',
        '{"record":"source","source":"second"}',
    ]
    assert set(of_second) <= set(lines)
    assert (await imported_again(postgres_server, tmp_path, of_second))[0] == of_second


async def test_a_record_names_its_entity_by_the_founding_reference_and_leaves_out_what_is_empty(
    postgres_server: TestServer,
) -> None:
    async with fresh_catalogue(postgres_server) as (engine, dsn):
        await small_catalogue(engine)
        lines, _ = await exported(dsn, source="first")
    assert lines[-1] == '{"record":"appearance","character":"x:character:2","work":"x:anime:1"}'
    assert (
        '{"record":"anime","ref":"x:anime:1","external_ids":["a:anime:5","mal:anime:9"],'
        '"names":[{"name":"Gate of the Moon","kind":"main"}],"popularity":7,"episodes":26}'
    ) in lines


async def test_what_can_not_be_written_is_no_trouble_of_the_database(postgres_server: TestServer) -> None:
    def full(_lines: Sequence[str]) -> None:
        raise OSError("no space left")

    async with fresh_catalogue(postgres_server) as (engine, dsn):
        await import_records(engine, entity("anime", MOON, "Moon Gate"))
        reader = open_read_only(PostgresOptions(dsn=dsn, acquire_timeout_ms=60_000, statement_timeout_ms=60_000))
        try:
            with pytest.raises(ExportNotWritten, match="no space left"):
                await export_catalogue(reader, full)
        finally:
            await reader.close()


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.timeout(900)
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
    assert report.lines == len(lines) == sum(each.count for each in report.records) + 4
