"""Typeahead: one and two characters, three to eight, native scripts, typos; beside tantivy, FTS5 and pg_trgm."""

import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, Ratios, series_of
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import TYPEAHEAD
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.oracle import first_faults
from agent_evals.bench.peers import sqlite_fts5, tantivy_index, trigrams
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.popularity import popularity_millionths
from agent_evals.bench.product_search import ProductSearch, open_product_search
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series
from agent_evals.bench.starts import SearchWorld, Shown, Starts
from agent_evals.bench.typeahead_oracle import TypeaheadOracle
from agent_evals.bench.typeahead_queries import QueryClass, Typed, typed_queries

PAGE = 10

# Enough to catch a slow peer that answers something else; each of its answers may take seconds.
_CHECKED = 10
_LEXICAL = (QueryClass.SHORT, QueryClass.MIDDLE, QueryClass.NATIVE)


type _Found = Sequence[Shown]
type _Search = Callable[[str], _Found]
type _AsyncSearch = Callable[[str], Awaitable[_Found]]


@dataclass(slots=True)
class _Peers:
    """Peers that were built, by name, and the names of those that could not be, with the reason."""

    search: dict[str, _Search] = field(default_factory=dict[str, _Search])
    asked: dict[str, _AsyncSearch] = field(default_factory=dict[str, _AsyncSearch])
    fuzzy: dict[str, _Search] = field(default_factory=dict[str, _Search])
    missing: list[Refusal] = field(default_factory=list[Refusal])
    backend_pids: list[int] = field(default_factory=list[int])


async def measure_typeahead(context: BenchContext) -> AreaReport:
    """All classes of queries; a contender that answers wrongly is reported and not timed."""
    began = context.clock()
    context.progress("typeahead: reading every beginning")
    starts = Starts(context.catalogue, context.keep)
    world = SearchWorld(
        context.catalogue, starts, await popularity_millionths(context.dsn, context.catalogue.size), context.ids
    )
    async with (
        open_floor(context.dsn) as floor,
        open_product_search(context.dsn, context.ids) as product,
        _built_peers(context, world) as peers,
    ):
        oracle = TypeaheadOracle(world)
        series = [await _lexical_series(context, kind, oracle, product, peers, floor) for kind in _LEXICAL]
        series.append(await _typo_series(context, product, peers, floor))
    return AreaReport(
        area=TYPEAHEAD,
        status="measured",
        seconds=context.clock() - began,
        series=tuple(series),
        measured=_measured(Ratios(tuple(series)), series[-1]),
        notes=(
            f"{len(starts)} beginnings of {len(context.catalogue.names.texts)} names",
            f"{sqlite_fts5.NAME}: SQLite {sqlite3.sqlite_version}",
        ),
    )


@asynccontextmanager
async def _built_peers(context: BenchContext, world: SearchWorld) -> AsyncGenerator[_Peers]:
    peers = _Peers()
    async with AsyncExitStack() as stack:
        for name, build in (
            (sqlite_fts5.NAME, _build_fts5),
            (tantivy_index.NAME, _build_tantivy),
            (trigrams.NAME, _build_trigrams),
        ):
            context.progress(f"typeahead: building {name}")
            try:
                await build(peers, stack, context, world)
            except PeerMissing as exc:
                peers.missing.append(Refusal(contender=name, reason=str(exc)))
        yield peers


async def _build_fts5(peers: _Peers, stack: AsyncExitStack, context: BenchContext, world: SearchWorld) -> None:
    peer = sqlite_fts5.Fts5Peer(context.keep, world)
    stack.callback(peer.close)
    peers.search[sqlite_fts5.NAME] = lambda text: peer.search(text, PAGE)


async def _build_tantivy(peers: _Peers, _stack: AsyncExitStack, context: BenchContext, world: SearchWorld) -> None:
    peer = tantivy_index.TantivyPeer(context.keep, world)
    peers.search[tantivy_index.NAME] = lambda text: peer.search(text, PAGE)
    peers.fuzzy[tantivy_index.FUZZY_NAME] = lambda text: peer.search_fuzzy(text, PAGE)


async def _build_trigrams(peers: _Peers, stack: AsyncExitStack, context: BenchContext, world: SearchWorld) -> None:
    peer = await trigrams.build_trigrams(context.dsn, world)
    stack.push_async_callback(peer.close)
    peers.asked[trigrams.NAME] = lambda text: peer.search(text, PAGE)
    peers.backend_pids.append(await peer.backend_pid())


