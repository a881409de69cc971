"""Bounded traversals and comparisons over the catalogue graph, with the rows behind every edge."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_facts import read_truth_rows
from datastore.postgres.graph_paths import goes_at_once, shortest_paths
from datastore.postgres.graph_reads import GraphSource, LocatedNode, k_hop, locate, neighbours
from datastore.postgres.graph_shortest import MOST_HOPS
from datastore.postgres.graph_values import Chain, EdgeScope
from datastore.postgres.hot import HotPool
from datastore.postgres.shared_links import own_links, shared_links
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import EntityRef, PathEvidence
from agent_core.retrieval.comparison import SHOWN_OF_ONE_SIDE, compared_edges, comparison_evidence, own_edges
from agent_core.retrieval.graph_evidence import chain_evidence, link_keys
from agent_core.schemas import (
    MAX_FANOUT,
    MAX_HOPS,
    MAX_RESULTS,
    GraphIntent,
    GraphQueryType,
    GraphResult,
    StepStatus,
    StepWarning,
    WarningCode,
)

SOURCE = "postgresql"
_PATHS_OF_A_COMPARISON = 3


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The limits of an intent, clamped to the hard maxima."""

    hops: int
    results: int
    fanout: int

    @classmethod
    def of(cls, intent: GraphIntent) -> "_Bounds":
        return cls(
            hops=min(intent.max_hops, MAX_HOPS),
            results=min(intent.limits.max_results, MAX_RESULTS),
            fanout=min(intent.limits.max_fanout_per_hop, MAX_FANOUT),
        )


class PostgresGraphExecutor:
    """`neighbors`, `k_hop`, `path` and `compare` on PostgreSQL.

    What is asked beyond the hard maxima is clamped. Nothing found is a result (`empty`), and so is a cap that was met
    (`truncated`, GRAPH_TRUNCATED): an empty result that is not truncated proves that there is nothing to find.
    """

    def __init__(
        self, engine: ReadOnlyEngine, *, hot: HotPool | None = None, query_timeout_seconds: float = 5.0
    ) -> None:
        """What prepared statements answer goes through `hot`, if given, each statement on a snapshot of its own."""
        self._engine = engine
        self._hot = hot
        self._query_timeout = query_timeout_seconds

    async def execute(self, intent: GraphIntent, *, timeout: float) -> GraphResult:
        """Run one intent. Raises SourceUnavailable, and IntentRefused for an entity or combination that can't be."""
        scope = _scope(intent)
        if intent.end is not None and intent.end.id == intent.start.id:
            raise IntentRefused("end", "is the entity that start names")
        bounds = _Bounds.of(intent)
        within = min(timeout, self._query_timeout)
        try:
            if self._hot is not None and _is_hot(intent, scope, bounds):
                async with asyncio.timeout(within):
                    return await self._read(self._hot, intent, scope, bounds)
            async with self._engine.connect(within) as conn:
                if intent.query_type is GraphQueryType.COMPARE:
                    return await self._compare(conn, intent, scope, bounds)
                return await self._read(conn, intent, scope, bounds)
        except TimeoutError as exc:
            raise SourceUnavailable(SOURCE, timed_out=True) from exc
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc

    async def _read(self, source: GraphSource, intent: GraphIntent, scope: EdgeScope, bounds: _Bounds) -> GraphResult:
        located = await _located(source, intent)
        start = _found("start", intent.start, located)
        match intent.query_type:
            case GraphQueryType.NEIGHBORS:
                return await _neighbors(source, start, scope, bounds)
            case GraphQueryType.K_HOP:
                return await _k_hop(source, start, scope, bounds)
            case GraphQueryType.PATH | GraphQueryType.COMPARE:
                return await _path(source, (start, _other(intent, located, start)), scope, bounds)

    async def _compare(
        self, conn: AsyncConnection, intent: GraphIntent, scope: EdgeScope, bounds: _Bounds
    ) -> GraphResult:
        located = await _located(conn, intent)
        start = _found("start", intent.start, located)
        end = _other(intent, located, start)
        cards = await read_cards(conn, [start.node.id, end.node.id])
        ends = (cards[start.node.id], cards[end.node.id])
        source: GraphSource = self._hot or conn
        paths = await _paths_between(source, (start, end), scope, bounds)
        return await _compared(source, ends, scope, bounds, paths)


