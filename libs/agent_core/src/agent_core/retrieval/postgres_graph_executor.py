"""Bounded traversals and comparisons over the catalogue graph, with the rows behind every edge."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_facts import read_truth_rows
from datastore.postgres.graph_paths import goes_at_once, shortest_paths
from datastore.postgres.graph_reads import GraphSource, LocatedNode, k_hop, locate, neighbours
from datastore.postgres.graph_values import Chain, EdgeScope
from datastore.postgres.hot import HotPool
from datastore.postgres.shared_links import shared_links
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import EntityRef, PathEvidence
from agent_core.retrieval.comparison import compared_edges, comparison_evidence
from agent_core.retrieval.graph_evidence import chain_evidence, link_keys
from agent_core.schemas import (
    MAX_FANOUT,
    MAX_HOPS,
    MAX_RESULTS,
    GraphIntent,
    GraphQueryType,
    GraphResult,
    StepStatus,
    Warning,
    WarningCode,
)

SOURCE = "postgresql"


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
        """Walks and paths that one statement answers go through `hot`, if given; their rows are read afterwards."""
        self._engine = engine
        self._hot = hot
        self._query_timeout = query_timeout_seconds

    async def execute(self, intent: GraphIntent, *, timeout: float) -> GraphResult:
        """Run one intent. Raises SourceUnavailable, and IntentRefused for an entity or combination that can't be."""
        scope = _scope(intent)
        if intent.end is not None and intent.end.id == intent.start.id:
            raise IntentRefused("end", "is the entity that start names")
        try:
            async with self._engine.connect(min(timeout, self._query_timeout)) as conn:
                return await self._run(conn, intent, scope, _Bounds.of(intent))
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc

    async def _run(self, conn: AsyncConnection, intent: GraphIntent, scope: EdgeScope, bounds: _Bounds) -> GraphResult:
        located = await locate(conn, [intent.start.id, *([intent.end.id] if intent.end is not None else [])])
        start = _found("start", intent.start, located)
        hot = self._hot if goes_at_once(scope, max_hops=bounds.hops) else None
        source: GraphSource = conn if hot is None else hot
        match intent.query_type:
            case GraphQueryType.NEIGHBORS:
                return await _neighbors(conn, start, scope, bounds)
            case GraphQueryType.K_HOP:
                return await _k_hop(conn, source, start, scope, bounds)
            case GraphQueryType.PATH:
                return await _path(conn, source, (start, _other(intent, located, start)), scope, bounds)
            case GraphQueryType.COMPARE:
                return await _compare(conn, start, _other(intent, located, start), scope, bounds)


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


async def _neighbors(conn: AsyncConnection, start: LocatedNode, scope: EdgeScope, bounds: _Bounds) -> GraphResult:
    found = await neighbours(conn, start, scope, limit=bounds.results, fanout=bounds.fanout)
    evidence = await _evidence(conn, [(hop,) for hop in found.hops])
    subject = f"links of {start.node.name}"
    return _result(subject, evidence, truncated=found.truncated)


async def _k_hop(
    conn: AsyncConnection, source: GraphSource, start: LocatedNode, scope: EdgeScope, bounds: _Bounds
) -> GraphResult:
    reach = await k_hop(source, start, scope, max_hops=bounds.hops, fanout=bounds.fanout, limit=bounds.results)
    evidence = await _evidence(conn, reach.chains)
    subject = f"entities within {bounds.hops} hops of {start.node.name}"
    return _result(subject, evidence, truncated=reach.truncated)


async def _path(
    conn: AsyncConnection,
    source: GraphSource,
    ends: tuple[LocatedNode, LocatedNode],
    scope: EdgeScope,
    bounds: _Bounds,
) -> GraphResult:
    start, end = ends
    found = await shortest_paths(
        source, start, end, scope, max_hops=bounds.hops, fanout=bounds.fanout, limit=bounds.results
    )
    evidence = await _evidence(conn, found.chains)
    subject = f"paths of at most {bounds.hops} hops from {start.node.name} to {end.node.name}"
    return _result(subject, evidence, truncated=found.truncated, whole_paths=True)


async def _compare(
    conn: AsyncConnection, left: LocatedNode, right: LocatedNode, scope: EdgeScope, bounds: _Bounds
) -> GraphResult:
    cards = await read_cards(conn, [left.node.id, right.node.id])
    ours, theirs = cards[left.node.id], cards[right.node.id]
    edges = compared_edges(scope.edges, ours, theirs)
    shared, truncated = await shared_links(conn, ours.id, theirs.id, edges, limit=bounds.results)
    kept = [
        link
        for link in shared
        if (not scope.entity_types or link.node.entity_type in scope.entity_types)
        and (not scope.qualifiers or set(scope.qualifiers).intersection(link.common_qualifiers))
    ]
    is_whole = not truncated and not scope.entity_types and not scope.qualifiers
    evidence = comparison_evidence(ours, theirs, kept, edges, is_whole=is_whole)
    return GraphResult(
        status=StepStatus.TRUNCATED if truncated else StepStatus.OK,
        summary=evidence.text,
        nodes=(evidence.left, evidence.right, *dict.fromkeys(relation.entity for relation in evidence.shared)),
        evidence=(evidence,),
        truncated=truncated,
        warnings=_warnings(f"what {ours.name} and {theirs.name} share", truncated=truncated),
    )


async def _evidence(conn: AsyncConnection, chains: Sequence[Chain]) -> tuple[PathEvidence, ...]:
    truths = await read_truth_rows(conn, link_keys(chains))
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


def _warnings(subject: str, *, truncated: bool) -> tuple[Warning, ...]:
    if not truncated:
        return ()
    message = "a limit was reached; what is missing here may still be in the catalogue"
    return (Warning(code=WarningCode.GRAPH_TRUNCATED, message=message, subject=subject),)
