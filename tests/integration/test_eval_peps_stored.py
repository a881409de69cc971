"""References between PEPs as they are stored, and the questions that the graph answers from them."""

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.bootstrap import build_orchestrator
from agent_core.retrieval.postgres_graph_executor import PostgresGraphExecutor
from agent_core.schemas import AgentRequest, AgentResponse
from agent_evals.peps_questions import ask_edges
from agent_evals.peps_report import PepEdge
from agent_evals.peps_stored import stored_edges, stored_numbers, unanswered
from datastore.edges import EdgeType
from datastore.postgres.documents import document_references, documents
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.projection import project_edges
from datastore.vocabulary import EntityType, NameKind
from fixtures.catalogue_rows import add_entity
from sqlalchemy.ext.asyncio import AsyncConnection

# From 1: what is required, replaced, replaced by what isn't here, mentioned, and its own number.
_STATED = (
    (EdgeType.REQUIRES, "PEP 2", 2),
    (EdgeType.SUPERSEDES, "PEP 3", 3),
    (EdgeType.SUPERSEDED_BY, "PEP 9", None),
    (EdgeType.REFERENCES, "PEP 3", 3),
    (EdgeType.MENTIONS, "PEP 1", 1),
    (EdgeType.MENTIONS, "The Zen", None),
)


@pytest.fixture
async def numbers(read_write: ReadWriteEngine) -> dict[int, UUID]:
    async with read_write.begin() as connection:
        for number in (1, 2, 3):
            await _add_document(connection, number)
        found = await stored_numbers(connection, "peps")
        await _add_references(connection, found, _STATED)
    return found


async def test_stored_edges_are_read_by_number(numbers: dict[int, UUID], read_only: ReadOnlyEngine) -> None:
    async with read_only.connect(timeout=5) as connection:
        found = await stored_edges(connection, numbers)

    assert sorted(numbers) == [1, 2, 3]
    assert sorted(found) == [
        PepEdge(1, "mentions", 3),
        PepEdge(1, "requires", 2),
        PepEdge(1, "superseded_by", 9),
        PepEdge(1, "supersedes", 3),
    ]


async def test_the_graph_answers_from_both_ends(numbers: dict[int, UUID], read_only: ReadOnlyEngine) -> None:
    true = [PepEdge(1, "requires", 2), PepEdge(1, "supersedes", 3), PepEdge(1, "superseded_by", 9)]
    false = [PepEdge(2, "requires", 1), PepEdge(1, "superseded_by", 3)]

    failed = await unanswered(PostgresGraphExecutor(read_only), [*true, *false], numbers)

    assert failed == frozenset(false)


async def test_edges_are_told_when_they_are_asked_in_words(numbers: dict[int, UUID], read_only: ReadOnlyEngine) -> None:
    loop = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    stated = [
        PepEdge(1, "requires", 2),
        PepEdge(1, "supersedes", 3),
        PepEdge(1, "superseded_by", 9),
        PepEdge(9, "supersedes", 1),
    ]

    async def ask(question: str, /) -> AgentResponse:
        return await loop.run(AgentRequest(query=question, request_id=uuid4()))

    found = await ask_edges(stated, numbers, ask)
    await loop.close()

    assert (found.asked, found.outside, found.failed) == (24, 4, ())


async def _add_document(connection: AsyncConnection, number: int) -> None:
    names = [(NameKind.ALIAS, f"PEP {number}")]
    added = await add_entity(connection, EntityType.DOCUMENT, f"Of number {number}", names_by_kind=names)
    row = {"id": added, "collection": "peps", "media_type": "text/x-rst", "text": "Text.", "text_hash": ""}
    await connection.execute(sa.insert(documents).values(row))


async def _add_references(
    connection: AsyncConnection, numbers: dict[int, UUID], stated: Sequence[tuple[EdgeType, str, int | None]]
) -> None:
    rows = [
        {
            "document_id": numbers[1],
            "start_offset": place,
            "end_offset": place + 1,
            "reference_type": "document",
            "method": "rules",
            "edge": edge,
            "target_text": target,
            "target_id": None if number is None else numbers[number],
        }
        for place, (edge, target, number) in enumerate(stated)
    ]
    inserted = await connection.scalars(sa.insert(document_references).returning(document_references.c.id), rows)
    await project_edges(connection, document_references, inserted.all())
