"""The importer of season CSVs on real ones: all works, none merged by a shared id, nothing new the second time."""

import asyncio
import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, external_ids, people, source_records, studios
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, count, counted, dump_tables, fetch, kept
from ingestion.formats.season_csv import SeasonCsvFormat
from ingestion.importing import import_path
from ingestion.records import AnimeRecord
from ingestion.report import ReportBuilder

pytestmark = pytest.mark.data

_WORKS = 770


@pytest.fixture
def season(data_folder: Path) -> Path:
    """The works of two years, as AniList knows them."""
    return data_folder / "anime" / "anilist_csv" / "anilist_seasonal_20260822.filtered.csv"


def test_every_row_of_the_season_is_read(season: Path) -> None:
    builder = ReportBuilder(format_name="anilist-csv", source="anilist-csv")
    works = [each.record for each in SeasonCsvFormat().read(season, builder) if isinstance(each.record, AnimeRecord)]
    report = builder.build()
    assert (len(works), counted(report.input_totals), report.refused_count) == (_WORKS, {"works": _WORKS}, 0)
    # 695 synopses with line breaks or italics, and 4 with other tags.
    assert counted(report.repaired) == {"html_made_plain": 699, "list_of_names_split": 1, "name_trimmed": 16}
    assert sum(work.score is None for work in works) == 203
    assert sum(work.synopsis is None for work in works) == 25
    assert not [work.ref for work in works if "<i>" in (work.synopsis or "") or "<br>" in (work.synopsis or "")]
    # A skill in double brackets is no markup.
    assert sum((work.synopsis or "").count("the <<Fruitmaster>> skill") for work in works) == 2
    # 740 rows have an id of MyAnimeList; six of them share two ids, which name none of them.
    assert sum(len(work.external_ids) for work in works) == 734
    assert sum("pages_of_several" in work.extra for work in works) == 6


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_all_works_of_the_season_are_imported_and_only_once(read_write: ReadWriteEngine, season: Path) -> None:
    report = await import_path("anilist-csv", season, read_write)
    assert kept(report) == {"anime": (_WORKS, 0, 0)}
    assert (report.refused_count, report.conflict_count, report.exit_status.code) == (0, 0, 0)
    of_mal = sa.select(sa.func.count()).select_from(external_ids).where(external_ids.c.source == "mal")
    assert await fetch(read_write, of_mal) == [(734,)]

    again = await import_path("anilist-csv", season, read_write)
    assert (again.created, again.changed, again.unchanged, again.losses) == (0, 0, _WORKS, ())


async def test_both_csvs_tell_of_the_same_works(read_write: ReadWriteEngine, season: Path, tmp_path: Path) -> None:
    lines = await asyncio.to_thread(season.read_text, "utf-8")
    # A row of this file is a line of it.
    rows = [line for line in lines.splitlines(keepends=True) if line.startswith("anime_id") or ",57658.0," in line]
    (tmp_path / "anilist.csv").write_text("".join(rows), "utf-8")
    shutil.copy(season.with_name("jikan_seasonal_20260822.csv"), tmp_path)
    report = await import_path("anilist-csv", tmp_path, read_write)
    assert counted(report.input_totals) == {"jikan_works": 25, "works": 1}
    assert (sum(sum(counts) for counts in kept(report).values()), report.refused_count) == (26, 0)
    assert await count(read_write, anime) == 25
    # Companies and people have no ids there.
    assert (await count(read_write, people), await count(read_write, studios)) == (0, 0)
    owner = sa.select(external_ids.c.entity_id).where(
        external_ids.c.source == "mal", external_ids.c.external_id == "57658"
    )
    said_by = sa.select(source_records.c.source).where(source_records.c.entity_id.in_(owner))
    assert sorted(await fetch(read_write, said_by)) == [("anilist-csv",), ("jikan-csv",)]
    before = await dump_tables(read_write)
    again = await import_path("anilist-csv", tmp_path, read_write)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.unchanged) == (0, 0, 26)
