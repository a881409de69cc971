"""Pictures from a folder to an answer: stored, indexed, looked for, declined, refused."""

import base64
from collections.abc import AsyncGenerator
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from agent_core.bootstrap import FurtherSources, Pictures, build_orchestrator
from agent_core.errors import IntentRefused, InvalidRequest
from agent_core.evidence import SAME, RankedListEvidence
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.retrieval.catalogue import PostgresCatalogue
from agent_core.retrieval.picture_search import PictureSearch
from agent_core.retrieval.qdrant_executor import QdrantExecutor
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    DateRange,
    SearchFilters,
    SearchIntent,
    Strategy,
)
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.index_reads import read_index_cards
from datastore.postgres.pictures import read_pictures
from datastore.vectors.collections import alias_of
from datastore.vectors.edge import EdgeVectorStore
from datastore.vocabulary import EntityType, StaffRole
from embeddings.bundled import BundledEmbedder
from embeddings.images.hashing import HashImageEmbedder
from embeddings.images.reading import PictureReader
from factories import CatalogueFactory
from fixtures.pictures import VARIANTS, drawn, png
from fixtures.postgres import seeded
from ingestion.index_points import PointMaker
from ingestion.index_sync import IndexRelay
from ingestion.outbox_claims import count_open
from ingestion.picture_sources import picture_sources
from ingestion.pictures import PictureImport, PicturesReport, make_room_for_pictures
from ingestion.redirects import merge_entities
from ingestion.verify import verify_index
from PIL import Image

SECONDS = 30.0
TITLES = ("Moon Gate", "Paper Comet", "Silent Harbour", "Copper Thread")


async def write_catalogue(read_write: ReadWriteEngine) -> dict[str, UUID]:
    async with read_write.begin(10) as conn:
        make = CatalogueFactory(conn)
        made = {title: await make.make_anime(title, start=f"{2001 + at}") for at, title in enumerate(TITLES)}
        made["Ruri Tano"] = await make.make_character("Ruri Tano")
        made["Ken Oda"] = await make.make_person("Ken Oda")
        made["Mai Sudo"] = await make.make_person("Mai Sudo")
        await make.worked(made["Ken Oda"], made["Moon Gate"], StaffRole.DIRECTOR)
        await make.appears(made["Ruri Tano"], made["Moon Gate"])
        await make.voices(made["Mai Sudo"], made["Ruri Tano"], work=made["Moon Gate"])
        for at, title in enumerate(TITLES):
            await make.identify(made[title], "mine", "anime", str(at))
        await make.identify(made["Ruri Tano"], "mine", "character", "ruri")
    return made