def _is_hot(intent: GraphIntent, scope: EdgeScope, bounds: _Bounds) -> bool:
    """Whether prepared statements answer all of it; a card's fields need a connection that reads JSON."""
    match intent.query_type:
        case GraphQueryType.NEIGHBORS:
            return not scope.derived
        case GraphQueryType.K_HOP:
            return scope.is_plain
        case GraphQueryType.PATH:
            return goes_at_once(scope, max_hops=bounds.hops)
        case GraphQueryType.COMPARE:
            return False


async def _located(source: GraphSource, intent: GraphIntent) -> dict[UUID, LocatedNode]:
    return await locate(source, [intent.start.id, *([intent.end.id] if intent.end is not None else [])])


def _scope(intent: GraphIntent) -> EdgeScope:
    edges = tuple(dict.fromkeys(intent.edge_types or intent.filters.relations))
    if intent.edge_types and intent.filters.relations:
        edges = tuple(edge for edge in edges if edge in intent.filters.relations)
        if not edges:
            raise IntentRefused("filters.relations", "allows none of the edge_types")
    years = intent.filters.years
    return EdgeScope(
        edges=edges,
        qualifiers=tuple(part for part in (intent.filters.qualifier or "").split("|") if part),
        entity_types=intent.filters.entity_types,
        first_year=years.first_year if years is not None else None,
        last_year=years.last_year if years is not None else None,
    )


def _found(field: str, ref: EntityRef, located: dict[UUID, LocatedNode]) -> LocatedNode:
    node = located.get(ref.id)
    if node is None:
        raise IntentRefused(field, "is no entity of the catalogue")
    if node.node.entity_type is not ref.entity_type:
        raise IntentRefused(field, f"is of the type {node.node.entity_type}, not {ref.entity_type}")
    return node


def _other(intent: GraphIntent, located: dict[UUID, LocatedNode], start: LocatedNode) -> LocatedNode:
    if intent.end is None:
        raise IntentRefused("end", f"required for query_type '{intent.query_type}'")
    end = _found("end", intent.end, located)
    if end.key == start.key:
        raise IntentRefused("end", "is the entity that start names")
    return end


async def _neighbors(source: GraphSource, start: LocatedNode, scope: EdgeScope, bounds: _Bounds) -> GraphResult:
    found = await neighbours(source, start, scope, limit=bounds.results, fanout=bounds.fanout)
    evidence = await _evidence(source, [(hop,) for hop in found.hops])
    subject = f"links of {start.node.name}"
    return _result(subject, evidence, truncated=found.truncated)


async def _k_hop(source: GraphSource, start: LocatedNode, scope: EdgeScope, bounds: _Bounds) -> GraphResult:
    reach = await k_hop(source, start, scope, max_hops=bounds.hops, fanout=bounds.fanout, limit=bounds.results)
    evidence = await _evidence(source, reach.chains)
    subject = f"entities within {bounds.hops} hops of {start.node.name}"
    return _result(subject, evidence, truncated=reach.truncated)


async def _path(
    source: GraphSource, ends: tuple[LocatedNode, LocatedNode], scope: EdgeScope, bounds: _Bounds
) -> GraphResult:
    start, end = ends
    found = await shortest_paths(
        source, start, end, scope, max_hops=bounds.hops, fanout=bounds.fanout, limit=bounds.results
    )
    evidence = await _evidence(source, found.chains)
    subject = f"paths of at most {bounds.hops} hops from {start.node.name} to {end.node.name}"
    return _result(subject, evidence, truncated=found.truncated, whole_paths=True)


async def _paths_between(
    source: GraphSource, ends: tuple[LocatedNode, LocatedNode], scope: EdgeScope, bounds: _Bounds
) -> GraphResult | None:
    """A few of the shortest paths over stored edges of the types that are compared; None where there are no such."""
    if scope.edges and not scope.stored:
        return None
    hops = min(bounds.hops, MOST_HOPS)
    plain = EdgeScope(scope.stored if scope.edges else ())
    if not goes_at_once(plain, max_hops=hops):
        return None
    return await _path(
        source, ends, plain, replace(bounds, hops=hops, results=min(bounds.results, _PATHS_OF_A_COMPARISON))
    )


