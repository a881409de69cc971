"""The graph: neighbours, everything within two and three hops, shortest paths; beside networkx, Ladybug, and memory.

The product is timed at the same work as the others, keys in and keys out; and, under a name of its own, with the rows
that stand behind every edge.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from agent_evals.bench.chance import Chance
from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, Ratios, series_of
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import GRAPH
from agent_evals.bench.graph_oracle import MemoryGraph, Reached
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.oracle import first_faults
from agent_evals.bench.peers import ladybug_graph, networkx_graph
from agent_evals.bench.peers.ladybug_graph import LadybugPeer
from agent_evals.bench.peers.networkx_graph import NetworkxPeer
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.popularity import popularity_millionths
from agent_evals.bench.product_graph import LIMITS, MAX_PATH_HOPS, ProductGraph, length_of, open_product_graph
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series

CSR = "in-memory CSR"
WITH_ROWS = f"{OURS}, with rows"
"""The product as a user asks it: ids in, a chain of entities and edges with their rows out."""

NEIGHBOURS, TWO_HOPS, THREE_HOPS, PATH = "neighbours", "k_hop(2)", "k_hop(3)", "path up to 4 hops"
_HOPS = {TWO_HOPS: 2, THREE_HOPS: 3}
# Enough to catch a peer that answers something else; each of its answers may take a second.
_CHECKED = 10


@dataclass(slots=True)
class _World:
    """The product, the graph in memory, and the peers that could be built."""

    product: ProductGraph
    memory: MemoryGraph
    floor: Floor
    networkx: NetworkxPeer | None = None
    ladybug: LadybugPeer | None = None
    missing: list[Refusal] = field(default_factory=list[Refusal])


async def measure_graph(context: BenchContext) -> AreaReport:
    """Traversals over stored edges, with the product's default bounds."""
    began = context.clock()
    async with _opened(context) as world:
        starts = _drawn(context, "starts")
        pairs = _pairs(context)
        context.progress("graph: lengths of paths")
        agreement = await _agreement(world, pairs)
        series = [await _neighbours_series(context, world, starts)]
        series += [await _reach_series(context, world, starts, name) for name in _HOPS]
        series.append(await _path_series(context, world, pairs, agreement))
    ratios = Ratios(tuple(series))
    return AreaReport(
        area=GRAPH,
        status="measured",
        seconds=context.clock() - began,
        series=tuple(series),
        measured=_measured(ratios, agreement),
        notes=(
            f"at most {LIMITS.max_results} results, fan-out {LIMITS.max_fanout_per_hop}",
            f"{OURS}: one of the shortest paths, or what was reached and from where, as keys, which is what the others "
            f"return; {WITH_ROWS}: ids to keys, the most specific path, and every edge with its row",
        ),
    )


@asynccontextmanager
async def _opened(context: BenchContext) -> AsyncGenerator[_World]:
    async with AsyncExitStack() as stack:
        context.progress("graph: reading it into memory")
        pairs = context.catalogue.links.pairs
        popularity = await popularity_millionths(context.dsn, context.catalogue.size)
        world = _World(
            product=await stack.enter_async_context(open_product_graph(context.dsn, context.ids)),
            memory=MemoryGraph(pairs, popularity),
            floor=await stack.enter_async_context(open_floor(context.dsn)),
        )
        context.progress(f"graph: building {networkx_graph.NAME}")
        try:
            world.networkx = NetworkxPeer(pairs)
        except PeerMissing as exc:
            world.missing.append(Refusal(contender=networkx_graph.NAME, reason=str(exc)))
        context.progress(f"graph: building {ladybug_graph.NAME}")
        try:
            world.ladybug = LadybugPeer(context.keep, pairs, popularity)
            stack.callback(world.ladybug.close)
        except PeerMissing as exc:
            world.missing.append(Refusal(contender=ladybug_graph.NAME, reason=str(exc)))
        yield world


