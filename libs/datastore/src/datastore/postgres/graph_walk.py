"""One level of a traversal at a time, over states: at an entity, or at the hub in the middle of a derived edge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.edges import EDGE_BY_CODE, EDGES, EdgeType
from datastore.postgres.graph_statements import EdgeConditions, expansion, joining_edges
from datastore.postgres.graph_values import DERIVED_RULES, EDGE_RANKS, EdgeScope, counterparts, mirrors_exactly, ranked

State = tuple[int, int]
"""A node, and the code of the derived edge that is half walked there; 0 at an entity proper."""

AT_ENTITY = 0
_FIRST_YEAR, _LAST_YEAR = 0, 9_999


@dataclass(frozen=True, slots=True)
class Arc:
    """A move between two states, read in the direction of the chain. Lower `rank` is the more specific edge."""

    from_: State
    to: State
    rank: int
    popularity: float


@dataclass(frozen=True, slots=True)
class Level:
    """The arcs of one level, and whether a cap left some out."""

    arcs: tuple[Arc, ...]
    truncated: bool


class GraphWalk:
    """Expands and joins sets of states along the edges of one scope.

    The scope's years hold every entity that an expansion arrives at, and so do its entity types unless
    `restricts_entity_types` is false; hubs of derived edges are free of both.
    """

    def __init__(
        self, conn: AsyncConnection, scope: EdgeScope, *, fanout: int, restricts_entity_types: bool = True
    ) -> None:
        self._conn = conn
        self._scope = scope
        self._fanout = fanout
        self._types = [str(t) for t in scope.entity_types] if restricts_entity_types else []

    async def expand(self, states: Iterable[State], seen: Iterable[State], *, backward: bool = False) -> Level:
        """Arcs to states not yet `seen`; `backward` gives the arcs that lead *to* `states`."""
        seen_by_half = _by_half(seen)
        arcs: list[Arc] = []
        truncated = False
        for half, nodes in _by_half(states).items():
            for move in self._moves(half):
                rows, was_cut = await self._expanded(nodes, move, seen_by_half.get(move.to_half, []), backward=backward)
                truncated = truncated or was_cut
                arcs += [_arc(row, half, move, backward=backward) for row in rows]
        return Level(tuple(arcs), truncated)

    async def join(self, left: Iterable[State], right: Iterable[State], *, limit: int) -> Level:
        """Arcs from a state of `left` to one of `right`, found however many edges either has; the best `limit`."""
        right_by_half = _by_half(right)
        arcs: list[Arc] = []
        for half, nodes in _by_half(left).items():
            for move in self._moves(half):
                others = right_by_half.get(move.to_half)
                if others:
                    rows = await self._joined(nodes, others, move.edges, limit + 1)
                    arcs += [_arc(row, half, move, backward=False) for row in rows]
        arcs.sort(key=lambda arc: (arc.rank, -arc.popularity, arc.from_, arc.to))
        return Level(tuple(arcs[:limit]), len(arcs) > limit)

    def _moves(self, half: int) -> "list[_Move]":
        if half != AT_ENTITY:
            derived = EDGE_BY_CODE[half]
            return [_Move(DERIVED_RULES[derived].from_hub, AT_ENTITY, EDGE_RANKS[derived])]
        moves = [_Move(self._scope.stored, AT_ENTITY, None)] if self._scope.stored else []
        for derived in self._scope.derived:
            moves.append(_Move(DERIVED_RULES[derived].to_hub, EDGES[derived].code, EDGE_RANKS[derived]))
        return moves

    async def _expanded(
        self, nodes: list[int], move: "_Move", seen: list[int], *, backward: bool
    ) -> tuple[list[Any], bool]:
        mirrors = backward and move.is_stored
        edges = ranked(counterparts(move.edges)) if mirrors else move.edges
        conditions = EdgeConditions(
            qualified=bool(self._scope.qualifiers),
            typed=bool(self._types) and move.to_half == AT_ENTITY,
            dated=self._scope.is_dated and move.to_half == AT_ENTITY,
            mirrors=mirrors and (bool(self._scope.qualifiers) or not mirrors_exactly(move.edges)),
        )
        values = self._values(conditions) | {
            "nodes": nodes,
            "rels": _codes(edges),
            "seen": seen,
            "row_limit": self._fanout + 1,
        }
        if conditions.mirrors:
            values["forward_rels"] = _codes(move.edges)
        rows = (await self._conn.execute(expansion(conditions), values)).all()
        return _capped(rows, self._fanout)

    async def _joined(
        self, nodes: list[int], others: list[int], edges: Sequence[EdgeType], limit: int
    ) -> Sequence[Any]:
        values: dict[str, Any] = {"nodes": nodes, "other_nodes": others, "rels": _codes(edges), "row_limit": limit}
        statement = joining_edges(qualified=bool(self._scope.qualifiers))
        if self._scope.qualifiers:
            values["qualifiers"] = list(self._scope.qualifiers)
        return (await self._conn.execute(statement, values)).all()

    def _values(self, conditions: EdgeConditions) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if conditions.qualified:
            values["qualifiers"] = list(self._scope.qualifiers)
        if conditions.typed:
            values["types"] = self._types
        if conditions.dated:
            values["first_year"] = self._scope.first_year or _FIRST_YEAR
            values["last_year"] = self._scope.last_year or _LAST_YEAR
        return values


@dataclass(frozen=True, slots=True)
class _Move:
    """Edges that lead from one kind of state to another. A half of a derived edge has that edge's rank."""

    edges: tuple[EdgeType, ...]
    to_half: int
    rank: int | None

    @property
    def is_stored(self) -> bool:
        return self.rank is None


def _arc(row: Any, half: int, move: _Move, *, backward: bool) -> Arc:
    rank = EDGE_RANKS[EDGE_BY_CODE[row.rel]] if move.rank is None else move.rank
    near, far = (row.src, half), (row.dst, move.to_half)
    return Arc(far, near, rank, row.popularity) if backward else Arc(near, far, rank, row.popularity)


def _by_half(states: Iterable[State]) -> dict[int, list[int]]:
    grouped: dict[int, list[int]] = {}
    for node, half in states:
        grouped.setdefault(half, []).append(node)
    return grouped


def _codes(edges: Iterable[EdgeType]) -> list[int]:
    return [EDGES[edge].code for edge in edges]


def _capped(rows: Sequence[Any], fanout: int) -> tuple[list[Any], bool]:
    """The rows without those that exceed a node's fan-out, and whether there were any."""
    count: dict[int, int] = {}
    kept: list[Any] = []
    for row in rows:
        count[row.src] = count.get(row.src, 0) + 1
        if count[row.src] <= fanout:
            kept.append(row)
    return kept, len(kept) < len(rows)
