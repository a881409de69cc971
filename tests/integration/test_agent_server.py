"""The gRPC server over a real channel: deadlines, typed errors, identity, health, size limit, drain."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from agent_api.client import AgentClient, Caller
from agent_api.errors import (
    AgentFailed,
    AgentOverloaded,
    AgentTimedOut,
    AgentUnavailable,
    InvalidQuestion,
    NotAuthenticated,
)
from agent_api.v1 import search_pb2
from agent_core.errors import SourceUnavailable
from agent_core.events import EventListener
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    SourceCitation,
    TerminationReason,
)
from agent_service.server import AgentServer, PortInUse
from agent_service.settings import Settings
from datastore.vocabulary import EntityType
from pydantic import SecretStr

CANARY = "postgresql://canary"
type Work = Callable[[AgentRequest], Awaitable[AgentResponse]]


class Answerer:
    """Runs what a test gives it, and remembers the requests."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self.requests: list[AgentRequest] = []

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        self.requests.append(request)
        return await self._work(request)


def response(**changes: object) -> AgentResponse:
    """The smallest answer."""
    fields: dict[str, object] = {
        "answer": "nothing",
        "status": AnswerStatus.NOT_FOUND,
        "confidence": 0.0,
        "confidence_band": ConfidenceBand.INSUFFICIENT,
        "trace_id": uuid4(),
        "termination_reason": TerminationReason.NO_MATCH_AFTER_MAX_TURNS,
    }
    return AgentResponse.model_validate(fields | changes)


async def answer_at_once(_request: AgentRequest) -> AgentResponse:
    return response()


async def always_ready() -> None:
    return None


@asynccontextmanager
async def serving(
    work: Work = answer_at_once,
    *,
    token: str | None = None,
    is_ready: Callable[[], Awaitable[None]] = always_ready,
    **settings: object,
) -> AsyncGenerator[tuple[AgentClient, Answerer]]:
    """A running server and a client of it."""
    answerer = Answerer(work)
    server = AgentServer(answerer, Settings.model_validate({"agent_port": 0, **settings}), is_ready=is_ready)
    await server.start()
    client = AgentClient(f"127.0.0.1:{server.port}", token=token)
    try:
        yield client, answerer
    finally:
        await client.close()
        await server.stop()


def question(text: str = "How long is Moon Gate?") -> search_pb2.SearchAIRequest:
    return search_pb2.SearchAIRequest(query=text)


def caller(principal: str = "local") -> Caller:
    return Caller(request_id=uuid4(), principal=principal)


async def test_principal_request_id_and_deadline_reach_the_loop() -> None:
    async with serving() as (client, answerer):
        alice = caller("alice")
        await client.search_ai(question(), caller=alice, timeout=5)

    request = answerer.requests[0]
    assert request.principal == "alice"
    assert request.request_id == alice.request_id
    assert request.timeout_seconds is not None
    assert 4 < request.timeout_seconds < 5


async def test_the_servers_own_limit_caps_a_longer_deadline() -> None:
    async with serving(request_seconds=2.0) as (client, answerer):
        await client.search_ai(question(), caller=caller(), timeout=50)

    assert answerer.requests[0].timeout_seconds == pytest.approx(1.9)


async def test_a_bad_question_names_field_and_limit() -> None:
    async with serving() as (client, answerer):
        with pytest.raises(InvalidQuestion) as caught:
            await client.search_ai(question("a" * 10_000), caller=caller(), timeout=5)

    assert caught.value.field == "query"
    assert "2000" in caught.value.limit
    assert answerer.requests == []


async def test_an_unplanned_failure_says_nothing_of_itself() -> None:
    async def fail(_request: AgentRequest) -> AgentResponse:
        raise RuntimeError(CANARY)

    async with serving(fail) as (client, _):
        with pytest.raises(AgentFailed) as caught:
            await client.search_ai(question(), caller=caller(), timeout=5)

    assert CANARY not in f"{caught.value} {caught.value.__cause__}"


async def test_a_lost_dependency_is_unavailable() -> None:
    async def lose(_request: AgentRequest) -> AgentResponse:
        raise SourceUnavailable("postgresql")

    async with serving(lose) as (client, _):
        with pytest.raises(AgentUnavailable):
            await client.search_ai(question(), caller=caller(), timeout=5)


async def test_an_inner_cancellation_does_not_hang_the_client() -> None:
    async def cancel(_request: AgentRequest) -> AgentResponse:
        raise asyncio.CancelledError

    async with serving(cancel) as (client, _):
        async with asyncio.timeout(2):
            with pytest.raises(AgentUnavailable):
                await client.search_ai(question(), caller=caller(), timeout=30)


