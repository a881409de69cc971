"""Nearest vectors, of all and under a filter: the product's store beside hnswlib, pgvector, qdrant-client's local mode.

Every engine is approximate, so that a time means nothing without the share of the true neighbours that was found: peers
that can look further are set to look just far enough to find what is wanted, or as much as they can.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from datastore.vectors.protocol import ScoredPoint

from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, Ratios, series_of
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import VECTORS
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.invented_vectors import InventedVectors, invent_vectors, recall
from agent_evals.bench.peers import hnsw, pgvector, qdrant_local
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.product_vectors import ProductVectors, open_product_vectors, place_of
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series

UNFILTERED, FILTERED = "unfiltered", "filtered"
WANTED_RECALL, WANTED_FILTERED_RECALL = 0.95, 0.98

_FULL_COUNT, _QUICK_COUNT = 100_000, 3_000
_ENTITIES_OF_FULL = 1_000_000
# What an engine that reads every vector is asked before it is believed.
_CHECKED = 10

type SetEffort = Callable[[int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A contender, with what it can be told about how far to look; queries are places in the list of queries."""

    contender: Contender[int]
    is_exact: bool = False
    efforts: tuple[int, ...] = ()
    set_effort: SetEffort | None = None


@dataclass(slots=True)
class _Entries:
    """What is timed in one series, the recall of each, and who is left out."""

    contenders: list[Contender[int]] = field(default_factory=list[Contender[int]])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    quality: dict[str, float] = field(default_factory=dict[str, float])
    notes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _World:
    """The vectors, the floor, and who answers in which series, the product first."""

    invented: InventedVectors
    floor: Floor
    unfiltered: list[_Candidate] = field(default_factory=list[_Candidate])
    filtered: list[_Candidate] = field(default_factory=list[_Candidate])
    missing: list[Refusal] = field(default_factory=list[Refusal])
    backend_pids: list[int] = field(default_factory=list[int])


async def measure_vectors(context: BenchContext) -> AreaReport:
    """Recall first, then times."""
    began = context.clock()
    count = _FULL_COUNT if context.catalogue.size >= _ENTITIES_OF_FULL else _QUICK_COUNT
    context.progress(f"vectors: inventing {count}")
    invented = invent_vectors(context.catalogue.seed, count, context.queries)
    matching = invented.matching
    async with _opened(context, invented) as world:
        context.progress("vectors: finding the effort for the wanted recall")
        everything = await _entered(world.unfiltered, invented.nearest(), WANTED_RECALL)
        allowed = await _entered(world.filtered, invented.nearest(matching), WANTED_FILTERED_RECALL)
        series = (
            await _compared(context, world, UNFILTERED, everything),
            await _compared(context, world, FILTERED, allowed),
        )
    return AreaReport(
        area=VECTORS,
        status="measured",
        seconds=context.clock() - began,
        series=series,
        measured=_measured(series),
        notes=(
            f"{count} vectors of {invented.vectors.shape[1]} dimensions; the filter leaves {len(matching)}",
            *everything.notes,
            *allowed.notes,
        ),
    )


@asynccontextmanager
async def _opened(context: BenchContext, invented: InventedVectors) -> AsyncGenerator[_World]:
    lists: list[list[float]] = invented.queries.tolist()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=context.folder, prefix="vectors-")))
        world = _World(invented, await stack.enter_async_context(open_floor(context.dsn)))
        context.progress("vectors: building the product's store")
        product = await stack.enter_async_context(open_product_vectors(folder / "store", invented))
        _add_product(world, product, lists)
        for name, add in (
            (hnsw.NAME, _add_hnsw),
            (pgvector.NAME, _add_pgvector),
            (qdrant_local.NAME, _add_local),
        ):
            context.progress(f"vectors: building {name}")
            try:
                await add(world, stack, context, lists)
            except PeerMissing as exc:
                world.missing.append(Refusal(contender=name, reason=str(exc)))
        yield world


def _add_product(world: _World, product: ProductVectors, lists: list[list[float]]) -> None:
    world.unfiltered.append(_Candidate(Contender(OURS, ask=lambda place: product.search(lists[place]))))
    world.filtered.append(_Candidate(Contender(OURS, ask=lambda place: product.search_filtered(lists[place]))))


async def _add_hnsw(world: _World, _stack: AsyncExitStack, context: BenchContext, lists: list[list[float]]) -> None:
    peer = hnsw.HnswPeer(context.keep, world.invented)

    async def set_effort(effort: int) -> None:
        peer.set_effort(effort)

    contender: Contender[int] = Contender(hnsw.NAME, call=lambda place: peer.search(lists[place]))
    world.unfiltered.append(_Candidate(contender, efforts=hnsw.EFFORTS, set_effort=set_effort))


