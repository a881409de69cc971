"""A dump that says less than its source said before: held back, or taken with what goes along with it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from datastore.identity import entity_id
from datastore.postgres.catalogue import anime, entities, episodes, external_ids, names, source_records
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import outbox
from fixtures.catalogue_imports import changed_rows, dump_tables, entity, fetch, import_records
from ingestion import importing, loss
from ingestion.formats.interchange import InterchangeFormat
from ingestion.importing import import_path
from ingestion.loss import Coverage, LossLimit
from ingestion.report import ExitStatus, ImportReport
from ingestion.report_table import report_table
from rich.console import Console

NAMES = sa.select(entities.c.name).order_by(entities.c.name)


class WholeFormat(InterchangeFormat):
    """Interchange lines that are all there is of their source."""

    name = "whole"


@pytest.fixture(autouse=True)
def whole_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format that holds its whole source, for as long as the test runs."""
    monkeypatch.setattr(importing, "FORMATS", {**importing.FORMATS, "whole": WholeFormat()})
    monkeypatch.setattr(loss, "_COVERAGE", {"whole": Coverage.WHOLE, "interchange": Coverage.EXTENSIBLE})


def work(number: int, **fields: Any) -> dict[str, Any]:
    given = {"names": [{"name": f"Work {number:02}", "kind": "main"}, {"name": f"仕事 {number}", "kind": "native"}]}
    return (
        {"record": "anime", "ref": f"mine:anime:{number}", "episodes": 12, "synopsis": "A day at work."}
        | given
        | fields
    )


def dump(folder: Path, works: Sequence[dict[str, Any]]) -> Path:
    path = folder / "dump.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in works), encoding="utf-8")
    return path


def lost(report: ImportReport) -> list[tuple[str, int, int]]:
    return [(each.kind, each.lost, each.had) for each in report.losses]


async def shown(engine: ReadWriteEngine) -> list[str]:
    return [row[0] for row in await fetch(engine, NAMES)]


@pytest.mark.parametrize("format_name", ["whole", "interchange"])
async def test_entities_that_are_missing_hold_an_import_back(
    read_write: ReadWriteEngine, tmp_path: Path, format_name: str
) -> None:
    works = [work(number) for number in range(20)]
    await import_path(format_name, dump(tmp_path, works), read_write)
    before = await dump_tables(read_write)
    path = dump(tmp_path, [*works[3:], work(77)])

    held = await import_path(format_name, path, read_write)
    assert (held.is_held_back, held.exit_status, lost(held)) == (True, ExitStatus.NOTHING, [("entities", 3, 20)])
    assert held.losses[0].first == ("Work 00", "Work 01", "Work 02")
    assert changed_rows(before, await dump_tables(read_write)) == {}

    taken = await import_path(format_name, path, read_write, accept_loss=True)
    assert (taken.is_held_back, taken.exit_status, taken.created, taken.removed) == (False, ExitStatus.OK, 1, 3)
    assert await shown(read_write) == [f"Work {number:02}" for number in [*range(3, 20), 77]]
    tombstones = sa.select(outbox.c.entity_id, outbox.c.version).where(outbox.c.operation == "delete")
    assert set(await fetch(read_write, tombstones)) == {(entity_id("mine", "anime", str(n)), 2) for n in range(3)}

    after = await dump_tables(read_write)
    again = await import_path(format_name, path, read_write, accept_loss=True)
    assert (again.losses, again.removed) == ((), 0)
    assert changed_rows(after, await dump_tables(read_write)) == {}


