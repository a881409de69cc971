"""Cards by id in batches, and keyset pages."""

from uuid import UUID, uuid4

import pytest
from datastore.dates import PartialDate
from datastore.edges import EdgeType
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.entity_cards import (
    AnimeDetails,
    CardExternalId,
    CardName,
    CharacterDetails,
    EpisodeDetails,
    MangaDetails,
    PersonDetails,
    RawDate,
    StudioDetails,
)
from datastore.postgres.entity_reads import (
    EntityCursor,
    EntityFilters,
    EntityOrder,
    UnsupportedFilter,
    list_entities,
    read_cards,
    read_cards_of,
)
from datastore.postgres.graph_reads import read_links
from datastore.vocabulary import (
    AppearanceRole,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)
from factories import CatalogueFactory
from fixtures.statements import StatementCounter


async def test_a_card_of_each_type_carries_its_details(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        show = await make.make_anime(
            "Cowboy Bebop",
            names=[(NameKind.ALIAS, "Bebop"), (NameKind.NATIVE, "カウボーイビバップ")],
            start="1998-04-03",
            end="1999",
            season=Season.SPRING,
            episode_count=26,
            duration=24,
            status=WorkStatus.FINISHED,
            source=WorkSource.ORIGINAL,
            score=86.5,
            genres=["Action", "Sci-Fi"],
            synopsis="Bounty hunters in space.",
            popularity=0.9,
        )
        await make.identify(show, "anilist", "anime", "1")
        book = await make.make_manga("Monster", start="1994-12", chapters=162, volumes=18)
        character = await make.make_character("Spike Spiegel", gender="Male", description="A hunter.")
        person = await make.make_person("Koichi Yamadera", occupations=["Voice actor"])
        studio = await make.make_studio("Sunrise")
        episode = await make.make_episode(show, 5, "Ballad of Fallen Angels", aired="1998-05")
    ids = [episode, show, book, character, person, studio]
    async with read_only.connect() as conn:
        cards = await read_cards(conn, ids)
    assert list(cards) == ids
    card = cards[show]
    assert (card.name, card.entity_type, card.version, card.popularity) == (
        "Cowboy Bebop",
        EntityType.ANIME,
        1,
        0.9,
    )
    assert card.names == (
        CardName("Cowboy Bebop", NameKind.MAIN, None),
        CardName("カウボーイビバップ", NameKind.NATIVE, None),
        CardName("Bebop", NameKind.ALIAS, None),
    )
    assert card.external_ids == (CardExternalId("anilist", "anime", "1"),)
    assert card.details == AnimeDetails(
        format=WorkFormat.TV,
        status=WorkStatus.FINISHED,
        start=RawDate(PartialDate(1998, 4, 3), "1998-04-03"),
        end=RawDate(PartialDate(1999), "1999"),
        year=1998,
        score=86.5,
        score_source=None,
        genres=("Action", "Sci-Fi"),
        tags=(),
        synopsis="Bounty hunters in space.",
        country=None,
        episodes=26,
        duration_minutes=24,
        season=Season.SPRING,
        season_year=1998,
        source=WorkSource.ORIGINAL,
    )
    manga = cards[book].details
    assert isinstance(manga, MangaDetails)
    assert (manga.chapters, manga.volumes, manga.year, manga.start.known) == (162, 18, 1994, PartialDate(1994, 12))
    assert cards[character].details == CharacterDetails(description="A hunter.", gender="Male")
    assert cards[person].details == PersonDetails(occupations=("Voice actor",), description=None)
    assert cards[studio].details == StudioDetails(is_animation_studio=True)
    assert cards[episode].details == EpisodeDetails(show, 5, RawDate(PartialDate(1998, 5), "1998-05"), None)


async def test_ids_that_were_merged_give_the_living_card_and_unknown_ids_none(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    old = uuid4()
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        living = await make.make_anime("Trigun")
        await make.redirect(old, living)
    async with read_only.connect() as conn:
        cards = await read_cards(conn, [uuid4(), old, living, old])
        assert await read_cards(conn, []) == {}
        assert await read_cards_of(conn, EntityType.MANGA, [living]) == {}
    assert list(cards) == [old, living]
    assert cards[old] == cards[living]
    assert cards[old].id == living


async def test_the_number_of_statements_depends_on_the_types_only(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine, statement_counter: StatementCounter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        shows = [await make.make_anime(f"Show {n}") for n in range(50)]
        cast = [await make.make_character(f"Person {n}") for n in range(50)]
        for show, character in zip(shows, cast, strict=True):
            await make.appears(character, show)
    async with read_only.connect() as conn:
        for ids in (shows[:1], shows):
            with statement_counter.counting() as count:
                await read_cards(conn, ids)
            assert count.total == 2
            with statement_counter.counting() as count:
                await read_links(conn, ids, [EdgeType.FEATURES], per_source=3)
            assert count.total == 1
        with statement_counter.counting() as count:
            await read_cards(conn, shows + cast)
        assert count.total == 3


async def test_pages_meet_without_gap_or_repetition(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        for n in range(7):
            await make.make_anime(f"Show {n}", popularity=0.3 if n < 4 else n / 10)
        await make.make_manga("Not a show", popularity=1.0)
    async with read_only.connect() as conn:
        for order in EntityOrder:
            whole = await list_entities(conn, EntityType.ANIME, order=order, limit=50)
            assert (len(whole.cards), whole.has_more) == (7, False)
            seen: list[UUID] = []
            after: EntityCursor | None = None
            for expected_more in (True, True, True, False):
                page = await list_entities(conn, EntityType.ANIME, order=order, after=after, limit=2)
                seen += [card.id for card in page.cards]
                assert page.has_more is expected_more
                after = page.cursors[-1]
            assert seen == [card.id for card in whole.cards]
        by_popularity = await list_entities(conn, EntityType.ANIME)
        assert [card.name for card in by_popularity.cards][:3] == ["Show 6", "Show 5", "Show 4"]
        with pytest.raises(UnsupportedFilter):
            await list_entities(conn, EntityType.ANIME, after=EntityCursor("Show 1", uuid4()))


async def test_filters_hold_every_card_and_unknown_values_never_match(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        spring = await make.make_anime(
            "Spring", start="2009-04-05", season=Season.SPRING, score=80.0, genres=["Action", "Drama"]
        )
        movie = await make.make_anime(
            "Movie", start="2016", form=WorkFormat.MOVIE, genres=["Drama"], source=WorkSource.MANGA
        )
        bare = await make.make_anime("Bare", form=None)
        hero, extra = await make.make_character("Hero"), await make.make_character("Extra")
        await make.appears(hero, spring, AppearanceRole.MAIN)
        studio = await make.make_studio("Bones")
        await make.produced(studio, spring)
        director = await make.make_person("Director")
        await make.worked(director, movie, StaffRole.DIRECTOR)
        first = await make.make_episode(spring, 1, "One")
    cases: list[tuple[EntityType, EntityFilters, set[UUID]]] = [
        (EntityType.ANIME, EntityFilters(), {spring, movie, bare}),
        (EntityType.ANIME, EntityFilters(first_year=2010), {movie}),
        (EntityType.ANIME, EntityFilters(last_year=2010), {spring}),
        (EntityType.ANIME, EntityFilters(season=Season.SPRING), {spring}),
        (EntityType.ANIME, EntityFilters(format=WorkFormat.MOVIE), {movie}),
        (EntityType.ANIME, EntityFilters(source=WorkSource.MANGA), {movie}),
        (EntityType.ANIME, EntityFilters(status=WorkStatus.FINISHED), set()),
        (EntityType.ANIME, EntityFilters(min_score=80), {spring}),
        (EntityType.ANIME, EntityFilters(genres_any=("Action", "Comedy")), {spring}),
        (EntityType.ANIME, EntityFilters(genres_all=("Drama", "Action")), {spring}),
        (EntityType.ANIME, EntityFilters(genres_none=("Action",)), {movie}),
        (EntityType.ANIME, EntityFilters(studio_id=studio), {spring}),
        (EntityType.ANIME, EntityFilters(person_id=director), {movie}),
        (EntityType.CHARACTER, EntityFilters(anime_id=spring), {hero}),
        (EntityType.CHARACTER, EntityFilters(), {hero, extra}),
        (EntityType.EPISODE, EntityFilters(anime_id=spring), {first}),
    ]
    async with read_only.connect() as conn:
        for entity_type, filters, expected in cases:
            page = await list_entities(conn, entity_type, filters=filters)
            assert {card.id for card in page.cards} == expected, filters
        for entity_type, filters in [
            (EntityType.CHARACTER, EntityFilters(first_year=2000)),
            (EntityType.STUDIO, EntityFilters(genres_any=("Action",))),
            (EntityType.ANIME, EntityFilters(anime_id=spring)),
            (EntityType.PERSON, EntityFilters(studio_id=studio)),
        ]:
            with pytest.raises(UnsupportedFilter):
                await list_entities(conn, entity_type, filters=filters)
