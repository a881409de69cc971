"""Real titles in every way of writing find their own work first; works of one title stay as many as they are."""

import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.folding import fold, squeeze
from datastore.identity import entity_id, parse_ref
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_write
from datastore.postgres.name_search import search_names
from fixtures.catalogue_imports import count, entity, fetch, import_records, kept
from fixtures.hard_titles import SPELLINGS, HardTitle, hard_titles, title_works
from ingestion.formats.protocol import Located
from ingestion.records import EntityRecord

pytestmark = [pytest.mark.data, pytest.mark.timeout(600)]

_AMONG_NAMESAKES = 3


@pytest.fixture
async def patient(database_url: str) -> AsyncGenerator[ReadWriteEngine]:
    """Writes and reads the test's database without hurry."""
    options = PostgresOptions(
        dsn=database_url, pool_max_size=2, acquire_timeout_ms=60_000, statement_timeout_ms=120_000
    )
    engine = open_read_write(options)
    yield engine
    await engine.close()


async def test_every_spelling_finds_the_work_that_bears_the_title(patient: ReadWriteEngine, data_folder: Path) -> None:
    titles = hard_titles(data_folder / "anime")
    assert len(titles) == 211
    works = title_works(data_folder / "anime", only={each.ref for each in titles})
    assert await _misses(patient, works, titles) == []


@pytest.mark.slow
async def test_every_spelling_finds_its_work_among_all_others(patient: ReadWriteEngine, data_folder: Path) -> None:
    works = title_works(data_folder / "anime")
    assert len(works) == 8483 + 770
    assert await _misses(patient, works, hard_titles(data_folder / "anime")) == []


async def test_works_of_one_title_never_merge_and_are_all_found(patient: ReadWriteEngine, data_folder: Path) -> None:
    lines = (data_folder / "anime" / "same_title_groups.jsonl").read_text(encoding="utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    refs = {group["title"]: [f"bangumi_data:anime:{work['index']}" for work in group["works"]] for group in groups}
    sites = {
        f"bangumi_data:anime:{work['index']}": [f"mal:anime:{work['sites']['mal']}"] if "mal" in work["sites"] else []
        for group in groups
        for work in group["works"]
    }
    records = [
        entity("anime", ref, title, external_ids=sites[ref]) for title, members in refs.items() for ref in members
    ]
    first = await import_records(patient, *records)
    again = await import_records(patient, *records, source="another")
    strangers = [entity("anime", f"other:anime:{n}", title) for n, title in enumerate(refs)]
    await import_records(patient, *strangers, source="third")

    assert (kept(first)["anime"], kept(again)["anime"]) == ((117, 0, 0), (0, 0, 117))
    assert await count(patient, entities) == 117 + 54
    async with patient.begin(120) as connection:
        for number, (title, members) in enumerate(refs.items()):
            hits = await search_names(connection, title, limit=len(members) + 1)
            wanted = {_id(ref) for ref in (*members, f"other:anime:{number}")}
            assert ({hit.entity_id for hit in hits}, {hit.match for hit in hits}) == (wanted, {"exact"}), title


async def _misses(
    engine: ReadWriteEngine, works: Sequence[Located], titles: Sequence[HardTitle]
) -> list[tuple[str, str, int | None]]:
    """Spellings that don't find their work first, or among the first where another one has the title too."""
    report = await import_records(engine, *works)
    assert report.refused_count == 0
    stored = await fetch(engine, sa.select(entities.c.id))
    assert len(stored) == len(works)
    bearers = _bearers(works)
    misses: list[tuple[str, str, int | None]] = []
    async with engine.begin(600) as connection:
        for each in titles:
            allowed = _AMONG_NAMESAKES if bearers[_key(each.title)] > 1 else 1
            spelled = {write(each.title): spelling for spelling, write in reversed(list(SPELLINGS.items()))}
            for text, spelling in spelled.items():
                hits = await search_names(connection, text, limit=_AMONG_NAMESAKES)
                found = [hit.entity_id for hit in hits]
                place = found.index(_id(each.ref)) if _id(each.ref) in found else None
                if place is None or place >= allowed:
                    misses.append((spelling, each.title, place))
    return misses


def _bearers(works: Sequence[Located]) -> dict[str, int]:
    """How many works have each title, as search compares them."""
    bearers: dict[str, int] = {}
    for work in works:
        assert isinstance(work.record, EntityRecord)
        for key in {_key(name.name) for name in work.record.names}:
            bearers[key] = bearers.get(key, 0) + 1
    return bearers


def _key(title: str) -> str:
    return squeeze(fold(title))


def _id(ref: str) -> UUID:
    parsed = parse_ref(ref)
    return entity_id(parsed.source, parsed.kind, parsed.external_id)
