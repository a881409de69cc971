"""The loop as it is assembled, over a real PostgreSQL: rules alone, and a model with the rules behind it."""

from collections.abc import AsyncGenerator
from uuid import UUID, uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.evidence import PathEvidence
from agent_core.llm.providers import ModelOptions, ModelProvider
from agent_core.orchestrator import LoopOptions, Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, TerminationReason, WarningCode
from datastore.edges import EdgeType
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only
from datastore.vocabulary import AppearanceRole, StaffRole
from factories import CatalogueFactory, aliases
from fixtures.postgres import seeded
from fixtures.scripted_llm import ScriptedLLM, Status

Entities = dict[str, UUID]


async def write_world(read_write: ReadWriteEngine) -> Entities:
    """One Piece with two characters, a voice and a director; two characters called Sakura."""
    async with read_write.begin(10) as conn:
        make = CatalogueFactory(conn)
        made = {
            "one_piece": await make.make_anime("One Piece", names=aliases("OP"), popularity=0.9),
            "luffy": await make.make_character("Monkey D. Luffy", names=aliases("Luffy"), popularity=0.9),
            "nami": await make.make_character("Nami", popularity=0.8),
            "tanaka": await make.make_person("Mayumi Tanaka"),
            "uda": await make.make_person("Konosuke Uda"),
            "naruto": await make.make_anime("Naruto", popularity=0.8),
            "cardcaptor": await make.make_anime("Cardcaptor Sakura", popularity=0.7),
            "haruno": await make.make_character("Sakura", key="haruno", popularity=0.5),
            "kinomoto": await make.make_character("Sakura", key="kinomoto", popularity=0.5),
        }
        for name in ("luffy", "nami"):
            await make.appears(made[name], made["one_piece"], AppearanceRole.MAIN)
        await make.appears(made["haruno"], made["naruto"], AppearanceRole.MAIN)
        await make.appears(made["kinomoto"], made["cardcaptor"], AppearanceRole.MAIN)
        await make.voices(made["tanaka"], made["luffy"], work=made["one_piece"])
        await make.worked(made["uda"], made["one_piece"], StaffRole.DIRECTOR)
    return made


template, entities = seeded(write_world)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine, entities: Entities) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def ask(loop: Orchestrator, query: str) -> AgentResponse:
    response = await loop.run(AgentRequest(query=query, request_id=uuid4()))
    assert violations(response) == []
    assert {source.evidence_id for source in response.sources} == {item.id for item in response.evidence}
    assert all(ref.name for ref in (*response.source_entities, *response.result_entities))
    return response


async def test_which_anime_is_luffy_in(loop: Orchestrator, entities: Entities) -> None:
    response = await ask(loop, "Which anime is Luffy in?")
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.id for ref in response.result_entities] == [entities["one_piece"]]
    assert "One Piece" in response.answer
    assert response.usage.turns == 1
    assert response.usage.model_calls == 0


async def test_how_is_luffy_related_to_nami(loop: Orchestrator, entities: Entities) -> None:
    response = await ask(loop, "How is Luffy related to Nami?")
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.id for ref in response.source_entities] == [entities["luffy"], entities["one_piece"], entities["nami"]]
    assert {ref.id for ref in response.result_entities} == {entities["luffy"], entities["nami"]}
    (path,) = response.evidence
    assert isinstance(path, PathEvidence)
    assert [step.rel for step in path.path.steps] == [EdgeType.APPEARS_IN, EdgeType.FEATURES]


async def test_who_directed_it(loop: Orchestrator, entities: Entities) -> None:
    response = await ask(loop, "Who directed One Piece?")
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.id for ref in response.result_entities] == [entities["uda"]]


async def test_who_composed_it_is_not_in_the_catalogue(loop: Orchestrator) -> None:
    response = await ask(loop, "Who composed the music of One Piece?")
    assert response.status is AnswerStatus.NOT_FOUND


async def test_a_name_that_nothing_carries(loop: Orchestrator) -> None:
    response = await ask(loop, "Who directed Zorblax Quxenheim?")
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.sources == ()


async def test_namesakes(loop: Orchestrator, entities: Entities) -> None:
    response = await ask(loop, "Who voices Sakura?")
    assert response.status is AnswerStatus.AMBIGUOUS
    assert response.termination_reason is TerminationReason.AMBIGUOUS
    assert {entities["haruno"], entities["kinomoto"]} <= {candidate.entity.id for candidate in response.alternatives}


async def test_a_greeting(loop: Orchestrator) -> None:
    response = await ask(loop, "Hello!")
    assert response.termination_reason is TerminationReason.NO_RETRIEVAL_NEEDED
    assert response.usage.turns == 0


async def test_a_model_that_is_away_leaves_the_rules_answer(
    read_only: ReadOnlyEngine, entities: Entities, scripted_llm: ScriptedLLM
) -> None:
    scripted_llm.script("*", Status(503, {"Retry-After": "60"}))
    options = ModelOptions(provider=ModelProvider.OPENAI_COMPATIBLE, model="scripted", base_url=scripted_llm.base_url)
    every_stage = LoopOptions(fast_path=False)
    loop = build_orchestrator(read_only=read_only, vector_store=None, embedder=None, model=options, options=every_stage)
    response = await ask(loop, "Who directed One Piece?")
    await loop.close()
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert [warning.code for warning in response.warnings] == [WarningCode.LLM_UNAVAILABLE]
    assert [ref.id for ref in response.result_entities] == [entities["uda"]]
    assert len(scripted_llm.requests) == 1


async def test_a_database_that_is_gone_is_a_clear_answer_within_a_second() -> None:
    gone = open_read_only(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:1/nothing"))
    loop = build_orchestrator(read_only=gone, vector_store=None, embedder=None)
    response = await ask(loop, "Who directed One Piece?")
    await gone.close()
    assert response.termination_reason is TerminationReason.DEPENDENCY_LOST
    assert response.status is AnswerStatus.PARTIAL
    assert [warning.code for warning in response.warnings] == [WarningCode.DATABASE_UNAVAILABLE]
    assert response.answer.startswith("The catalogue can't be reached right now")
    assert response.usage.ms["total_ms"] < 1_000
