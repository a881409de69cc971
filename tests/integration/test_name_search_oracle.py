"""Name search against a brute-force reading of its rules, and the plans it runs with, over a few thousand names."""

import random
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import cache
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.folding import edit_distance, fold, name_entry, spell
from datastore.identity import entity_id
from datastore.name_hits import MATCH_KINDS, NameHit
from datastore.name_keys import PLAIN
from datastore.postgres.catalogue import entities, names
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.postgres.hot import HotPool, HotStatement
from datastore.postgres.name_index import index_names
from datastore.postgres.name_search import FEW_HITS, SearchPosition, names_near, search_names
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
from datastore.postgres.name_tops_rebuild import rebuild_tops
from datastore.top_lists import TOP
from datastore.vocabulary import EntityType, NameKind
from fixtures.postgres import TEMPLATE, TestServer
from fixtures.sql import generic_plan, measured_plan, scans
from fixtures.statements import StatementCounter
from sqlalchemy.ext.asyncio import AsyncConnection

_SYLLABLES = tuple(
    re.findall(r"\S+", "ka ki ku shi si chi ti tsu tu fu hu ji zi shou syo kyou ryu na no mi ru ra to ta n ou o e ha")
)
_ENGLISH = tuple(
    re.findall(
        r"\S+", "steel moon castle gate hunter alchemist titan brother wind magic knight academy zero love star 2 x"
    )
)
_KANJI = "進撃巨人鋼錬金術師魔法少女色世界明日田中真弓城動"
_KANA = ["マドカ", "ハウル", "の", "ナルト", "ゲート", "シュタインズ", "は", "トトロ"]


@dataclass(frozen=True)
class Named:
    """One entity of the test catalogue. Its first name is its main one."""

    id: UUID
    entity_type: EntityType
    popularity: float
    names: tuple[str, ...]


def _invented_name(chance: random.Random) -> str:
    match chance.randrange(4):
        case 0:
            words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(chance.randint(1, 4))]
            return chance.choice([" ", ": ", "-", "×"]).join(words).title()
        case 1:
            return chance.choice([" ", ";", " & "]).join(chance.sample(_ENGLISH, chance.randint(1, 3))).title()
        case 2:
            return "".join(chance.choices(_KANJI, k=chance.randint(1, 4)))
        case _:
            return "".join(chance.choices([*_KANJI, *_KANA], k=chance.randint(2, 4)))


def _invented_catalogue() -> list[Named]:
    chance = random.Random(7)
    types = [EntityType.ANIME, EntityType.MANGA, EntityType.CHARACTER]
    return [
        Named(
            id=entity_id("test", "thing", str(number)),
            entity_type=chance.choice(types),
            popularity=round(chance.random(), 2),
            names=tuple(dict.fromkeys(_invented_name(chance) for _ in range(chance.randint(1, 3)))),
        )
        for number in range(1200)
    ]


CATALOGUE = _invented_catalogue()
_TYPO = 3


@pytest.fixture(scope="module")
def big_url(postgres_server: TestServer) -> str:
    """A database for the module; its tests only read."""
    return postgres_server.dsn(postgres_server.create(TEMPLATE))


@pytest.fixture
async def conn(big_url: str) -> AsyncGenerator[AsyncConnection]:
    """A connection to the catalogue, which the first test fills and analyses."""
    engine = open_read_write(PostgresOptions(dsn=big_url))
    async with engine.begin() as connection:
        if not (await connection.execute(sa.select(sa.func.count()).select_from(entities))).scalar_one():
            await _fill(connection)
    async with engine.begin() as connection:
        yield connection
    await engine.close()


async def _fill(connection: AsyncConnection) -> None:
    await connection.execute(
        sa.insert(entities),
        [
            {
                "id": one.id,
                "entity_type": one.entity_type,
                "name": one.names[0],
                "popularity": one.popularity,
                "content_hash": "",
            }
            for one in CATALOGUE
        ],
    )
    rows = [
        {
            "entity_id": one.id,
            "name": name,
            "kind": NameKind.ALIAS if place else NameKind.MAIN,
            "folded": name_entry(name).folded,
        }
        for one in CATALOGUE
        for place, name in enumerate(one.names)
    ]
    inserted = await connection.execute(sa.insert(names).returning(names.c.id, names.c.name), rows)
    await index_names(connection, {row.id: row.name for row in inserted})
    await rebuild_tops(connection)
    await connection.exec_driver_sql("ANALYZE")


