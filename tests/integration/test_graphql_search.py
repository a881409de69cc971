"""The name lane over GraphQL: the order, the reason for each hit, filters, hydration; no agent is needed."""

from collections.abc import AsyncGenerator

import pytest
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import NameKind
from factories import CatalogueFactory, aliases
from fixtures.graphql import GraphqlClient, serving_graphql
from fixtures.postgres import seeded
from fixtures.statements import StatementCounter

SEARCH = """query($query: String!, $types: [EntityType!], $first: Int! = 10) {
    search(query: $query, types: $types, first: $first) { entityType name matchedName matchedKind match }
}"""


async def write_names(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        await make.make_anime("Naruto", names=[(NameKind.NATIVE, "ナルト")], popularity=0.9)
        await make.make_manga("Naruto", popularity=0.8)
        await make.make_anime("Naruto: Shippuden", popularity=0.95)
        await make.make_anime("Boruto: Naruto Next Generations", popularity=0.99)
        await make.make_character("Naruto Uzumaki", names=aliases("Seventh Hokage"), popularity=0.97)
        await make.make_anime("100% Hero", popularity=0.1)


template, _ = seeded(write_names)


@pytest.fixture
async def graphql(database_url: str) -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(database_url) as client:
        yield client


async def found(graphql: GraphqlClient, query: str, **arguments: object) -> list[tuple[str, str, str]]:
    """Type, name and match of each hit."""
    hits = (await graphql.data(SEARCH, query=query, **arguments))["search"]
    return [(hit["entityType"], hit["name"], hit["match"]) for hit in hits]


async def test_hits_come_by_class_then_popularity(graphql: GraphqlClient) -> None:
    assert await found(graphql, "naruto") == [
        ("ANIME", "Naruto", "EXACT"),
        ("MANGA", "Naruto", "EXACT"),
        ("CHARACTER", "Naruto Uzumaki", "PREFIX"),
        ("ANIME", "Naruto: Shippuden", "PREFIX"),
        ("ANIME", "Boruto: Naruto Next Generations", "WORD_PREFIX"),
    ]


async def test_a_hit_says_which_name_was_met(graphql: GraphqlClient) -> None:
    (native,) = (await graphql.data(SEARCH, query="ﾅﾙﾄ"))["search"]
    (alias,) = (await graphql.data(SEARCH, query="hokage"))["search"]
    assert (native["name"], native["matchedName"], native["matchedKind"]) == ("Naruto", "ナルト", "NATIVE")
    assert (alias["matchedName"], alias["matchedKind"], alias["match"]) == ("Seventh Hokage", "ALIAS", "WORD_PREFIX")


async def test_a_typo_is_forgiven(graphql: GraphqlClient) -> None:
    assert ("CHARACTER", "Naruto Uzumaki", "TYPO") in await found(graphql, "uzumakl")


async def test_types_and_first_narrow_the_hits(graphql: GraphqlClient) -> None:
    assert await found(graphql, "naruto", types=["MANGA", "CHARACTER"]) == [
        ("MANGA", "Naruto", "EXACT"),
        ("CHARACTER", "Naruto Uzumaki", "PREFIX"),
    ]
    assert await found(graphql, "naruto", types=[]) == await found(graphql, "naruto")
    assert await found(graphql, "naruto", first=1) == [("ANIME", "Naruto", "EXACT")]


async def test_pages_follow_each_other_by_cursor(graphql: GraphqlClient) -> None:
    document = """query($after: String) { search(query: "naruto", first: 2, after: $after) { name cursor } }"""
    names: list[str] = []
    after: str | None = None
    while hits := (await graphql.data(document, after=after))["search"]:
        names += [hit["name"] for hit in hits]
        after = hits[-1]["cursor"]
    assert names == [name for _, name, _ in await found(graphql, "naruto")]
    assert len(names) == 5


@pytest.mark.parametrize("cursor", ["", "nonsense", "bnVsbA==", "eyJudW1iZXIiOiAwfQ==", "é", "x" * 10_000])
async def test_what_is_no_cursor_is_refused(graphql: GraphqlClient, cursor: str) -> None:
    error = await graphql.error('query($after: String) { search(query: "a", after: $after) { name } }', after=cursor)
    assert (error["code"], error["field"]) == ("BAD_INPUT", "after")


@pytest.mark.parametrize(
    "query", ["%", "_", "\\", "%%%", "'; DROP TABLE entities; --", "☆☆☆", "nobody at all", "\u200b"]
)
async def test_text_that_names_nothing_finds_nothing(graphql: GraphqlClient, query: str) -> None:
    assert await found(graphql, query) == []


async def test_signs_are_taken_literally(graphql: GraphqlClient) -> None:
    assert await found(graphql, "100%") == [("ANIME", "100% Hero", "PREFIX")]


async def test_a_search_is_one_statement_and_its_hits_load_in_batches(
    graphql: GraphqlClient, statement_counter: StatementCounter
) -> None:
    with statement_counter.counting() as plain:
        await found(graphql, "naruto")
    document = """{ search(query: "naruto") { id name version popularity entity { id name version popularity } } }"""
    with statement_counter.counting() as whole:
        hits = (await graphql.data(document))["search"]

    assert len([text for text in plain.statements if "set_config" not in text]) == 1
    # One to find the types of the ids, one for each of anime, manga and character.
    assert len([text for text in whole.statements if "set_config" not in text]) == 5
    assert len(hits) == 5
    for hit in hits:
        assert hit.pop("entity") == hit
