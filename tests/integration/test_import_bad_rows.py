"""Hostile and broken rows, imported from files: nothing is lost with them, and the report names them."""

import json
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from datastore.postgres.catalogue import anime, entities, episodes
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.entity_reads import read_cards
from fixtures.catalogue_imports import changed_rows, dump_tables, fetch, kept
from ingestion.importing import import_path
from ingestion.report import ImportReport


def work(number: int, **fields: Any) -> str:
    raw = {"record": "anime", "ref": f"x:anime:{number}", "names": [{"name": f"Work {number}", "kind": "main"}]}
    return json.dumps({**raw, **fields})


async def import_lines(engine: ReadWriteEngine, folder: Path, *lines: str) -> ImportReport:
    path = folder / "works.jsonl"
    path.write_text("\n".join(lines))
    return await import_path("interchange", path, engine)


SYNOPSES = (
    sa.select(entities.c.name, anime.c.synopsis).join(anime, anime.c.id == entities.c.id).order_by(entities.c.name)
)


async def test_a_lone_surrogate_costs_one_character_and_no_batch(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    lines = [work(1, synopsis="one"), work(2, synopsis="Moon \udcb0 Gate"), work(3, synopsis="three")]
    assert r"\udcb0" in lines[1]
    report = await import_lines(read_write, tmp_path, *lines)
    assert await fetch(read_write, SYNOPSES) == [
        ("Work 1", "one"),
        ("Work 2", "Moon \ufffd Gate"),
        ("Work 3", "three"),
    ]
    assert [(each.subject, each.kind, str(each.place)) for each in report.repairs] == [
        ("x:anime:2", "lone_surrogate_replaced", "works.jsonl:2")
    ]
    assert report.exit_status.code == 1


async def test_nul_is_removed_before_anything_sees_it(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    with_nul = await import_lines(read_write, tmp_path, work(1, synopsis="act one\x00act two"))
    assert await fetch(read_write, SYNOPSES) == [("Work 1", "act oneact two")]
    assert [(each.kind, each.count) for each in with_nul.repaired] == [("nul_removed", 1)]
    assert with_nul.exit_status.code == 0
    before = await dump_tables(read_write)
    without = await import_lines(read_write, tmp_path, work(1, synopsis="act oneact two"))
    assert kept(without) == {"anime": (0, 0, 1)}
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_dates_outside_the_calendar_stay_text_and_every_read_answers(
    read_write: ReadWriteEngine, tmp_path: Path
) -> None:
    dates = ["0000-10-06", "0000-00-00", "99999-01-01", "0001-01-01 BC", ""]
    lines = [work(0, start="2001-02-03")] + [
        json.dumps(
            {
                "record": "episode",
                "ref": f"x:episode:{number}",
                "names": [{"name": f"Episode {number}", "kind": "main"}],
                "anime": "x:anime:0",
                "number": number,
                "air_date": date,
            }
        )
        for number, date in enumerate(dates)
    ]
    report = await import_lines(read_write, tmp_path, *lines)
    assert [(each.subject, each.kind, each.count) for each in report.repairs] == [
        (f"x:episode:{number}", "unreadable_date_kept_as_text", 1) for number in range(5)
    ]
    columns = episodes.c
    stored = sa.select(columns.air_raw, columns.air_year, columns.air_month, columns.air_day).order_by(columns.number)
    assert await fetch(read_write, stored) == [(date, None, None, None) for date in dates]
    ids = [row[0] for row in await fetch(read_write, sa.select(entities.c.id))]
    async with read_write.begin(30) as connection:
        assert len(await read_cards(connection, ids)) == 6


async def test_dates_keep_their_precision(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    await import_lines(
        read_write, tmp_path, work(1, start="2016"), work(2, start="2016-05"), work(3, start="2016-05-00")
    )
    columns = anime.c
    stored = (
        sa.select(columns.start_year, columns.start_month, columns.start_day, columns.start_raw)
        .join(entities, entities.c.id == columns.id)
        .order_by(entities.c.name)
    )
    assert await fetch(read_write, stored) == [
        (2016, None, None, "2016"),
        (2016, 5, None, "2016-05"),
        (None, None, None, "2016-05-00"),
    ]


async def test_broken_lines_among_good_ones(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    report = await import_lines(
        read_write, tmp_path, work(1), "null", work(2, score=101), work(3, popularity=10**12), "{x", work(4)
    )
    assert kept(report) == {"anime": (2, 0, 0)}
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("works.jsonl:2", "the line is no JSON object"),
        ("works.jsonl:3", "score: Input should be less than or equal to 100"),
        ("works.jsonl:4", "popularity: Input should be less than or equal to 2000000000"),
        ("works.jsonl:5", "not JSON: Expecting property name enclosed in double quotes at character 2"),
    ]
    assert report.exit_status.code == 1


async def test_literal_wildcards_and_backslashes_are_kept_as_given(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    titles = ["50% Hero", "50 Hero", "Night_Class", "NightXClass", "C:\\Dream", "\\"]
    lines = [
        json.dumps({"record": "anime", "ref": f"x:anime:{n}", "names": [{"name": title, "kind": "main"}]})
        for n, title in enumerate(titles)
    ]
    report = await import_lines(read_write, tmp_path, *lines)
    assert report.exit_status.code == 0
    assert {row[0] for row in await fetch(read_write, sa.select(entities.c.name))} == set(titles)


async def test_nothing_to_import_ends_with_status_2(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    assert (await import_lines(read_write, tmp_path, "{x")).exit_status.code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    assert (await import_path("interchange", empty, read_write)).exit_status.code == 2