def _bare(text: str) -> str:
    return text.replace(" ", "")


@cache
def _parts(name: str) -> list["Part"]:
    """Every searchable end of a name, in both forms, found the slow way."""
    found: set[str] = set()
    spelled = spell(name)
    for form in (fold(name), spelled):
        pieces = form.split(" ")
        found |= {" ".join(pieces[start:]) for start in range(len(pieces))}
    for start, char in enumerate(name):
        before = name[start - 1 : start]
        if char in _KANJI or (char in "".join(_KANA) and (_alphabet(char) != _alphabet(before))):
            found |= {fold(name[start:]), spell(name[start:])}
    return [Part(text, _bare(text)) for text in found]


def _alphabet(char: str) -> str:
    if not char or char in _KANJI:
        return "han"
    return "katakana" if "ァ" <= char <= "ー" else "hiragana"


@dataclass(frozen=True)
class Asked:
    """A query as the rules see it."""

    text: str
    bare: str
    forms: tuple[str, ...]
    bare_forms: tuple[str, ...]
    is_spaceless: bool

    @classmethod
    def of(cls, query: str) -> "Asked":
        """Another romanisation begins names only from four letters on."""
        folded, spelled = fold(query), spell(query)
        forms = (spelled, folded) if len(_bare(spelled)) >= 4 else (spelled,)
        is_spaceless = " " not in folded or len(_bare(folded)) >= 6
        return cls(folded, _bare(folded), forms, tuple(map(_bare, forms)), is_spaceless)

    def begins(self, part: "Part") -> bool:
        return part.bare.startswith(self.bare_forms) and (self.is_spaceless or part.text.startswith(self.forms))

    def equals(self, part: "Part") -> bool:
        return part.bare == self.bare and (self.is_spaceless or part.text == self.text)


@dataclass(frozen=True)
class Part:
    """A searchable end of a name, with and without its spaces."""

    text: str
    bare: str


@cache
def _both_forms(name: str) -> tuple[Part, Part]:
    return Part(fold(name), _bare(fold(name))), Part(spell(name), _bare(spell(name)))


def _name_class(name: str, asked: Asked) -> int | None:
    if any(map(asked.equals, _both_forms(name))):
        return 0
    if any(map(asked.begins, _both_forms(name))):
        return 1
    # In short texts, another romanisation counts where it is all of the part.
    return 2 if any(asked.begins(part) or asked.equals(part) for part in _parts(name)) else None


def _brute_force(query: str, entity_types: list[EntityType]) -> list[tuple[int, UUID]]:
    """All but typos."""
    wanted = [one for one in CATALOGUE if not entity_types or one.entity_type in entity_types]
    asked = Asked.of(query)
    best: dict[UUID, int] = {}
    for one in wanted:
        classes = [found for name in one.names if (found := _name_class(name, asked)) is not None]
        if classes:
            best[one.id] = min(classes)
    by_id = {one.id: one for one in CATALOGUE}
    ordered = sorted(best, key=lambda found: (best[found], -by_id[found].popularity, by_id[found].names[0], found))
    return [(best[found], found) for found in ordered]


def _is_near(word: str, other: str) -> bool:
    return edit_distance(word, other) <= (2 if len(word) >= 8 else 1)


def _is_typo(query: str, name: str) -> bool:
    """Whether a part of the name begins with something that is near the query, or has words near its longer ones."""
    known = {*fold(name).split(), *spell(name).split()}
    long_words = [both for both in zip(fold(query).split(), spell(query).split(), strict=True) if len(both[0]) >= 5]
    if long_words and all(any(_is_near(word, other) for word in both for other in known) for both in long_words):
        return True
    for form in (_bare(fold(query)), _bare(spell(query))):
        allowed = 2 if len(form) >= 8 else 1
        for part in _parts(name):
            lengths = range(max(1, len(form) - allowed), len(form) + allowed + 1)
            if any(edit_distance(form, part.bare[:length]) <= allowed for length in lengths):
                return True
    return False


def _misspelled(chance: random.Random, text: str) -> str:
    place = chance.randrange(len(text))
    letter = chance.choice("aeiskt")
    return chance.choice(
        [
            text[:place] + letter + text[place:],
            text[:place] + text[place + 1 :],
            text[:place] + letter + text[place + 1 :],
        ]
    )


