"""The goals: which ratio, in which direction, how far. A goal without a value is not met, and says why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent_evals.bench.report import AreaReport, Goal, Measured

type Comparison = Literal["at most", "at least"]

TYPEAHEAD, GRAPH, VECTORS, EMBEDDINGS = "typeahead", "graph", "vectors", "embeddings"
HTTP, NESTED, START, ORCHESTRATION = "http", "nested", "cold start", "orchestration"
AI_LANE = "AI lane"
AI_LANE_GOAL = "AI lane above its executors, milliseconds"


@dataclass(frozen=True, slots=True)
class GoalSpec:
    """One line of the table of goals."""

    name: str
    area: str
    comparison: Comparison
    bound: float
    stretch: float | None = None

    def is_met_by(self, value: float) -> bool:
        """Whether the value is as wanted; the bound itself is."""
        return value <= self.bound if self.comparison == "at most" else value >= self.bound


def _most(name: str, area: str, bound: float, stretch: float | None = None) -> GoalSpec:
    return GoalSpec(name, area, "at most", bound, stretch)


def _least(name: str, area: str, bound: float, stretch: float | None = None) -> GoalSpec:
    return GoalSpec(name, area, "at least", bound, stretch)


GOALS: tuple[GoalSpec, ...] = (
    _most("typeahead 1-2 chars: p50 / SELECT 1", TYPEAHEAD, 4.5, 2.5),
    _most("typeahead 3-8 chars: p50 / SELECT 1", TYPEAHEAD, 4.5, 2.5),
    _most("typeahead native: p50 / SELECT 1", TYPEAHEAD, 4.5, 2.5),
    _most("typeahead p99: slowest class / fastest class", TYPEAHEAD, 1.5),
    _least("typeahead 1-2 chars: tantivy / ours p50", TYPEAHEAD, 5.0),
    _least("typeahead 3-8 chars: tantivy / ours p50", TYPEAHEAD, 1.0),
    _least("typeahead native: tantivy / ours p50", TYPEAHEAD, 1.0),
    _least("typeahead 1-2 chars: tantivy / ours p99", TYPEAHEAD, 2.0),
    _least("typeahead 3-8 chars: tantivy / ours p99", TYPEAHEAD, 2.0),
    _least("typeahead native: tantivy / ours p99", TYPEAHEAD, 2.0),
    _least("typeahead 3-8 chars: pg_trgm GIN / ours p50", TYPEAHEAD, 500.0),
    _least("typos: tantivy fuzzy / ours p50", TYPEAHEAD, 8.0),
    _least("typos: hit@10", TYPEAHEAD, 0.60),
    _least("HTTP search, 16 connections: ours / PostGraphile, requests/s", HTTP, 2.0),
    _least("HTTP search, 16 connections: ours / stock Strawberry, requests/s", HTTP, 20.0),
    _most("HTTP search, 16 connections: ours / PostGraphile, p99", HTTP, 0.5),
    _most("20 entities x 5 nested: fast lane / one-SQL JSON", NESTED, 1.5),
    _most("20 entities x 5 nested: reference road / one-SQL JSON", NESTED, 6.0, 4.0),
    _most(AI_LANE_GOAL, AI_LANE, 2.0),
    _most("path up to 4 hops: ours / networkx p50", GRAPH, 1.0),
    _most("path up to 4 hops: ours / networkx p99", GRAPH, 1.0),
    _least("path up to 4 hops: Ladybug / ours p50", GRAPH, 100.0),
    _least("path up to 4 hops: share of lengths that agree", GRAPH, 1.0),
    _most("k_hop(2): ours / in-memory CSR p50", GRAPH, 5.0),
    _most("k_hop(3): ours / in-memory CSR p50", GRAPH, 8.0),
    _least("filtered vectors: pgvector / ours p50", VECTORS, 30.0),
    _least("filtered vectors: recall@10", VECTORS, 0.98),
    _least("unfiltered vectors: recall@10", VECTORS, 0.95),
    _most("unfiltered vectors: ours / hnswlib p50 at equal recall", VECTORS, 1.0),
    _least("query embedding: shipped model / ours p50", EMBEDDINGS, 2.5),
    _least("query embedding: top-10 overlap", EMBEDDINGS, 0.88),
    _most("cold start of the embedded database, seconds", START, 1.0),
    _most("second start of the whole stack, seconds", START, 5.0),
)


def judge(areas: Sequence[AreaReport], specs: Sequence[GoalSpec] = GOALS) -> tuple[Goal, ...]:
    """Every goal with what was measured for it; a contended value is shown and counts as not met."""
    by_area = {area.area: area for area in areas}
    return tuple(_judged(spec, _measured(spec, by_area)) for spec in specs)


def _measured(spec: GoalSpec, by_area: Mapping[str, AreaReport]) -> Measured:
    area = by_area.get(spec.area)
    if area is None:
        return Measured(why_not="not measured in this run")
    if area.status == "not_measured":
        return Measured(why_not=f"not measured: {area.why_not}")
    return area.measured.get(spec.name, Measured(why_not="not measured"))


def _judged(spec: GoalSpec, measured: Measured) -> Goal:
    is_reached = measured.value is not None and spec.is_met_by(measured.value)
    met = is_reached and not measured.contended and measured.why_not is None
    return Goal(
        name=spec.name,
        area=spec.area,
        comparison=spec.comparison,
        goal=spec.bound,
        value=measured.value,
        met=met,
        why_not=None if met else measured.why_not or _shortfall(spec, measured, is_reached=is_reached),
        stretch=spec.stretch,
    )


def _shortfall(spec: GoalSpec, measured: Measured, *, is_reached: bool) -> str:
    if measured.value is None:
        return "no value"
    if is_reached and measured.contended:
        return "contended: the machine was not quiet, so that this value counts for nothing"
    return f"{measured.value:.3g}, {spec.comparison} {spec.bound:g} wanted"
