"""Gold answers on the demo catalogue, as its importer stores it, under its own names and under nonsense."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import asyncpg
import pytest
from agent_evals.dataset import DatasetError, Match, NameBook
from agent_evals.gold import Gold, GoldSource
from agent_evals.renamed import rename, to_jsonl
from agent_evals.shipped import Dataset, demo_records, load_shipped
from datastore.postgres.engine import ReadWriteEngine
from ingestion.demo import demo_catalogue_folder
from ingestion.importing import import_path
from ingestion.records import AnyEntity, AnyLink

CASES = tuple(case for dataset in Dataset for case in load_shipped(dataset))

type Connection = asyncpg.Connection[asyncpg.Record]


@pytest.fixture
async def connection(database_url: str) -> AsyncGenerator[Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def golds(connection: Connection, records: Sequence[AnyEntity | AnyLink]) -> dict[str, Gold]:
    source = GoldSource(connection, NameBook(records))
    return {case.id: await source.gold(case) for case in CASES}


async def test_positives_have_gold_and_negatives_none(read_write: ReadWriteEngine, connection: Connection) -> None:
    await import_path("interchange", demo_catalogue_folder(), read_write)
    found = await golds(connection, demo_records())
    assert [case.id for case in CASES if case.is_negative and found[case.id].rows] == []
    assert [case.id for case in CASES if not case.is_negative and not found[case.id].rows] == []
    ambiguous = [found[case.id] for case in CASES if case.match is Match.CANDIDATES]
    assert all(len(gold.entities) >= 2 for gold in ambiguous)
    compared = [found[case.id] for case in CASES if case.match is Match.COMPARISON]
    assert all(len(gold.values) == 2 for gold in compared)
    assert all(len(found[case.id].subjects) == 2 for case in CASES if case.match is Match.PATH)


async def test_known_answers(read_write: ReadWriteEngine, connection: Connection) -> None:
    await import_path("interchange", demo_catalogue_folder(), read_write)
    found = await golds(connection, demo_records())

    def answer(case_id: str) -> list[str]:
        return sorted(row.value or row.names[0] for row in found[case_id].rows)

    assert answer("lookup-01") == ["24"]
    assert answer("lookup-08") == ["Adventure", "Drama", "Fantasy"]
    assert answer("relation-03") == [
        "Howl's Moving Castle",
        "My Neighbor Totoro",
        "Princess Mononoke",
        "Spirited Away",
    ]
    assert answer("path-01") == ["2"]
    assert answer("path-06") == ["4"]
    assert answer("comparison-01") == ["51", "64"]
    assert answer("voice-04") == ["Steins;Gate", "Steins;Gate 0", "Steins;Gate: The Movie - Load Region of Déjà Vu"]
    assert answer("vague-06") == ["Mushishi"]
    assert answer("multihop-05") == ["Rie Kugimiya"]
    assert answer("held-lookup-03") == ["2020-05-18"]
    assert answer("held-relation-03") == ["Minato Namikaze", "Nagato", "Naruto Uzumaki"]
    assert answer("held-path-04") == ["3"]
    assert answer("held-comparison-03") == ["2006-10-04", "2006-10-06"]
    assert answer("held-voice-02") == ["Edward Elric", "Hange Zoë", "Temari", "Toshiro Hitsugaya"]
    assert answer("held-vague-03") == ["Brook"]
    assert answer("held-multihop-03") == ["Howl's Moving Castle", "Princess Mononoke", "Spirited Away"]


async def test_gold_is_the_same_under_nonsense_names(
    read_write: ReadWriteEngine, connection: Connection, tmp_path: Path
) -> None:
    records = demo_records()
    twins = rename(records)
    (tmp_path / "twin.jsonl").write_text(to_jsonl(twins), encoding="utf-8")
    await import_path("interchange", tmp_path, read_write)
    renamed = await golds(connection, twins)
    assert await connection.fetchval("SELECT count(*) FROM names WHERE name = 'Cowboy Bebop'") == 0
    await import_path("interchange", demo_catalogue_folder(), read_write)
    original = await golds(connection, records)
    for case in CASES:
        assert renamed[case.id].entities == original[case.id].entities, case.id
        assert sorted(renamed[case.id].values) == sorted(original[case.id].values), case.id


async def test_a_reference_that_is_not_stored_is_an_error(connection: Connection) -> None:
    with pytest.raises(DatasetError, match="enishi:anime:steins-gate is not in the catalogue"):
        await GoldSource(connection, NameBook(demo_records())).gold(CASES[0])