template, ids = seeded(write_catalogue)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A picture for each title and one for the character; the title at `at` is drawn from the seed `at`."""
    for at in range(len(TITLES)):
        file = tmp_path / "mine" / "anime" / f"{at}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(png(drawn(at)))
    (tmp_path / "mine" / "character").mkdir()
    (tmp_path / "mine" / "character" / "ruri.png").write_bytes(png(drawn(40)))
    return tmp_path


async def stored(
    folder: Path, read_write: ReadWriteEngine, store: EdgeVectorStore, embedder: BundledEmbedder
) -> PicturesReport:
    """What `enishi index images FOLDER` does."""
    images = HashImageEmbedder()
    report = await PictureImport(read_write, images).store(picture_sources(folder))
    relay = IndexRelay(read_write, store, embedder)
    await relay.prepare()
    await make_room_for_pictures(read_write, store, embedder, images.identity, grace_seconds=0)
    await relay.drain(timeout=SECONDS)
    return report


@pytest.fixture
async def loop(
    ids: dict[str, UUID],
    folder: Path,
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
) -> AsyncGenerator[Orchestrator]:
    report = await stored(folder, read_write, edge_store, embedder)
    assert (report.stored, report.unchanged, report.left_out) == (5, 0, [])
    built = build_orchestrator(
        read_only=read_only,
        vector_store=edge_store,
        embedder=embedder,
        further=FurtherSources(Pictures(HashImageEmbedder(), PictureReader())),
    )
    yield built
    await built.close()


def sent(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


async def ask(loop: Orchestrator, query: str, image: str, **fields: object) -> AgentResponse:
    request = {"query": query, "image_query": image, "request_id": uuid4()} | fields
    response = await loop.run(AgentRequest.model_validate(request))
    assert violations(response) == []
    return response


async def test_a_picture_is_answered_with_its_entity_the_evidence_and_the_band(
    loop: Orchestrator, ids: dict[str, UUID]
) -> None:
    response = await ask(loop, "Which anime is this?", sent(VARIANTS["flipped"](drawn(2))))
    assert response.answer == (
        "The picture is that of Silent Harbour, or an altered copy of it (likeness 1.00) [1]. "
        "Silent Harbour is a TV series from 2003 [2]."
    )
    assert (response.status, response.confidence_band) == (AnswerStatus.ANSWERED, ConfidenceBand.HIGH)
    assert [ref.id for ref in response.result_entities] == [ids["Silent Harbour"]]
    seen = response.evidence[0]
    assert isinstance(seen, RankedListEvidence)
    assert [(entry.entity.name, entry.reason, entry.score) for entry in seen.entries] == [("Silent Harbour", SAME, 1.0)]
    assert response.searched == ("pictures of all types",)


async def test_the_band_is_said_and_what_nothing_looks_like_is_declined(loop: Orchestrator) -> None:
    similar = await ask(loop, "What is this?", sent(VARIANTS["cropped 10 %, one corner"](drawn(3))))
    opening = "The picture is similar to that of Copper Thread, and may be another one (likeness"
    assert similar.answer.startswith(opening)
    assert similar.confidence_band is ConfidenceBand.MEDIUM
    assert "the picture is similar to one of the catalogue, not the same" in similar.confidence_reasons
    unrelated = await ask(loop, "Which anime is this?", sent(png(drawn(1_003))))
    assert unrelated.status is AnswerStatus.NOT_FOUND
    assert unrelated.answer.startswith("No picture in the catalogue looks like it.")
    assert (unrelated.result_entities, unrelated.sources, unrelated.near_misses) == ((), (), ())
    of_other_type = await ask(loop, "Who is this?", sent(png(drawn(2))), entity_types=["character"])
    assert of_other_type.status is AnswerStatus.NOT_FOUND


async def test_a_question_about_what_the_picture_shows_is_answered(loop: Orchestrator) -> None:
    for question, seed, answer in (
        ("Who directed the anime in this picture?", 0, "Ken Oda"),
        ("What year is it from?", 3, "2004"),
        ("Who voices this character?", 40, "Mai Sudo"),
        ("Which anime is she in?", 40, "Moon Gate"),
    ):
        response = await ask(loop, question, sent(png(drawn(seed))))
        assert response.status is AnswerStatus.ANSWERED
        opening, _, rest = response.answer.partition("].")
        assert opening.startswith("The picture is that of ")
        assert answer in rest


async def test_a_picture_that_can_t_be_used_is_the_caller_s_error(loop: Orchestrator) -> None:
    plain = sent(png(Image.new("RGB", (40, 40), "red")))
    for image, reason in (
        ("http://127.0.0.1/a.png", "the picture's address is not a public one"),
        (plain, "the picture is of one colour, which is like nothing"),
    ):
        with pytest.raises(InvalidRequest) as refused:
            await ask(loop, "What is this?", image)
        assert (refused.value.field, refused.value.limit) == ("image_query", reason)
    with pytest.raises(InvalidRequest, match="a strategy that searches it"):
        await ask(loop, "What is this?", sent(png(drawn(1))), strategy=Strategy.GRAPH)


async def test_text_and_picture_are_fused(loop: Orchestrator, executor: QdrantExecutor) -> None:
    intent = SearchIntent(rationale="test", image_query=sent(png(drawn(1))), query="Copper Thread")
    found = await executor.execute(intent, timeout=SECONDS)
    assert [hit.entity.name for hit in found.hits] == ["Paper Comet", "Copper Thread"]
    assert isinstance(found.evidence[0], RankedListEvidence)
    narrowed = intent.model_copy(update={"query": None, "filters": SearchFilters(years=DateRange(first_year=2004))})
    assert (await executor.execute(narrowed, timeout=SECONDS)).hits == ()


@pytest.fixture
def executor(read_only: ReadOnlyEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder) -> QdrantExecutor:
    catalogue = PostgresCatalogue(read_only)
    pictures = PictureSearch(edge_store, HashImageEmbedder(), PictureReader())
    return QdrantExecutor(edge_store, embedder, catalogue, pictures=pictures)


async def test_without_an_image_embedder_or_pictures_the_way_to_them_is_named(
    ids: dict[str, UUID],
    executor: QdrantExecutor,
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
) -> None:
    loop = build_orchestrator(read_only=read_only, vector_store=edge_store, embedder=embedder)
    with pytest.raises(InvalidRequest, match="ENISHI_IMAGES is 'none'"):
        await ask(loop, "What is this?", sent(png(drawn(1))))
    await IndexRelay(read_write, edge_store, embedder).prepare()
    intent = SearchIntent(rationale="test", image_query=sent(png(drawn(1))))
    with pytest.raises(IntentRefused, match="'enishi index images' adds some"):
        await executor.execute(intent, timeout=SECONDS)


async def test_the_same_pictures_again_change_nothing_and_another_one_replaces(
    loop: Orchestrator,
    ids: dict[str, UUID],
    folder: Path,
    read_write: ReadWriteEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
) -> None:
    before = await edge_store.aliases(timeout=SECONDS)
    again = await stored(folder, read_write, edge_store, embedder)
    assert (again.stored, again.unchanged, again.refused) == (0, 5, 0)
    assert await edge_store.aliases(timeout=SECONDS) == before
    async with read_write.begin(10) as conn:
        assert await count_open(conn) == 0
    (folder / "mine" / "anime" / "2.png").write_bytes(png(drawn(77)))
    (folder / "mine" / "anime" / "99.png").write_bytes(png(drawn(78)))
    (folder / "mine" / "anime" / "1.png").write_bytes(b"broken")
    report = await stored(folder, read_write, edge_store, embedder)
    assert (report.stored, report.unchanged, report.refused) == (1, 3, 2)
    assert [(each.where, each.reason) for each in report.left_out] == [
        ("mine/anime/1.png", "no picture of a known kind (JPEG, PNG, WEBP, GIF, BMP)"),
        ("mine/anime/99.png", "no entity of the catalogue has this reference"),
    ]
    assert (await ask(loop, "What is this?", sent(png(drawn(2))))).status is AnswerStatus.NOT_FOUND
    found = await ask(loop, "What is this?", sent(png(drawn(77))))
    assert [ref.id for ref in found.result_entities] == [ids["Silent Harbour"]]
    assert (await verify_index(read_write, edge_store, entity_types=[EntityType.ANIME])).is_sound
    alias, wanted = alias_of(EntityType.ANIME), ids["Moon Gate"]
    async with read_write.begin(10) as conn:
        cards = await read_index_cards(conn, EntityType.ANIME, [wanted])
    plain = await PointMaker(embedder).make(list(cards.values()), sequences={wanted: 1_000}, timeout=SECONDS)
    await edge_store.upsert(alias, plain, timeout=SECONDS)
    assert (await ask(loop, "What is this?", sent(png(drawn(0))))).status is AnswerStatus.NOT_FOUND
    assert (await verify_index(read_write, edge_store, entity_types=[EntityType.ANIME])).drift_count == 1


async def test_a_merged_entity_leaves_its_picture_to_the_one_that_stays(
    ids: dict[str, UUID], folder: Path, read_write: ReadWriteEngine
) -> None:
    for at in (0, 2, 3):
        (folder / "mine" / "anime" / f"{at}.png").unlink()
    images = HashImageEmbedder()
    await PictureImport(read_write, images).store(picture_sources(folder))
    async with read_write.begin(10) as conn:
        await merge_entities(conn, kept=ids["Moon Gate"], gone=ids["Paper Comet"], reason="test")
        kept = await read_pictures(conn, [ids["Moon Gate"]], model=images.identity.short_hash)
    assert kept[ids["Moon Gate"]].digest == sha256(png(drawn(1))).hexdigest()
