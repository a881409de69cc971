"""Pictures from a folder to an answer: stored, indexed, looked for, declined, refused."""

import base64
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.errors import InvalidRequest
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    Strategy,
)
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vectors.edge import EdgeVectorStore
from datastore.vocabulary import EntityType, StaffRole
from embeddings.bundled import BundledEmbedder
from embeddings.images.hashing import HashImageEmbedder
from factories import CatalogueFactory
from fixtures.pictures import VARIANTS, drawn, png
from ingestion.index_sync import IndexRelay
from ingestion.picture_sources import picture_sources
from ingestion.pictures import PictureImport, PicturesReport, make_room_for_pictures
from ingestion.verify import verify_index

SECONDS = 30.0
TITLES = ("Moon Gate", "Paper Comet", "Silent Harbour", "Copper Thread")


@pytest.fixture
async def ids(read_write: ReadWriteEngine) -> dict[str, UUID]:
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
        read_only=read_only, vector_store=edge_store, embedder=embedder, image_embedder=HashImageEmbedder()
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


async def test_a_picture_is_answered_with_its_entity_the_evidence_and_the_band(loop: Orchestrator) -> None:
    response = await ask(loop, "Which anime is this?", sent(VARIANTS["flipped"](drawn(2))))
    print(response.model_dump_json(indent=1))
    assert response.status is AnswerStatus.ANSWERED
