"""The importer of Jikan answers on real ones: every file read or refused by name, alone and beside the demo."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, entities, external_ids, names, voices
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, count, counted, dump_tables, fetch, kept
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path

pytestmark = pytest.mark.data

# 76 genres of anime and 78 of printed works.
LEFT_OUT = {
    "external_links": 2,
    "genres": 154,
    "licensors": 6,
    "magazines": 1,
    "more_info": 2,
    "pictures": 4,
    "seasons": 1,
    "statistics": 2,
    "themes": 1,
    "videos": 1,
    "watch_episodes": 2,
    "watch_promos": 2,
}


@pytest.fixture
def answers(data_folder: Path) -> Path:
    """The folder of real answers."""
    return data_folder / "anime" / "jikan_fixtures"


async def test_every_answer_is_read_or_refused_by_name_and_imported_only_once(
    read_write: ReadWriteEngine, answers: Path
) -> None:
    report = await import_path("jikan", answers, read_write)
    assert report.files == 55
    totals, left_out = counted(report.input_totals), counted(report.not_imported)
    assert [totals[kind] for kind in ("anime", "manga", "characters", "people", "producers")] == [9, 4, 4, 4, 1]
    assert left_out == LEFT_OUT
    untold = "neither the answer nor its path tells whose they are"
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("anime/getAnimeRelations.json", f"1 relations: {untold}"),
        ("characters/getCharacterAnime.json", f"1 works_of_characters: {untold}"),
        ("characters/getCharacterManga.json", f"1 works_of_characters: {untold}"),
        ("characters/getCharacterVoiceActors.json", f"1 voices_of_characters: {untold}"),
        ("manga/getMangaCharacters.json", f"1 cast_entries: {untold}"),
        ("manga/getMangaRelations.json", f"1 relations: {untold}"),
        ("people/getPersonAnime.json", f"1 works_of_people: {untold}"),
        ("people/getPersonManga.json", f"1 works_of_people: {untold}"),
        ("people/getPersonVoices.json", f"1 voices_of_people: {untold}"),
    ]
    assert kept(report) == {
        "anime": (8, 0, 0),
        "appearance": (1, 0, 0),
        "character": (4, 0, 0),
        "episode": (1, 0, 0),
        "manga": (4, 0, 0),
        "person": (10, 0, 0),
        "staff": (5, 0, 0),
        "studio": (25, 0, 0),
        "studio_credit": (31, 0, 0),
        "voice": (2, 0, 0),
    }
    assert (report.waiting, report.conflict_count, report.exit_status.code) == (0, 0, 1)

    before = await dump_tables(read_write)
    again = await import_path("jikan", answers, read_write)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.unchanged, again.losses) == (0, 0, 91, ())


async def test_words_that_nobody_knows_stay_as_text_and_are_told(read_write: ReadWriteEngine, answers: Path) -> None:
    report = await import_path("jikan", answers / "anime" / "getAnimeById_unknowns.json", read_write)
    columns = anime.c
    [work] = await fetch(
        read_write,
        sa.select(columns.format, columns.season, columns.start_raw, columns.episodes, columns.duration_minutes),
    )
    assert work == (None, None, "2012-07-08", 25, 23)
    extra = sa.select(entities.c.extra).where(entities.c.name == "Sword Art Online")
    [[told]] = await fetch(read_write, extra)
    assert [told[name] for name in ("raw_format", "raw_season", "rating")] == [
        "UNKNOWN TYPE",
        "UNKNOWN SEASON",
        "UNKNOWN RATING",
    ]
    assert counted(report.repaired) == {"unknown_value_left_empty": 4}
    assert report.exit_status.code == 0


async def test_a_mention_takes_nothing_from_what_was_told_before(
    read_write: ReadWriteEngine, answers: Path, tmp_path: Path
) -> None:
    await import_path("jikan", answers / "characters" / "getCharacterById.json", read_write)
    spelled = sa.select(names.c.name).join(entities, entities.c.id == names.c.entity_id)
    full = sorted(await fetch(read_write, spelled.where(entities.c.entity_type == "character")))
    assert ("The Black Swordsman",) in full

    report = await import_path("jikan", answers / "anime" / "getAnimeCharacters.json", read_write)
    assert kept(report)["character"] == (0, 0, 1)
    assert sorted(await fetch(read_write, spelled.where(entities.c.entity_type == "character"))) == full
    # The anime itself is told of in another file, and its links wait for it.
    assert (await count(read_write, voices), report.waiting) == (0, 3)
    completed = await import_path("jikan", answers / "anime" / "getAnimeById.json", read_write)
    assert (await count(read_write, voices), completed.completed) == (2, 3)


async def test_a_work_of_the_demo_is_found_by_its_id(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    await import_path("interchange", demo_catalogue_folder() / "death_note.jsonl", read_write, source="demo")
    works = await count(read_write, anime)
    page = {"mal_id": 1535, "url": "https://myanimelist.net/anime/1535/Death_Note", "title": "Death Note"}
    (tmp_path / "page.json").write_text(json.dumps({"data": {**page, "type": "TV", "episodes": 37}}))
    report = await import_path("jikan", tmp_path / "page.json", read_write)
    assert sum(kept(report)["anime"]) == 1
    assert await count(read_write, anime) == works
    own = sa.select(entities.c.name).join(external_ids).where(external_ids.c.source == "mal")
    assert ("Death Note",) in await fetch(read_write, own.where(external_ids.c.external_id == "1535"))
