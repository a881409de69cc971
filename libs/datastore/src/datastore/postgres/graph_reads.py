"""Reads of the catalogue graph: neighbours of one or many entities, and everything within a few hops."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.edges import EDGE_BY_CODE, EDGES, EdgeType
from datastore.postgres.graph_masks import mask_of
from datastore.postgres.graph_spread import spread_from
from datastore.postgres.graph_statements import (
    NODES_BY_ID,
    NODES_BY_KEY,
    STEPS,
    EdgeConditions,
    edges_between,
    links_of_entities,
    links_of_node,
)
from datastore.postgres.graph_values import DERIVED_RULES, Chain, EdgeScope, GraphNode, Hop, Link, ranked
from datastore.postgres.graph_walk import AT_ENTITY, Arc, GraphWalk, State
from datastore.postgres.hot import HotPool, HotStatement, Row, fetch_rows
from datastore.postgres.projection import ORIGIN_CODES
from datastore.vocabulary import EntityType

# How many entities a k-hop read may pass through when only some types of them are asked for.
MAX_VISITED = 2_000

_TABLE_BY_CODE = {code: table for table, code in ORIGIN_CODES.items()}
_NODES_BY_ID, _NODES_BY_KEY, _STEPS = HotStatement(NODES_BY_ID), HotStatement(NODES_BY_KEY), HotStatement(STEPS)
_EDGES_BETWEEN = {qualified: HotStatement(edges_between(qualified=qualified)) for qualified in (False, True)}

type GraphSource = AsyncConnection | HotPool
"""Where the graph is read: in a transaction, on one snapshot; or fast, each statement on a snapshot of its own."""


@dataclass(frozen=True, slots=True)
class LocatedNode:
    """An entity with the small key that this package's graph statements take. The key stays inside `datastore`."""

    key: int
    node: GraphNode


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The hops that leave one entity, most popular far ends first, and whether a cap left some out."""

    hops: tuple[Hop, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class EntityLink:
    """One stored edge of an entity, and what is shown of its far end."""

    edge: EdgeType
    qualifier: str
    target_id: UUID
    target_type: EntityType
    target_name: str
    target_version: int
    target_popularity: float


@dataclass(frozen=True, slots=True)
class Reach:
    """Entities within some hops, nearest first, then most popular; a shortest chain to each; whether some are left out.

    `chains[i]` leads to `nodes[i]`. It is one of possibly many.
    """

    nodes: tuple[GraphNode, ...]
    chains: tuple[Chain, ...]
    truncated: bool


async def locate(source: GraphSource, ids: Sequence[UUID]) -> dict[UUID, LocatedNode]:
    """Where entities stand in the graph, by the id asked for, redirects followed; ids of no entity are missing."""
    rows = await fetch_rows(source, _NODES_BY_ID, {"ids": list(dict.fromkeys(ids))})
    return {row["asked"]: LocatedNode(row["node"], _node(row)) for row in rows}


async def neighbours(
    source: GraphSource, start: LocatedNode, scope: EdgeScope, *, limit: int, fanout: int
) -> Neighbourhood:
    """The hops of `scope` that leave `start`, at most `limit`; its types and years hold their far ends.

    When there are more than `limit`, each edge type gets its turn. A derived edge goes through at most `fanout` hubs,
    and to at most `fanout` entities from each; only what has none can be read from a pool.
    """
    hops: list[Hop] = []
    truncated = False
    if scope.stored:
        links, truncated = await _links(source, start, scope, limit=limit)
        hops += [Hop(link.edge, (link,)) for link in links]
    for derived in scope.derived:
        conn = _transaction(source)
        found = await _derived_neighbours(conn, start, scope, derived, fanout=fanout, limit=limit)
        hops += found.hops
        truncated = truncated or found.truncated
    kept = sorted(hops[:limit], key=lambda hop: -hop.to.popularity)
    return Neighbourhood(tuple(kept), truncated or len(hops) > limit)


async def read_links(
    conn: AsyncConnection,
    ids: Sequence[UUID],
    edges: Sequence[EdgeType],
    *,
    per_source: int,
    offset: int = 0,
    qualifier: str | None = None,
    entity_types: Sequence[EntityType] = (),
) -> dict[UUID, tuple[EntityLink, ...]]:
    """Stored links of many entities in one statement: for each id asked, redirects followed, `per_source` of its links.

    Most popular far ends first, from the `offset`-th on. No `edges` means all stored ones; derived ones have no links.
    """
    asked = dict.fromkeys(ids)
    scope = EdgeScope(tuple(edges), () if qualifier is None else (qualifier,), tuple(entity_types))
    if not asked or not scope.stored:
        return dict.fromkeys(asked, ())
    conditions = _conditions(scope)
    values = {"ids": list(asked), "rels": _codes(scope.stored), "row_limit": per_source, "row_offset": offset}
    rows = await conn.execute(links_of_entities(conditions), values | _scope_values(scope, conditions))
    links: dict[UUID, list[EntityLink]] = {entity_id: [] for entity_id in asked}
    for row in rows:
        target_type = EntityType(row.entity_type)
        edge = EDGE_BY_CODE[row.rel]
        links[row.asked].append(
            EntityLink(edge, row.qualifier, row.id, target_type, row.name, row.version, row.popularity)
        )
    return {entity_id: tuple(found) for entity_id, found in links.items()}


async def k_hop(
    source: GraphSource, start: LocatedNode, scope: EdgeScope, *, max_hops: int, fanout: int, limit: int
) -> Reach:
    """What lies within `max_hops` of `start`, without it, at most `limit` entities; a derived edge counts two hops.

    The scope's years hold every entity on the way; its entity types only choose what is returned. A node's edges beyond
    the `fanout` most popular far ends are left out; of several nodes that lead to one, its chain has the most popular.
    Only what `is_plain` can be read from a pool.
    """
    if scope.is_plain:
        return await _plain_reach(source, start, scope, max_hops=max_hops, fanout=fanout, limit=limit)
    return await k_hop_by_level(_transaction(source), start, scope, max_hops=max_hops, fanout=fanout, limit=limit)


async def _plain_reach(
    source: GraphSource, start: LocatedNode, scope: EdgeScope, *, max_hops: int, fanout: int, limit: int
) -> Reach:
    mask = mask_of(scope.stored) if scope.edges else None
    spread = await spread_from(source, start.key, mask=mask, max_hops=max_hops, fanout=fanout, budget=limit + 1)
    steps = [(src, node) for node, src in spread.came_from.items()][:limit]
    links = await links_of_steps(source, start, steps, scope)
    nodes: list[GraphNode] = []
    chains: dict[int, Chain] = {start.key: ()}
    for src, dst in steps:
        # A step that was written away since then is no step, and leads nowhere.
        if src in chains and (src, dst) in links:
            link = links[src, dst][0]
            nodes.append(link.to)
            chains[dst] = (*chains[src], Hop(link.edge, (link,)))
    is_cut = spread.is_cut or len(spread.came_from) > limit
    return Reach(tuple(nodes), tuple(chains.values())[1:], is_cut)


async def links_of_steps(
    source: GraphSource, start: LocatedNode, steps: Sequence[tuple[int, int]], scope: EdgeScope
) -> dict[tuple[int, int], list[Link]]:
    """The stored links of the scope for each step, the most specific first, in one statement; steps lead from `start`.

    Every step begins at `start` or where an earlier one ends. A step without links is missing.
    """
    if not steps:
        return {}
    values = {"nodes": [a for a, _ in steps], "other_nodes": [b for _, b in steps], "forth": mask_of(scope.stored)}
    rows = await fetch_rows(source, _STEPS, values)
    nodes = {start.key: start.node} | {row["dst"]: _node(row) for row in rows}
    links: dict[tuple[int, int], list[Link]] = {}
    for row in rows:
        src, dst = row["src"], row["dst"]
        if src in nodes:
            links.setdefault((src, dst), []).append(_link(row, nodes[src], nodes[dst]))
    return links


async def k_hop_by_level(
    conn: AsyncConnection, start: LocatedNode, scope: EdgeScope, *, max_hops: int, fanout: int, limit: int
) -> Reach:
    """The same for every scope, with a statement or more a level."""
    walk = GraphWalk(conn, scope, fanout=fanout, restricts_entity_types=False)
    flood = _Flood(start.key, budget=MAX_VISITED if scope.entity_types else limit + 1)
    for _ in range(max_hops):
        if not flood.frontier or flood.is_spent:
            break
        level = await walk.expand(flood.frontier, flood.seen)
        flood.absorb(level.arcs, truncated=level.truncated)
    nodes = await read_nodes(conn, [node for node, _ in flood.reached])
    wanted = [
        state
        for state in flood.reached
        if state[0] in nodes and (not scope.entity_types or nodes[state[0]].entity_type in scope.entity_types)
    ]
    kept = wanted[:limit]
    chains = await chains_of(conn, [flood.way_to(state) for state in kept], scope)
    return Reach(
        nodes=tuple(nodes[node] for node, _ in kept),
        chains=tuple(chains),
        truncated=flood.truncated or len(wanted) > limit,
    )


async def read_nodes(source: GraphSource, keys: Iterable[int]) -> dict[int, GraphNode]:
    """Entities by their small key, in one statement."""
    rows = await fetch_rows(source, _NODES_BY_KEY, {"nodes": sorted(set(keys))})
    return {row["node"]: _node(row) for row in rows}


async def chains_of(source: GraphSource, ways: Sequence[Sequence[State]], scope: EdgeScope) -> list[Chain]:
    """The hops along given states, each the most specific edge between its two ends, in two statements for all."""
    pairs = sorted({(a[0], b[0]) for way in ways for a, b in pairwise(way)})
    if not pairs:
        return [() for _ in ways]
    links = await links_between(source, pairs, scope)
    return [tuple(_hops(way, links, scope)) for way in ways]


async def links_between(
    source: GraphSource, pairs: Sequence[tuple[int, int]], scope: EdgeScope
) -> Mapping[tuple[int, int], list[Link]]:
    """All links of the scope, halves of derived edges included, between pairs of nodes; most specific first."""
    halves = {edge for derived in scope.derived for edge in _both_halves(derived)}
    values: dict[str, Any] = {
        "nodes": [a for a, _ in pairs],
        "other_nodes": [b for _, b in pairs],
        "rels": _codes(ranked(frozenset(scope.stored) | halves)),
    }
    if scope.qualifiers:
        values["qualifiers"] = list(scope.qualifiers)
    rows = await fetch_rows(source, _EDGES_BETWEEN[bool(scope.qualifiers)], values)
    nodes = await read_nodes(source, [node for pair in pairs for node in pair])
    links: dict[tuple[int, int], list[Link]] = {}
    for row in rows:
        src, dst = row["src"], row["dst"]
        links.setdefault((src, dst), []).append(_link(row, nodes[src], nodes[dst]))
    return links


class _Flood:
    """A breadth-first spread from one node: what was reached, from where, and what a cap left out."""

    def __init__(self, start: int, *, budget: int) -> None:
        self._came_from: dict[State, State | None] = {(start, AT_ENTITY): None}
        self._budget = budget
        self.frontier: list[State] = [(start, AT_ENTITY)]
        self.reached: list[State] = []
        self.truncated = False

    @property
    def seen(self) -> Iterable[State]:
        """Every state reached so far, the start included."""
        return self._came_from.keys()

    @property
    def is_spent(self) -> bool:
        """Whether no further entity may be reached."""
        return len(self.reached) >= self._budget

    def absorb(self, arcs: Sequence[Arc], *, truncated: bool) -> None:
        """Take over a level: each new state from the first of the frontier that leads to it, the most popular first."""
        places = {state: place for place, state in enumerate(self.frontier)}
        best: dict[State, Arc] = {}
        for arc in sorted(arcs, key=lambda arc: places[arc.from_]):
            best.setdefault(arc.to, arc)
        ordered = sorted(best.values(), key=lambda arc: (-arc.popularity, arc.to))
        entities = [arc.to for arc in ordered if arc.to[1] == AT_ENTITY]
        hubs = [arc.to for arc in ordered if arc.to[1] != AT_ENTITY]
        room = self._budget - len(self.reached)
        self.truncated = self.truncated or truncated or len(entities) > room or len(hubs) > MAX_VISITED
        self.frontier = entities[:room] + hubs[:MAX_VISITED]
        self.reached += entities[:room]
        self._came_from |= {state: best[state].from_ for state in self.frontier}

    def way_to(self, state: State) -> list[State]:
        """The states from the start to this one."""
        way = [state]
        while (before := self._came_from[way[-1]]) is not None:
            way.append(before)
        return way[::-1]


async def _links(source: GraphSource, start: LocatedNode, scope: EdgeScope, *, limit: int) -> tuple[list[Link], bool]:
    conditions = _conditions(scope)
    values = {"nodes": [start.key], "rels": _codes(scope.stored), "row_limit": limit + 1, "row_offset": 0}
    found = await fetch_rows(source, links_of_node(conditions), values | _scope_values(scope, conditions))
    links = [_link(row, start.node, _node(row)) for row in found]
    return links[:limit], len(links) > limit


def _conditions(scope: EdgeScope) -> EdgeConditions:
    return EdgeConditions(qualified=bool(scope.qualifiers), typed=bool(scope.entity_types), dated=scope.is_dated)


def _scope_values(scope: EdgeScope, conditions: EdgeConditions) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if conditions.qualified:
        values["qualifiers"] = list(scope.qualifiers)
    if conditions.typed:
        values["types"] = [str(entity_type) for entity_type in scope.entity_types]
    if conditions.dated:
        values["first_year"] = scope.first_year if scope.first_year is not None else 0
        values["last_year"] = scope.last_year if scope.last_year is not None else 9_999
    return values


async def _derived_neighbours(
    conn: AsyncConnection, start: LocatedNode, scope: EdgeScope, derived: EdgeType, *, fanout: int, limit: int
) -> Neighbourhood:
    """Every (hub, far end) is a hop of its own, so that a far end shared twice is found twice; the popular first."""
    only = EdgeScope((derived,), scope.qualifiers, scope.entity_types, scope.first_year, scope.last_year)
    walk = GraphWalk(conn, only, fanout=fanout)
    begin = (start.key, AT_ENTITY)
    to_hubs = await walk.expand([begin], [begin])
    from_hubs = await walk.expand([arc.to for arc in to_hubs.arcs], [begin])
    # Two caps of 200 multiply: what is not shown is not looked up either.
    shown = heapq.nsmallest(limit, from_hubs.arcs, key=lambda arc: (-arc.popularity, arc.to, arc.from_))
    ways = [[begin, arc.from_, arc.to] for arc in shown]
    hops = tuple(hop for chain in await chains_of(conn, ways, only) for hop in chain)
    is_cut = to_hubs.truncated or from_hubs.truncated or len(from_hubs.arcs) > limit
    return Neighbourhood(hops, is_cut)


def _hops(way: Sequence[State], links: Mapping[tuple[int, int], list[Link]], scope: EdgeScope) -> Iterable[Hop]:
    place = 0
    stored = frozenset(scope.stored)
    while place + 1 < len(way):
        here, there = way[place], way[place + 1]
        if there[1] == AT_ENTITY:
            link = next(link for link in links[here[0], there[0]] if link.edge in stored)
            yield Hop(link.edge, (link,))
            place += 1
            continue
        derived, beyond = EDGE_BY_CODE[there[1]], way[place + 2]
        rule = DERIVED_RULES[derived]
        first = next(link for link in links[here[0], there[0]] if link.edge in rule.to_hub)
        second = next(link for link in links[there[0], beyond[0]] if link.edge in rule.from_hub)
        yield Hop(derived, (first, second))
        place += 2


def _both_halves(derived: EdgeType) -> tuple[EdgeType, ...]:
    rule = DERIVED_RULES[derived]
    return (*rule.to_hub, *rule.from_hub)


def _codes(edges: Iterable[EdgeType]) -> list[int]:
    return [EDGES[edge].code for edge in edges]


def _transaction(source: GraphSource) -> AsyncConnection:
    if isinstance(source, HotPool):
        raise TypeError("a restricted scope is read in a transaction")
    return source


def _node(row: Row) -> GraphNode:
    return GraphNode(row["id"], EntityType(row["entity_type"]), row["name"], row["version"], row["popularity"])


def _link(row: Row, from_: GraphNode, to: GraphNode) -> Link:
    table = _TABLE_BY_CODE[row["origin"]]
    return Link(from_, EDGE_BY_CODE[row["rel"]], to, row["qualifier"], table, row["origin_id"])
