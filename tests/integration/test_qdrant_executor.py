"""Semantic search on the real engine, model and database: filters, ids, staleness, relevance, trouble."""

from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import EntityRowEvidence
from agent_core.retrieval.catalogue import PostgresCatalogue
from agent_core.retrieval.qdrant_executor import QdrantExecutor
from agent_core.schemas import DateRange, RetrievalResult, SearchFilters, SearchIntent, StepStatus, WarningCode
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.vectors.collections import CollectionName, alias_of, collection_spec
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.owner import VectorStoreOwner
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus
from embeddings.bundled import BundledEmbedder
from embeddings.protocol import ModelIdentity
from factories import CatalogueFactory
from fixtures.postgres import seeded
from ingestion.index_sync import IndexRelay
from ingestion.outbox_claims import IndexTask, append_tasks

SECONDS = 30.0

PIRATES = "A crew of pirates sails the sea in search of a legendary treasure."
HUNTERS = "Bounty hunters chase criminals through space in a fishing ship, always short of money."
NINJA = "A boy dreams of becoming the leader of his ninja village."


async def write_catalogue(read_write: ReadWriteEngine) -> dict[str, UUID]:
    """A small catalogue and the ids of its entities by name."""
    async with read_write.begin() as conn:
        factory = CatalogueFactory(conn, searchable=False)
        made = {
            "Sea Kings": await factory.make_anime(
                "Sea Kings",
                start="1999-10",
                season=Season.FALL,
                genres=("Adventure", "Comedy"),
                synopsis=PIRATES,
                score=88.0,
                status=WorkStatus.RELEASING,
                source=WorkSource.MANGA,
            ),
            "Star Drift": await factory.make_anime(
                "Star Drift", start="1998-04", season=Season.SPRING, genres=("Sci-Fi",), synopsis=HUNTERS, score=86.0
            ),
            "Leaf": await factory.make_anime("Leaf", synopsis=NINJA),
            "Sea Kings (manga)": await factory.make_manga("Sea Kings", key="sea-manga", start="1997"),
            "Captain Ruffian": await factory.make_character(
                "Captain Ruffian", description="A pirate captain who wants to find the legendary treasure."
            ),
            "Bloom Works": await factory.make_studio("Bloom Works"),
            "Mika Tano": await factory.make_person("Mika Tano"),
        }
        made["Landfall"] = await factory.make_episode(made["Sea Kings"], 1, "Landfall", aired="1999-10-20")
        await factory.appears(made["Captain Ruffian"], made["Sea Kings"])
        await factory.produced(made["Bloom Works"], made["Sea Kings"])
    return made


template, ids = seeded(write_catalogue)


@pytest.fixture
async def executor(
    ids: dict[str, UUID],
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
) -> QdrantExecutor:
    async with read_write.begin() as conn:
        rows = await conn.execute(sa.select(entities.c.id, entities.c.entity_type))
        types = {row[0]: row[1] for row in rows}
        await append_tasks(conn, [IndexTask(each, kind, 1, OutboxOperation.UPSERT) for each, kind in types.items()])
    await IndexRelay(read_write, edge_store, embedder).drain(timeout=SECONDS)
    return QdrantExecutor(edge_store, embedder, PostgresCatalogue(read_only))


def intent(query: str | None = None, **fields: object) -> SearchIntent:
    return SearchIntent.model_validate({"rationale": "test", "query": query} | fields)


def names(result: RetrievalResult) -> list[str]:
    return [item.title for item in result.evidence]


async def search(executor: QdrantExecutor, query: str | None, **fields: object) -> list[str]:
    return names(await executor.execute(intent(query, **fields), timeout=SECONDS))


async def test_a_description_finds_its_work_with_the_catalogue_s_text(
    executor: QdrantExecutor, ids: dict[str, UUID]
) -> None:
    result = await executor.execute(intent("space bounty hunters", entity_types=["anime"]), timeout=SECONDS)
    assert result.status is StepStatus.OK
    first = result.evidence[0]
    assert isinstance(first, EntityRowEvidence)
    assert (first.id, first.row_version) == (f"row:anime:{ids['Star Drift']}", 1)
    assert HUNTERS in first.text
    hit = result.hits[0]
    assert (hit.entity.id, hit.entity.name, hit.evidence_id) == (ids["Star Drift"], "Star Drift", first.id)
    assert 0.3 < hit.score < 1
    assert result.warnings == ()
    assert result.summary.startswith("1 matches for 'space bounty hunters', best first: Star Drift (anime)")


async def test_all_types_are_searched_and_fused_when_none_is_asked(executor: QdrantExecutor) -> None:
    found = await search(executor, "pirates looking for treasure")
    assert set(found) == {"Sea Kings", "Captain Ruffian"}
    assert await search(executor, "pirates looking for treasure", entity_types=["character"]) == ["Captain Ruffian"]
    assert len(await search(executor, "pirates looking for treasure", top_k=1)) == 1