async def _add_pgvector(world: _World, stack: AsyncExitStack, context: BenchContext, lists: list[list[float]]) -> None:
    peer = await pgvector.build_pgvector(context.dsn, world.invented)
    stack.push_async_callback(peer.close)
    world.backend_pids += peer.backend_pids
    texts = [pgvector.vector_text(vector) for vector in lists]
    nearest: Contender[int] = Contender(pgvector.NAME, ask=lambda place: peer.search(texts[place]))
    filtered: Contender[int] = Contender(pgvector.NAME, ask=lambda place: peer.search_filtered(texts[place]))
    exact: Contender[int] = Contender(pgvector.EXACT_NAME, ask=lambda place: peer.search_exactly(texts[place]))
    world.unfiltered.append(_Candidate(nearest, efforts=pgvector.EFFORTS, set_effort=peer.set_effort))
    world.filtered.append(_Candidate(filtered, efforts=pgvector.EFFORTS, set_effort=peer.set_effort))
    world.filtered.append(_Candidate(exact, is_exact=True))


async def _add_local(world: _World, stack: AsyncExitStack, _context: BenchContext, lists: list[list[float]]) -> None:
    peer = qdrant_local.QdrantLocalPeer(world.invented)
    stack.callback(peer.close)
    nearest: Contender[int] = Contender(qdrant_local.NAME, call=lambda place: peer.search(lists[place]))
    filtered: Contender[int] = Contender(qdrant_local.NAME, call=lambda place: peer.search_filtered(lists[place]))
    world.unfiltered.append(_Candidate(nearest, is_exact=True))
    world.filtered.append(_Candidate(filtered, is_exact=True))


async def _entered(candidates: list[_Candidate], wanted: list[frozenset[int]], target: float) -> _Entries:
    """Everybody's recall. hnswlib is held to the product's, so that the two find the same."""
    entries = _Entries()
    ours = 0.0
    for candidate in candidates:
        name = candidate.contender.name
        least = max(ours, target) if name == hnsw.NAME else target
        reached = await _fitted(candidate, wanted, least, entries)
        entries.quality[f"recall@10 {name}"] = reached
        ours = reached if name == OURS else ours
        if candidate.is_exact and reached < WANTED_FILTERED_RECALL:
            entries.refusals.append(Refusal(contender=name, reason=f"answers otherwise: recall {reached:.3f}"))
        else:
            entries.contenders.append(candidate.contender)
    return entries


async def _fitted(candidate: _Candidate, wanted: list[frozenset[int]], target: float, entries: _Entries) -> float:
    """The recall with the least effort that reaches the target, or with the greatest; the effort stays set."""
    asked = wanted[:_CHECKED] if candidate.is_exact else wanted
    reached = 0.0
    for effort in candidate.efforts or (0,):
        if candidate.set_effort is not None:
            await candidate.set_effort(effort)
        reached = await _recall(candidate.contender, asked)
        if reached >= target or effort == (candidate.efforts or (0,))[-1]:
            if candidate.efforts:
                entries.notes.append(f"{candidate.contender.name}: effort {effort}, recall {reached:.3f}")
            break
    return reached


async def _recall(contender: Contender[int], wanted: list[frozenset[int]]) -> float:
    return recall([_places(await contender.answer(place)) for place in range(len(wanted))], wanted)


def _places(answer: object) -> list[int]:
    """The product answers with scored points, everybody else with places."""
    found = cast("list[ScoredPoint | int]", answer)
    return [each if isinstance(each, int) else place_of(each) for each in found]


async def _compared(context: BenchContext, world: _World, name: str, entries: _Entries) -> Series:
    context.progress(f"vectors: {name}")
    queries = list(range(context.queries))
    with pinned([world.floor.backend_pid, *world.backend_pids]):
        comparison = await compare(
            entries.contenders, queries, world.floor.contender, context.plan, clock=context.clock
        )
    refusals = (*world.missing, *entries.refusals)
    return series_of(name, len(queries), comparison, refusals, entries.quality)


def _measured(series: tuple[Series, ...]) -> dict[str, Measured]:
    ratios = Ratios(series)
    unfiltered, filtered = (each.quality[f"recall@10 {OURS}"] for each in series)
    quick_enough = ratios.p50((UNFILTERED, OURS), (UNFILTERED, hnsw.NAME))
    against_pgvector = ratios.p50((FILTERED, pgvector.NAME), (FILTERED, OURS))
    if filtered < WANTED_FILTERED_RECALL:
        against_pgvector = Measured(
            value=against_pgvector.value, why_not=f"recall {filtered:.3f} is under {WANTED_FILTERED_RECALL}"
        )
    return {
        "filtered vectors: pgvector / ours p50": against_pgvector,
        "filtered vectors: recall@10": Measured(value=filtered),
        "unfiltered vectors: recall@10": Measured(value=unfiltered),
        "unfiltered vectors: ours / hnswlib p50 at equal recall": quick_enough,
    }
