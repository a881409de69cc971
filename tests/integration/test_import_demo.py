"""The demo catalogue through the importer: twice, and with one edited title."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import outbox
from fixtures.catalogue_imports import changed_rows, counted, dump_tables, fetch, kept
from ingestion.demo import demo_catalogue_files, demo_catalogue_folder
from ingestion.importing import import_path


async def test_a_part_of_the_demo_is_imported_whole_and_only_once(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    names = ("cowboy_bebop.jsonl", "people_a.jsonl", "people_b.jsonl", "studios_a.jsonl", "studios_b.jsonl")
    files = [demo_catalogue_folder() / name for name in names]
    await _assert_imported_once(read_write, files, _copied(files, tmp_path / "catalogue"))


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_the_demo_is_imported_whole_and_only_once(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    files = demo_catalogue_files()
    await _assert_imported_once(read_write, files, _copied(files, tmp_path / "catalogue"))


async def _assert_imported_once(read_write: ReadWriteEngine, files: Sequence[Path], folder: Path) -> None:
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    report = await import_path("interchange", folder, read_write, source="demo")
    assert (report.refused_count, report.waiting, report.conflict_count, report.exit_status.code) == (0, 0, 0, 0)
    assert sum(counted(report.read).values()) == len(lines)
    assert (report.created, report.changed) == (len(lines), 0)
    assert kept(report)["anime"][0] == sum('"record":"anime"' in line for line in lines)

    before = await dump_tables(read_write)
    again = await import_path("interchange", folder, read_write, source="demo")
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.unchanged) == (0, 0, len(lines))

    _edit_first_title(folder / "cowboy_bebop.jsonl")
    third = await import_path("interchange", folder, read_write, source="demo")
    assert (third.created, third.changed) == (0, 1)
    changes = changed_rows(before, await dump_tables(read_write))
    assert (changes["entities"], changes["outbox"]) == ((1, 1), (0, 1))
    newest = sa.select(outbox.c.entity_id, outbox.c.version, outbox.c.operation).order_by(outbox.c.id.desc()).limit(1)
    renamed = sa.select(entities.c.id, entities.c.version).where(entities.c.name == "Cowboy Bebop (edited)")
    [(entity, version)] = await fetch(read_write, renamed)
    assert await fetch(read_write, newest) == [(entity, version, "upsert")]


def _copied(files: Sequence[Path], folder: Path) -> Path:
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    return folder


def _edit_first_title(file: Path) -> None:
    first, *others = file.read_text().splitlines()
    record = json.loads(first)
    for name in record["names"]:
        if name["kind"] == "main":
            name["name"] += " (edited)"
    file.write_text("\n".join([json.dumps(record, ensure_ascii=False), *others]))
