"""Subscriptions over WebSockets and server-sent events, on real sockets before a real agent."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from agent_core.events import EventListener
from agent_core.schemas import AgentRequest, AgentResponse
from agent_core.testing import scripted
from fixtures.graphql import NOBODY
from fixtures.loop_world import ENOUGH, World, list_everything, luffy_rewrite
from fixtures.streaming import Gate, LargeAnswers, rows, streaming_backend, until
from structlog.testing import capture_logs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

PROTOCOL = "graphql-transport-ws"
KEY = "a-key-of-alice-0001"
FIELDS = "__typename sequence ... on RunStarted { runId } ... on RunFinished { answer { answer traceId citations } }"
ASK = f'subscription {{ searchAi(question: "Luffy?") {{ {FIELDS} }} }}'
KEEP = f'subscription {{ searchAi(question: "pirates?", keepRunning: true) {{ {FIELDS} }} }}'
RESUME = f"subscription($id: ID!, $after: Int!) {{ resumeSearchAi(runId: $id, afterSequence: $after) {{ {FIELDS} }} }}"
ANSWER = '{ searchAi(question: "Luffy?") { answer citations } }'

type Json = dict[str, Any]


class Socket:
    """One WebSocket in the protocol's words."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: object) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> Json:
        async with asyncio.timeout(5):
            return json.loads(await self.connection.recv())

    async def init(self, **payload: object) -> None:
        await self.send(type="connection_init", payload=payload)
        assert (await self.receive())["type"] == "connection_ack"

    async def subscribe(self, query: str, name: str = "1", **variables: object) -> None:
        await self.send(type="subscribe", id=name, payload={"query": query, "variables": variables})

    async def rest(self, field: str = "searchAi") -> list[Json]:
        """The events up to the end of the one subscription."""
        events: list[Json] = []
        while (message := await self.receive())["type"] != "complete":
            events.append(message["payload"]["data"][field])
        return events

    async def closed_with(self) -> int:
        """The code that the other side closes with."""
        with suppress(ConnectionClosed):
            while True:
                await self.receive()
        assert self.connection.close_code is not None
        return self.connection.close_code


@asynccontextmanager
async def opened(address: str, protocol: str = PROTOCOL, **options: Any) -> AsyncGenerator[Socket]:
    async with connect(f"ws://{address}", subprotocols=[Subprotocol(protocol)], **options) as connection:
        yield Socket(connection)


@asynccontextmanager
async def events_over_http(address: str, query: str, **variables: object) -> AsyncGenerator[httpx.Response]:
    body = {"query": query, "variables": variables}
    headers = {"Accept": "text/event-stream"}
    async with (
        httpx.AsyncClient() as http,
        http.stream("POST", f"http://{address}", json=body, headers=headers) as response,
    ):
        yield response


def events_in(text: str, field: str = "searchAi") -> list[Json]:
    """The events of an event stream that ended as it should."""
    blocks = [block.split("\r\n") for block in text.strip().split("\r\n\r\n")]
    assert blocks.pop()[0] == "event: complete"
    return [json.loads(lines[1].removeprefix("data: "))["data"][field] for lines in blocks]


def quick(world: World) -> Any:
    return world.loop(scripted(luffy_rewrite(), drafts=[list_everything], reports=[ENOUGH]))


