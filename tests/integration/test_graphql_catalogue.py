"""Entities over GraphQL: every field of every type, links with their filters and pages, ids that lead elsewhere."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

import pytest
from datastore.edges import EdgeType
from datastore.postgres.documents import documents
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkSource,
    WorkStatus,
)
from factories import CatalogueFactory
from fixtures.catalogue_rows import add_entity
from fixtures.graphql import GraphqlClient, Json, serving_graphql
from fixtures.postgres import seeded


@dataclass(frozen=True)
class Bebop:
    """The ids of a small catalogue."""

    anime: UUID
    sequel: UUID
    manga: UUID
    spike: UUID
    faye: UUID
    voice: UUID
    director: UUID
    studio: UUID
    episode: UUID


async def write_bebop(make: CatalogueFactory) -> Bebop:
    """One anime with something of everything."""
    show = await make.make_anime(
        "Cowboy Bebop",
        names=[(NameKind.NATIVE, "カウボーイビバップ")],
        popularity=0.9,
        start="1998-04-03",
        end="1999-04",
        season=Season.SPRING,
        episode_count=26,
        duration=24,
        status=WorkStatus.FINISHED,
        source=WorkSource.ORIGINAL,
        score=86.5,
        genres=["Action", "Sci-Fi"],
        synopsis="Bounty hunters in space.",
    )
    await make.identify(show, "anilist", "anime", "1")
    ids = Bebop(
        anime=show,
        sequel=await make.make_anime("Cowboy Bebop: The Movie", popularity=0.7),
        manga=await make.make_manga("Cowboy Bebop (manga)", start="1997", chapters=12, volumes=3, popularity=0.2),
        spike=await make.make_character("Spike Spiegel", popularity=0.8, gender="Male", description="A hunter."),
        faye=await make.make_character("Faye Valentine", popularity=0.6),
        voice=await make.make_person("Koichi Yamadera", occupations=["Voice Actor"]),
        director=await make.make_person("Shinichiro Watanabe"),
        studio=await make.make_studio("Sunrise"),
        episode=await make.make_episode(show, 1, "Asteroid Blues", aired="1998-10-24"),
    )
    await make.relates(show, EdgeType.SEQUEL, ids.sequel)
    await make.relates(show, EdgeType.ADAPTATION_OF, ids.manga)
    await make.appears(ids.spike, show, AppearanceRole.MAIN)
    await make.appears(ids.faye, show, AppearanceRole.SUPPORTING)
    await make.knows(ids.spike, CharacterRelationKind.TEAMMATE, ids.faye)
    await make.voices(ids.voice, ids.spike, work=show, language="ja")
    await make.worked(ids.director, show, StaffRole.DIRECTOR)
    await make.produced(ids.studio, show)
    return ids


async def write_world(read_write: ReadWriteEngine) -> Bebop:
    async with read_write.begin() as conn:
        return await write_bebop(CatalogueFactory(conn))


template, bebop = seeded(write_world)


@pytest.fixture
async def graphql(database_url: str) -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(database_url) as client:
        yield client


def links(*far: tuple[str, str, str]) -> list[Json]:
    """Links as the answers below show them."""
    return [{"relation": relation, "qualifier": qualifier, "name": name} for relation, qualifier, name in far]


async def test_an_anime_shows_its_fields(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($id: ID!) { anime(id: $id) {
        __typename id entityType name names { name kind language } externalIds { source kind id }
        popularity version updatedAt format status startDate { text year month day raw } endDate { text }
        year score scoreSource genres tags synopsis country episodes durationMinutes season seasonYear source
    } }"""
    anime = (await graphql.data(document, id=str(bebop.anime)))["anime"]

    assert anime.pop("updatedAt").endswith("+00:00")
    assert anime == {
        "__typename": "Anime",
        "id": str(bebop.anime),
        "entityType": "ANIME",
        "name": "Cowboy Bebop",
        "names": [
            {"name": "Cowboy Bebop", "kind": "MAIN", "language": None},
            {"name": "カウボーイビバップ", "kind": "NATIVE", "language": None},
        ],
        "externalIds": [{"source": "anilist", "kind": "anime", "id": "1"}],
        "popularity": 0.9,
        "version": 1,
        "format": "TV",
        "status": "FINISHED",
        "startDate": {"text": "1998-04-03", "year": 1998, "month": 4, "day": 3, "raw": "1998-04-03"},
        "endDate": {"text": "1999-04"},
        "year": 1998,
        "score": 86.5,
        "scoreSource": None,
        "genres": ["Action", "Sci-Fi"],
        "tags": [],
        "synopsis": "Bounty hunters in space.",
        "country": None,
        "episodes": 26,
        "durationMinutes": 24,
        "season": "SPRING",
        "seasonYear": 1998,
        "source": "ORIGINAL",
    }


