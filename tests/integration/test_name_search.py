"""What the search lane finds and why, on a small catalogue of hard names."""

from collections.abc import AsyncGenerator

import pytest
import sqlalchemy as sa
from datastore.folding import fold
from datastore.name_hits import NameHit
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only, open_read_write
from datastore.postgres.name_index import reindex_names
from datastore.postgres.name_search import names_equal, names_near, search_names
from datastore.vocabulary import EntityType, NameKind
from fixtures.catalogue_rows import add_entity
from fixtures.postgres import READER_ROLE, TEMPLATE, TestServer
from sqlalchemy.ext.asyncio import AsyncConnection

ANIME, CHARACTER, PERSON, MANGA = EntityType.ANIME, EntityType.CHARACTER, EntityType.PERSON, EntityType.MANGA
NATIVE, ENGLISH, ALIAS, ROMAJI = NameKind.NATIVE, NameKind.ENGLISH, NameKind.ALIAS, NameKind.ROMAJI

_CATALOGUE: tuple[tuple[EntityType, str, float, tuple[tuple[NameKind, str], ...]], ...] = (
    (ANIME, "Shingeki no Kyojin", 0.9, ((ENGLISH, "Attack on Titan"), (NATIVE, "進撃の巨人"))),
    (ANIME, "Steins;Gate", 0.8, ((NATIVE, "シュタインズ・ゲート"),)),
    (ANIME, "Hunter x Hunter", 0.7, ((NATIVE, "HUNTER×HUNTER"),)),
    (ANIME, "Spy×Family", 0.6, ()),
    (ANIME, "Fullmetal Alchemist", 0.85, ((ROMAJI, "Hagane no Renkinjutsushi"), (NATIVE, "鋼の錬金術師"))),
    (ANIME, "Naruto", 0.95, ((NATIVE, "ナルト"),)),
    (ANIME, "Naruto: Shippuuden", 0.94, ((ENGLISH, "Naruto Shippuden"), (NATIVE, "ナルト 疾風伝"))),
    (MANGA, "Naruto", 0.5, ((ALIAS, "NARUTO -ナルト-"),)),
    (ANIME, "Boruto: Naruto Next Generations", 0.4, ()),
    (ANIME, "Mahou Shoujo Madoka★Magica", 0.65, ((NATIVE, "魔法少女まどか☆マギカ"),)),
    (ANIME, "Tonari no Totoro", 0.55, ((ENGLISH, "My Neighbor Totoro"), (NATIVE, "となりのトトロ"))),
    (ANIME, "Howl no Ugoku Shiro", 0.54, ((ENGLISH, "Howl's Moving Castle"), (NATIVE, "ハウルの動く城"))),
    (ANIME, "100% Teacher Pascal", 0.1, ((ALIAS, "100%先生"),)),
    (ANIME, "C_Control", 0.09, ((ALIAS, "[C]"),)),
    (ANIME, "☆", 0.01, ()),
    (ANIME, "Irozuku Sekai no Ashita kara", 0.3, ((NATIVE, "色づく世界の明日から"),)),
    (ANIME, "To Heart", 0.2, ()),
    (ANIME, "K", 0.25, ()),
    (ANIME, "Kino no Tabi", 0.35, ((NATIVE, "キノの旅"),)),
    (ANIME, "X", 0.15, ()),
    (CHARACTER, "Honda Tohru", 0.6, ()),
    (CHARACTER, "Monkey D. Luffy", 0.99, ((ALIAS, "Straw Hat"), (NATIVE, "モンキー・D・ルフィ"))),
    (CHARACTER, "Naruto Uzumaki", 0.98, ((NATIVE, "うずまきナルト"),)),
    (CHARACTER, "Ryuuko Matoi", 0.4, ()),
    (PERSON, "Mayumi Tanaka", 0.7, ((NATIVE, "田中真弓"),)),
    (PERSON, "Yuuki Kaji", 0.72, ((NATIVE, "梶裕貴"),)),
)


@pytest.fixture(scope="module")
def catalogue_url(postgres_server: TestServer) -> str:
    """One catalogue for the whole module; its tests only read."""
    return postgres_server.dsn(postgres_server.create(TEMPLATE))


@pytest.fixture
async def conn(catalogue_url: str) -> AsyncGenerator[AsyncConnection]:
    """A reader's connection to the catalogue, which the first test fills."""
    writer = open_read_write(PostgresOptions(dsn=catalogue_url))
    async with writer.begin() as connection:
        if not (await connection.execute(sa.select(sa.func.count()).select_from(entities))).scalar_one():
            await _fill(connection)
    await writer.close()
    reader = open_read_only(PostgresOptions(dsn=catalogue_url, role=READER_ROLE))
    async with reader.connect() as connection:
        yield connection
    await reader.close()


async def _fill(connection: AsyncConnection) -> None:
    for entity_type, name, popularity, others in _CATALOGUE:
        await add_entity(connection, entity_type, name, popularity=popularity, names_by_kind=others)


