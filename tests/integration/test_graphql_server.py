"""The GraphQL backend as a server and as a process: ports, health, drain, exit codes, a database that goes away."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
import sqlalchemy as sa
from agent_core.schemas import AgentRequest, AgentResponse
from datastore.postgres.engine import ReadWriteEngine
from factories import CatalogueFactory
from fixtures.agents import agent_response, serving_agent
from fixtures.graphql import NO_DATABASE, GraphqlClient, graphql_settings, serving_graphql
from graphql_bff.main import run
from graphql_bff.server import AddressNotUsable, EmbeddedGraphqlServer, PortInUse

SEARCH = '{ search(query: "one piece") { name } }'
GONE = {"message": "the catalogue is unavailable, try again shortly", "code": "UNAVAILABLE"}


@asynccontextmanager
async def running(database_url: str, **changes: object) -> AsyncGenerator[tuple[EmbeddedGraphqlServer, str]]:
    """A server on a real socket, and its address."""
    server = EmbeddedGraphqlServer(graphql_settings(database_url, **changes))
    await server.start()
    try:
        yield server, f"http://127.0.0.1:{server.port}"
    finally:
        await server.stop()


async def test_a_server_answers_over_a_real_socket(database_url: str, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        await CatalogueFactory(conn).make_anime("One Piece")
    async with running(database_url) as (_, address), httpx.AsyncClient(base_url=address) as http:
        answer = await http.post("/graphql", json={"query": SEARCH})
        live, ready = await http.get("/healthz/live"), await http.get("/healthz/ready")
        nowhere = await http.get("/")

    assert answer.json() == {"data": {"search": [{"name": "One Piece"}]}}
    assert answer.headers["content-type"] == "application/json"
    assert "server" not in answer.headers
    assert (live.status_code, live.json()) == (200, {"status": "live"})
    assert (ready.status_code, ready.json()) == (200, {"database": True, "agent": False})
    assert nowhere.status_code == 404


async def test_readiness_tells_of_the_agent(database_url: str) -> None:
    async with serving_agent() as agent, serving_graphql(database_url, agent_target=agent.target) as graphql:
        assert (await graphql.http.get("/healthz/ready")).json() == {"database": True, "agent": True}


async def test_a_second_server_on_the_port_is_refused_by_name() -> None:
    async with running(NO_DATABASE) as (first, _):
        second = EmbeddedGraphqlServer(graphql_settings(NO_DATABASE, graphql_port=first.port))
        with pytest.raises(PortInUse, match=rf"^127.0.0.1:{first.port} is in use: .* ENISHI_GRAPHQL_PORT"):
            await second.start()
        await second.stop()


async def test_an_address_of_another_machine_is_refused_by_name() -> None:
    settings = graphql_settings(
        NO_DATABASE, graphql_host="192.0.2.1", allow_remote=True, api_keys={"alice": "a-key-of-alice-0001"}
    )
    with pytest.raises(AddressNotUsable, match="ENISHI_GRAPHQL_HOST"):
        await EmbeddedGraphqlServer(settings).start()


async def test_stopping_lets_requests_under_way_finish_and_takes_no_new_ones() -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def wait(_request: AgentRequest) -> AgentResponse:
        started.set()
        await release.wait()
        return agent_response(answer="in time")

    async with serving_agent(wait) as agent:
        server = EmbeddedGraphqlServer(graphql_settings(NO_DATABASE, agent_target=agent.target))
        await server.start()
        address = f"http://127.0.0.1:{server.port}"
        async with httpx.AsyncClient(base_url=address) as http, httpx.AsyncClient(base_url=address) as other:
            body = {"query": '{ searchAi(question: "Who?") { answer } }'}
            under_way = asyncio.create_task(http.post("/graphql", json=body))
            await started.wait()
            stopping = asyncio.create_task(server.stop())
            await asyncio.sleep(0.3)
            with pytest.raises(httpx.ConnectError):
                await other.post("/graphql", json=body)
            assert not stopping.done()
            release.set()
            assert (await under_way).json() == {"data": {"searchAi": {"answer": "in time"}}}
            await stopping


async def test_bytes_that_are_no_http_are_refused_and_others_are_served() -> None:
    async with running(NO_DATABASE) as (server, address):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"\x16\x03\x01\x00\xff nonsense\r\n\r\n")
        async with asyncio.timeout(5):
            assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
        writer.close()
        async with httpx.AsyncClient(base_url=address) as http:
            assert (await http.post("/graphql", json={"query": "{ __typename }"})).status_code == 200


async def test_a_database_that_refuses_is_told_at_once() -> None:
    async with serving_graphql(NO_DATABASE, acquire_timeout_ms=900) as graphql:
        started = time.monotonic()
        assert await graphql.error(SEARCH) == GONE
        assert time.monotonic() - started < 1
        ready = await graphql.http.get("/healthz/ready")
    assert (ready.status_code, ready.json()) == (503, {"database": False, "agent": False})


async def test_a_database_that_is_silent_is_told_within_a_second() -> None:
    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(swallow, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with serving_graphql(f"postgresql://nobody@127.0.0.1:{port}/x", acquire_timeout_ms=900) as graphql:
        started = time.monotonic()
        errors = await graphql.errors('{ search(query: "a") { id } entities(ids: []) { id } }')
        seconds = time.monotonic() - started
    silent.close()
    assert [error["path"] for error in errors] == [["search"]]
    assert errors[0]["extensions"] == {"code": "UNAVAILABLE"}
    assert 0.8 < seconds < 2, seconds


async def test_a_database_that_came_back_is_used_again(database_url: str, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        await CatalogueFactory(conn).make_anime("One Piece")
    async with serving_graphql(database_url) as graphql:
        assert await graphql.data(SEARCH)
        async with read_write.begin() as conn:
            mine = sa.column("application_name") == "enishi-graphql-bff"
            activity = sa.table("pg_stat_activity", sa.column("pid"), sa.column("application_name"))
            ended = await conn.execute(sa.select(sa.func.pg_terminate_backend(activity.c.pid)).where(mine))
            assert ended.all()
        assert await answers_again(graphql, within=2)


async def answers_again(graphql: GraphqlClient, *, within: float) -> bool:
    """Whether searches are answered in so many seconds; until then they may fail as unavailable, never otherwise."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        body = (await graphql.post(SEARCH)).json()
        if body.get("errors") is None:
            return True
        assert body["errors"][0]["extensions"] == {"code": "UNAVAILABLE"}
    return False


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


