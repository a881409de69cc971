"""The rows that every prepared statement of name search gives on one small catalogue, reviewed as rows."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
from datastore.name_keys import END, PLAIN, typed_keys
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine
from datastore.postgres.hot import HotPool, HotStatement
from datastore.postgres.name_statements import (
    CORRECTED,
    DEEP_SEARCH,
    EQUAL,
    FIRST_PAGE,
    FIRST_PAGES,
    NEAR,
    SEARCH,
    TWO_PAGES,
)
from datastore.top_lists import ALL_TYPES, LISTED
from datastore.typos import corrections, near_blocks
from datastore.vocabulary import EntityType, NameKind
from fixtures.catalogue_rows import add_entity
from fixtures.postgres import READER_ROLE
from syrupy.assertion import SnapshotAssertion

CROWD = LISTED + 2
"""So many entities of one beginning that it has a list."""


@pytest.fixture
async def pool(read_write: ReadWriteEngine, database_url: str) -> AsyncGenerator[HotPool]:
    """Readers of a catalogue with a crowd of one beginning, and a few names that are met in other ways."""
    async with read_write.begin() as conn:
        for number in range(CROWD):
            entity_type = EntityType.ANIME if number % 2 else EntityType.CHARACTER
            await add_entity(conn, entity_type, f"Zorblax {number:02}", popularity=number / 100)
        await add_entity(
            conn,
            EntityType.MANGA,
            "Quindle Vortex",
            popularity=0.7,
            names_by_kind=[(NameKind.NATIVE, "渦の星"), (NameKind.ALIAS, "Shoujo Kuindoru")],
        )
        await add_entity(conn, EntityType.PERSON, "Quindle", popularity=0.2)
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1, role=READER_ROLE))
    yield pool
    await pool.close()


def statements() -> dict[str, tuple[HotStatement, dict[str, Any]]]:
    """Every statement with parameters that make it say something."""
    typed = typed_keys("quindle")
    crowd = typed_keys("zorblax")
    assert typed is not None
    assert crowd is not None
    meant = corrections(["quindel", "qundle"])
    blocks, gaps = near_blocks("quindlle")
    start = {"after_class": -1, "after_popularity": 0.0, "after_name": "", "after_id": UUID(int=0)}
    of_all: dict[str, Any] = {"entity_types": [], "listed_types": [ALL_TYPES]}
    page = {"shelf": PLAIN, "prefixes": [typed.exact, *typed.prefixes], "exactness": [True, False], "limit": 3}
    listed = page | {"prefixes": [crowd.exact, *crowd.prefixes]}
    of_anime = {"entity_types": [EntityType.ANIME], "listed_types": [EntityType.ANIME]}
    return {
        "first_page": (FIRST_PAGE, {"shelf": PLAIN, "prefix": "quin"}),
        "first_pages": (FIRST_PAGES, {"every_shelf": [PLAIN, PLAIN], "every_prefix": ["渦", "shou"]}),
        "two_pages": (TWO_PAGES, {"shelf": PLAIN, "prefix": "shou", "other_prefix": "sho"}),
        "corrected": (
            CORRECTED,
            {"corrections": meant.texts, "gapped": meant.gapped, "rests": meant.rests, "forms": meant.forms},
        ),
        "search": (SEARCH, page | of_all | start | {"reach": 3}),
        "search_by_list": (SEARCH, listed | of_anime | start | {"reach": 3}),
        "deep_search": (DEEP_SEARCH, page | of_all | start),
        "equal": (
            EQUAL,
            {
                "wanted": ["quindle", "quindle vortex"],
                "shelves": [PLAIN, PLAIN],
                "keys": [f"quindle{END}", f"quindlevortex{END}"],
                "listed_types": [ALL_TYPES],
                "limit": 5,
            },
        ),
        "near": (
            NEAR,
            of_all
            | {
                "blocks": blocks,
                "block_places": [0] * len(blocks),
                "gapped": gaps,
                "gap_places": [0] * len(gaps),
                "limit": 5,
            },
        ),
    }


async def test_rows_are_the_reviewed_ones(pool: HotPool, snapshot: SnapshotAssertion) -> None:
    found: dict[str, list[str]] = {}
    for name, (statement, parameters) in statements().items():
        rows: list[Any] = list(await pool.fetch(statement, parameters))
        texts = [", ".join(f"{column}={value}" for column, value in row.items()) for row in rows]
        found[name] = [text.replace(END, "|") for text in texts]
    assert [name for name, rows in found.items() if not rows] == []
    assert found == snapshot


async def test_every_road_to_a_page_gives_the_same_rows(pool: HotPool) -> None:
    asked = statements()
    by_lists, by_keys = [await pool.fetch(*asked[name]) for name in ("search", "deep_search")]
    assert by_lists == by_keys
