"""The demo part by part: what is lacking is loaded, what is there stays, an owner's catalogue is left alone."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import entities
from datastore.postgres.demo_parts import demo_parts
from datastore.postgres.documents import documents
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import changed_rows, dump_tables, entity, fetch, import_records
from fixtures.statements import StatementCount, StatementCounter
from ingestion.demo.loading import Demo, load_demo
from ingestion.documents.importing import DocumentImporter
from ingestion.importing import import_path

type Load = Callable[[], Awaitable[list[str]]]

_LAMP = "# The Lamp of Vrell\n\nThe lamp of Vrell burns 40 litres of oil a night.\n"
_WICK = "# The Wick\n\nThe wick is 3 metres long.\n"


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    """A small demo of two works and two documents."""
    packaged = Demo(tmp_path / "catalogue", {"lamp_room": tmp_path / "lamp_room"})
    for folder in (packaged.catalogue, *packaged.documents.values()):
        folder.mkdir()
    _write_works(packaged, "Vrell", "Vrell Again")
    _write_document(packaged, "lamp.md", _LAMP)
    _write_document(packaged, "wick.md", _WICK)
    return packaged


def _write_works(demo: Demo, *names: str) -> None:
    lines = (
        {"record": "anime", "ref": f"enishi:anime:{place}", "names": [{"name": name, "kind": "main"}], "episodes": 12}
        for place, name in enumerate(names, start=1)
    )
    (demo.catalogue / "works.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def _write_document(demo: Demo, name: str, text: str) -> None:
    (demo.documents["lamp_room"] / name).write_text(text, encoding="utf-8")


@pytest.fixture
def load(read_write: ReadWriteEngine, demo: Demo) -> Load:
    """Loads the demo as a start does, and says which parts were loaded."""

    async def loaded() -> list[str]:
        parts: list[str] = []
        await load_demo(read_write, on_part=parts.append, demo=demo)
        return parts

    return loaded


async def _names(engine: ReadWriteEngine) -> list[str]:
    return [row[0] for row in await fetch(engine, sa.select(entities.c.name).order_by(entities.c.name))]


def _queries(sent: StatementCount) -> list[str]:
    """What was sent beside each transaction's limits of time."""
    return [statement for statement in sent.statements if "set_config" not in statement]


async def test_an_empty_home_gets_every_part_once(
    read_write: ReadWriteEngine, load: Load, statement_counter: StatementCounter
) -> None:
    assert await load() == ["catalogue", "documents"]
    assert await _names(read_write) == ["The Lamp of Vrell", "The Wick", "Vrell", "Vrell Again"]

    before = await dump_tables(read_write)
    with statement_counter.counting() as sent:
        assert await load() == []
    assert len(_queries(sent)) == 1
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_a_home_of_an_older_version_gets_its_documents(
    read_write: ReadWriteEngine, demo: Demo, load: Load
) -> None:
    await import_path("interchange", demo.catalogue, read_write, source="demo")
    before = await dump_tables(read_write)

    await load()

    changes = changed_rows(before, await dump_tables(read_write))
    assert await _names(read_write) == ["The Lamp of Vrell", "The Wick", "Vrell", "Vrell Again"]
    assert (changes["entities"], changes["documents"]) == ((0, 2), (0, 2))
    assert not changes.keys() & {"source_records", "anime"}
    assert await load() == []


async def test_a_catalogue_of_its_owners_is_left_alone(
    read_write: ReadWriteEngine, load: Load, statement_counter: StatementCounter
) -> None:
    await import_records(read_write, entity("anime", "own:anime:1", "Quelbrath"), source="own")
    before = await dump_tables(read_write)

    with statement_counter.counting() as sent:
        assert await load() == []
    assert len(_queries(sent)) == 1
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_a_home_with_nothing_but_documents_of_its_owners_is_left_alone(
    read_write: ReadWriteEngine, demo: Demo, load: Load, tmp_path: Path
) -> None:
    own = tmp_path / "own.md"
    own.write_text("# Own\n\nOne's own note.\n", encoding="utf-8")
    await DocumentImporter(read_write).add(own, collection="notes")

    assert await load() == []
    assert await _names(read_write) == ["Own"]


async def test_a_demo_with_entries_of_its_owners_stays_in_its_edition(
    read_write: ReadWriteEngine, demo: Demo, load: Load
) -> None:
    await load()
    await import_records(read_write, entity("anime", "own:anime:1", "Quelbrath"), source="own")
    _write_works(demo, "Vrell Renamed")

    assert await load() == []
    assert "Vrell" in await _names(read_write)


async def test_another_edition_of_the_documents_changes_those_that_differ(
    read_write: ReadWriteEngine, demo: Demo, load: Load
) -> None:
    await load()
    before = await dump_tables(read_write)
    _write_document(demo, "wick.md", _WICK.replace("3 metres", "4 metres"))

    assert await load() == ["documents"]
    changes = changed_rows(before, await dump_tables(read_write))
    assert changes["documents"] == (1, 1)
    assert "anime" not in changes
    [text] = [row[0] for row in await fetch(read_write, sa.select(documents.c.text)) if "wick" in row[0]]
    assert "4 metres" in text


async def test_another_edition_of_the_catalogue_takes_out_what_it_leaves_out(
    read_write: ReadWriteEngine, demo: Demo, load: Load
) -> None:
    await load()
    _write_works(demo, "Vrell Renamed")

    assert await load() == ["catalogue"]
    assert await _names(read_write) == ["The Lamp of Vrell", "The Wick", "Vrell Renamed"]


async def test_a_start_that_was_cut_short_is_gone_on_with(read_write: ReadWriteEngine, demo: Demo, load: Load) -> None:
    await load()
    async with read_write.begin(5) as connection:
        await connection.execute(demo_parts.delete().where(demo_parts.c.name == "documents"))

    assert await load() == ["documents"]
    assert await load() == []
