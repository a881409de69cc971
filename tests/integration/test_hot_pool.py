"""The pool of hot statements: it reads only, gives up in time, and resets nothing between two uses."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import asyncpg
import pytest
import sqlalchemy as sa
from agent_core.retrieval.mention_finder import CatalogueMentionFinder
from agent_core.retrieval.resolver import NameResolver
from agent_core.schemas import Mention
from datastore.errors import DatabaseUnavailable
from datastore.name_keys import END, PLAIN
from datastore.postgres.array_text import listed, listed_once
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.hot import HotPool, HotStatement, Row, fetch_rows
from datastore.postgres.name_search import search_names
from datastore.postgres.name_statements import (
    CORRECTED,
    DEEP_SEARCH,
    EQUAL,
    FIRST_PAGE,
    FIRST_PAGES,
    NEAR,
    SEARCH,
    SHARED_FIRST_PAGE,
    TWO_PAGES,
)
from datastore.vocabulary import EntityType, NameKind
from fixtures.catalogue_rows import add_entity
from fixtures.postgres import READER_ROLE
from sqlalchemy.exc import DBAPIError

_SETTINGS = HotStatement(
    sa.select(
        *(
            sa.func.current_setting(name).label(name)
            for name in ("role", "statement_timeout", "plan_cache_mode", "default_transaction_read_only")
        ),
        sa.func.pg_backend_pid().label("pid"),
    )
)
_SLEEP = HotStatement(sa.select(sa.func.pg_sleep(sa.bindparam("seconds", type_=sa.Float))))
_COLUMNS = ("name", "entity_type", "popularity", "version", "matched_name", "kind", "match_class")


@pytest.fixture
def options(database_url: str) -> PostgresOptions:
    """Two connections at most, as the reader."""
    return PostgresOptions(dsn=database_url, pool_min_size=1, pool_max_size=2, role=READER_ROLE)


@pytest.fixture
async def hot(options: PostgresOptions) -> AsyncGenerator[HotPool]:
    """A pool over the test's database."""
    pool = HotPool(options)
    yield pool
    await pool.close()


@pytest.fixture
async def named(read_write: ReadWriteEngine) -> None:
    """A few names that are alike."""
    async with read_write.begin() as conn:
        native = [(NameKind.NATIVE, "鋼の錬金術師")]
        await add_entity(conn, EntityType.ANIME, "Fullmetal Alchemist", names_by_kind=native, popularity=0.9)
        await add_entity(conn, EntityType.MANGA, "Fullmetal Alchemist: Brotherhood", popularity=0.5)
        await add_entity(conn, EntityType.CHARACTER, "The Alchemist", popularity=0.95)


async def test_every_connection_has_its_settings_and_is_used_again(hot: HotPool) -> None:
    await hot.warm()
    (first,) = await hot.fetch(_SETTINGS, {})
    (again,) = await hot.fetch(_SETTINGS, {})
    assert [first[name] for name in ("role", "statement_timeout", "plan_cache_mode")] == [
        READER_ROLE,
        "2s",
        "force_generic_plan",
    ]
    assert first["default_transaction_read_only"] == "on"
    assert first["pid"] == again["pid"]


async def test_nothing_is_written(options: PostgresOptions) -> None:
    owner = HotPool(replace(options, role=None))
    statement = sa.select(sa.update(entities).values(name="x").returning(entities.c.id).cte())
    with pytest.raises(Exception, match="read-only transaction"):
        await owner.fetch(HotStatement(statement), {})
    await owner.close()


async def test_a_slow_statement_and_a_full_pool_are_told_apart_from_none(options: PostgresOptions) -> None:
    pool = HotPool(replace(options, statement_timeout_ms=100, acquire_timeout_ms=50, pool_max_size=1))
    with pytest.raises(DatabaseUnavailable) as slow:
        await pool.fetch(_SLEEP, {"seconds": 5.0})
    assert slow.value.timed_out
    busy = asyncio.create_task(pool.fetch(_SLEEP, {"seconds": 0.09}))
    await asyncio.sleep(0.01)
    with pytest.raises(DatabaseUnavailable) as full:
        await pool.fetch(_SETTINGS, {})
    assert full.value.timed_out
    await busy
    await pool.close()


async def test_a_use_waits_for_a_connection_and_gets_the_one_used_last(options: PostgresOptions) -> None:
    pool = HotPool(replace(options, pool_max_size=1))
    rows = await asyncio.gather(*(pool.fetch(_SETTINGS, {}) for _ in range(5)))
    assert len({row["pid"] for (row,) in rows}) == 1
    await pool.close()