async def start_process(*arguments: str, **variables: str) -> asyncio.subprocess.Process:
    """The command in a process of its own, with these variables and no others of Enishi's."""
    environment: Mapping[str, str] = {k: v for k, v in os.environ.items() if not k.startswith("ENISHI_")}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from graphql_bff.main import run; run()",
        *arguments,
        env={**environment, **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def until_ready(http: httpx.AsyncClient) -> None:
    """Wait for a server that may not listen yet."""
    while True:
        with suppress(httpx.ConnectError):
            if (await http.get("/healthz/ready")).status_code == 200:
                return
        await asyncio.sleep(0.05)


async def test_the_process_serves_is_checked_and_ends_cleanly(database_url: str) -> None:
    port = str(free_port())
    variables = {"ENISHI_GRAPHQL_PORT": port, "ENISHI_POSTGRES_DSN": database_url}
    unchecked = await start_process("--check", **variables)
    assert await unchecked.wait() == 1

    serving = await start_process(**variables)
    async with asyncio.timeout(60), httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        await until_ready(http)
        assert await (await start_process("--check", **variables)).wait() == 0
        second = await start_process(**variables)
        _, told = await second.communicate()
        serving.send_signal(signal.SIGTERM)
        _, logged = await serving.communicate()

    assert serving.returncode == 0, logged
    assert second.returncode == 1
    assert told.decode() == (
        f"enishi-graphql-bff: 127.0.0.1:{port} is in use: stop what listens there, "
        "or set ENISHI_GRAPHQL_PORT to another port\n"
    )


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"ENISHI_GRAPHQL_PORT": "99999"}, "graphql_port: Input should be less than or equal to 65535"),
        ({"ENISHI_GRAPHQL_HOST": "0.0.0.0"}, "ENISHI_GRAPHQL_HOST=0.0.0.0 is reachable from other machines"),
        ({"ENISHI_API_KEYS": '{"alice": "sesame"}'}, "the key of alice must have at least 16"),
        ({"ENISHI_API_KEYS": '{"alice": "sesame'}, 'error parsing value for field "api_keys"'),
    ],
)
def test_settings_that_can_not_work_end_the_process_in_one_line(
    variables: dict[str, str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["enishi-graphql-bff"])
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    # A text as the exit code is what Python prints before it exits with 1.
    with pytest.raises(SystemExit) as ended:
        run()

    text = str(ended.value.code)
    assert told in text
    assert "\n" not in text
    assert "sesame" not in text
