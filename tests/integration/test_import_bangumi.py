"""The importer of the Bangumi archive on real lines: exact totals, links that wait, dates that are none."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import anime, entities, external_ids, manga, pending_links, work_relations
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, counted, dump_tables, entity, fetch, import_records, kept
from ingestion.importing import import_path

pytestmark = pytest.mark.data


@pytest.fixture
def archive(data_folder: Path) -> Path:
    """The folder of archive lines."""
    return data_folder / "anime" / "bangumi_jsonl"


async def test_every_line_is_accounted_for_and_imported_only_once(read_write: ReadWriteEngine, archive: Path) -> None:
    report = await import_path("bangumi", archive, read_write)
    assert report.files == 8
    assert counted(report.input_totals) == {
        "subjects": 101,
        "episodes": 614,
        "characters": 28,
        "persons": 104,
        "subject_relations": 218,
        "dangling_subject_relations": 205,
        "relations_told_twice": 33,
        "subject_persons": 852,
        "subject_characters": 89,
        "person_characters": 414,
    }
    read, left_out = counted(report.read), counted(report.not_imported)
    assert (read["anime"], read["manga"]) == (46, 11)
    assert [left_out[f"{kind}_subjects"] for kind in ("music", "game", "live_action")] == [10, 12, 22]
    assert (read["episode"], left_out["music_episodes"], left_out["live_action_episodes"]) == (150, 134, 315)
    assert (read["relation"], left_out["game_relations"], left_out["music_relations"]) == (34, 84, 67)
    assert 34 + 84 + 67 + 33 == 218
    assert (read["person"], read["studio"], left_out["redirected_persons"]) == (92, 8, 4)
    assert (read["character"], left_out["redirected_characters"]) == (25, 3)
    # Recaps between two episodes have no whole number.
    assert [str(each.place) for each in report.refused] == [f"episode.jsonlines:{n}" for n in (150, 159, 168, 604)]
    assert all(each.reason.startswith("number: ") for each in report.refused)
    assert report.exit_status.code == 1
    created = {record: counts[0] for record, counts in kept(report).items()}
    entities_read = {name: read[name] for name in ("anime", "manga", "character", "person", "studio", "episode")}
    assert entities_read.items() <= created.items()

    before = await dump_tables(read_write)
    again = await import_path("bangumi", archive, read_write)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.created, again.changed, again.waiting) == (0, 0, report.waiting)


async def test_relations_are_one_fact_and_wait_for_ends_that_are_missing(
    read_write: ReadWriteEngine, archive: Path
) -> None:
    await import_path("bangumi", archive, read_write)
    one, other = entities.alias("one"), entities.alias("other")
    stored = (
        sa.select(one.c.name, work_relations.c.relation, work_relations.c.raw_type, other.c.name)
        .join(one, one.c.id == work_relations.c.work_id)
        .join(other, other.c.id == work_relations.c.related_work_id)
        .select_from(work_relations)
    )
    geass, chobits = "コードギアス 反逆のルルーシュ", "ちょびっツ"
    assert set(await fetch(read_write, stored)) == {
        (geass, "sequel", "Sequel", f"{geass}R2"),
        (f"{geass}R2", "spin_off", "Spin-off", f"{geass} ナナリーinワンダーランド"),
        (f"{geass}R2", "alternative", "Alternative version", f"{geass} I 興道"),
        (chobits, "adaptation_of", "Adaptation", chobits),
        ("Your Eyes Only ちぃフォトグラフィクス", "other_relation", "Album", chobits),
        ("ちょびっツの「ツ」の字 - Chobits Fan Book", "other_relation", "Album", chobits),
        ("ちょびっツの「ツ」の字 - Chobits Fan Book", "other_relation", "Series", chobits),
    }
    relations = sa.select(sa.func.count()).where(pending_links.c.record["record"].astext == "relation")
    assert await fetch(read_write, relations) == [(27,)]

    side_story = entity("anime", "bangumi:subject:57933", "ちょびっツ おまけ")
    report = await import_records(read_write, side_story, source="bangumi")
    assert report.completed == 1
    told = stored.where(other.c.name == "ちょびっツ おまけ")
    assert await fetch(read_write, told) == [(chobits, "side_story", "Side story", "ちょびっツ おまけ")]
    assert await fetch(read_write, relations) == [(26,)]


async def test_works_of_one_title_stay_apart_and_dates_that_are_none_stay_text(
    read_write: ReadWriteEngine, archive: Path
) -> None:
    report = await import_path("bangumi", archive, read_write)
    same_title = sa.select(entities.c.entity_type).where(entities.c.name == "ちょびっツ")
    assert sorted(await fetch(read_write, same_title)) == [("anime",), ("manga",)]
    columns = manga.c
    [book] = await fetch(
        read_write,
        sa.select(columns.format, columns.chapters, columns.volumes)
        .join(entities)
        .where(entities.c.name == "ちょびっツ"),
    )
    assert book == ("manga", 88, 8)

    texts = sa.select(anime.c.start_raw, anime.c.start_year).where(anime.c.start_raw.like("0000%"))
    assert sorted(await fetch(read_write, texts)) == [("0000-00-00", None), ("0000-10-06", None)]
    told = [each.subject for each in report.repairs if each.kind == "unreadable_date_kept_as_text"]
    assert told[:4] == [f"bangumi:subject:{number}" for number in (10, 11, 363612, 3625)]
    assert counted(report.repaired)["unreadable_date_kept_as_text"] == 8

    spoken = pending_links.c.record["language"].astext
    assert await fetch(read_write, sa.select(spoken).where(spoken.is_not(None)).distinct()) == [("und",)]


async def test_a_work_that_another_source_knows_by_the_same_id_is_one(
    read_write: ReadWriteEngine, archive: Path
) -> None:
    bebop = entity("anime", "enishi:anime:bebop", "Cowboy Bebop", external_ids=["bangumi:subject:253"])
    await import_records(read_write, bebop, source="demo")
    report = await import_path("bangumi", archive / "subject.jsonlines", read_write)
    assert kept(report)["anime"] == (45, 1, 0)
    refs = sa.select(external_ids.c.source).join(entities).where(entities.c.name == "Cowboy Bebop")
    assert sorted(await fetch(read_write, refs)) == [("bangumi",), ("enishi",)]