async def test_the_lists_of_an_anime(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($id: ID!) { anime(id: $id) {
        characters { ...far } main: characters(role: MAIN) { ...far } staff { ...far }
        producers: staff(role: PRODUCER) { ...far } related { ...far } studios { ...far } episodeList { ...far }
    } } fragment far on Link { relation qualifier name }"""
    anime = (await graphql.data(document, id=str(bebop.anime)))["anime"]

    assert anime == {
        "characters": links(("FEATURES", "main", "Spike Spiegel"), ("FEATURES", "supporting", "Faye Valentine")),
        "main": links(("FEATURES", "main", "Spike Spiegel")),
        "staff": links(("HAS_STAFF", "director", "Shinichiro Watanabe")),
        "producers": [],
        "related": links(("SEQUEL", "", "Cowboy Bebop: The Movie"), ("ADAPTATION_OF", "", "Cowboy Bebop (manga)")),
        "studios": links(("PRODUCED_BY", "main", "Sunrise")),
        "episodeList": links(("HAS_EPISODE", "1", "Asteroid Blues")),
    }


async def test_a_manga_shows_its_fields(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($id: ID!) { manga(id: $id) {
        name format year chapters volumes startDate { text month } endDate { text } related { relation name }
    } }"""
    assert (await graphql.data(document, id=str(bebop.manga)))["manga"] == {
        "name": "Cowboy Bebop (manga)",
        "format": "MANGA",
        "year": 1997,
        "chapters": 12,
        "volumes": 3,
        "startDate": {"text": "1997", "month": None},
        "endDate": None,
        "related": [{"relation": "HAS_ADAPTATION", "name": "Cowboy Bebop"}],
    }


async def test_a_character_shows_its_fields(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($id: ID!) { character(id: $id) {
        name gender description works(role: MAIN) { ...far } supporting: works(role: SUPPORTING) { ...far }
        voiceActors(language: "ja") { ...far } english: voiceActors(language: "en") { ...far }
        relations { ...far } rivals: relations(kind: RIVAL) { ...far }
    } } fragment far on Link { relation qualifier name }"""
    assert (await graphql.data(document, id=str(bebop.spike)))["character"] == {
        "name": "Spike Spiegel",
        "gender": "Male",
        "description": "A hunter.",
        "works": links(("APPEARS_IN", "main", "Cowboy Bebop")),
        "supporting": [],
        "voiceActors": links(("VOICED_BY", "ja", "Koichi Yamadera")),
        "english": [],
        "relations": links(("CHARACTER_RELATION", "teammate", "Faye Valentine")),
        "rivals": [],
    }


async def test_people_studios_and_episodes_show_their_fields(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($voice: ID!, $director: ID!, $studio: ID!, $episode: ID!) {
        voice: person(id: $voice) { occupations description voices(language: "ja") { ...far } works { ...far } }
        director: person(id: $director) { works(role: DIRECTOR) { ...far } voices { ...far } }
        studio(id: $studio) { isAnimationStudio works { ...far } }
        episode(id: $episode) { number synopsis airDate { text } anime { name } }
    } fragment far on Link { relation qualifier name }"""
    ids = {name: str(getattr(bebop, name)) for name in ("voice", "director", "studio", "episode")}
    assert await graphql.data(document, **ids) == {
        "voice": {
            "occupations": ["Voice Actor"],
            "description": None,
            "voices": links(("VOICES", "ja", "Spike Spiegel")),
            "works": [],
        },
        "director": {"works": links(("STAFF_OF", "director", "Cowboy Bebop")), "voices": []},
        "studio": {"isAnimationStudio": True, "works": links(("PRODUCED", "main", "Cowboy Bebop"))},
        "episode": {
            "number": 1,
            "synopsis": None,
            "airDate": {"text": "1998-10-24"},
            "anime": {"name": "Cowboy Bebop"},
        },
    }


async def test_a_document_shows_its_fields(graphql: GraphqlClient, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        document_id = await add_entity(conn, EntityType.DOCUMENT, "Style Guide")
        await conn.execute(
            documents.insert().values(
                id=document_id,
                collection="guides",
                media_type="text/markdown",
                language="de",
                document_date=date(2021, 3, 1),
                date_precision="month",
                text="long",
                text_hash="x",
            )
        )
    fields = "name collection sourceUri mediaType language documentDate documentDatePrecision"
    document = f"query($id: ID!) {{ document(id: $id) {{ {fields} }} }}"
    assert (await graphql.data(document, id=str(document_id)))["document"] == {
        "name": "Style Guide",
        "collection": "guides",
        "sourceUri": None,
        "mediaType": "text/markdown",
        "language": "de",
        "documentDate": "2021-03-01",
        "documentDatePrecision": "MONTH",
    }


async def test_links_follow_the_relations_asked_for(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = """query($id: ID!, $relations: [EdgeType!], $qualifier: String) {
        anime(id: $id) { links(relations: $relations, qualifier: $qualifier) { relation qualifier name } }
    }"""

    async def asked(**variables: object) -> list[Json]:
        return (await graphql.data(document, id=str(bebop.anime), **variables))["anime"]["links"]

    assert len(await asked()) == 7
    assert await asked(relations=["SEQUEL", "PRODUCED_BY"]) == links(
        ("SEQUEL", "", "Cowboy Bebop: The Movie"), ("PRODUCED_BY", "main", "Sunrise")
    )
    assert await asked(qualifier="supporting") == links(("FEATURES", "supporting", "Faye Valentine"))


async def test_links_that_are_not_stored_are_refused_by_name(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = "query($id: ID!) { anime(id: $id) { links(relations: [SAME_STUDIO]) { name } } }"
    assert await graphql.error(document, id=str(bebop.anime)) == {
        "message": "relations: must be stored ones, not CO_APPEARS, SAME_STUDIO, SHARED_STAFF, SHARED_VOICE_ACTOR, "
        "SHARES_FRANCHISE",
        "code": "BAD_INPUT",
        "field": "relations",
    }


async def test_pages_of_links_join_without_gap_or_overlap(graphql: GraphqlClient, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        show = await make.make_anime("Long Show")
        for number in range(7):
            character = await make.make_character(f"Character {number}", popularity=1 - number / 10)
            await make.appears(character, show, AppearanceRole.MAIN)
    document = "query($id: ID!, $offset: Int!) { anime(id: $id) { characters(first: 3, offset: $offset) { name } } }"
    pages = [(await graphql.data(document, id=str(show), offset=offset))["anime"] for offset in (0, 3, 6, 9)]

    assert [[link["name"][-1] for link in page["characters"]] for page in pages] == [
        ["0", "1", "2"], ["3", "4", "5"], ["6"], [],
    ]  # fmt: skip


async def test_an_id_of_another_type_or_of_nothing_is_null(graphql: GraphqlClient, bebop: Bebop) -> None:
    document = "query($here: ID!, $nowhere: ID!) { a: anime(id: $here) { name } b: character(id: $nowhere) { name } }"
    assert await graphql.data(document, here=str(bebop.spike), nowhere=str(uuid4())) == {"a": None, "b": None}


async def test_entities_come_in_the_order_of_their_ids(graphql: GraphqlClient, bebop: Bebop) -> None:
    asked = [bebop.faye, uuid4(), bebop.anime, bebop.faye, bebop.spike]
    document = "query($ids: [ID!]!) { entities(ids: $ids) { __typename id name ... on Anime { episodes } } }"
    found = (await graphql.data(document, ids=[str(entity) for entity in asked]))["entities"]

    assert found[0] == found[3] == {"__typename": "Character", "id": str(bebop.faye), "name": "Faye Valentine"}
    assert found[1] is None
    assert found[2] == {"__typename": "Anime", "id": str(bebop.anime), "name": "Cowboy Bebop", "episodes": 26}
    assert found[4]["name"] == "Spike Spiegel"


async def test_an_id_that_was_merged_leads_to_what_it_became(
    graphql: GraphqlClient, bebop: Bebop, read_write: ReadWriteEngine
) -> None:
    old = uuid4()
    async with read_write.begin() as conn:
        await CatalogueFactory(conn).redirect(old, bebop.spike)
    document = "query($old: ID!) { character(id: $old) { id works { name } } entities(ids: [$old]) { id } }"
    assert await graphql.data(document, old=str(old)) == {
        "character": {"id": str(bebop.spike), "works": [{"name": "Cowboy Bebop"}]},
        "entities": [{"id": str(bebop.spike)}],
    }
