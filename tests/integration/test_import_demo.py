"""The demo catalogue through the importer: all of it, twice, and with one edited title."""

import json
import shutil
from pathlib import Path

import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import outbox
from fixtures.catalogue_imports import changed_rows, counted, dump_tables, fetch, kept
from ingestion.demo import demo_catalogue_files, demo_catalogue_folder
from ingestion.importing import import_path


async def test_the_demo_is_imported_whole_and_only_once(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    lines = [line for file in demo_catalogue_files() for line in file.read_text().splitlines() if line.strip()]
    report = await import_path("interchange", demo_catalogue_folder(), read_write, source="demo")
    assert (report.refused_count, report.waiting, report.conflict_count, report.exit_status.code) == (0, 0, 0, 0)
    assert sum(counted(report.read).values()) == len(lines)
    assert (report.created, report.changed) == (len(lines), 0)
    assert kept(report)["anime"][0] == sum('"record":"anime"' in line for line in lines)

    before = await dump_tables(read_write)
    again = await import_path("interchange", demo_catalogue_folder(), read_write, source="demo")
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.unchanged) == (0, 0, len(lines))

    edited = tmp_path / "catalogue"
    shutil.copytree(demo_catalogue_folder(), edited)
    _edit_first_title(edited / "cowboy_bebop.jsonl")
    third = await import_path("interchange", edited, read_write, source="demo")
    assert (third.created, third.changed) == (0, 1)
    changes = changed_rows(before, await dump_tables(read_write))
    assert (changes["entities"], changes["outbox"]) == ((1, 1), (0, 1))
    newest = sa.select(outbox.c.entity_id, outbox.c.version, outbox.c.operation).order_by(outbox.c.id.desc()).limit(1)
    renamed = sa.select(entities.c.id, entities.c.version).where(entities.c.name == "Cowboy Bebop (edited)")
    [(entity, version)] = await fetch(read_write, renamed)
    assert await fetch(read_write, newest) == [(entity, version, "upsert")]


def _edit_first_title(file: Path) -> None:
    first, *others = file.read_text().splitlines()
    record = json.loads(first)
    for name in record["names"]:
        if name["kind"] == "main":
            name["name"] += " (edited)"
    file.write_text("\n".join([json.dumps(record, ensure_ascii=False), *others]))