async def test_both_ways_bring_the_events_and_the_answer_of_the_query(world: World) -> None:
    async with streaming_backend(quick(world)) as (address, _):
        async with httpx.AsyncClient() as http:
            asked = (await http.post(f"http://{address}", json={"query": ANSWER})).json()["data"]["searchAi"]
            refused = (await http.post(f"http://{address}", json={"query": ASK})).json()
        async with opened(address) as socket:
            await socket.init()
            await socket.subscribe(ASK)
            over_socket = await socket.rest()
            await socket.subscribe(ANSWER)
            (again,) = await socket.rest()
        async with events_over_http(address, ASK) as response:
            assert response.headers["content-type"] == "text/event-stream"
            assert "x-request-id" in response.headers
            over_http = events_in((await response.aread()).decode())
    for events in (over_socket, over_http):
        assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
        last = events[-1]["answer"]
        assert events[0] == {"__typename": "RunStarted", "sequence": 1, "runId": last["traceId"]}
        assert events[-1]["__typename"] == "RunFinished"
        assert {"answer": last["answer"], "citations": last["citations"]} == asked == again
    assert [event["__typename"] for event in over_socket] == [event["__typename"] for event in over_http]
    assert refused["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


@pytest.mark.parametrize("way", ["complete", "close", "http"])
async def test_a_caller_who_goes_away_ends_the_run(world: World, way: str) -> None:
    gates = [Gate(world) for _ in range(3)]
    answerer = _EachInTurn(gates)
    async with streaming_backend(answerer) as (address, agent):
        for gate in gates:
            if way == "http":
                async with events_over_http(address, ASK) as response:
                    await anext(response.aiter_bytes())
                    await gate.reached.wait()
            else:
                async with opened(address) as socket:
                    await socket.init()
                    await socket.subscribe(ASK)
                    await gate.reached.wait()
                    if way == "complete":
                        await socket.send(type="complete", id="1")
                        await until(gate.left.is_set)
            await until(gate.left.is_set)
            await until(lambda: (agent.server.runs.under_way, agent.server.admission.running) == (0, 0))


@pytest.mark.slow
async def test_a_caller_who_does_not_read_is_not_waited_for() -> None:
    query = 'subscription { searchAi(question: "x") { __typename ... on EvidenceAdded { evidence { text } } } }'
    body = json.dumps({"query": query})
    head = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/event-stream"
    async with streaming_backend(LargeAnswers(rows(1, 100_000), 200), agent_timeout_seconds=3) as (address, _):
        host, _, port = address.partition("/")[0].partition(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1_000)
        writer.write(f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        await asyncio.sleep(4.5)
        taken = await reader.read()
        writer.close()
    assert b"EvidenceAdded" in taken
    assert b"event: complete" not in taken


async def test_a_run_is_resumed_over_either_way(world: World) -> None:
    gate = Gate(world)
    async with streaming_backend(gate.loop) as (address, _):
        async with opened(address) as socket:
            await socket.init()
            await socket.subscribe(KEEP)
            first = (await socket.receive())["payload"]["data"]["searchAi"]
            await gate.reached.wait()
        gate.open.set()
        async with events_over_http(address, RESUME, id=first["runId"], after=1) as response:
            rest = events_in((await response.aread()).decode(), "resumeSearchAi")
        async with opened(address) as socket:
            await socket.init()
            await socket.subscribe(RESUME, id=first["runId"], after=0)
            whole = await socket.rest("resumeSearchAi")
            await socket.subscribe(RESUME, id="nothing", after=0)
            refusal = (await socket.receive())["payload"]["errors"][0]
    assert [first, *rest] == whole
    assert rest[-1]["answer"]["answer"] == "One Piece is the work [1]."
    assert refusal["extensions"] == {"code": "BAD_INPUT", "field": "runId"}


async def test_who_asks_is_known_before_anything_is_done(world: World) -> None:
    async with streaming_backend(quick(world), api_keys={"alice": KEY}) as (address, _):
        async with events_over_http(address, ASK) as response:
            assert response.status_code == 401
        for payload in ({}, {"authorization": "Bearer no"}, {"authorization": 7}):
            async with opened(address) as socket:
                await socket.send(type="connection_init", payload=payload)
                assert await socket.closed_with() == 4403
        async with opened(address) as socket:
            await socket.subscribe(ASK)
            assert await socket.closed_with() == 4401
        async with opened(address) as socket:
            await socket.init(authorization=f"Bearer {KEY}")
            await socket.subscribe(ASK)
            run_id = (await socket.rest())[-1]["answer"]["traceId"]
        async with opened(address, additional_headers={"Authorization": f"Bearer {KEY}"}) as socket:
            await socket.init()
            await socket.subscribe(RESUME, id=run_id, after=0)
            error = (await socket.receive())["payload"]["errors"][0]
    assert error["message"] == "runId: no run of this id is kept for you: it is unknown, or it ended too long ago"


async def test_sockets_are_bounded(world: World) -> None:
    gate = Gate(world)
    settings = {"max_sockets": 2, "max_socket_operations": 2, "socket_init_seconds": 0.3}
    async with streaming_backend(gate.loop, **settings) as (address, _):
        async with opened(address) as late, opened(address) as socket:
            with pytest.raises(InvalidStatus) as refused:
                async with opened(address):
                    pass
            assert refused.value.response.status_code == 403
            await socket.init()
            for name in ("1", "2", "3"):
                await socket.subscribe(ASK, name)
            while (message := await socket.receive())["type"] == "next":
                pass
            assert (message["id"], message["payload"][0]["message"]) == ("3", "Subscription limit reached")
            assert await late.closed_with() == 4408
        with pytest.raises(InvalidStatus):
            async with opened(address, origin="http://elsewhere.test"):
                pass
        host, _, port = address.partition("/")[0].partition(":")
        with pytest.raises(InvalidStatus):
            async with opened(f"elsewhere.test:{port}/graphql", host=host, port=int(port)):
                pass
        async with opened(address, "graphql-ws") as old:
            assert await old.closed_with() == 4406


_BAD_MESSAGES = (
    "no JSON",
    "[]",
    '{"type": 7}',
    '{"type": "subscribe", "id": ["1"], "payload": {"query": "{ a }"}}',
    '{"type": "subscribe", "id": "1", "payload": "query"}',
    '{"type": "subscribe", "id": "1", "payload": {"query": 7}}',
    '{"type": "subscribe", "id": "1", "payload": {"query": "{ a }", "variables": []}}',
    '{"type": "ping", "payload": ' + "[" * 40 + "]" * 40 + "}",
    '{"type": "poem"}',
    '{"type": "subscribe", "id": "1"}',
    b"bytes",
)


async def test_what_is_no_message_of_the_protocol_closes_the_socket(world: World) -> None:
    async with streaming_backend(quick(world)) as (address, _):
        for bad in _BAD_MESSAGES:
            async with opened(address) as socket:
                await socket.init()
                await socket.connection.send(bad)
                assert await socket.closed_with() == 4400, bad
        async with opened(address) as socket:
            await socket.init()
            await socket.connection.send(json.dumps({"type": "ping", "payload": {"x": "x" * 300_000}}))
            assert await socket.closed_with() == 1009


class _Failing:
    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        raise RuntimeError("a secret")


class _EachInTurn:
    """Each question goes to the next gate."""

    def __init__(self, gates: list[Gate]) -> None:
        self._gates = iter(gates)

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        return await next(self._gates).loop.run(request, listener=listener)


async def _error_over_both(address: str, query: str) -> Json:
    async with opened(address) as socket:
        await socket.init()
        await socket.subscribe(query)
        message = await socket.receive()
    errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    async with events_over_http(address, query) as response:
        text = (await response.aread()).decode()
    (streamed,) = json.loads(text.split("\r\n")[1].removeprefix("data: "))["errors"]
    assert errors == [streamed]
    return {"message": streamed["message"], **streamed["extensions"]}


async def test_limits_and_failures_are_those_of_queries() -> None:
    aliases = " ".join(f"a{number}: sequence" for number in range(16))
    too_large = f'subscription {{ searchAi(question: "x") {{ {aliases} }} }}'
    async with streaming_backend(_Failing()) as (address, _):
        with capture_logs() as logs:
            failed = await _error_over_both(address, ASK)
        assert [log["event"] for log in logs].count("resolver_failed") == 2
        assert failed == {"message": "the answer service failed", "code": "INTERNAL"}
        empty = await _error_over_both(address, 'subscription { searchAi(question: "") { sequence } }')
        assert (empty["code"], empty["field"]) == ("BAD_INPUT", "question")
        unknown = await _error_over_both(address, 'subscription { searchAI(question: "x") { sequence } }')
        assert unknown == {
            "message": "Cannot query field 'searchAI' on type 'Subscription'.",
            "code": "BAD_QUERY",
        }
        assert (await _error_over_both(address, too_large))["code"] == "QUERY_TOO_LARGE"
        assert (await _error_over_both(address, "subscription {"))["code"] == "BAD_QUERY"
        nothing = await _error_over_both(address, "fragment F on Query { __typename }")
        assert nothing == {"message": "Can't get GraphQL operation type", "code": "BAD_REQUEST"}
    async with streaming_backend(_Failing(), agent_target=NOBODY) as (address, _):
        assert (await _error_over_both(address, ASK))["code"] == "UNAVAILABLE"
