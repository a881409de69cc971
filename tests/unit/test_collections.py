"""Names, payload fields and index texts of the catalogue's collections."""

from dataclasses import replace
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from agent_core.retrieval.payload_filters import payload_filter
from agent_core.schemas import DateRange, SearchFilters
from datastore.dates import PartialDate
from datastore.postgres.entity_cards import AnimeDetails, CardName, EntityCard, RawDate, StudioDetails
from datastore.postgres.index_reads import IndexCard
from datastore.vectors.chunk_points import chunk_filter
from datastore.vectors.collections import (
    INDEXED_TYPES,
    PAYLOAD_FIELDS,
    CollectionName,
    alias_of,
    entity_payload,
    has_fields,
    is_of_model,
    required_indexes,
)
from datastore.vectors.filters import fields_in
from datastore.vectors.index_text import index_text, lexical_text
from datastore.vocabulary import EntityType, NameKind, Season, WorkFormat, WorkSource, WorkStatus

EVERY_FILTER = SearchFilters(
    anime_id=UUID(int=1),
    years=DateRange(first_year=1998),
    season=Season.SPRING,
    format=WorkFormat.TV,
    status=WorkStatus.FINISHED,
    genres_any=("Action",),
    studio="Sunrise",
    min_score=50,
    source=WorkSource.ORIGINAL,
)


@pytest.fixture
def work() -> IndexCard:
    names = (
        CardName("Cowboy Bebop", NameKind.MAIN, "en"),
        CardName("カウボーイビバップ", NameKind.NATIVE, "ja"),
        CardName("Bebop", NameKind.ALIAS, None),
    )
    details = AnimeDetails(
        format=WorkFormat.TV,
        status=WorkStatus.FINISHED,
        start=RawDate(PartialDate(1998, 4), None),
        end=RawDate(None, None),
        year=1998,
        score=86.0,
        score_source="test",
        genres=("Sci-Fi", "Drama"),
        tags=("Space",),
        synopsis="Bounty hunters drift through space.",
        country=None,
        episodes=26,
        duration_minutes=None,
        season=Season.SPRING,
        season_year=1998,
        source=WorkSource.ORIGINAL,
    )
    card = EntityCard(
        UUID(int=7), EntityType.ANIME, "Cowboy Bebop", 3, datetime.now(UTC), 1.0, 900, names, (), {}, details
    )
    return IndexCard(card, "hash", ("Sunrise",), (UUID(int=1),))


def test_names_can_be_read_back() -> None:
    name = CollectionName(EntityType.ANIME, "6413f1f0", 12)
    assert str(name) == "enishi_anime_6413f1f0_v12"
    assert CollectionName.parse(str(name)) == name
    assert alias_of(EntityType.ANIME) == "enishi_anime"


@pytest.mark.parametrize(
    "name", ["", "enishi_anime", "enishi_ship_6413f1f0_v1", "enishi_anime_6413f1f0_v0", "enishi_anime_XYZ_v1"]
)
def test_other_names_are_none_of_ours(name: str) -> None:
    assert CollectionName.parse(name) is None
    assert not is_of_model(name, "6413f1f0")


def test_every_filter_looks_at_an_indexed_field_and_every_index_serves_a_filter() -> None:
    condition = payload_filter(EVERY_FILTER)
    assert condition is not None
    of_chunks = chunk_filter(
        documents=[UUID(int=1)], collections=["press"], first=date(2024, 1, 1), last=date(2024, 2, 1)
    )
    assert of_chunks is not None
    indexed = {field.name for field in PAYLOAD_FIELDS if field.index is not None}
    assert fields_in(condition) | fields_in(of_chunks) == indexed
    assert fields_in(of_chunks) == {each.field for each in required_indexes(EntityType.DOCUMENT)}
    unset = {name for name, value in EVERY_FILTER if value == SearchFilters.model_fields[name].default}
    # The index knows years; the days of a start are held against the rows.
    assert unset == {"ids", "genres_all", "genres_none", "started"}


def test_a_type_without_a_field_can_not_match_a_filter_on_it() -> None:
    assert has_fields(EntityType.ANIME, {"season", "genres"})
    assert not has_fields(EntityType.MANGA, {"season", "genres"})
    assert has_fields(EntityType.STUDIO, set())
    assert {each: len(required_indexes(each)) for each in INDEXED_TYPES} == {
        EntityType.ANIME: 8,
        EntityType.MANGA: 6,
        EntityType.CHARACTER: 1,
        EntityType.EPISODE: 2,
        EntityType.PERSON: 0,
        EntityType.STUDIO: 0,
    }


def test_a_payload_leaves_out_what_is_not_known(work: IndexCard) -> None:
    studio = replace(work.card, entity_type=EntityType.STUDIO, details=StudioDetails(None), popularity_count=None)
    assert entity_payload(IndexCard(studio, "hash")) == {
        "entity_type": "studio",
        "name": "Cowboy Bebop",
        "names": ("Cowboy Bebop", "カウボーイビバップ", "Bebop"),
    }


def test_the_text_begins_with_what_tells_most(work: IndexCard) -> None:
    assert index_text(work) == (
        "Cowboy Bebop / Bebop. anime tv 1998. Sunrise, Sci-Fi, Drama, Space. Bounty hunters drift through space"
    )
    assert lexical_text(work).startswith("Cowboy Bebop / カウボーイビバップ / Bebop. anime tv 1998.")


def test_a_name_in_no_latin_script_is_still_a_text(work: IndexCard) -> None:
    native = replace(
        work.card,
        entity_type=EntityType.STUDIO,
        name="縁",
        names=(CardName("縁", NameKind.MAIN, "ja"),),
        details=StudioDetails(None),
    )
    assert index_text(IndexCard(native, "hash")) == "縁. studio"