async def test_a_client_that_goes_away_ends_the_work() -> None:
    ended = asyncio.Event()
    started = asyncio.Event()

    async def wait(_request: AgentRequest) -> AgentResponse:
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return response()

    async with serving(wait) as (client, _):
        call = asyncio.create_task(client.search_ai(question(), caller=caller(), timeout=30))
        await started.wait()
        call.cancel()
        async with asyncio.timeout(2):
            await ended.wait()
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_work_past_the_deadline_is_ended_with_a_status() -> None:
    async def sleep(_request: AgentRequest) -> AgentResponse:
        await asyncio.sleep(60)
        return response()

    async with serving(sleep, request_seconds=0.3) as (client, _):
        with pytest.raises(AgentTimedOut):
            await client.search_ai(question(), caller=caller(), timeout=10)


async def test_calls_over_the_bound_are_refused_at_once() -> None:
    release = asyncio.Event()

    async def wait(_request: AgentRequest) -> AgentResponse:
        await release.wait()
        return response()

    async with serving(wait, max_concurrent_requests=1) as (client, answerer):
        first = asyncio.create_task(client.search_ai(question(), caller=caller(), timeout=10))
        while not answerer.requests:
            await asyncio.sleep(0.01)
        with pytest.raises(AgentOverloaded):
            await client.search_ai(question(), caller=caller(), timeout=10)
        release.set()
        assert (await first).status == "not_found"
        assert (await client.search_ai(question(), caller=caller(), timeout=10)).status == "not_found"


async def test_a_caller_without_the_shared_secret_is_refused() -> None:
    async with serving(internal_token=SecretStr("right"), token="wrong") as (client, answerer):
        with pytest.raises(NotAuthenticated):
            await client.search_ai(question(), caller=caller(), timeout=5)
    assert answerer.requests == []

    async with serving(internal_token=SecretStr("right"), token="right") as (client, answerer):
        await client.search_ai(question(), caller=caller(), timeout=5)
    assert len(answerer.requests) == 1


async def test_a_large_answer_is_cut_and_says_so() -> None:
    work = EntityRef(entity_type=EntityType.ANIME, id=uuid4())

    def row(number: int) -> EntityRowEvidence:
        return EntityRowEvidence(
            id=f"row:{number}", source="postgresql:anime", title="Moon Gate", text="x" * 50_000, entity=work
        )

    async def answer(_request: AgentRequest) -> AgentResponse:
        source = SourceCitation(marker=1, evidence_id="row:7", title="Moon Gate", locator="anime/7", quote="x")
        return response(evidence=tuple(row(number) for number in range(40)), sources=(source,))

    async with serving(answer, max_message_bytes=1_000_000) as (client, _):
        message = await client.search_ai(question(), caller=caller(), timeout=10)

    assert message.evidence_truncated
    assert [item.id for item in message.evidence] == ["row:7"]
    assert message.ByteSize() < 1_000_000


async def test_health_follows_readiness() -> None:
    is_well = True

    async def check() -> None:
        if not is_well:
            raise SourceUnavailable("postgresql")

    async with serving(is_ready=check) as (client, _):
        assert await client.is_serving(timeout=2)
        is_well = False
        async with asyncio.timeout(4):
            while await client.is_serving(timeout=2):
                await asyncio.sleep(0.1)


async def test_a_second_server_on_the_port_is_refused() -> None:
    first = AgentServer(Answerer(answer_at_once), Settings(agent_port=0), is_ready=always_ready)
    await first.start()
    second = AgentServer(Answerer(answer_at_once), Settings(agent_port=first.port), is_ready=always_ready)
    try:
        with pytest.raises(PortInUse, match=f":{first.port} is in use"):
            await second.start()
    finally:
        await first.stop()


async def test_stopping_lets_calls_under_way_finish() -> None:
    release = asyncio.Event()

    async def wait(_request: AgentRequest) -> AgentResponse:
        await release.wait()
        return response()

    answerer = Answerer(wait)
    server = AgentServer(answerer, Settings(agent_port=0), is_ready=always_ready)
    await server.start()
    client = AgentClient(f"127.0.0.1:{server.port}")
    call = asyncio.create_task(client.search_ai(question(), caller=caller(), timeout=10))
    while not answerer.requests:
        await asyncio.sleep(0.01)
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0.2)
    assert not stopping.done()
    release.set()
    assert (await call).status == "not_found"
    await stopping
    await client.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1"])
def test_a_bind_that_others_can_reach_needs_a_word_and_a_secret(host: str) -> None:
    with pytest.raises(ValueError, match="ENISHI_ALLOW_REMOTE"):
        Settings(agent_host=host)
    with pytest.raises(ValueError, match="ENISHI_INTERNAL_TOKEN"):
        Settings(agent_host=host, allow_remote=True)
    assert Settings(agent_host=host, allow_remote=True, internal_token=SecretStr("s")).bind_address == f"{host}:50051"