async def _lexical_series(
    context: BenchContext,
    kind: QueryClass,
    oracle: TypeaheadOracle,
    product: ProductSearch,
    peers: _Peers,
    floor: Floor,
) -> Series:
    context.progress(f"typeahead: {kind}: comparing answers")
    texts = [typed.text for typed in typed_queries(context.catalogue, kind, context.queries)]
    refusals = list(peers.missing)
    contenders: list[Contender[str]] = []
    faults = await _product_faults(texts, oracle, product)
    if faults:
        refusals.append(Refusal(contender=OURS, reason=f"answers otherwise: {'; '.join(faults)}"))
    else:
        contenders.append(Contender(OURS, ask=lambda text: product.search(text, PAGE)))
    for name, search in peers.search.items():
        answers = {text: search(text) for text in texts}
        _admit(oracle, answers, Contender(name, call=search), contenders, refusals)
    for name, ask in peers.asked.items():
        answers = {text: await ask(text) for text in texts[:_CHECKED]}
        _admit(oracle, answers, Contender(name, ask=ask), contenders, refusals)
    context.progress(f"typeahead: {kind}: timing")
    with pinned([floor.backend_pid, product.backend_pid, *peers.backend_pids]):
        comparison = await compare(contenders, texts, floor.contender, context.plan, clock=context.clock)
    return series_of(kind.value, len(texts), comparison, tuple(refusals))


async def _product_faults(texts: Sequence[str], oracle: TypeaheadOracle, product: ProductSearch) -> tuple[str, ...]:
    answers = {text: await product.positions(text, PAGE) for text in texts}
    return first_faults(answers, lambda text: oracle.faults(text, answers[text], PAGE))


def _admit(
    oracle: TypeaheadOracle,
    answers: Mapping[str, _Found],
    contender: Contender[str],
    contenders: list[Contender[str]],
    refusals: list[Refusal],
) -> None:
    """Among the contenders if the answers are right, otherwise among those that were refused."""
    wrong = first_faults(answers, lambda text: oracle.faults(text, _positions(answers[text]), PAGE))
    if wrong:
        refusals.append(Refusal(contender=contender.name, reason=f"answers otherwise: {'; '.join(wrong)}"))
    else:
        contenders.append(contender)


def _positions(found: _Found) -> list[int]:
    return [shown.owner for shown in found]


async def _typo_series(context: BenchContext, product: ProductSearch, peers: _Peers, floor: Floor) -> Series:
    """No one order is right here: instead of an oracle, the share of queries whose entity is on the first page."""
    context.progress(f"typeahead: {QueryClass.TYPO}: comparing answers")
    typed = typed_queries(context.catalogue, QueryClass.TYPO, context.queries)
    texts = [each.text for each in typed]
    found = {text: await product.positions(text, PAGE) for text in texts}
    quality = {f"hit@10 {OURS}": _hit_share(typed, found)}
    contenders: list[Contender[str]] = [Contender(OURS, ask=lambda text: product.search(text, PAGE))]
    for name, search in peers.fuzzy.items():
        quality[f"hit@10 {name}"] = _hit_share(typed, {text: _positions(search(text)) for text in texts})
        contenders.append(Contender(name, call=search))
    missing = [
        Refusal(contender=tantivy_index.FUZZY_NAME, reason=refusal.reason)
        for refusal in peers.missing
        if refusal.contender == tantivy_index.NAME
    ]
    context.progress(f"typeahead: {QueryClass.TYPO}: timing")
    with pinned([floor.backend_pid, product.backend_pid]):
        comparison = await compare(contenders, texts, floor.contender, context.plan, clock=context.clock)
    return series_of(QueryClass.TYPO.value, len(texts), comparison, tuple(missing), quality)


def _hit_share(typed: Sequence[Typed], found: Mapping[str, Sequence[int]]) -> float:
    return sum(each.meant in found[each.text] for each in typed) / len(typed) if typed else 0.0


def _measured(ratios: Ratios, typos: Series) -> dict[str, Measured]:
    ours = [(kind.value, (kind.value, OURS)) for kind in _LEXICAL]
    measured = {f"typeahead {kind}: p50 / SELECT 1": ratios.over_floor(kind, OURS) for kind, _ in ours}
    for kind, mine in ours:
        theirs = (kind, tantivy_index.NAME)
        measured[f"typeahead {kind}: tantivy / ours p50"] = ratios.p50(theirs, mine)
        measured[f"typeahead {kind}: tantivy / ours p99"] = ratios.p99(theirs, mine)
    middle, typo = QueryClass.MIDDLE.value, QueryClass.TYPO.value
    return measured | {
        "typeahead p99: slowest class / fastest class": ratios.p99_spread(OURS, tuple(kind for kind, _ in ours)),
        "typeahead 3-8 chars: pg_trgm GIN / ours p50": ratios.p50((middle, trigrams.NAME), (middle, OURS)),
        "typos: tantivy fuzzy / ours p50": ratios.p50((typo, tantivy_index.FUZZY_NAME), (typo, OURS)),
        "typos: hit@10": Measured(value=typos.quality[f"hit@10 {OURS}"]),
    }
