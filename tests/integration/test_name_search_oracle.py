"""Name search against a brute-force reading of its rules, and the plans it runs with, over a few thousand names."""

import itertools
import random
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cache
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.folding import fold, name_entry, spell
from datastore.identity import entity_id
from datastore.postgres import name_search
from datastore.postgres.catalogue import entities, names
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.postgres.name_index import index_names
from datastore.postgres.name_search import FEW_HITS, names_near, search_names
from datastore.postgres.name_statements import EQUAL_STATEMENT, NEAR_STATEMENT, SEARCH_STATEMENT
from datastore.vocabulary import EntityType, NameKind
from fixtures.postgres import TEMPLATE, TestServer
from fixtures.sql import generic_plan, measured_plan, scans
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


@cache
def _left_outs(word: str, at_most: int = 2) -> set[str]:
    most = min(at_most, 0 if len(word) < 4 else 2 if 8 <= len(word) <= 16 else 1)
    return {
        "".join(char for i, char in enumerate(word) if i not in gaps)
        for count in range(most + 1)
        for gaps in itertools.combinations(range(len(word)), count)
    }


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


def _near(name: str) -> set[str]:
    """What mistakes leave of the words of a name, and of a short name typed as one word, with one mistake at most."""
    forms = _both_forms(name)
    words = {word for form in forms for word in form.text.split() if len(word) > 2}
    joined = {form.bare for form in forms if form.text != form.bare and 3 <= len(form.bare) <= 16}
    return set[str]().union(*map(_left_outs, words), *(_left_outs(whole, 1) for whole in joined))


@cache
def _names_by_left_out() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in {name for one in CATALOGUE for name in one.names}:
        for left in _near(name):
            found.setdefault(left, set()).add(name)
    return found


def _typo_names(query: str) -> set[str]:
    """The names that have a near word for each longer word of the query."""
    by_left_out = _names_by_left_out()
    met = [set[str]().union(*(by_left_out.get(left, ()) for left in near)) for near in _asked_words(query)]
    return set[str].intersection(*met) if met else set()


def _asked_words(query: str) -> list[set[str]]:
    pairs = list(zip(fold(query).split(), spell(query).split(), strict=True))
    long = [pair for pair in pairs if max(map(len, pair)) >= 4]
    if 2 * sum(min(map(len, pair)) for pair in long) < len(_bare(fold(query))):
        return []
    return [_left_outs(one) | _left_outs(other) for one, other in long]


def _brute_force(query: str, entity_types: list[EntityType], limit: int) -> list[tuple[int, UUID]]:
    wanted = [one for one in CATALOGUE if not entity_types or one.entity_type in entity_types]
    asked = Asked.of(query)
    best: dict[UUID, int] = {}
    for one in wanted:
        classes = [found for name in one.names if (found := _name_class(name, asked)) is not None]
        if classes:
            best[one.id] = min(classes)
    if len(best) < FEW_HITS:
        near = _typo_names(query)
        best |= {one.id: 3 for one in wanted if one.id not in best and near.intersection(one.names)}
    by_id = {one.id: one for one in CATALOGUE}
    ordered = sorted(best, key=lambda found: (best[found], -by_id[found].popularity, by_id[found].names[0], found))
    return [(best[found], found) for found in ordered[:limit]]


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


async def test_hits_and_their_order_equal_brute_force(conn: AsyncConnection) -> None:
    queries = _queries()
    assert len(queries) > 400
    classes: set[int] = set()
    for number, query in enumerate(queries):
        types = [EntityType.ANIME, EntityType.MANGA] if number % 5 == 0 else []
        hits = await search_names(conn, query, entity_types=types, limit=20)
        found = [(name_search.MATCH_KINDS.index(hit.match), hit.entity_id) for hit in hits]
        assert found == _brute_force(query, types, 20), query
        classes |= {match for match, _ in found}
    assert classes == {0, 1, 2, 3}


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


_TYPED = {
    **name_search._ranges("steel mo", "steel mo"),  # pyright: ignore[reportPrivateUsage] -- the statement's own parameters
    **name_search._typos("stel mooon"),  # pyright: ignore[reportPrivateUsage] -- the statement's own parameters
    "entity_types": [],
    "few_hits": FEW_HITS,
    "limit": 20,
}
_EQUAL = {"wanted": ["steel moon"], "squeezed": ["steelmoon"], "spaceless": [True], "limit": 20}
_SEARCHED = {"name_words", "name_tokens", "word_deletions", "names", "entities"}


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [(SEARCH_STATEMENT, _TYPED), (EQUAL_STATEMENT, _EQUAL), (NEAR_STATEMENT, _TYPED)],
    ids=["search", "equal", "near"],
)
async def test_no_table_is_read_from_end_to_end(
    conn: AsyncConnection, statement: sa.ClauseElement, parameters: dict[str, object]
) -> None:
    for plan in (generic_plan, measured_plan):
        read = scans(await plan(conn, statement, parameters))
        assert {table for _, table in read} <= _SEARCHED
        assert {kind for kind, table in read if table in ("name_words", "name_tokens", "word_deletions")} <= {
            "Index Scan",
            "Index Only Scan",
            "Bitmap Heap Scan",
        }


async def test_typos_cost_nothing_when_the_names_are_enough(conn: AsyncConnection) -> None:
    nodes = await measured_plan(conn, SEARCH_STATEMENT, {**_TYPED, **name_search._ranges("s", "s")})  # pyright: ignore[reportPrivateUsage] -- the statement's own parameters
    runs = {node["Relation Name"]: node["Actual Loops"] for node in nodes if "Relation Name" in node}
    assert runs["word_deletions"] == 0
    assert runs["name_tokens"] == 0
    assert runs["name_words"] > 0
