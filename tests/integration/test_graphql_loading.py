"""How GraphQL reads: a fixed number of statements, keys in order, failures kept to their own fields, nothing shared."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from asyncpg import PostgresError
from datastore.edges import EdgeType
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine
from datastore.postgres.entity_rows import LinkRow
from datastore.postgres.hot import HotPool
from datastore.vocabulary import AppearanceRole
from factories import CatalogueFactory
from fixtures.graphql import GraphqlClient, Json, serving_graphql
from fixtures.statements import StatementCounter
from graphql_bff.catalogue.loaders import LinkBudget, LinkKey, LinkLoader, LinkPage, RowLoader
from graphql_bff.reading import CatalogueReader

NESTED = """query($ids: [ID!]!, $first: Int!) {
  entities(ids: $ids) { name ... on Work { characters(first: $first) { qualifier entity { name ... on Character {
    voiceActors(first: 2) { entity { name ... on Person {
      voices(first: 1) { entity { name ... on Character { works(first: 1) { name } } } }
    } } }
  } } } } }
}"""


PAGE = """query Page($ids: [ID!]!) {
  entities(ids: $ids) { id name names { name kind } ... on Work { year score characters(first: 5) { qualifier entity {
    id name popularity names { name } externalIds { id } } } } }
}"""


@pytest.fixture
async def graphql(database_url: str) -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(database_url) as client:
        yield client


async def write_works(read_write: ReadWriteEngine, count: int, *, cast: int = 3) -> list[UUID]:
    """Works with characters and voice actors of their own."""
    works: list[UUID] = []
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        for number in range(count):
            work = await make.make_anime(f"Work {number}")
            works.append(work)
            for place in range(cast):
                character = await make.make_character(f"Character {number} {place}", popularity=0.9 - place / 10)
                await make.appears(character, work, AppearanceRole.MAIN)
                await make.voices(await make.make_person(f"Voice {number} {place}"), character)
    return works


@asynccontextmanager
async def reading(database_url: str) -> AsyncGenerator[CatalogueReader]:
    """A reader that waits for a busy machine."""
    pool = HotPool(PostgresOptions(dsn=database_url, statement_timeout_ms=20_000, acquire_timeout_ms=10_000))
    try:
        yield CatalogueReader(pool, seconds=20)
    finally:
        await pool.close()


def reads(statements: Sequence[str]) -> int:
    """How many read something: each transaction's settings are not counted."""
    return sum("set_config" not in statement for statement in statements)