async def test_a_connection_that_the_server_ended_is_replaced(hot: HotPool, database_url: str) -> None:
    (first,) = await hot.fetch(_SETTINGS, {})
    other = await asyncpg.connect(database_url)
    await other.fetchval("SELECT pg_terminate_backend($1, 1000)", first["pid"])
    await other.close()
    await asyncio.sleep(0.05)
    (second,) = await hot.fetch(_SETTINGS, {})
    assert second["pid"] != first["pid"]


async def test_a_pool_that_is_closed_in_use_ends_the_use_and_opens_again(hot: HotPool) -> None:
    busy = asyncio.create_task(hot.fetch(_SLEEP, {"seconds": 1.5}))
    await asyncio.sleep(0.1)
    await hot.close()
    with pytest.raises(DatabaseUnavailable):
        await busy
    assert len(await asyncio.gather(*(hot.fetch(_SETTINGS, {}) for _ in range(4)))) == 4


async def test_a_cancelled_statement_leaves_the_pool_usable(hot: HotPool) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await hot.fetch(_SLEEP, {"seconds": 1.5})
    assert len(await asyncio.gather(*(hot.fetch(_SETTINGS, {}) for _ in range(4)))) == 4


async def test_a_server_that_is_away_is_a_typed_error() -> None:
    pool = HotPool(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:9/none", acquire_timeout_ms=500))
    with pytest.raises(DatabaseUnavailable) as away:
        await pool.fetch(_SETTINGS, {})
    assert not away.value.timed_out
    await pool.close()


async def test_resolver_and_mention_finder_read_names_through_the_pool(
    named: None, read_only: ReadOnlyEngine, hot: HotPool
) -> None:
    mentions = [Mention(text=text) for text in ("Fullmetal Alchemst", "The Alchemist", "鋼の錬金術師")]
    through_pool = await NameResolver(read_only, hot=hot).resolve(mentions, timeout=5)
    assert through_pool == await NameResolver(read_only).resolve(mentions, timeout=5)
    assert [each.chosen is not None for each in through_pool] == [True, True, True]
    text = "Who directed Fullmetal Alchemist?"
    found = await CatalogueMentionFinder(read_only, hot=hot).find(text, timeout=5)
    assert found == await CatalogueMentionFinder(read_only).find(text, timeout=5)
    assert [mention.text for mention in found] == ["Fullmetal Alchemist"]


async def test_words_parted_otherwise_and_misspelled_are_found(named: None, hot: HotPool) -> None:
    hits = await search_names(hot, "Full Metal Alchemst Brotherhod")
    assert [(hit.name, hit.match) for hit in hits] == [("Fullmetal Alchemist: Brotherhood", "typo")]


_PAGE: Mapping[str, object] = {
    "shelf": PLAIN,
    "exactness": [True, False],
    "entity_types": [],
    "listed_types": [""],
    "reach": 10,
    "limit": 10,
    "after_class": -1,
    "after_popularity": 0.0,
    "after_name": "",
    "after_id": UUID(int=0),
}
_ALCHEMIST = {**_PAGE, "prefixes": ["alchemist" + END, "alchemist"]}
_FIRST = ("Fullmetal Alchemist", "anime", 0.9, 1, "Fullmetal Alchemist", "main")
_SECOND = (
    "Fullmetal Alchemist: Brotherhood",
    "manga",
    0.5,
    1,
    "Fullmetal Alchemist: Brotherhood",
    "main",
)
_THIRD = ("The Alchemist", "character", 0.95, 1, "The Alchemist", "main")
_ROWS: list[tuple[HotStatement, Mapping[str, object], list[tuple[Any, ...]]]] = [
    (SEARCH, _ALCHEMIST, [(*_THIRD, 2), (*_FIRST, 2), (*_SECOND, 2)]),
    (DEEP_SEARCH, {**_ALCHEMIST, "limit": 2}, [(*_THIRD, 2), (*_FIRST, 2)]),
    (
        EQUAL,
        {"wanted": ["x"], "shelves": [PLAIN], "keys": ["fullmetalalchemist" + END], "listed_types": [""], "limit": 5},
        [(*_FIRST, 0)],
    ),
    (
        NEAR,
        {
            **{name: _PAGE[name] for name in ("entity_types", "listed_types", "limit")},
            "blocks": ["broth", "alche"],
            "block_places": [1, 0],
            "gapped": ["fu*lm"],
            "gap_places": [2],
        },
        [(*_SECOND, 3), (*_FIRST, 3), (*_THIRD, 3)],
    ),
]


@pytest.mark.parametrize(("statement", "parameters", "rows"), _ROWS, ids=["search", "deep", "equal", "near"])
async def test_a_statement_gives_these_rows(
    named: None, hot: HotPool, statement: HotStatement, parameters: Mapping[str, object], rows: list[tuple[Any, ...]]
) -> None:
    found = await hot.fetch(statement, parameters)
    assert [tuple(row[column] for column in _COLUMNS) for row in found] == rows


async def test_the_row_of_a_prefix_has_keys_and_hits(named: None, hot: HotPool) -> None:
    (row,) = await hot.fetch(FIRST_PAGE, {"shelf": PLAIN, "prefix": "fullm"})
    (other,) = await hot.fetch(FIRST_PAGE, {"shelf": PLAIN, "prefix": "the"})
    assert (row["prefix"], other["prefix"]) == ("f", "t")
    for prefixes, pages in (
        (("fullm", "the"), (row["entries"], other["entries"])),
        (("fullm", "fulm"), (row["entries"], row["entries"])),
        (("", "fulm"), (None, row["entries"])),
    ):
        parameters = {"shelf": PLAIN, "prefix": prefixes[0], "other_prefix": prefixes[1]}
        assert [(both["entries"], both["other_entries"]) for both in await hot.fetch(TWO_PAGES, parameters)] == [pages]
    lines = [line.split("\t") for line in row["entries"].split("\n")]
    assert [start for start, _ in lines] == ["fullmetalalchemist" + END, "fullmetalalchemistbrotherhood" + END]
    shown = [json.loads(hit) for _, hit in lines]
    assert [hit[1:9] for hit in shown] == [
        ["anime", "Fullmetal Alchemist", "Fullmetal Alchemist", "main", "prefix", 0.9, 1, 19],
        ["manga", *2 * ["Fullmetal Alchemist: Brotherhood"], "main", "prefix", 0.5, 1, 31],
    ]


async def test_rows_that_many_ask_for_are_read_in_one_statement(
    named: None, hot: HotPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[HotStatement] = []
    fetch = hot.fetch

    async def counting(statement: HotStatement, parameters: Mapping[str, object]) -> Sequence[Row]:
        asked.append(statement)
        return await fetch(statement, parameters)

    monkeypatch.setattr(hot, "fetch", counting)
    texts = ["fullm", "the", "", *20 * ["f"], "zz"]
    rows = await asyncio.gather(
        *(hot.fetch_shared(SHARED_FIRST_PAGE, {"shelf": PLAIN, "prefix": text}) for text in texts)
    )
    begun = [None if row is None else row["entries"].split(END)[0] for row in rows]
    assert begun == ["fullmetalalchemist", "thealchemist", None, *20 * ["fullmetalalchemist"], "thealchemist"]
    assert asked == [FIRST_PAGE, FIRST_PAGES]


async def test_an_unreadable_text_among_many_fails_alone(named: None, hot: HotPool) -> None:
    texts = ["fullm", "the", "\0", "f"]
    rows = await asyncio.gather(
        *(hot.fetch_shared(SHARED_FIRST_PAGE, {"shelf": PLAIN, "prefix": text}) for text in texts),
        return_exceptions=True,
    )
    assert [type(row).__name__ for row in rows] == ["Record", "Record", "CharacterNotInRepertoireError", "Record"]


async def test_a_correction_comes_with_its_row_where_a_name_begins_so(named: None, hot: HotPool) -> None:
    given = {"corrections": ["thealchemist", "xx"], "gapped": ["ful*m"], "rests": ["etal"], "forms": ["fulmetal"]}
    rows = await hot.fetch(CORRECTED, given)
    found = sorted((row["prefix"], row["entries"].split(END)[0], row["entries"].count("\t")) for row in rows)
    assert found == [
        ("fullmetal", "fullmetalalchemist", 2),
        ("fulmetal", "fullmetalalchemist", 2),
        ("thealchemist", "thealchemist", 1),
    ]


_LISTS = HotStatement(
    sa.select(
        listed("texts", sa.Text()).label("texts"),
        listed("numbers", sa.Integer()).label("numbers"),
        listed("truths", sa.Boolean()).label("truths"),
        (sa.literal_column("'b'") == sa.any_(listed_once("texts", sa.Text()))).label("is_in"),
    )
)


@pytest.mark.parametrize("texts", [[], [""], ["b", 'a"\\{,}', "null", "の\x01"]])
async def test_lists_arrive_as_they_were_given(hot: HotPool, read_only: ReadOnlyEngine, texts: list[str]) -> None:
    given = {"texts": texts, "numbers": [1, -2], "truths": [True, False]}
    async with read_only.connect() as connection:
        for source in (hot, connection):
            (row,) = await fetch_rows(source, _LISTS, given)
            found = [row[name] for name in ("texts", "numbers", "truths", "is_in")]
            assert found == [texts, [1, -2], [True, False], "b" in texts]


async def test_a_broken_statement_is_no_unavailable_database(hot: HotPool) -> None:
    broken = HotStatement(sa.select(sa.column("nowhere")))
    with pytest.raises(Exception, match="nowhere") as caught:
        await hot.fetch(broken, {})
    assert not isinstance(caught.value, (DatabaseUnavailable, DBAPIError))