def _queries() -> list[str]:
    chance = random.Random(11)
    some = [chance.choice(one.names) for one in chance.sample(CATALOGUE, 130)]
    prefixes = [name[: chance.randint(1, 6)] for name in some]
    ends = [name[chance.randrange(len(name)) :] for name in some[:60]]
    typos = [_misspelled(chance, name) for name in some]
    fixed = [
        "a",
        "人",
        "の",
        "k",
        "ti",
        "hu",
        "syo",
        "sho",
        "moon",
        "steel moon",
        "x",
        "zzzz",
        "st ar",
        "錬金",
        "steelmoon",
    ]
    return [query for query in (*some, *prefixes, *ends, *typos, *fixed) if fold(query)]


def _compared(hits: list[NameHit]) -> list[tuple[int, UUID]]:
    return [(MATCH_KINDS.index(hit.match), hit.entity_id) for hit in hits]


async def test_hits_and_their_order_equal_brute_force(conn: AsyncConnection) -> None:
    queries = _queries()
    assert len(queries) > 400
    classes: set[int] = set()
    for number, query in enumerate(queries):
        types = [EntityType.ANIME, EntityType.MANGA] if number % 5 == 0 else []
        found = _compared(await search_names(conn, query, entity_types=types, limit=20))
        wanted = _brute_force(query, types)
        assert [each for each in found if each[0] < _TYPO] == wanted[:20], query
        assert len(wanted) < FEW_HITS or found == wanted[:20], query
        classes |= {match for match, _ in found}
    assert classes == {0, 1, 2, 3}


@pytest.mark.parametrize("types", [[], [EntityType.MANGA], [EntityType.ANIME, EntityType.CHARACTER]])
async def test_pages_follow_each_other_beyond_the_lists(conn: AsyncConnection, types: list[EntityType]) -> None:
    for query in ("s", "ka", "moon", "の", "人", "st ar", "tsu"):
        wanted = _brute_force(query, types)
        hits: list[NameHit] = []
        while True:
            after = SearchPosition.of(hits[-1], len(hits)) if hits else None
            page = await search_names(conn, query, entity_types=types, limit=13, after=after)
            hits += page
            if len(page) < 13:
                break
        assert [each for each in _compared(hits) if each[0] < _TYPO] == wanted, query
    assert len(_brute_force("s", [])) > TOP


async def test_a_pool_finds_what_a_transaction_finds(conn: AsyncConnection, big_url: str) -> None:
    pool = HotPool(PostgresOptions(dsn=big_url, pool_max_size=2))
    for query in _queries()[::9]:
        assert await search_names(pool, query) == await search_names(conn, query)
    await pool.close()


async def test_every_typo_is_near_and_comes_by_popularity(conn: AsyncConnection) -> None:
    chance = random.Random(13)
    meant = found = 0
    for one in chance.sample(CATALOGUE, 300):
        name = fold(one.names[0])
        if not name.isascii() or len(name) < 6:
            continue
        query = _misspelled(chance, name[: chance.randint(6, 14)])
        hits = await search_names(conn, query, limit=10)
        typos = [hit for hit in hits if hit.match == "typo"]
        assert all(_is_typo(query, hit.matched_name) for hit in typos), query
        assert [-hit.popularity for hit in typos] == sorted(-hit.popularity for hit in typos)
        meant += 1
        found += one.id in {hit.entity_id for hit in hits}
    assert meant > 100
    assert found / meant > 0.75


async def test_a_misspelled_name_is_found_as_a_whole(conn: AsyncConnection) -> None:
    chance = random.Random(3)
    names_found = 0
    candidates = [name for one in CATALOGUE for name in one.names if len(fold(name)) >= 8 and name.isascii()]
    for name in chance.sample(candidates, 60):
        text = _misspelled(chance, fold(name))
        hits = await names_near(conn, text, limit=50)
        names_found += name in {hit.matched_name for hit in hits}
        assert {hit.match for hit in hits} <= {"typo"}
    # A misspelling may spell another name, fall into a word too short for typos, or leave the word apart.
    assert names_found >= 45


