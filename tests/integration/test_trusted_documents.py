"""The fast lane answers as the reference road does, to the byte; what it can't answer, the reference answers."""

import asyncio
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.edges import EdgeType
from datastore.postgres.catalogue import anime, entities, names
from datastore.postgres.documents import documents
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)
from factories import CatalogueFactory, aliases
from fixtures.graphql import GraphqlClient, Json, serving_graphql
from fixtures.postgres import TEMPLATE, TestServer
from fixtures.trusted_documents import DOCUMENTS, variables_for
from graphql_bff.trusted.lane import FastLane
from graphql_bff.trusted.registry import shipped_documents
from hypothesis import HealthCheck, given, settings

ALL_DOCUMENTS = {**DOCUMENTS, **{" ".join(text.split())[:30]: text for text in shipped_documents().values()}}
MERGED = UUID(int=77)
EXAMPLES = 40
SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.large_base_example)


async def write_catalogue(url: str) -> list[UUID]:
    """Entities of every type, dates known in part, names of every kind, odd characters, links of every kind."""
    engine = open_read_write(PostgresOptions(dsn=url, statement_timeout_ms=20_000))
    async with engine.begin(timeout=30) as conn:
        make = CatalogueFactory(conn)
        ids = [*await make_works(make), *await make_people(make)]
        ids.append(await make_document(make))
        await link_all(make, ids)
        await make.redirect(MERGED, ids[0])
        moments = [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=UTC)]
        for number, entity_id in enumerate(ids):
            changed = {"updated_at": moments[number % 2], "version": number + 1}
            await conn.execute(sa.update(entities).where(entities.c.id == entity_id).values(changed))
        await conn.execute(sa.update(names).where(names.c.name == "Shippuden").values(language="en"))
    await engine.close()
    return [*ids, MERGED]


async def make_works(make: CatalogueFactory) -> list[UUID]:
    every = [(kind, f"{kind.value} ナルト") for kind in NameKind if kind is not NameKind.MAIN]
    naruto = await make.make_anime(
        "Naruto",
        names=[*every, (NameKind.ALIAS, "B"), (NameKind.ALIAS, "a"), (NameKind.ALIAS, 'q"\\\n\x07\x7f/\u2028é𝒳')],
        popularity=1.0,
        start="2002-10-03",
        end="2007-02",
        season=Season.FALL,
        episode_count=220,
        duration=23,
        form=WorkFormat.TV,
        status=WorkStatus.FINISHED,
        source=WorkSource.LIGHT_NOVEL,
        score=79.0,
        genres=["Action", "Sci-Fi"],
        synopsis="A ninja.\n<b>bold</b>",
    )
    later = await make.make_anime(
        "Naruto: Shippuden", names=aliases("Shippuden"), popularity=1e-05, start="2007", score=82.25, form=None
    )
    odd = await make.make_anime("Odd", popularity=0.1 + 0.2, start="no date")
    parts = {"start_year": 1999, "start_month": 2, "start_day": 30, "end_year": 12, "end_raw": ""}
    await make.conn.execute(sa.update(anime).where(anime.c.id == odd).values(**parts, start_raw=None))
    book = await make.make_manga("Naruto", key="book", popularity=0.0, start="1999-09-21", chapters=700, volumes=72)
    episode = await make.make_episode(naruto, 1, "Enter: Naruto", aired="2002-10-03")
    return [naruto, later, odd, book, episode]


async def make_people(make: CatalogueFactory) -> list[UUID]:
    hero = await make.make_character("Naruto Uzumaki", popularity=0.9, gender="Male", description="Believe it")
    rival = await make.make_character("Sasuke Uchiha", popularity=0.9)
    voice = await make.make_person("Junko Takeuchi", occupations=["Voice Actor"])
    other = await make.make_person("Maile Flanagan", popularity=0.25)
    return [hero, rival, voice, other, await make.make_studio("Pierrot"), await make.make_studio("Aniplex")]


async def make_document(make: CatalogueFactory) -> UUID:
    entity = UUID(int=99)
    values = {"id": entity, "entity_type": "document", "name": "Rules of Naruto", "content_hash": ""}
    await make.conn.execute(sa.insert(entities).values(values))
    await make.conn.execute(
        sa.insert(documents).values(
            id=entity,
            collection="rules",
            media_type="text/plain",
            language="en",
            document_date=datetime(2020, 2, 29, tzinfo=UTC).date(),
            date_precision="day",
            text="x",
            text_hash="",
        )
    )
    return entity