async def test_a_name_is_found_by_its_words(executor: QdrantExecutor) -> None:
    assert await search(executor, "Mika Tano") == ["Mika Tano"]
    assert (await search(executor, "bloom works"))[0] == "Bloom Works"


async def test_unrelated_questions_find_nothing(executor: QdrantExecutor) -> None:
    for question in ("how do I reset my router", "What is the capital of France?", "asdkjhaskdjh", "🏴"):
        result = await executor.execute(intent(question), timeout=SECONDS)
        assert (result.status, result.hits, result.evidence) == (StepStatus.EMPTY, (), ())
        assert result.summary == f"Nothing in the index matches '{question}'."


FILTERED: list[tuple[SearchFilters, set[str]]] = [
    (SearchFilters(years=DateRange(first_year=1999)), {"Sea Kings"}),
    (SearchFilters(years=DateRange(last_year=1998)), set[str]()),
    (SearchFilters(season=Season.FALL), {"Sea Kings"}),
    (SearchFilters(season=Season.WINTER), set[str]()),
    (SearchFilters(format=WorkFormat.TV), {"Sea Kings"}),
    (SearchFilters(format=WorkFormat.MOVIE), set[str]()),
    (SearchFilters(status=WorkStatus.RELEASING), {"Sea Kings"}),
    (SearchFilters(source=WorkSource.MANGA), {"Sea Kings"}),
    (SearchFilters(genres_any=("comedy", "Horror")), {"Sea Kings"}),
    (SearchFilters(genres_all=("Comedy", "ADVENTURE")), {"Sea Kings"}),
    (SearchFilters(genres_all=("Comedy", "Horror")), set[str]()),
    (SearchFilters(genres_none=("Sci-Fi",)), {"Sea Kings"}),
    (SearchFilters(genres_none=("Comedy",)), set[str]()),
    (SearchFilters(studio="bloom  WORKS"), {"Sea Kings"}),
    (SearchFilters(studio="Other"), set[str]()),
    (SearchFilters(min_score=88), {"Sea Kings"}),
    (SearchFilters(min_score=88.5), set[str]()),
]


async def test_filters(executor: QdrantExecutor) -> None:
    for filters, expected in FILTERED:
        assert set(await search(executor, "pirates looking for treasure", filters=filters)) == expected, filters


async def test_an_unknown_value_never_matches_an_excluding_filter_either(executor: QdrantExecutor) -> None:
    assert await search(executor, "boy in a ninja village") == ["Leaf"]
    assert await search(executor, "boy in a ninja village", filters=SearchFilters(genres_none=("Horror",))) == []


async def test_a_work_restricts_characters_and_episodes(executor: QdrantExecutor, ids: dict[str, UUID]) -> None:
    filters = SearchFilters(anime_id=ids["Sea Kings"])
    assert await search(executor, "pirate captain", filters=filters) == ["Captain Ruffian"]
    assert await search(executor, "landfall", filters=filters) == ["Landfall"]
    assert await search(executor, "pirate captain", filters=SearchFilters(anime_id=ids["Leaf"])) == []


async def test_ids_are_fetched_in_the_order_asked_without_a_query(
    executor: QdrantExecutor, ids: dict[str, UUID]
) -> None:
    wanted = (ids["Leaf"], uuid4(), ids["Mika Tano"], ids["Sea Kings"], ids["Leaf"])
    result = await executor.execute(intent(filters=SearchFilters(ids=wanted)), timeout=SECONDS)
    assert names(result) == ["Leaf", "Mika Tano", "Sea Kings"]
    assert [hit.score for hit in result.hits] == [1.0, 1.0, 1.0]
    only = await search(executor, None, filters=SearchFilters(ids=wanted), entity_types=["person"])
    assert only == ["Mika Tano"]
    comedies = SearchFilters(ids=wanted, genres_any=("Comedy",))
    assert await search(executor, None, filters=comedies) == ["Sea Kings"]
    assert await search(executor, None, filters=SearchFilters(ids=(uuid4(),))) == []


async def test_ids_need_no_model(executor: QdrantExecutor, ids: dict[str, UUID], edge_store: EdgeVectorStore) -> None:
    closed = BundledEmbedder()
    await closed.close()
    without = QdrantExecutor(edge_store, closed, executor.catalogue)
    assert await search(without, None, filters=SearchFilters(ids=(ids["Leaf"],))) == ["Leaf"]
    with pytest.raises(SourceUnavailable) as caught:
        await search(without, "pirates")
    assert (caught.value.source, caught.value.timed_out) == ("qdrant", False)


