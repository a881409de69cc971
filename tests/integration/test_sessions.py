"""Sessions over a real PostgreSQL: what a later question leans on, whose it is, how long it is kept."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.bootstrap import build_orchestrator
from agent_core.errors import SessionNotFound, SourceUnavailable
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, WarningCode
from agent_core.turns import PastTurn
from agent_service.sessions import SHOWN_TURNS, PostgresSessions
from datastore.postgres.conversations import sessions, turns
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_write
from datastore.postgres.projection import delete_entities
from datastore.vocabulary import StaffRole
from factories import CatalogueFactory
from fixtures.postgres import seeded

SECONDS = 30.0
Entities = dict[str, UUID]


async def write_world(read_write: ReadWriteEngine) -> Entities:
    """Two works, each with its director."""
    async with read_write.begin(SECONDS) as conn:
        make = CatalogueFactory(conn)
        made = {
            "bebop": await make.make_anime("Cowboy Bebop", popularity=0.9),
            "trigun": await make.make_anime("Trigun", popularity=0.8),
            "watanabe": await make.make_person("Shinichiro Watanabe"),
            "nishimura": await make.make_person("Satoshi Nishimura"),
        }
        await make.worked(made["watanabe"], made["bebop"], StaffRole.DIRECTOR)
        await make.worked(made["nishimura"], made["trigun"], StaffRole.DIRECTOR)
    return made


template, entities = seeded(write_world)


@pytest.fixture
def store(read_write: ReadWriteEngine) -> PostgresSessions:
    return PostgresSessions(read_write, keep_days=30, keep_turns=12)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine, store: PostgresSessions, entities: Entities) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None, sessions=store)
    yield built
    await built.close()


async def ask(loop: Orchestrator, query: str, session: UUID, principal: str = "local") -> AgentResponse:
    request = AgentRequest(query=query, request_id=uuid4(), session_id=session, principal=principal)
    response = await loop.run(request)
    assert violations(response) == []
    return response


async def test_a_question_leans_on_the_turn_before_it(loop: Orchestrator, entities: Entities) -> None:
    session = uuid4()
    first = await ask(loop, "Which anime is called Cowboy Bebop?", session)
    assert first.session_id == session
    second = await ask(loop, "Who directed it?", session)
    assert [ref.id for ref in second.result_entities] == [entities["watanabe"]]
    assert "Cowboy Bebop" in second.rewritten_query
    third = await ask(loop, "And Trigun?", session)
    assert [ref.id for ref in third.result_entities] == [entities["nishimura"]]


async def test_without_a_session_a_pronoun_means_nothing(loop: Orchestrator) -> None:
    await ask(loop, "Who directed Cowboy Bebop?", uuid4())
    alone = await ask(loop, "Who directed it?", uuid4())
    assert alone.result_entities == ()


async def test_what_was_deleted_is_not_repeated_from_memory(
    loop: Orchestrator, entities: Entities, read_write: ReadWriteEngine
) -> None:
    session = uuid4()
    before = await ask(loop, "Who directed Cowboy Bebop?", session)
    assert before.status is AnswerStatus.ANSWERED
    async with read_write.begin(SECONDS) as conn:
        await delete_entities(conn, {entities["bebop"], entities["watanabe"]})
    after = await ask(loop, "repeat the answer", session)
    assert after.status is AnswerStatus.NOT_FOUND
    assert after.result_entities == ()
    assert "Watanabe" not in after.answer


async def test_another_principals_session_is_not_found(loop: Orchestrator, store: PostgresSessions) -> None:
    session = uuid4()
    await ask(loop, "Who directed Cowboy Bebop?", session, principal="one")
    with pytest.raises(SessionNotFound, match="session_id: names no session of yours"):
        await ask(loop, "Who directed Trigun?", session, principal="two")
    with pytest.raises(SessionNotFound):
        await store.remember(session, "two", PastTurn(question="mine"), trace_id=uuid4(), timeout=SECONDS)
    assert [turn.question for turn in await store.history(session, "one", timeout=SECONDS)] == [
        "Who directed Cowboy Bebop?"
    ]


async def test_the_last_turns_are_shown_and_older_ones_go(store: PostgresSessions, read_write: ReadWriteEngine) -> None:
    session = uuid4()
    for number in range(15):
        await store.remember(session, "local", PastTurn(question=f"q{number}"), trace_id=uuid4(), timeout=SECONDS)
    shown = await store.history(session, "local", timeout=SECONDS)
    assert [turn.question for turn in shown] == [f"q{number}" for number in range(15 - SHOWN_TURNS, 15)]
    async with read_write.begin(SECONDS) as conn:
        kept = await conn.scalar(sa.select(sa.func.count()).where(turns.c.session_id == session))
    assert kept == 12


async def test_a_session_that_has_expired_is_gone_for_everybody(
    store: PostgresSessions, read_write: ReadWriteEngine
) -> None:
    session = uuid4()
    await store.remember(session, "one", PastTurn(question="old"), trace_id=uuid4(), timeout=SECONDS)
    async with read_write.begin(SECONDS) as conn:
        await conn.execute(sessions.update().values(expires_at=sa.func.now() - timedelta(seconds=1)))
    assert await store.history(session, "one", timeout=SECONDS) == ()
    await store.remember(session, "two", PastTurn(question="new"), trace_id=uuid4(), timeout=SECONDS)
    assert [turn.question for turn in await store.history(session, "two", timeout=SECONDS)] == ["new"]


async def test_a_lost_store_costs_the_memory_and_not_the_answer(read_only: ReadOnlyEngine, entities: Entities) -> None:
    nowhere = open_read_write(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:1/nothing"))
    lost = PostgresSessions(nowhere, keep_days=1, keep_turns=1)
    with pytest.raises(SourceUnavailable):
        await lost.history(uuid4(), "local", timeout=SECONDS)
    loop = build_orchestrator(read_only=read_only, vector_store=None, embedder=None, sessions=lost)
    response = await ask(loop, "Who directed Cowboy Bebop?", uuid4())
    assert [ref.id for ref in response.result_entities] == [entities["watanabe"]]
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert WarningCode.SESSION_UNAVAILABLE in {warning.code for warning in response.warnings}
    await loop.close()
    await nowhere.close()