async def link_all(make: CatalogueFactory, ids: list[UUID]) -> None:
    naruto, later, odd, book, _, hero, rival, voice, other, pierrot, aniplex, _ = ids
    await make.relates(naruto, EdgeType.SEQUEL, later)
    await make.relates(naruto, EdgeType.ADAPTATION_OF, book)
    await make.relates(naruto, EdgeType.OTHER_RELATION, later, raw="CHARACTER")
    await make.relates(odd, EdgeType.ALTERNATIVE, naruto)
    for work in (naruto, later, book):
        await make.appears(hero, work, AppearanceRole.MAIN)
        await make.appears(rival, work, None if work == book else AppearanceRole.SUPPORTING)
    await make.knows(hero, CharacterRelationKind.RIVAL, rival)
    await make.knows(hero, CharacterRelationKind.FRIEND, rival)
    for person, language in ((voice, "ja"), (other, "en"), (other, "ja")):
        await make.voices(person, hero, language=language)
    await make.voices(voice, hero, work=later)
    await make.worked(other, naruto, StaffRole.DIRECTOR)
    await make.worked(other, naruto, StaffRole.WRITER, raw="Script")
    await make.produced(pierrot, naruto)
    await make.produced(aniplex, naruto, is_main=False)


class World:
    """An app over that catalogue, on a loop of its own, because Hypothesis knows none."""

    def __init__(self, url: str, documents: Path) -> None:
        self._runner = asyncio.Runner()
        self.ids = self._runner.run(write_catalogue(url))
        self._serving = serving_graphql(
            url, shipped_documents=True, trusted_documents=documents, max_links=600, max_ids=20
        )
        self.graphql: GraphqlClient = self._runner.run(self._serving.__aenter__())
        self.lane: FastLane = self.graphql.app.state.fast_lane

    def close(self) -> None:
        self._runner.run(self._serving.__aexit__(None, None, None))
        self._runner.close()

    def answers(self, text: str, variables: Json | None, **headers: str) -> tuple[bytes, bytes]:
        """The answers to a registered text and to the same text with a space behind it, which nobody registered."""

        async def ask(document: str) -> bytes:
            answer = await self.graphql.post(document, variables, headers)
            assert answer.status_code in (200, 400), answer.text
            return answer.content

        return self._runner.run(ask(text)), self._runner.run(ask(f"{text} "))


@pytest.fixture(scope="module")
def shared_world(postgres_server: TestServer, tmp_path_factory: pytest.TempPathFactory) -> Generator[World]:
    folder, database = tmp_path_factory.mktemp("documents"), postgres_server.create(TEMPLATE)
    for name, text in DOCUMENTS.items():
        (folder / f"{name}.graphql").write_text(text)
    world = World(postgres_server.dsn(database), folder)
    yield world
    world.close()
    postgres_server.drop(database)


@pytest.fixture
def world(shared_world: World) -> World:
    """The world, whose lane has answered nothing yet. Questions change nothing in it."""
    shared_world.lane.answered = 0
    shared_world.lane.passed.clear()
    return shared_world


@pytest.mark.parametrize("name", ALL_DOCUMENTS)
def test_a_registered_operation_answers_as_the_reference_road_to_the_byte(world: World, name: str) -> None:
    # The same variables at every run: by chance, almost all of a few are bad ones, which both roads refuse alike.
    _assert_same_bytes(world, ALL_DOCUMENTS[name], EXAMPLES, is_random=False)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ALL_DOCUMENTS)
def test_it_does_so_for_variables_that_no_run_had_before(world: World, name: str) -> None:
    _assert_same_bytes(world, ALL_DOCUMENTS[name], 10 * EXAMPLES, is_random=True)


def _assert_same_bytes(world: World, text: str, examples: int, *, is_random: bool) -> None:
    assert text in world.lane

    @settings(
        max_examples=examples, derandomize=not is_random, deadline=None, database=None, suppress_health_check=SLOW
    )
    @given(variables=variables_for(text, world.ids))
    def agree(variables: Json | None) -> None:
        fast, reference = world.answers(text, variables)
        assert fast == reference

    agree()
    # Variables must be good enough for the lane itself to answer.
    assert world.lane.answered > examples / 20, world.lane.passed
    assert not {reason for reason in world.lane.passed if reason.endswith(("Error", "Exception"))}


def test_an_answer_in_pieces_is_the_reference_roads_however_its_type_is_written(world: World) -> None:
    for accepted in ("text/event-stream", "TEXT/EVENT-STREAM", "Text/Event-Stream, */*"):
        fast, reference = world.answers(DOCUMENTS["search"], {"query": "naru"}, Accept=accepted)
        assert fast == reference
        assert fast.startswith(b"event: next")
