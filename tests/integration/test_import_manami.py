"""The importer of the anime-offline-database on the real record of its documentation."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, external_ids
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, count, counted, dump_tables, fetch, kept
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path

pytestmark = pytest.mark.data


async def test_the_documented_entry_is_one_with_the_demo_s_work(read_write: ReadWriteEngine, data_folder: Path) -> None:
    await import_path("interchange", demo_catalogue_folder() / "death_note.jsonl", read_write, source="demo")
    works = await count(read_write, anime)
    folder = data_folder / "anime" / "manami"
    report = await import_path("manami", folder, read_write)
    assert kept(report) == {"anime": (0, 1, 0)}
    assert await count(read_write, anime) == works
    assert counted(report.input_totals) == {"entries": 1, "dead_entries": 4}
    # The schemas beside the data are no data.
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("anime-offline-database-minified.schema.json", "data: missing or empty"),
        ("anime-offline-database.jsonl.schema.json", "data: missing or empty"),
        ("dead-entries.schema.json", "data: missing or empty"),
    ]
    assert report.waiting_for == ("mal:anime:2994",)
    own = sa.select(external_ids.c.entity_id).where(
        external_ids.c.source == "mal", external_ids.c.external_id == "1535"
    )
    sources = sa.select(external_ids.c.source).where(external_ids.c.entity_id.in_(own))
    assert {row[0] for row in await fetch(read_write, sources)} == {
        *("enishi", "mal", "anilist", "anidb", "kitsu", "livechart"),
        *("anisearch", "anime_planet", "ann", "simkl", "animecountdown"),
    }

    before = await dump_tables(read_write)
    again = await import_path("manami", folder, read_write)
    assert (again.created, again.changed) == (0, 0)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert again.waiting == 1