async def test_nested_lists_take_as_many_statements_for_fifty_rows_as_for_one(
    graphql: GraphqlClient, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    works = await write_works(read_write, 50)
    seen: dict[int, int] = {}
    for rows in (1, 10, 50):
        with statement_counter.counting() as count:
            data = await graphql.data(NESTED, ids=[str(work) for work in works[:rows]], first=3)
        seen[rows] = reads(count.statements)
        assert len(data["entities"]) == rows
        for number, work in enumerate(data["entities"]):
            voices = [link["entity"]["voiceActors"][0]["entity"] for link in work["characters"]]
            assert [voice["name"] for voice in voices] == [f"Voice {number} {place}" for place in range(3)]
            assert voices[2]["voices"][0]["entity"]["name"] == f"Character {number} 2"
            assert voices[2]["voices"][0]["entity"]["works"] == [{"name": f"Work {number}"}]

    # What the ids are, works, their links; characters, their links; people, their links; characters are known by now;
    # their links. What a link leads to is known to be of its type.
    assert seen == {1: 6, 10: 6, 50: 6}


async def test_a_page_takes_a_bounded_number_of_statements_on_both_roads(
    database_url: str, tmp_path: Path, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    works = await write_works(read_write, 20, cast=5)
    (tmp_path / "page.graphql").write_text(PAGE)
    seen: dict[tuple[str, int], int] = {}
    async with serving_graphql(database_url, trusted_documents=tmp_path) as graphql:
        for rows in (1, 5, 20):
            pages: list[Json] = []
            for road, document in (("fast", PAGE), ("reference", f"{PAGE} ")):
                with statement_counter.counting() as count:
                    pages.append(await graphql.data(document, ids=[str(work) for work in works[:rows]]))
                seen[road, rows] = count.total
            assert pages[0] == pages[1]
            assert [len(work["characters"]) for work in pages[0]["entities"]] == [5] * rows
        assert graphql.app.state.fast_lane.answered == 3

    assert {rows: seen["fast", rows] for rows in (1, 5, 20)} == {1: 1, 5: 1, 20: 1}
    # What the ids are, works, their names, their links; characters, their names, their external ids. No transaction.
    assert {rows: seen["reference", rows] for rows in (1, 5, 20)} == {1: 6, 5: 6, 20: 6}


async def test_far_ends_come_with_their_links_whether_they_are_shown_or_not(
    graphql: GraphqlClient, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    works = await write_works(read_write, 3)
    document = """query($ids: [ID!]!, $whole: Boolean!) { entities(ids: $ids) { ... on Work {
        characters { name entity @include(if: $whole) { ...Who } } } } }
        fragment Who on Entity { __typename name }"""
    seen: dict[bool, int] = {}
    for whole in (True, False):
        with statement_counter.counting() as count:
            data = await graphql.data(document, ids=[str(work) for work in works], whole=whole)
        seen[whole] = count.total
        assert data["entities"][1]["characters"][0] == {"name": "Character 1 0"} | (
            {"entity": {"__typename": "Character", "name": "Character 1 0"}} if whole else {}
        )
    assert seen == {True: 3, False: 3}


async def test_a_list_of_mixed_types_takes_one_statement_for_each_type(
    graphql: GraphqlClient, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        ids = [await make.make_anime(f"Anime {number}") for number in range(5)]
        ids += [await make.make_manga(f"Manga {number}") for number in range(5)]
        ids += [await make.make_studio(f"Studio {number}") for number in range(5)]
    with statement_counter.counting() as count:
        data = await graphql.data("query($ids: [ID!]!) { entities(ids: $ids) { name } }", ids=[str(i) for i in ids])

    assert [entity["name"] for entity in data["entities"]] == [
        f"{kind} {number}" for kind in ("Anime", "Manga", "Studio") for number in range(5)
    ]
    assert reads(count.statements) == 4


async def test_aliases_of_one_query_share_statements_and_keep_their_answers(
    graphql: GraphqlClient, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        ninth, first = await make.make_character("Nine"), await make.make_character("One")
    document = """query($nine: ID!, $one: ID!, $none: ID!) {
        a: character(id: $nine) { ...who } b: character(id: $one) { ...who }
        c: character(id: $none) { ...who } d: character(id: $nine) { ...who }
    } fragment who on Character { id name }"""
    with statement_counter.counting() as count:
        data = await graphql.data(document, nine=str(ninth), one=str(first), none=str(uuid4()))

    assert list(data.items()) == [
        ("a", {"id": str(ninth), "name": "Nine"}),
        ("b", {"id": str(first), "name": "One"}),
        ("c", None),
        ("d", {"id": str(ninth), "name": "Nine"}),
    ]
    assert reads(count.statements) == 2


async def test_rows_come_back_in_the_order_of_their_keys(
    database_url: str, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        known = [await make.make_character(f"Character {number}") for number in range(4)]
    missing = uuid4()
    asked = [known[3], known[0], missing, known[3], known[1]]
    async with reading(database_url) as reader:
        with statement_counter.counting() as count:
            rows = await RowLoader(reader).load_many(asked)

    assert [row.id if row else None for row in rows] == [known[3], known[0], None, known[3], known[1]]
    assert rows[0] is rows[3]
    assert reads(count.statements) == 2


async def test_a_page_that_fails_fails_its_own_keys_only(database_url: str, read_write: ReadWriteEngine) -> None:
    works = await write_works(read_write, 2, cast=1)
    sound = LinkPage((EdgeType.FEATURES,), first=5)
    # PostgreSQL holds no NUL, so that this page's statement is refused by it.
    broken = LinkPage((EdgeType.FEATURES,), first=5, qualifier="\0")
    keys = (LinkKey(works[0], sound), LinkKey(works[1], broken), LinkKey(works[1], sound), LinkKey(uuid4(), sound))
    async with reading(database_url) as reader:
        loader = LinkLoader(reader, RowLoader(reader), LinkBudget(100))
        outcomes = await asyncio.gather(*map(loader.load, keys), return_exceptions=True)

    assert isinstance(outcomes[1], PostgresError)
    assert [names_of(outcome) for outcome in outcomes] == [["Character 0 0"], None, ["Character 1 0"], []]


def names_of(outcome: Sequence[LinkRow] | BaseException) -> list[str] | None:
    """What the links lead to; None for a failure."""
    return None if isinstance(outcome, BaseException) else [link.target_name for link in outcome]


async def test_a_field_that_fails_leaves_its_neighbours_alone(
    graphql: GraphqlClient, read_write: ReadWriteEngine
) -> None:
    works = await write_works(read_write, 1, cast=2)
    document = """query($id: ID!) {
        sound: anime(id: $id) { name characters { name } }
        broken: anime(id: $id) { name characters(first: 99) { name } }
    }"""
    answer = (await graphql.post(document, {"id": str(works[0])})).json()

    assert answer["data"]["sound"]["name"] == "Work 0"
    assert [link["name"] for link in answer["data"]["sound"]["characters"]] == ["Character 0 0", "Character 0 1"]
    assert answer["data"]["broken"] is None
    assert [(error["path"], error["message"]) for error in answer["errors"]] == [
        (["broken", "characters"], "first: must be between 1 and 50")
    ]


async def test_two_requests_share_no_cache(graphql: GraphqlClient, read_write: ReadWriteEngine) -> None:
    works = await write_works(read_write, 1, cast=1)
    document = "query($id: ID!) { anime(id: $id) { name characters { name } } }"
    before = await graphql.data(document, id=str(works[0]))
    async with read_write.begin() as conn:
        await conn.execute(sa.update(entities).where(entities.c.id == works[0]).values(name="Renamed"))
        make = CatalogueFactory(conn, searchable=False)
        await make.appears(await make.make_character("Newcomer", popularity=1), works[0], AppearanceRole.MAIN)
    after = await graphql.data(document, id=str(works[0]))

    assert before["anime"] == {"name": "Work 0", "characters": [{"name": "Character 0 0"}]}
    assert after["anime"] == {"name": "Renamed", "characters": [{"name": "Newcomer"}, {"name": "Character 0 0"}]}


async def test_lists_within_lists_end_at_the_limit_of_links(database_url: str, read_write: ReadWriteEngine) -> None:
    works = await write_works(read_write, 12, cast=10)
    document = """query($ids: [ID!]!) { entities(ids: $ids) { name ... on Work { characters { entity {
        ... on Character { voiceActors { name } } } } } } }"""
    async with serving_graphql(database_url, max_links=100) as graphql:
        answer = (await graphql.post(document, {"ids": [str(work) for work in works]})).json()

    assert Counter(error["message"] for error in answer["errors"]).keys() == {
        "links: at most 100 in one request, ask for less with `first`"
    }
    assert {error["extensions"]["code"] for error in answer["errors"]} == {"QUERY_TOO_LARGE"}
