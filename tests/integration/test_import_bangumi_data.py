"""The importer of bangumi-data: every real work kept or refused by name, one with the demo's where ids say so."""

import asyncio
import gzip
import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, entities, external_ids, names
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, count, counted, dump_tables, fetch, kept, refusals
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path
from ingestion.report import ImportReport

pytestmark = pytest.mark.data

_WORKS = 8_483


@pytest.fixture(scope="session")
def real_data(data_folder: Path) -> dict[str, Any]:
    """The whole of the real file."""
    loaded: dict[str, Any] = json.loads(
        gzip.decompress((data_folder / "anime" / "bangumi-data" / "data.json.gz").read_bytes())
    )
    return loaded


def write_part(real_data: dict[str, Any], items: list[Any], folder: Path) -> Path:
    """A file of some of the works."""
    folder.mkdir(exist_ok=True)
    path = folder / "data.json"
    path.write_text(json.dumps({"siteMeta": real_data["siteMeta"], "items": items}), encoding="utf-8")
    return path


def titled(real_data: dict[str, Any], *titles: str) -> list[Any]:
    """The works with one of these titles, in the order of the file."""
    return [item for item in real_data["items"] if item["title"] in titles]


async def test_arm_adds_ids_to_works_that_it_shares_one_with(
    read_write: ReadWriteEngine, real_data: dict[str, Any], data_folder: Path, tmp_path: Path
) -> None:
    await import_path("interchange", demo_catalogue_folder() / "cowboy_bebop.jsonl", read_write, source="demo")
    works = await count(read_write, anime)
    write_part(real_data, titled(real_data, "COWBOY BEBOP", "カウボーイビバップ", "化物語"), tmp_path)
    shutil.copy(data_folder / "anime" / "arm" / "arm.json.gz", tmp_path)
    report = await import_path("bangumi-data", tmp_path, read_write)
    assert counted(report.input_totals) == {"arm_entries": 35_531, "works": 2}
    assert (kept(report)["anime"], report.refused_count, report.files) == ((1, 1, 0), 0, 2)
    assert await count(read_write, anime) == works + 1
    bebop = sa.select(external_ids.c.entity_id).where(external_ids.c.source == "mal", external_ids.c.external_id == "1")
    refs = sa.select(external_ids.c.source, external_ids.c.kind, external_ids.c.external_id).where(
        external_ids.c.entity_id.in_(bebop)
    )
    assert sorted(await fetch(read_write, refs)) == [
        ("anidb", "anime", "23"),
        ("anilist", "anime", "1"),
        ("annict", "anime", "360"),
        ("bangumi", "subject", "253"),
        ("enishi", "anime", "cowboy-bebop"),
        ("mal", "anime", "1"),
    ]

    before = await dump_tables(read_write)
    again = await import_path("bangumi-data", tmp_path, read_write)
    assert (again.created, again.changed) == (0, 0)
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_works_that_share_an_id_of_a_third_party_stay_apart(
    read_write: ReadWriteEngine, real_data: dict[str, Any], tmp_path: Path
) -> None:
    titles = ("ONE PIECE", "ONE PIECE エルバフ編", "魔法少女 俺", "インド版 忍者ハットリくん", "よるわまわるよ")
    path = write_part(real_data, titled(real_data, *titles), tmp_path)
    report = await import_path("bangumi-data", path, read_write)
    told_twice = "ref: an earlier record of this import describes the same entity"
    # The same page, told of once for each of its two broadcasts.
    assert refusals(report) == [("bangumi:subject:109956", told_twice)]
    disputed = [(each.subject, each.other) for each in report.conflicts if each.field == "external_ids"]
    assert sorted(disputed) == [
        ("bangumi:subject:602059", "anidb:anime:69"),
        ("bangumi:subject:602059", "anilist:anime:21"),
        ("bangumi:subject:602059", "mal:anime:21"),
    ]
    owner = sa.select(entities.c.name).join(external_ids).where(external_ids.c.source == "mal")
    assert await fetch(read_write, owner) == [("ONE PIECE",)]
    # Works without any id of their own get one from what they are called and when they began.
    own = sa.select(entities.c.name).join(external_ids).where(external_ids.c.source == "bangumi_data")
    assert sorted(await fetch(read_write, own)) == [("よるわまわるよ",), *[("インド版 忍者ハットリくん",)] * 4]
    # Four series of one title: none was merged with another.
    assert kept(report)["anime"] == (8, 0, 0)


async def test_a_work_is_stored_as_told(read_write: ReadWriteEngine, real_data: dict[str, Any], tmp_path: Path) -> None:
    path = write_part(real_data, titled(real_data, "Rewrite"), tmp_path)
    report = await import_path("bangumi-data", path, read_write)
    columns = anime.c
    stored = sa.select(columns.format, columns.start_raw, columns.end_raw).order_by(columns.start_raw)
    # From half past eleven in the evening to a midnight, both in Japan.
    assert await fetch(read_write, stored) == [("tv", "2016-07-02", "2016-09-24")]
    spelled = sa.select(names.c.name, names.c.kind, names.c.language).where(names.c.name != "Rewrite").distinct()
    assert sorted(await fetch(read_write, spelled)) == [("罚抄", "alias", "zh-Hans")]
    assert set(counted(report.not_imported)) == {"broadcaster_links", "download_links"}


_IMPORT = """
import asyncio, resource, sys
from pathlib import Path
from datastore.postgres.engine import PostgresOptions, open_read_write
from ingestion.importing import import_path

async def run() -> None:
    engine = open_read_write(PostgresOptions(dsn=sys.argv[1], pool_max_size=4, statement_timeout_ms=60_000))
    report = await import_path("bangumi-data", Path(sys.argv[2]), engine)
    await engine.close()
    sys.stdout.write(report.model_dump_json())

asyncio.run(run())
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


async def import_apart(dsn: str, path: Path) -> tuple[ImportReport, int]:
    """The report of an import in a process of its own, and the most memory that it had, in KiB."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _IMPORT, dsn, str(path)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, peak = await process.communicate()
    assert process.returncode == 0, peak.decode()
    return ImportReport.model_validate_json(output), int(peak)


@pytest.mark.slow
@pytest.mark.timeout(1_200)
async def test_every_work_is_kept_or_refused_and_memory_stays_flat(
    database_url: str, real_data: dict[str, Any], tmp_path: Path
) -> None:
    part = write_part(real_data, list(itertools.islice(real_data["items"], _WORKS // 8)), tmp_path / "part")
    whole = write_part(real_data, real_data["items"], tmp_path / "whole")
    _, peak_of_part = await import_apart(database_url, part)
    report, peak = await import_apart(database_url, whole)
    assert counted(report.input_totals) == {"works": _WORKS}
    assert (sum(sum(counts) for counts in kept(report).values()), report.refused_count) == (_WORKS - 11, 11)
    assert all(subject and subject.startswith("bangumi") for subject, _ in refusals(report))
    again, _ = await import_apart(database_url, whole)
    assert (again.created, again.changed, again.unchanged) == (0, 0, _WORKS - 11)
    assert peak <= 1.2 * peak_of_part
