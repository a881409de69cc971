"""Names and texts that hurt a name search: everything begins alike, one has many keys, nothing is found; in time."""

import time
from collections.abc import AsyncGenerator

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import names
from datastore.postgres.engine import PostgresOptions
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import search_names
from datastore.vocabulary import EntityType
from fixtures.catalogue_imports import entity, import_records
from fixtures.postgres import TEMPLATE, TestServer, open_patient, run_apart

ALIKE, NAMES_OF_ONE = 400, 50
PAGE = 20
STATEMENT_SECONDS = 2.0


@pytest.fixture(scope="module")
def hostile_url(postgres_server: TestServer) -> str:
    """A database for the module; its tests only read."""
    url = postgres_server.dsn(postgres_server.create(TEMPLATE))
    run_apart(lambda: _fill(url))
    return url


@pytest.fixture
async def pool(hostile_url: str) -> AsyncGenerator[HotPool]:
    """The connections that people wait for, with the time-out of one statement."""
    pool = HotPool(PostgresOptions(dsn=hostile_url, statement_timeout_ms=int(1000 * STATEMENT_SECONDS)))
    yield pool
    await pool.close()


async def _fill(url: str) -> None:
    many = [{"name": f"{'La ' * 30}{number}", "kind": "alias" if number else "main"} for number in range(NAMES_OF_ONE)]
    engine = open_patient(url)
    await import_records(
        engine,
        *(entity("anime", f"first:anime:{number}", "進撃の巨人") for number in range(ALIKE)),
        entity("anime", "first:anime:many", "", names=many),
        *(entity("anime", f"first:anime:lazy{number}", f"Lazy {number}") for number in range(3)),
    )
    async with engine.begin() as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(names)) == ALIKE + NAMES_OF_ONE + 3
    await engine.close()


@pytest.mark.parametrize("types", [[], [EntityType.ANIME]], ids=["all", "anime"])
async def test_names_with_many_keys_hide_no_others(pool: HotPool, types: list[EntityType]) -> None:
    for limit in (PAGE, 2 * PAGE):
        hits = await search_names(pool, "la", entity_types=types, limit=limit)
        assert [hit.name[:6] for hit in hits] == ["La La ", "Lazy 0", "Lazy 1", "Lazy 2"]


@pytest.mark.parametrize(
    ("text", "types", "count"),
    [
        ("進", [], PAGE),
        ("の", [], PAGE),
        ("進撃の巨人", [], PAGE),
        ("進撃の巨人" * 2_000, [], 0),
        ("進", [EntityType.STUDIO], 0),
        ("進", list(EntityType), PAGE),
        ("l", [], 4),
        ("la " * 5_000, [], 0),
        ("la " * 5_000, [EntityType.STUDIO], 0),
        ("%" * 10_000, [], 0),
        ("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 10_000, [], 0),
        ("\ud800\x00\N{RIGHT-TO-LEFT OVERRIDE}", [], 0),
    ],
)
async def test_hostile_texts_stay_within_a_page_and_time(
    pool: HotPool, text: str, types: list[EntityType], count: int
) -> None:
    began = time.perf_counter()
    hits = await search_names(pool, text, entity_types=types, limit=PAGE)
    assert time.perf_counter() - began < 2 * STATEMENT_SECONDS
    assert len(hits) == count
