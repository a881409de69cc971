"""The AniList importer on recorded answers: exact totals, alone and beside the demo."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, entities, external_ids, names, voices, work_relations
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, counted, dump_tables, fetch, kept
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path

pytestmark = pytest.mark.data


@pytest.fixture
def answers(data_folder: Path) -> Path:
    """The folder of recorded AniList answers."""
    return data_folder / "anime" / "anilist_json"


async def test_all_recorded_answers_are_imported_and_only_once(read_write: ReadWriteEngine, answers: Path) -> None:
    report = await import_path("anilist", answers, read_write)
    assert report.files == 16
    assert kept(report) == {
        "anime": (213, 0, 0),
        "appearance": (18, 0, 0),
        "character": (18, 0, 0),
        "manga": (1, 0, 0),
        "person": (60, 0, 0),
        "staff": (25, 0, 0),
        "studio": (6, 0, 0),
        "studio_credit": (6, 0, 0),
        "voice": (45, 0, 0),
    }
    assert counted(report.read)["relation"] == 11
    # The work of get_relations.json is named by its id alone, and no other answer describes it.
    assert (report.waiting, report.waiting_for) == (11, ("anilist:anime:16498",))
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("media_not_found_error.json", "answer 404: Not Found."),
        ("media_not_found_error_properties.json", "answer 404: Not Found."),
        ("rate_limit_error.json#2", "answer 429: Too Many Requests."),
    ]
    assert counted(report.not_imported) == {
        "airing_schedule_entries": 13,
        "recommendations": 28,
        "spoiler_or_adult_tags": 648,
        "tags_of_low_rank": 793,
    }
    assert counted(report.repaired) == {"name_trimmed": 18}
    assert (report.conflict_count, report.exit_status.code) == (0, 1)

    before = await dump_tables(read_write)
    again = await import_path("anilist", answers, read_write)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.unchanged, again.waiting) == (0, 0, 392, 11)


async def test_the_pages_hold_two_hundred_works(read_write: ReadWriteEngine, answers: Path) -> None:
    report = await import_path("anilist", answers / "get_all_media_sorted_by_id.json.gz", read_write)
    assert kept(report) == {"anime": (200, 0, 0)}
    assert (report.refused_count, report.exit_status.code) == (0, 0)


async def test_a_work_is_stored_as_recorded(read_write: ReadWriteEngine, answers: Path) -> None:
    await import_path("anilist", answers / "get_media.json", read_write)
    columns = anime.c
    [work] = await fetch(
        read_write,
        sa.select(
            columns.format,
            columns.status,
            columns.episodes,
            columns.duration_minutes,
            columns.season,
            columns.season_year,
            columns.source,
            columns.country,
            columns.score_source,
            columns.start_raw,
        ),
    )
    assert work == ("tv", "finished", 13, 24, "winter", 2018, "original", "JP", "anilist", "2018-01-02")
    stored_names = sa.select(names.c.name, names.c.kind, names.c.language).where(names.c.kind != "alias")
    assert sorted(await fetch(read_write, stored_names)) == [
        ("A Place Further Than the Universe", "main", "en"),
        ("Sora yori mo Tooi Basho", "romaji", "ja-Latn"),
        ("宇宙よりも遠い場所", "native", "ja"),
    ]
    refs = sa.select(external_ids.c.source, external_ids.c.kind, external_ids.c.external_id)
    assert sorted(await fetch(read_write, refs)) == [("anilist", "anime", "99426"), ("mal", "anime", "35839")]
    [(synopsis,)] = await fetch(read_write, sa.select(columns.synopsis))
    assert "<" not in synopsis
    assert synopsis.endswith("\n\n(Source: Anime News Network)")


async def test_voices_name_their_work_and_language(read_write: ReadWriteEngine, answers: Path) -> None:
    await import_path("anilist", answers, read_write)
    who, whom, where = (entities.alias(alias) for alias in ("who", "whom", "where_"))
    statement = (
        sa.select(who.c.name, voices.c.language, where.c.name)
        .join(who, who.c.id == voices.c.person_id)
        .join(whom, whom.c.id == voices.c.character_id)
        .join(where, where.c.id == voices.c.work_id)
        .where(whom.c.name == "Mari Tamaki")
        .order_by(voices.c.language)
        .select_from(voices)
    )
    title = "A Place Further Than the Universe"
    assert await fetch(read_write, statement) == [
        ("Leonie Landa", "de", title),
        ("Xanthe Huynh", "en", title),
        ("Inori Minase", "ja", title),
    ]


@pytest.mark.slow
async def test_the_demo_and_the_answers_share_their_works(read_write: ReadWriteEngine, answers: Path) -> None:
    await import_path("interchange", demo_catalogue_folder(), read_write, source="demo")
    demo_works = (await fetch(read_write, sa.select(sa.func.count()).select_from(anime)))[0][0]
    report = await import_path("anilist", answers, read_write)
    created, changed, unchanged = kept(report)["anime"]
    assert created + changed + unchanged == 213
    shared = changed + unchanged
    assert shared >= 20
    assert (await fetch(read_write, sa.select(sa.func.count()).select_from(anime)))[0][0] == demo_works + created
    # The demo describes the work that the recorded relations start from.
    assert report.waiting == 0
    assert sum(kept(report)["relation"]) == 11
    attack = sa.select(external_ids.c.entity_id).where(
        external_ids.c.source == "anilist", external_ids.c.external_id == "16498"
    )
    [(work,)] = await fetch(read_write, attack)
    relations = (
        sa.select(sa.func.count())
        .select_from(work_relations)
        .where((work_relations.c.work_id == work) | (work_relations.c.related_work_id == work))
    )
    assert (await fetch(read_write, relations))[0][0] >= 11

    before = await dump_tables(read_write)
    for name, path, source in (("interchange", demo_catalogue_folder(), "demo"), ("anilist", answers, None)):
        again = await import_path(name, path, read_write, source=source)
        assert (again.created, again.changed) == (0, 0)
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_one_edited_title_changes_one_row(read_write: ReadWriteEngine, answers: Path, tmp_path: Path) -> None:
    edited = tmp_path / "answers"
    shutil.copytree(answers, edited)
    await import_path("anilist", edited, read_write)
    before = await dump_tables(read_write)
    path = edited / "get_all_media_sorted_by_id.json.gz"
    exchanges = json.loads(gzip.decompress(path.read_bytes()))
    exchanges[0]["response"]["data"]["page1"]["media"][7]["title"]["romaji"] += " edited"
    path.write_bytes(gzip.compress(json.dumps(exchanges).encode()))
    report = await import_path("anilist", edited, read_write)
    assert (report.created, report.changed) == (0, 1)
    changes = changed_rows(before, await dump_tables(read_write))
    assert (changes["entities"], changes["outbox"], changes["names"]) == ((1, 1), (0, 1), (1, 1))