async def _compared(
    source: GraphSource,
    ends: tuple[EntityCard, EntityCard],
    scope: EdgeScope,
    bounds: _Bounds,
    paths: GraphResult | None,
) -> GraphResult:
    ours, theirs = ends
    edges = compared_edges(scope.edges, ours, theirs)
    compared = replace(scope, edges=edges)
    shared, truncated = await shared_links(source, ours.id, theirs.id, compared, limit=bounds.results)
    is_restricted = bool(scope.entity_types or scope.qualifiers)
    asked = () if is_restricted else own_edges(edges, ours, theirs)
    own = await own_links(source, ours.id, theirs.id, asked, shown=SHOWN_OF_ONE_SIDE)
    evidence = comparison_evidence(ours, theirs, shared, own, edges, is_whole=not truncated and not is_restricted)
    nodes = (evidence.left, evidence.right, *(relation.entity for relation in evidence.shared))
    compared_cards = GraphResult(
        status=StepStatus.TRUNCATED if truncated else StepStatus.OK,
        summary=evidence.text,
        nodes=tuple(dict.fromkeys(nodes)),
        evidence=(evidence,),
        truncated=truncated,
        warnings=_warnings(f"what {ours.name} and {theirs.name} share", truncated=truncated),
    )
    return compared_cards if paths is None else _with_paths(compared_cards, paths)


def _with_paths(comparison: GraphResult, paths: GraphResult) -> GraphResult:
    """Both in one: each keeps its own warnings, since what cites only one of them rests on nothing of the other."""
    truncated = comparison.truncated or paths.truncated
    return GraphResult(
        status=StepStatus.TRUNCATED if truncated else StepStatus.OK,
        summary="\n".join([comparison.summary, paths.summary]),
        paths=paths.paths,
        nodes=tuple(dict.fromkeys((*comparison.nodes, *paths.nodes))),
        evidence=(*comparison.evidence, *paths.evidence),
        truncated=truncated,
        warnings=(*_concerning(comparison), *_concerning(paths)),
    )


def _concerning(result: GraphResult) -> Iterable[StepWarning]:
    ids = tuple(item.id for item in result.evidence)
    return (warning.model_copy(update={"concerns": ids}) for warning in result.warnings)


async def _evidence(source: GraphSource, chains: Sequence[Chain]) -> tuple[PathEvidence, ...]:
    truths = await read_truth_rows(source, link_keys(chains))
    made = (chain_evidence(chain, truths) for chain in chains)
    return tuple({item.id: item for item in made if item is not None}.values())


def _result(
    subject: str, evidence: tuple[PathEvidence, ...], *, truncated: bool, whole_paths: bool = False
) -> GraphResult:
    ends = (item.path.nodes if whole_paths else item.path.nodes[-1:] for item in evidence)
    status = StepStatus.TRUNCATED if truncated else StepStatus.OK if evidence else StepStatus.EMPTY
    return GraphResult(
        status=status,
        summary=_summary(subject, [item.text for item in evidence], truncated=truncated),
        paths=tuple(item.path for item in evidence),
        nodes=tuple(dict.fromkeys(node for nodes in ends for node in nodes)),
        evidence=evidence,
        truncated=truncated,
        warnings=_warnings(subject, truncated=truncated),
    )


def _summary(subject: str, texts: Sequence[str], *, truncated: bool) -> str:
    count = f"{'at least ' if truncated else ''}{len(texts)}" if texts else "none found" if truncated else "none"
    return "\n".join([f"{subject}: {count}", *texts])


def _warnings(subject: str, *, truncated: bool) -> tuple[StepWarning, ...]:
    if not truncated:
        return ()
    message = "a limit was reached; what is missing here may still be in the catalogue"
    return (StepWarning(code=WarningCode.GRAPH_TRUNCATED, message=message, subject=subject),)