_STATEMENTS = {
    "first page": FIRST_PAGE,
    "first pages": FIRST_PAGES,
    "two pages": TWO_PAGES,
    "search": SEARCH,
    "corrected": CORRECTED,
    "deep": DEEP_SEARCH,
    "equal": EQUAL,
    "near": NEAR,
}
_TYPED: dict[str, object] = {
    "shelf": PLAIN,
    "prefixes": ["steelmo\x01", "steelmo"],
    "exactness": [True, False],
    "entity_types": [],
    "listed_types": [""],
    "reach": 20,
    "limit": 20,
    "corrections": ["stelmo", "stemlo"],
    "gapped": ["*telm", "ste*l"],
    "rests": ["o", "mo"],
    "forms": ["steelmo"],
    "prefix": "steelmo",
    "other_prefix": "steelmou",
    "every_shelf": [PLAIN, PLAIN],
    "every_prefix": ["steelmo", "steelmou"],
    "after_class": -1,
    "after_popularity": 0.0,
    "after_name": "",
    "after_id": UUID(int=0),
    "wanted": ["steel moon"],
    "shelves": [PLAIN],
    "keys": ["steelmoon\x01"],
    "blocks": ["steel"],
    "block_places": [0],
    "gap_places": [0, 1],
}
_SEARCH_TABLES = {"name_pages", "name_starts", "name_tops", "start_gaps"}
_INDEX_READS = {"Index Scan", "Index Only Scan", "Bitmap Heap Scan"}


@pytest.mark.parametrize("statement", _STATEMENTS.values(), ids=_STATEMENTS.keys())
async def test_no_table_is_read_from_end_to_end(conn: AsyncConnection, statement: HotStatement) -> None:
    for plan in (generic_plan, measured_plan):
        read = scans(await plan(conn, statement.statement, _TYPED))
        assert {table for _, table in read} <= {*_SEARCH_TABLES, "names", "entities"}
        assert {kind for kind, table in read if table in _SEARCH_TABLES} <= _INDEX_READS
        # The deep statement may read more entities than an index is good for.
        if statement is not DEEP_SEARCH:
            assert {kind for kind, _ in read} <= _INDEX_READS


async def test_a_first_page_reads_about_as_many_entities_as_a_list_has(conn: AsyncConnection) -> None:
    for text in ("s", "a", "ka", "shou", "steel", "の"):
        given = {**_TYPED, "prefixes": [text + "\x01", text]}
        nodes = await measured_plan(conn, SEARCH.statement, given)
        rows = {
            table: sum(
                node["Actual Rows"] * node["Actual Loops"] for node in nodes if node.get("Relation Name") == table
            )
            for table in ("name_starts", "entities")
        }
        assert rows["entities"] <= rows["name_starts"] + TOP
        assert rows["name_starts"] < 4 * TOP


async def test_a_page_is_read_by_one_look_at_its_index_for_each_prefix(conn: AsyncConnection) -> None:
    for prefix, other in (("s", "stee"), ("shou", "sho\x01"), ("zzzzzz", "の")):
        given = {"shelf": PLAIN, "prefix": prefix, "other_prefix": other}
        assert await _page_reads(conn, TWO_PAGES, given) == [("Index Scan", 1)] * 2
        given = {"every_shelf": [PLAIN] * 3, "every_prefix": [prefix, other, "k"]}
        assert await _page_reads(conn, FIRST_PAGES, given) == [("Index Scan", 3)]


async def _page_reads(
    conn: AsyncConnection, statement: HotStatement, given: Mapping[str, object]
) -> list[tuple[str, int]]:
    """How rows of prefixes were looked up, and how often, each time at most one."""
    nodes = await measured_plan(conn, statement.statement, given)
    found = [node for node in nodes if node.get("Relation Name") == "name_pages"]
    assert all(node["Actual Rows"] <= 1 and not node.get("Rows Removed by Filter") for node in found)
    return [(node["Node Type"], node["Actual Loops"]) for node in found]


@pytest.mark.parametrize(("text", "count"), [("s", 1), ("moon", 1), ("steel", 1), ("stelmoon", 2)])
async def test_typos_cost_a_statement_only_where_names_are_few(
    conn: AsyncConnection, statement_counter: StatementCounter, text: str, count: int
) -> None:
    with statement_counter.counting() as counted:
        assert await search_names(conn, text, limit=10)
    assert counted.total == count
