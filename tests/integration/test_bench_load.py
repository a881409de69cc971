"""Loading an invented catalogue: the real tables, the product's own rebuilds, and a load that goes on after a cut."""

import itertools
from collections.abc import Sequence

import asyncpg
import pytest
from agent_evals.bench import bulk_load
from agent_evals.bench.bulk_load import load_catalogue
from agent_evals.bench.bulk_rows import entity_ids, node_of
from agent_evals.bench.conditions import postgres_settings
from agent_evals.bench.invented_catalogue import invent_catalogue
from agent_evals.bench.scale import FULL
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.name_search import search_names

TINY = invent_catalogue(FULL.divided_by(2000))
STAGES = ["entities", "popularity", "names", "links", "statistics of the rows", "edges", "search rows", "statistics"]


async def load(dsn: str) -> list[str]:
    """The stages that this load did."""
    ticks = itertools.count()
    done = await load_catalogue(dsn, TINY, entity_ids(TINY), progress=lambda _: None, clock=lambda: float(next(ticks)))
    return [stage.name for stage in done]


async def count(dsn: str, table: str) -> int:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(f"SELECT count(*) FROM {table}")
    finally:
        await connection.close()


async def test_everything_is_there_once_and_the_second_load_has_nothing_to_do(
    database_url: str, read_only: ReadOnlyEngine
) -> None:
    assert await load(database_url) == STAGES
    assert await count(database_url, "entities") == TINY.size
    assert await count(database_url, "names") == len(TINY.names.texts)
    assert await count(database_url, "edges") == 2 * len(TINY.links.pairs)
    async with read_only.connect() as conn:
        found = await search_names(conn, TINY.titles[0])
    assert entity_ids(TINY)[0] in {hit.entity_id for hit in found}
    assert await load(database_url) == []


async def test_a_load_that_was_cut_short_goes_on(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: object) -> int:
        raise RuntimeError("cut short")

    with monkeypatch.context() as broken:
        broken.setattr(bulk_load, "rebuild_edges", fail)
        with pytest.raises(RuntimeError, match="cut short"):
            await load(database_url)
    assert await load(database_url) == ["edges", "search rows", "statistics"]


async def test_what_is_derived_is_derived_anew_by_other_code(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await load(database_url)

    def changed(patterns: Sequence[str]) -> str:
        return "another" if patterns else ""

    monkeypatch.setattr(bulk_load, "code_digest", changed)
    assert await load(database_url) == ["popularity", "edges", "search rows", "statistics"]
    assert await count(database_url, "edges") == 2 * len(TINY.links.pairs)


def test_every_derived_stage_knows_its_code() -> None:
    for stage, patterns in bulk_load.DERIVED_BY.items():
        assert stage in STAGES
        for pattern in patterns:
            assert bulk_load.code_files([pattern]), pattern


async def test_new_rows_get_keys_of_their_own(database_url: str) -> None:
    await load(database_url)
    connection = await asyncpg.connect(database_url)
    try:
        node = await connection.fetchval(
            "INSERT INTO entities (id, entity_type, name, content_hash) "
            "VALUES (gen_random_uuid(), 'studio', 'new', '') RETURNING node"
        )
    finally:
        await connection.close()
    assert node == node_of(TINY.size)


async def test_the_servers_settings_are_reported(database_url: str) -> None:
    settings = await postgres_settings(database_url)
    assert settings["server_version"].startswith("18.")
    assert settings["fsync"] == "off"
    assert not any("/" in value for value in settings.values())