async def test_a_small_loss_is_applied_and_reported(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    works = [work(number) for number in range(20)]
    await import_path("whole", dump(tmp_path, works), read_write)
    report = await import_path("whole", dump(tmp_path, works[2:]), read_write)
    assert (report.is_held_back, lost(report), report.removed) == (False, [("entities", 2, 20)], 2)
    assert len(await shown(read_write)) == 18


async def test_an_addition_to_a_source_is_no_loss(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    await import_path("interchange", dump(tmp_path, [work(number) for number in range(20)]), read_write)
    report = await import_path("interchange", dump(tmp_path, [work(number) for number in range(20, 25)]), read_write)
    assert (report.losses, report.created) == ((), 5)
    # One that repeats a little of it takes nothing away unasked.
    small = await import_path("interchange", dump(tmp_path, [work(number) for number in range(2, 25)]), read_write)
    assert (lost(small), small.removed) == ([("entities", 2, 25)], 0)
    assert len(await shown(read_write)) == 25


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"synopsis": None}, [("synopsis", 4, 20)]),
        ({"names": [{"name": "Work", "kind": "main"}]}, [("names", 4, 40)]),
        ({"episodes": 13, "names": [{"name": "Job", "kind": "main"}, {"name": "仕事", "kind": "native"}]}, []),
    ],
    ids=["values", "names", "other values and names are no loss"],
)
async def test_values_and_names_that_are_missing_hold_an_import_back(
    read_write: ReadWriteEngine, tmp_path: Path, changes: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    works = [work(number) for number in range(20)]
    await import_path("interchange", dump(tmp_path, works), read_write)
    before = await dump_tables(read_write)
    path = dump(tmp_path, [*(each | changes for each in works[:4]), *works[4:]])
    held = await import_path("interchange", path, read_write)
    assert (lost(held), held.is_held_back) == (expected, bool(expected))
    assert (changed_rows(before, await dump_tables(read_write)) == {}) == bool(expected)
    taken = await import_path("interchange", path, read_write, accept_loss=True)
    assert (taken.exit_status, taken.changed) == (ExitStatus.OK, 4 * bool(expected))
    rest = sa.select(anime.c.synopsis).where(anime.c.synopsis.is_(None))
    assert len(await fetch(read_write, rest)) == 4 * ("synopsis" in changes)


async def test_the_limit_can_be_moved(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    works = [work(number) for number in range(20)]
    await import_path("whole", dump(tmp_path, works), read_write)
    path = dump(tmp_path, works[5:])
    assert (await import_path("whole", path, read_write, loss_limit=LossLimit(share=0.2))).is_held_back
    assert not (await import_path("whole", path, read_write, loss_limit=LossLimit(share=0.25))).is_held_back
    strict = LossLimit(share=0, minimum=1)
    assert (await import_path("whole", dump(tmp_path, works[6:]), read_write, loss_limit=strict)).is_held_back


async def test_what_another_source_says_stays(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    works = [work(number) for number in range(20)]
    await import_path("whole", dump(tmp_path, works), read_write, source="mine")
    other = entity("anime", "other:anime:1", "Werk", external_ids=["mine:anime:1"], season="fall")
    pilot = entity("episode", "other:episode:1", "Pilot", anime="mine:anime:0", number=1)
    await import_records(read_write, other, pilot, source="other")
    await import_path("whole", dump(tmp_path, works[3:]), read_write, source="mine", accept_loss=True)
    kept = entity_id("mine", "anime", "1")
    row = sa.select(entities.c.name, entities.c.version, anime.c.episodes, anime.c.season).join(
        anime, anime.c.id == entities.c.id
    )
    assert await fetch(read_write, row.where(entities.c.id == kept)) == [("Werk", 3, None, "fall")]
    assert await fetch(read_write, sa.select(names.c.name).where(names.c.entity_id == kept)) == [("Werk",)]
    refs = sa.select(external_ids.c.source).where(external_ids.c.entity_id == kept).order_by(external_ids.c.source)
    assert await fetch(read_write, refs) == [("mine",), ("other",)]
    assert await fetch(read_write, sa.select(source_records.c.source).where(source_records.c.entity_id == kept)) == [
        ("other",)
    ]
    # An episode goes with its anime, whoever spoke of it.
    assert await fetch(read_write, sa.select(episodes.c.id)) == []


async def test_a_refused_record_is_not_missing(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    works = [work(number) for number in range(20)]
    await import_path("whole", dump(tmp_path, works), read_write)
    path = dump(tmp_path, [work(0, episodes=-1), *works[2:]])
    report = await import_path("whole", path, read_write)
    assert (report.refused_count, report.removed, lost(report)) == (1, 1, [("entities", 2, 20)])
    assert (await shown(read_write))[:2] == ["Work 00", "Work 02"]
    path.write_text(f"not a record\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:-1]), encoding="utf-8")
    assert (await import_path("whole", path, read_write)).removed == 0


async def test_each_source_of_a_dump_is_surveyed_by_itself(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    sections = [{"record": "source", "source": "one"}, *(work(n) for n in range(4))]
    others = [{"record": "source", "source": "two"}, *(work(n, ref=f"two:anime:{n}") for n in range(4))]
    await import_path("interchange", dump(tmp_path, [*sections, *others]), read_write)
    report = await import_path("interchange", dump(tmp_path, [*sections, *others[:2]]), read_write)
    assert [(each.source, each.kind, each.lost, each.had) for each in report.losses] == [("two", "entities", 3, 4)]
    assert report.is_held_back


async def test_a_report_says_what_to_do(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    works = [work(number) for number in range(20)]
    await import_path("whole", dump(tmp_path, works), read_write)
    console = Console(width=200)
    report = await import_path("whole", dump(tmp_path, works[15:]), read_write)
    with console.capture() as capture:
        console.print(report_table(report))
    text = capture.get()
    assert "whole entities: 15 of 20 (Work 00, Work 01," in text
    assert "held back, nothing was written; --accept-loss imports it all the same" in text
