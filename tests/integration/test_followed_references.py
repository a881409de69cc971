"""Following references on the real stores: demo documents imported, indexed and asked, hop by hop."""

import shutil
from pathlib import Path
from uuid import UUID, uuid4

from agent_core.bootstrap import build_orchestrator
from agent_core.evidence import ChunkEvidence, PathEvidence
from agent_core.retrieval.stored_references import StoredReferences
from agent_core.schemas import Action, AgentRequest, AnswerStatus, Stage
from datastore.edges import EdgeType
from datastore.identity import entity_id
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vectors.edge import EdgeVectorStore
from embeddings.bundled import BundledEmbedder
from fixtures.document_files import import_documents
from ingestion.demo import demo_documents_files
from ingestion.index_sync import IndexRelay

HANDBOOK, AKIRA = "projection-handbook.md", "akira-film-week.md"
FILES = (HANDBOOK, AKIRA, "bebop-paper-storms.md", "cel-loans-2020.md", "cel-loans-2022.md", "trigun-sand.md")


def _id(name: str) -> UUID:
    return entity_id("press", "document", name)


async def test_references_are_read_as_stored_and_followed_as_asked(
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    edge_store: EdgeVectorStore,
    embedder: BundledEmbedder,
    tmp_path: Path,
) -> None:
    for path in demo_documents_files():
        if path.name in FILES:
            shutil.copy(path, tmp_path)
    await import_documents(read_write, tmp_path, collection="press")
    await IndexRelay(read_write, edge_store, embedder).drain(timeout=60)

    stored = StoredReferences(read_only)
    (section,) = await stored.of_documents([_id(AKIRA)], [EdgeType.REFERENCES], timeout=5)
    assert section.model_dump(include={"name", "section", "text", "sentence"}) == {
        "name": "Projection Handbook",
        "section": "Section 2.1",
        "text": "Section 2.1",
        "sentence": "How the sound was set is described in the “Projection Handbook”, Section 2.1.",
    }
    assert section.chunk_id is not None
    assert section.leads_to is not None
    assert (section.leads_to.id, section.leads_to.name) == (_id(HANDBOOK), "Projection Handbook")
    assert section in await stored.in_chunks([section.chunk_id], timeout=5)
    assert await stored.entries(_id(AKIRA), timeout=5) == {}

    loop = build_orchestrator(read_only=read_only, vector_store=edge_store, embedder=embedder)
    film_week = "“Akira at the Kurokawa Film Week”"
    question = f"According to the handbook that {film_week} refers to, how many decibels is the level?"
    level = await loop.run(AgentRequest(query=question, request_id=uuid4()))
    assert level.answer == (
        "“Akira at the Kurokawa Film Week” refers to “Projection Handbook” [1]. “Projection Handbook” (2021-11-15): "
        "“The level is 72 decibels at the middle seat for evening screenings” [2]."
    )
    link, quoted = level.evidence
    assert isinstance(link, PathEvidence)
    assert isinstance(quoted, ChunkEvidence)
    assert (quoted.section, quoted.reached_by) == (
        "2.1 Level",
        "Projection Handbook Section 2.1, as “Akira at the Kurokawa Film Week” refers to it",
    )

    question = "What does the article that “Paper Storms: Cowboy Bebop on the Wall” refers to say about gloves?"
    gloves = await loop.run(AgentRequest(query=question, request_id=uuid4()))
    assert gloves.status is AnswerStatus.ANSWERED
    assert "“Nitrile gloves must be worn whenever a cel is out of its sleeve" in gloves.answer
    assert [step.action for step in gloves.steps if step.stage is Stage.EXECUTE][:2] == [
        Action.DOCUMENT_LOOKUP,
        Action.FOLLOW_REFERENCES,
    ]
    await loop.close()