def _drawn(context: BenchContext, label: str) -> list[int]:
    """Entities with links, popular ones more often; with the most linked one among them."""
    degrees = np.bincount(context.catalogue.links.pairs.ravel(), minlength=context.catalogue.size)
    linked = np.flatnonzero(degrees).astype(np.int64)
    weights = np.cumsum(context.catalogue.popularity[linked].astype(np.float64))
    drawn: list[int] = linked[Chance(context.catalogue.seed, label).weighted(weights, context.queries)].tolist()
    return [int(degrees.argmax()), *drawn[1:]]


def _pairs(context: BenchContext) -> list[tuple[int, int]]:
    ends = zip(_drawn(context, "path from"), reversed(_drawn(context, "path to")), strict=True)
    return [(start, end) for start, end in ends if start != end]


async def _agreement(world: _World, pairs: Sequence[tuple[int, int]]) -> float:
    """The share of pairs whose chains, both, are as long as the shortest there is and made of edges that exist."""
    right = 0
    for start, end in pairs:
        chains = [await world.product.way((start, end)), await world.product.chain((start, end))]
        wanted = world.memory.distance(start, end, most=MAX_PATH_HOPS)
        are_real = all(world.memory.are_linked(a, b) for chain in chains for a, b in pairwise(chain))
        right += are_real and [length_of(chain) for chain in chains] == [wanted, wanted]
    return right / len(pairs) if pairs else 0.0


async def _neighbours_series(context: BenchContext, world: _World, starts: Sequence[int]) -> Series:
    context.progress(f"graph: {NEIGHBOURS}")
    memory, refusals = world.memory, list(world.missing)
    contenders: list[Contender[int]] = [
        Contender(OURS, ask=lambda node: world.product.reach_keys(node, 1)),
        Contender(WITH_ROWS, ask=world.product.neighbours),
        Contender(CSR, call=lambda node: memory.neighbours(node)[: LIMITS.max_results].tolist()),
    ]
    if world.networkx is not None:
        contenders.append(Contender(networkx_graph.NAME, call=world.networkx.neighbours))
    if world.ladybug is not None:
        ladybug, most = world.ladybug, LIMITS.max_results
        contenders.append(Contender(ladybug_graph.NAME, call=lambda node: ladybug.neighbours(node, most)))
    return await _compared(context, world, NEIGHBOURS, contenders, starts, refusals)


async def _reach_series(context: BenchContext, world: _World, starts: Sequence[int], name: str) -> Series:
    context.progress(f"graph: {name}")
    hops, memory, product = _HOPS[name], world.memory, world.product
    most, fanout = LIMITS.max_results, LIMITS.max_fanout_per_hop
    refusals: list[Refusal] = []
    contenders: list[Contender[int]] = []

    def ask_keys(node: int) -> Awaitable[object]:
        return product.reach_keys(node, hops)

    def ask_rows(node: int) -> Awaitable[object]:
        return product.k_hop(node, hops)

    for ours, answer, ask in ((OURS, product.reached_keys, ask_keys), (WITH_ROWS, product.reached, ask_rows)):
        found = {node: await answer(node, hops) for node in starts}
        wrong = [_difference(node, found[node], memory.k_hop(node, hops, fanout=fanout, limit=most)) for node in starts]
        faults = first_faults(range(len(wrong)), wrong.__getitem__)
        if faults:
            refusals.append(Refusal(contender=ours, reason=f"answers otherwise: {'; '.join(faults)}"))
        else:
            contenders.append(Contender(ours, ask=ask))
    contenders.append(Contender(CSR, call=lambda node: memory.k_hop(node, hops, fanout=fanout, limit=most)))
    if world.ladybug is not None:
        ladybug = world.ladybug
        # It knows no fan-out: every neighbour is passed on.
        wrong = first_faults(
            starts[:_CHECKED],
            lambda node: _difference(
                node, ladybug.k_hop(node, hops, most), memory.k_hop(node, hops, fanout=memory.size, limit=most)
            ),
        )
        if wrong:
            refusals.append(Refusal(contender=ladybug_graph.NAME, reason=f"answers otherwise: {'; '.join(wrong)}"))
        else:
            contenders.append(Contender(ladybug_graph.NAME, call=lambda node: ladybug.k_hop(node, hops, most)))
    return await _compared(context, world, name, contenders, starts, refusals)


