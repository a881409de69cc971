"""The queries that set questions become: their SQL, how it is planned, and what it gives on a small catalogue."""

from collections.abc import AsyncGenerator, Generator
from uuid import UUID

import pytest
from agent_core.agents.rule_based.query_texts import intent_of
from agent_core.evidence import EntityRef
from agent_core.retrieval.graph_schema import catalogue_graph
from cypher_sql import Explain, Limits, compile_query, parse
from datastore.edges import EdgeType
from datastore.identity import entity_id
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only, open_read_write
from datastore.vocabulary import AppearanceRole, EntityType, StaffRole, WorkFormat, WorkSource, WorkStatus
from factories import CatalogueFactory
from fixtures.postgres import READER_ROLE, TEMPLATE, TestServer, run_apart
from fixtures.readings import read
from fixtures.sql import plan_outline, sql_text
from syrupy.assertion import SnapshotAssertion

TIMEOUT = 30.0
LIMITS = Limits(rows=10_000)


async def fill(dsn: str) -> None:
    """A series, its film, three other works, a studio, and the people and characters that link them."""
    writer = open_read_write(PostgresOptions(dsn=dsn, pool_max_size=2, statement_timeout_ms=60_000))
    async with writer.begin(TIMEOUT) as conn:
        make = CatalogueFactory(conn, searchable=False)
        zorblax = await make.make_anime(
            "Zorblax",
            genres=["Action", "Drama"],
            episode_count=24,
            start="2012-04-05",
            score=82.0,
            status=WorkStatus.FINISHED,
            source=WorkSource.ORIGINAL,
        )
        nights = await make.make_anime(
            "Zorblax Nights", form=WorkFormat.MOVIE, start="2016-07", score=79.0, genres=["Action", "Drama"]
        )
        lantern = await make.make_anime(
            "The Hollow Lantern", form=WorkFormat.MOVIE, start="2016-01-02", score=88.0, genres=["Horror"]
        )
        await make.make_anime(
            "Monster",
            genres=["Action", "Horror"],
            episode_count=12,
            start="2014",
            score=91.0,
            status=WorkStatus.FINISHED,
        )
        air = await make.make_anime(
            "Air",
            genres=["Drama", "Action"],
            episode_count=12,
            start="1999",
            score=85.0,
            status=WorkStatus.FINISHED,
            source=WorkSource.ORIGINAL,
        )
        mirelle, yuna = await make.make_person("Mirelle Ostrander"), await make.make_person("Yuna Brask")
        tavrik, nemmi = await make.make_character("Tavrik"), await make.make_character("Nemmi")
        plimf = await make.make_studio("Plimf")
        await make.relates(zorblax, EdgeType.SEQUEL, nights)
        for work in (zorblax, nights, lantern):
            await make.worked(mirelle, work, StaffRole.DIRECTOR)
            await make.produced(plimf, work)
        await make.worked(yuna, air, StaffRole.DIRECTOR)
        for character in (tavrik, nemmi):
            await make.appears(character, zorblax, AppearanceRole.MAIN)
            await make.voices(yuna, character)
        await make.appears(tavrik, nights, AppearanceRole.MAIN)
    await writer.close()


@pytest.fixture(scope="module")
def url(postgres_server: TestServer) -> Generator[str]:
    name = postgres_server.create(TEMPLATE)
    try:
        run_apart(lambda: fill(postgres_server.dsn(name)))
        yield postgres_server.dsn(name)
    finally:
        postgres_server.drop(name)


@pytest.fixture
async def reader(url: str) -> AsyncGenerator[ReadOnlyEngine]:
    engine = open_read_only(PostgresOptions(dsn=url, pool_max_size=2, role=READER_ROLE))
    yield engine
    await engine.close()


SHAPES: list[tuple[str, list[tuple[object, ...]]]] = [
    # Filters
    ("movies directed by Mirelle Ostrander", [("The Hollow Lantern", 2016), ("Zorblax Nights", 2016)]),
    ("Action series under 26 episodes, finished, without horror, score above 80", [("Air", 1999), ("Zorblax", 2012)]),
    # Counts
    ("How many series did Plimf make in the 2010s?", [("Zorblax", 2012)]),
    # Superlatives and order
    ("What is the highest-rated action anime of the 2010s?",
     [("Monster", 91.0), ("Zorblax", 82.0), ("Zorblax Nights", 79.0)]),
    ("Who directed the highest-rated movie of 2016?", [("Mirelle Ostrander", "The Hollow Lantern", 88.0)]),
    # Intersections
    ("Who voices both Tavrik and Nemmi?", [("Yuna Brask",)]),
    # Exclusions, and the same staff
    ("anime from the 90s that are not movies", [("Air", 1999)]),
    ("Which movies by the director of Zorblax are not sequels?", [("The Hollow Lantern", 2016)]),
    # Groups and figures
    ("Which studio made the most movies?", [("Plimf", 2)]),
    ("Which anime has the most characters?", [("Zorblax", 2), ("Zorblax Nights", 1)]),
    ("Average episode count of original anime per decade", [(1990, 12.0, 1), (2010, 24.0, 1)]),
    # Recommendations: what continues the work itself is none
    ("anime like Zorblax",
     [("The Hollow Lantern", "movie", None, 2016, None, None, "Zorblax", [], None, ["Mirelle Ostrander"]),
      ("Air", "tv", "finished", 1999, 12, None, "Zorblax", ["Drama", "Action"], None, []),
      ("Monster", "tv", "finished", 2014, 12, None, "Zorblax", ["Action"], None, [])]),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected"), SHAPES, ids=[question for question, _ in SHAPES])
async def test_shape(
    reader: ReadOnlyEngine, question: str, expected: list[tuple[object, ...]], snapshot: SnapshotAssertion
) -> None:
    """Its rows without their ids; its text, its SQL, and the plan on tables without statistics."""
    rewrite = read(question)
    assert rewrite.set_question is not None
    named = [_ref(mention.entity_types[0], mention.text) for mention in rewrite.set_mentions]
    intent = intent_of(rewrite.set_question, named, "a test")
    assert intent is not None
    statement = compile_query(parse(intent.text), catalogue_graph(), intent.parameters, LIMITS).statement
    async with reader.connect(TIMEOUT) as conn:
        ((explained,),) = (await conn.execute(Explain(statement))).all()
        rows = (await conn.execute(statement)).all()

    assert f"{intent.text}\n\n{sql_text(statement)}\n{plan_outline(explained)}" == snapshot
    assert [tuple(cell for cell in row if not _is_id(cell)) for row in rows] == expected


def _ref(entity_type: EntityType, name: str) -> EntityRef:
    return EntityRef(entity_type=entity_type, id=entity_id("test", entity_type, name.replace(" ", "_")))


def _is_id(cell: object) -> bool:
    try:
        UUID(str(cell))
    except ValueError:
        return False
    return True
