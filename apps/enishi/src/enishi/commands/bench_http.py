"""Search over HTTP, 16 connections at once: the GraphQL backend and stock Strawberry, each as a process of its own."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from statistics import median

from agent_evals.bench.context import OURS, BenchContext, Ratios
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import HTTP
from agent_evals.bench.harness import CONTENDED_SPREAD, Block, percentile, spread, summary
from agent_evals.bench.http_load import Endpoint, UnexpectedAnswer, load, post
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series
from agent_evals.bench.typeahead_queries import QueryClass, typed_queries
from graphql_bff.trusted.registry import shipped_documents

from enishi.postgres_binaries import child_environment

SEARCH = "search"
STOCK = "stock Strawberry"
POSTGRAPHILE = "PostGraphile"

_PATH = "/graphql"

_OPERATION = "query Typeahead("
_CONNECTIONS = 16
_START_SECONDS, _STOP_SECONDS, _POLL_SECONDS = 60.0, 10.0, 0.1
_LONGEST_BLOCK_SECONDS = 4.0
_CHECKED = 30
_MICROSECONDS = 1e6
_NO_POSTGRAPHILE = "PostGraphile needs Node and packages from npm, which this benchmark does not install"


@dataclass(slots=True)
class _Server:
    """A server that runs, and what was measured of it."""

    name: str
    endpoint: Endpoint
    blocks: list[Block] = field(default_factory=list[Block])
    per_second: list[float] = field(default_factory=list[float])


async def measure_http(context: BenchContext) -> AreaReport:
    """Blocks of full load, A B A B; requests a second and the time of each request."""
    began = context.clock()
    bodies = _bodies(context)
    async with AsyncExitStack() as stack:
        context.progress("http: starting the servers")
        floor = await stack.enter_async_context(open_floor(context.dsn))
        servers = [
            await stack.enter_async_context(_running(OURS, _OURS_COMMAND, context.dsn)),
            await stack.enter_async_context(_running(STOCK, _STOCK_COMMAND, context.dsn)),
        ]
        faults = await _faults(servers[0], servers[1], bodies[:_CHECKED])
        refusals = [Refusal(contender=POSTGRAPHILE, reason=_NO_POSTGRAPHILE)]
        if faults:
            refusals.append(Refusal(contender=servers[1].name, reason=f"answers otherwise: {faults}"))
            servers = servers[:1]
        context.progress("http: full load")
        await _measure(context, servers, bodies, floor)
    series = _series(servers, len(bodies), refusals)
    return AreaReport(
        area=HTTP,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured=_measured(series),
        notes=(f"{_CONNECTIONS} connections; one server process each; the load comes from another process",),
    )


def _bodies(context: BenchContext) -> list[bytes]:
    """The registered document of a search field, with what people type."""
    document = next(text for text in shipped_documents().values() if text.startswith(_OPERATION))
    texts = [
        typed.text
        for kind in (QueryClass.SHORT, QueryClass.MIDDLE, QueryClass.NATIVE)
        for typed in typed_queries(context.catalogue, kind, context.queries // 3)
    ]
    return [
        json.dumps({"query": document, "variables": {"query": text, "first": 10}}, ensure_ascii=False).encode()
        for text in texts
    ]


async def _faults(ours: _Server, peer: _Server, bodies: Sequence[bytes]) -> str | None:
    """The first answer in which they differ; the peer runs the same search, so that any difference is a mistake."""
    for body in bodies:
        try:
            one, other = [json.loads(await post(server.endpoint, body)) for server in (ours, peer)]
        except UnexpectedAnswer as exc:
            return str(exc)
        if one != other:
            return f"{body.decode()[-80:]}: {json.dumps(other)[:200]} instead of {json.dumps(one)[:200]}"
    return None


async def _measure(context: BenchContext, servers: Sequence[_Server], bodies: Sequence[bytes], floor: Floor) -> None:
    seconds = min(context.plan.block_seconds, _LONGEST_BLOCK_SECONDS)
    for number in range(context.plan.rounds + 1):
        for server in servers:
            floors = [await _floor_call(context, floor) for _ in range(context.plan.floor_calls)]
            measured = await load(
                server.endpoint, bodies, connections=_CONNECTIONS, seconds=seconds, clock=context.clock
            )
            if number:
                server.blocks.append(Block(measured.seconds, tuple(floors)))
                server.per_second.append(measured.per_second)


async def _floor_call(context: BenchContext, floor: Floor) -> float:
    began = context.clock()
    await floor.contender.answer(None)
    return context.clock() - began


def _series(servers: Sequence[_Server], queries: int, refusals: Sequence[Refusal]) -> Series:
    floors = [percentile(block.floor, 0.5) for server in servers for block in server.blocks]
    moved = spread(floors)
    return Series(
        name=SEARCH,
        queries=queries,
        timings=tuple(summary(server.name, server.blocks) for server in servers),
        refusals=tuple(refusals),
        floor_p50_us=median(floors) * _MICROSECONDS,
        floor_spread=moved,
        contended=moved > CONTENDED_SPREAD,
        quality={f"requests/s {server.name}": median(server.per_second) for server in servers},
    )


def _measured(series: Series) -> Mapping[str, Measured]:
    ratios, name = Ratios((series,)), "HTTP search, 16 connections: ours"
    return {
        f"{name} / PostGraphile, requests/s": Measured(why_not=_NO_POSTGRAPHILE),
        f"{name} / PostGraphile, p99": ratios.p99((SEARCH, OURS), (SEARCH, POSTGRAPHILE)),
        f"{name} / stock Strawberry, requests/s": _rate_ratio(series, STOCK),
    }


def _rate_ratio(series: Series, peer: str) -> Measured:
    ours, theirs = (series.quality.get(f"requests/s {name}") for name in (OURS, peer))
    if ours is None or theirs is None:
        reasons = [refusal.reason for refusal in series.refusals if refusal.contender == peer]
        return Measured(why_not=f"{peer}: {reasons[0] if reasons else 'not measured'}")
    return Measured(value=ours / theirs, contended=series.contended)


@dataclass(frozen=True, slots=True)
class _Command:
    """How a server is run: its arguments and environment for a database and a port."""

    arguments: tuple[str, ...]
    takes_environment: bool

    def words(self, dsn: str, port: int) -> list[str]:
        """What stands behind the name of the interpreter."""
        return [*self.arguments] if self.takes_environment else [*self.arguments, dsn, str(port)]

    def environment(self, dsn: str, port: int) -> dict[str, str]:
        """All of it: nothing of ours is passed on."""
        if not self.takes_environment:
            return child_environment()
        settings = {"ENISHI_POSTGRES_DSN": dsn, "ENISHI_GRAPHQL_PORT": str(port), "ENISHI_LOG_LEVEL": "error"}
        return child_environment() | settings


_OURS_COMMAND = _Command(("-c", "from graphql_bff.main import run; run()"), takes_environment=True)
_STOCK_COMMAND = _Command(("-m", "agent_evals.bench.peers.stock_strawberry"), takes_environment=False)


@asynccontextmanager
async def _running(name: str, command: _Command, dsn: str) -> AsyncGenerator[_Server]:
    """A server that answers, ended when the block ends."""
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command.words(dsn, port),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        env=command.environment(dsn, port),
    )
    endpoint = Endpoint("127.0.0.1", port, _PATH)
    try:
        async with asyncio.timeout(_START_SECONDS):
            await _until_it_answers(endpoint, process)
        yield _Server(name, endpoint)
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _until_it_answers(endpoint: Endpoint, process: asyncio.subprocess.Process) -> None:
    while True:
        if process.returncode is not None:
            raise RuntimeError("the server ended while it started")
        try:
            await post(endpoint, b'{"query":"{__typename}"}')
        except OSError:
            await asyncio.sleep(_POLL_SECONDS)
        else:
            return


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