def _brief(hits: list[NameHit]) -> list[tuple[str, str, str]]:
    return [(hit.name, hit.matched_name, hit.match) for hit in hits]


async def test_classes_come_in_order_and_popularity_orders_each(conn: AsyncConnection) -> None:
    hits = await search_names(conn, "naruto")
    assert [(hit.entity_type, *brief) for hit, brief in zip(hits, _brief(hits), strict=True)] == [
        (ANIME, "Naruto", "Naruto", "exact"),
        (MANGA, "Naruto", "Naruto", "exact"),
        (CHARACTER, "Naruto Uzumaki", "Naruto Uzumaki", "prefix"),
        (ANIME, "Naruto: Shippuuden", "Naruto: Shippuuden", "prefix"),
        (ANIME, "Boruto: Naruto Next Generations", "Boruto: Naruto Next Generations", "word_prefix"),
    ]
    assert hits[0].kind is NameKind.MAIN
    assert (hits[0].popularity, hits[0].version) == (0.95, 1)


@pytest.mark.parametrize(
    ("query", "name", "matched", "match"),
    [
        ("attack on titan", "Shingeki no Kyojin", "Attack on Titan", "exact"),
        ("ATTACK ON TITAN", "Shingeki no Kyojin", "Attack on Titan", "exact"),
        ("ａｔｔａｃｋ ｏｎ", "Shingeki no Kyojin", "Attack on Titan", "prefix"),
        ("titan", "Shingeki no Kyojin", "Attack on Titan", "word_prefix"),
        ("進撃の巨人", "Shingeki no Kyojin", "進撃の巨人", "exact"),
        ("進撃", "Shingeki no Kyojin", "進撃の巨人", "prefix"),
        ("巨人", "Shingeki no Kyojin", "進撃の巨人", "word_prefix"),
        ("進", "Shingeki no Kyojin", "進撃の巨人", "prefix"),
        ("真弓", "Mayumi Tanaka", "田中真弓", "word_prefix"),
        ("steins gate", "Steins;Gate", "Steins;Gate", "exact"),
        ("steinsgate", "Steins;Gate", "Steins;Gate", "exact"),
        ("steinsga", "Steins;Gate", "Steins;Gate", "prefix"),
        ("シュタインズゲート", "Steins;Gate", "シュタインズ・ゲート", "exact"),
        ("しゅたいんず", "Steins;Gate", "シュタインズ・ゲート", "prefix"),
        ("ｼｭﾀｲﾝｽﾞ", "Steins;Gate", "シュタインズ・ゲート", "prefix"),
        ("hunter × hunter", "Hunter x Hunter", "Hunter x Hunter", "exact"),
        ("hunterxhunter", "Hunter x Hunter", "Hunter x Hunter", "exact"),
        ("spy x family", "Spy×Family", "Spy×Family", "exact"),
        ("SPYxFAMILY", "Spy×Family", "Spy×Family", "exact"),
        ("iroduku", "Irozuku Sekai no Ashita kara", "Irozuku Sekai no Ashita kara", "prefix"),
        ("Irozuku Sekai no Asita kara", "Irozuku Sekai no Ashita kara", "Irozuku Sekai no Ashita kara", "exact"),
        ("sippuden", "Naruto: Shippuuden", "Naruto: Shippuuden", "word_prefix"),
        ("mahō shōjo", "Mahou Shoujo Madoka★Magica", "Mahou Shoujo Madoka★Magica", "prefix"),
        ("マギカ", "Mahou Shoujo Madoka★Magica", "魔法少女まどか☆マギカ", "word_prefix"),
        ("howls moving", "Howl no Ugoku Shiro", "Howl's Moving Castle", "prefix"),
        ("howl's", "Howl no Ugoku Shiro", "Howl's Moving Castle", "prefix"),
        ("luffy", "Monkey D. Luffy", "Monkey D. Luffy", "word_prefix"),
        ("ryuko", "Ryuuko Matoi", "Ryuuko Matoi", "prefix"),
        ("100%", "100% Teacher Pascal", "100% Teacher Pascal", "prefix"),
        ("☆", "☆", "☆", "exact"),
        ("k", "K", "K", "exact"),
        ("fulmetal alchemst", "Fullmetal Alchemist", "Fullmetal Alchemist", "typo"),
        ("alchmist", "Fullmetal Alchemist", "Fullmetal Alchemist", "typo"),
        ("kyogin", "Shingeki no Kyojin", "Shingeki no Kyojin", "typo"),
        ("stainsgate", "Steins;Gate", "Steins;Gate", "typo"),
        ("鋼の練金術師", "Fullmetal Alchemist", "鋼の錬金術師", "typo"),
        ("luffi", "Monkey D. Luffy", "Monkey D. Luffy", "typo"),
    ],
)
async def test_the_best_hit_says_what_was_met_and_how(
    conn: AsyncConnection, query: str, name: str, matched: str, match: str
) -> None:
    hits = await search_names(conn, query)
    assert _brief(hits)[:1] == [(name, matched, match)]