async def _path_series(
    context: BenchContext, world: _World, pairs: Sequence[tuple[int, int]], agreement: float
) -> Series:
    context.progress(f"graph: {PATH}")
    contenders: list[Contender[tuple[int, int]]] = [
        Contender(OURS, ask=world.product.way_keys),
        Contender(WITH_ROWS, ask=world.product.path),
    ]
    refusals = list(world.missing)
    peers: list[tuple[str, Callable[[tuple[int, int]], object], Callable[[tuple[int, int]], int]]] = []
    if world.networkx is not None:
        networkx = world.networkx
        peers.append((networkx_graph.NAME, networkx.path, lambda ends: _bounded(length_of(networkx.path(ends)))))
    if world.ladybug is not None:
        peers.append((ladybug_graph.NAME, world.ladybug.length, world.ladybug.length))
    for name, call, length in peers:
        wrong = first_faults(pairs[:_CHECKED], lambda ends: _wrong_length(world.memory, ends, length(ends)))  # noqa: B023 used at once
        if wrong:
            refusals.append(Refusal(contender=name, reason=f"answers otherwise: {'; '.join(wrong)}"))
        else:
            contenders.append(Contender(name, call=call))
    quality = {"share of lengths that agree": agreement}
    return await _compared(context, world, PATH, contenders, pairs, refusals, quality)


async def _compared[Query](
    context: BenchContext,
    world: _World,
    name: str,
    contenders: Sequence[Contender[Query]],
    queries: Sequence[Query],
    refusals: Sequence[Refusal],
    quality: dict[str, float] | None = None,
) -> Series:
    with pinned([world.floor.backend_pid, world.product.backend_pid]):
        comparison = await compare(contenders, queries, world.floor.contender, context.plan, clock=context.clock)
    return series_of(name, len(queries), comparison, tuple(refusals), quality)


def _bounded(length: int) -> int:
    """networkx looks as far as it takes; beyond the bound there is no path for the others."""
    return length if length <= MAX_PATH_HOPS else -1


def _wrong_length(memory: MemoryGraph, ends: tuple[int, int], length: int) -> str | None:
    wanted = memory.distance(*ends, most=MAX_PATH_HOPS)
    return None if length == wanted else f"{ends}: length {length} instead of {wanted}"


def _difference(node: int, found: Reached, wanted: Reached) -> str | None:
    if found == wanted:
        return None
    return f"from {node}: {found.nodes[:4]} at {found.levels[:4]} instead of {wanted.nodes[:4]} at {wanted.levels[:4]}"


def _measured(ratios: Ratios, agreement: float) -> dict[str, Measured]:
    ours, networkx, ladybug = (PATH, OURS), (PATH, networkx_graph.NAME), (PATH, ladybug_graph.NAME)
    return {
        "path up to 4 hops: ours / networkx p50": ratios.p50(ours, networkx),
        "path up to 4 hops: ours / networkx p99": ratios.p99(ours, networkx),
        "path up to 4 hops: Ladybug / ours p50": ratios.p50(ladybug, ours),
        "path up to 4 hops: share of lengths that agree": Measured(value=agreement),
        "k_hop(2): ours / in-memory CSR p50": ratios.p50((TWO_HOPS, OURS), (TWO_HOPS, CSR)),
        "k_hop(3): ours / in-memory CSR p50": ratios.p50((THREE_HOPS, OURS), (THREE_HOPS, CSR)),
    }