async def test_a_hit_whose_row_is_gone_is_left_out_with_a_warning(
    executor: QdrantExecutor, ids: dict[str, UUID], read_write: ReadWriteEngine
) -> None:
    async with read_write.begin() as conn:
        await conn.execute(sa.delete(entities).where(entities.c.id == ids["Star Drift"]))
    result = await executor.execute(intent("space bounty hunters"), timeout=SECONDS)
    assert result.hits == ()
    assert [(warning.code, warning.subject) for warning in result.warnings] == [(WarningCode.STALE_INDEX, "1 left out")]


async def test_a_changed_row_is_shown_as_it_is_now_but_vouches_for_no_filter(
    executor: QdrantExecutor, ids: dict[str, UUID], read_write: ReadWriteEngine
) -> None:
    async with read_write.begin() as conn:
        changed = sa.update(entities).where(entities.c.id == ids["Star Drift"])
        await conn.execute(changed.values(name="Star Drift II", version=2))
    result = await executor.execute(intent("space bounty hunters"), timeout=SECONDS)
    assert (names(result), result.hits[0].row_version) == (["Star Drift II"], 2)
    filters = SearchFilters(season=Season.SPRING)
    filtered = await executor.execute(intent("space bounty hunters", filters=filters), timeout=SECONDS)
    assert filtered.hits == ()
    assert filtered.warnings[0].code is WarningCode.STALE_INDEX


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"query": "  "}, "query"),
        ({"query": None}, "query"),
        ({"query": "ship", "image_query": "https://example.org/a.png"}, "image_query"),
        ({"query": "ship", "entity_types": ["document"]}, "entity_types"),
        ({"query": "ship", "filters": {"studio": " "}}, "filters.studio"),
        ({"query": "ship", "filters": {"genres_any": ["Action", ""]}}, "filters.genres_any"),
    ],
)
async def test_what_can_not_be_done_is_refused(executor: QdrantExecutor, fields: dict[str, object], field: str) -> None:
    with pytest.raises(IntentRefused) as caught:
        await executor.execute(intent(**fields), timeout=SECONDS)  # pyright: ignore[reportArgumentType]
    assert caught.value.field == field


async def test_no_time_is_a_timeout(executor: QdrantExecutor) -> None:
    with pytest.raises(SourceUnavailable) as caught:
        await executor.execute(intent("ship"), timeout=0)
    assert (caught.value.source, caught.value.timed_out) == ("qdrant", True)


async def test_vectors_of_another_model_are_never_compared(
    executor: QdrantExecutor, edge_store: EdgeVectorStore
) -> None:
    other = CollectionName(EntityType.ANIME, ModelIdentity("other", "1", 384).short_hash, 2)
    await edge_store.ensure_collection(collection_spec(other, 384), timeout=SECONDS)
    await edge_store.switch_alias(alias_of(EntityType.ANIME), str(other), timeout=SECONDS)
    with pytest.raises(SourceUnavailable) as caught:
        await search(executor, "space bounty hunters")
    assert "run 'enishi index rebuild'" in str(caught.value.__cause__)
    assert await search(executor, "space bounty hunters", entity_types=["studio"]) == []


async def test_a_store_without_collections_is_unavailable(
    read_only: ReadOnlyEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    empty = QdrantExecutor(edge_store, embedder, PostgresCatalogue(read_only))
    with pytest.raises(SourceUnavailable) as caught:
        await empty.execute(intent("ship"), timeout=SECONDS)
    assert caught.value.source == "qdrant"


@pytest.fixture
async def owner(edge_store: EdgeVectorStore, short_folder: Path) -> AsyncGenerator[VectorStoreOwner]:
    made = VectorStoreOwner(edge_store, short_folder / "run" / "owner.sock")
    await made.start()
    yield made
    await made.close()


async def test_an_owner_that_is_away_is_unavailable_and_found_again(
    executor: QdrantExecutor,
    owner: VectorStoreOwner,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    short_folder: Path,
) -> None:
    client = OwnedVectorStore(short_folder / "run" / "owner.sock")
    remote = QdrantExecutor(client, embedder, executor.catalogue)
    assert await search(remote, "space bounty hunters") == ["Star Drift"]
    await owner.close()
    with pytest.raises(SourceUnavailable) as caught:
        await search(remote, "space bounty hunters")
    assert (caught.value.source, caught.value.timed_out) == ("qdrant", False)
    again = VectorStoreOwner(edge_store, short_folder / "run" / "owner.sock")
    await again.start()
    assert await search(remote, "space bounty hunters") == ["Star Drift"]
    await client.close()
    await again.close()


async def test_types_that_lack_a_filtered_field_are_not_asked(executor: QdrantExecutor) -> None:
    filters = SearchFilters(season=Season.FALL)
    assert await search(executor, "pirate captain", filters=filters, entity_types=[EntityType.CHARACTER]) == []