@pytest.mark.parametrize("query", ["", "   ", "\u200b", "\x00", "%", "_", "\\", "%%", "zzzzzzzz", "nar_to", "t%n"])
async def test_wildcards_and_emptiness_match_nothing(conn: AsyncConnection, query: str) -> None:
    assert await search_names(conn, query) == []


async def test_punctuation_is_ignored_where_there_are_letters(conn: AsyncConnection) -> None:
    assert await search_names(conn, "a%_") == await search_names(conn, "a")
    assert _brief(await search_names(conn, "[c]"))[0] == ("C_Control", "[C]", "exact")


async def test_one_letter_finds_the_name_and_the_prefixes(conn: AsyncConnection) -> None:
    assert _brief(await search_names(conn, "k", entity_types=[ANIME]))[:2] == [
        ("K", "K", "exact"),
        ("Kino no Tabi", "Kino no Tabi", "prefix"),
    ]


async def test_a_short_text_with_a_space_keeps_its_space(conn: AsyncConnection) -> None:
    assert _brief(await search_names(conn, "to h")) == [("To Heart", "To Heart", "prefix")]


async def test_the_type_filter_keeps_only_its_types(conn: AsyncConnection) -> None:
    hits = await search_names(conn, "naruto", entity_types=[CHARACTER, MANGA])
    assert [(hit.name, hit.entity_type) for hit in hits] == [("Naruto", MANGA), ("Naruto Uzumaki", CHARACTER)]


async def test_the_limit_cuts_after_the_order(conn: AsyncConnection) -> None:
    whole = await search_names(conn, "naruto")
    assert await search_names(conn, "naruto", limit=3) == whole[:3]
    assert await search_names(conn, "naruto", limit=0) == []


async def test_typos_stay_away_when_there_are_enough_better_hits(conn: AsyncConnection) -> None:
    assert {hit.match for hit in await search_names(conn, "naruto")} == {"exact", "prefix", "word_prefix"}
    assert {(hit.name, hit.match) for hit in await search_names(conn, "narutu")} == {
        ("Naruto", "typo"),
        ("Naruto Uzumaki", "typo"),
        ("Naruto: Shippuuden", "typo"),
        ("Boruto: Naruto Next Generations", "typo"),
    }


async def test_an_entity_is_listed_once_by_its_best_name(conn: AsyncConnection) -> None:
    hits = await search_names(conn, "ナルト")
    assert len({hit.entity_id for hit in hits}) == len(hits)
    assert _brief(hits)[0] == ("Naruto", "ナルト", "exact")


async def test_ten_thousand_characters_are_searched_and_found_nowhere(conn: AsyncConnection) -> None:
    assert await search_names(conn, "x" * 10_000) == []
    assert await search_names(conn, "naruto " * 2_000) == []


async def test_many_names_are_looked_up_at_once(conn: AsyncConnection) -> None:
    asked = [fold(text) for text in ("Naruto", "steinsgate", "nobody", "HUNTER×HUNTER", "to h")]
    found = await names_equal(conn, asked)
    assert {text: [(hit.name, hit.entity_type) for hit in hits] for text, hits in found.items()} == {
        "naruto": [("Naruto", ANIME), ("Naruto", MANGA)],
        "steinsgate": [("Steins;Gate", ANIME)],
        "hunter x hunter": [("Hunter x Hunter", ANIME)],
    }
    assert [hit.entity_type for hit in (await names_equal(conn, ["naruto"], limit_per_name=1))["naruto"]] == [ANIME]
    assert await names_equal(conn, []) == {}


async def test_near_names_are_whole_names_within_the_distance(conn: AsyncConnection) -> None:
    assert [(hit.name, hit.match) for hit in await names_near(conn, "fulmetal alchemst")] == [
        ("Fullmetal Alchemist", "typo")
    ]
    assert [(hit.name, hit.entity_type) for hit in await names_near(conn, "naruta")] == [
        ("Naruto", ANIME),
        ("Naruto", MANGA),
    ]
    assert [hit.entity_type for hit in await names_near(conn, "naruta", entity_types=[MANGA])] == [MANGA]
    assert await names_near(conn, "alchemst") == []
    assert await names_near(conn, "naruto") == []
    assert await names_near(conn, "k") == []


async def test_reindexing_changes_nothing(read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as connection:
        await _fill(connection)
        before = await search_names(connection, "naruto"), await search_names(connection, "alchmist")
        assert await reindex_names(connection) == sum(1 + len(others) for *_, others in _CATALOGUE)
        assert (await search_names(connection, "naruto"), await search_names(connection, "alchmist")) == before


async def test_the_reader_needs_no_writer(read_only: ReadOnlyEngine) -> None:
    async with read_only.connect() as connection:
        assert await search_names(connection, "naruto") == []
