"""All shortest chains between two entities: both ends spread until they meet, so that hubs can't explode.

Stored edges take one statement that finds a shortest way, and one that lists what else is as short. What only the
level-by-level search can do (hubs of derived edges, roles, types and years of what lies between) takes a statement for
each level, and bounds how many links a node passes on.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.graph_masks import mask_of
from datastore.postgres.graph_meeting import ways_between
from datastore.postgres.graph_reads import GraphSource, LocatedNode, chains_of, links_between, links_of_steps
from datastore.postgres.graph_shortest import MOST_HOPS, shortest_way
from datastore.postgres.graph_values import Chain, EdgeScope, Hop, counterparts, mirrors_exactly
from datastore.postgres.graph_walk import AT_ENTITY, Arc, GraphWalk, Level, State
from datastore.postgres.hot import HotPool, fetch_rows

# How many states one side may hold in a level, and how many arcs may close the gap between the sides.
MAX_FRONTIER = 2_000
MAX_JOINS = 1_000


@dataclass(frozen=True, slots=True)
class PathsFound:
    """The shortest chains, the most specific first. Empty and not `truncated` proves that there is none.

    `truncated` says that a cap was met: with chains, there may be more or even shorter ones; without, one may exist.
    """

    chains: tuple[Chain, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class WayFound:
    """The nodes along one shortest way, both ends included, as the keys that stay inside `datastore`; empty for none.

    `truncated` says that an end has more neighbours than were looked at: there may be a shorter way, or one at all.
    `is_forth` says that the start has no more neighbours than the end.
    """

    way: tuple[int, ...]
    truncated: bool
    is_forth: bool


def goes_at_once(scope: EdgeScope, *, max_hops: int) -> bool:
    """Whether two statements answer: edge types are all that is restricted, and read backward they are the same."""
    return scope.is_plain and max_hops <= MOST_HOPS and mirrors_exactly(scope.stored)


async def shortest_paths(
    source: GraphSource,
    start: LocatedNode,
    end: LocatedNode,
    scope: EdgeScope,
    *,
    max_hops: int,
    fanout: int,
    limit: int,
) -> PathsFound:
    """At most `limit` chains of the least number of hops from `start` to `end`, a derived edge counting two.

    Chains differ in the entities they pass through; between two of them the most specific edge stands, except that
    every edge of a direct connection is a chain of its own. The scope's entity types and years hold what lies between
    the ends. `fanout` bounds nothing but a search that `paths_by_level` makes.
    Only what `goes_at_once` can be read from a pool.
    """
    if goes_at_once(scope, max_hops=max_hops):
        return await _paths_at_once(source, start, end, scope, max_hops=max_hops, limit=limit)
    if isinstance(source, HotPool):
        raise TypeError("a restricted scope is read in a transaction")
    return await paths_by_level(source, start, end, scope, max_hops=max_hops, fanout=fanout, limit=limit)


async def paths_by_level(
    conn: AsyncConnection,
    start: LocatedNode,
    end: LocatedNode,
    scope: EdgeScope,
    *,
    max_hops: int,
    fanout: int,
    limit: int,
) -> PathsFound:
    """The same for every scope and length, with a statement or more a level.

    A node's edges beyond the `fanout` most popular far ends are left out, save those that close the gap.
    """
    walk = GraphWalk(conn, scope, fanout=fanout)
    left, right = _Side(start.key), _Side(end.key)
    layers: Sequence[Sequence[Arc]] = ()
    was_cut = False
    for length in range(1, max_hops + 1):
        bridge = await walk.join(left.frontier, right.frontier, limit=MAX_JOINS)
        if bridge.arcs:
            layers, was_cut = [*left.levels, bridge.arcs, *reversed(right.levels)], bridge.truncated
            break
        if length == max_hops or not await _spread(walk, left, right):
            break
        layers = _overlap(left, right)
        if layers:
            break
    ways = _best_ways(layers, left.origin, right.origin, limit + 1) if layers else []
    chains = await _chains(conn, ways, scope)
    truncated = left.truncated or right.truncated or was_cut or len(chains) > limit
    return PathsFound(tuple(chains[:limit]), truncated)


async def way_at_once(source: GraphSource, start: int, end: int, scope: EdgeScope, *, max_hops: int) -> WayFound:
    """One of the shortest ways between two keys, whichever it is, in one statement; only for what `goes_at_once`."""
    values = {"start_node": start, "end_node": end, **_masks(scope)}
    rows = await fetch_rows(source, shortest_way(max_hops=max_hops, every_edge=not scope.edges), values)
    stops: list[int] | None = rows[0]["stops"]
    is_forth, is_narrow = rows[0]["is_forth"], rows[0]["is_narrow"]
    if stops is None:
        return WayFound((), is_narrow, is_forth)
    return WayFound((start, *(stops if is_forth else stops[::-1]), end), is_narrow and bool(stops), is_forth)


async def _ways_as_short(
    source: GraphSource, one: WayFound, scope: EdgeScope, *, most: int
) -> tuple[list[tuple[int, ...]], bool]:
    """The `most` best of the ways that are as short as this one, those of the most specific edges first.

    Also says whether some were never looked at.
    """
    if len(one.way) == 2:
        return [one.way], False
    near, far = (one.way[0], one.way[-1]) if one.is_forth else (one.way[-1], one.way[0])
    values = {"start_node": near, "end_node": far, "most": most, **_masks(scope, forth=one.is_forth)}
    statement = ways_between(length=len(one.way) - 1, every_edge=not scope.edges)
    rows = await fetch_rows(source, statement, values)
    ways = [(near, *row["stops"], far) for row in rows]
    return ways if one.is_forth else [way[::-1] for way in ways], any(row["is_cut"] for row in rows[:1])


def _masks(scope: EdgeScope, *, forth: bool = True) -> dict[str, int]:
    """The scope's edges as they are read from the start and from the end, or the other way round."""
    if not scope.edges:
        return {}
    masks = mask_of(scope.stored), mask_of(counterparts(scope.stored))
    return dict(zip(("forth", "back"), masks if forth else masks[::-1], strict=True))


async def _paths_at_once(
    source: GraphSource, start: LocatedNode, end: LocatedNode, scope: EdgeScope, *, max_hops: int, limit: int
) -> PathsFound:
    one = await way_at_once(source, start.key, end.key, scope, max_hops=max_hops)
    if not one.way:
        return PathsFound((), one.truncated)
    ways, was_cut = await _ways_as_short(source, one, scope, most=limit + 1)
    chains = await _chains_along(source, start, ways[:limit], scope)
    is_cut = one.truncated or was_cut or len(ways) > limit or len(chains) > limit
    return PathsFound(tuple(chains[:limit]), is_cut)


async def _chains_along(
    source: GraphSource, start: LocatedNode, ways: Sequence[tuple[int, ...]], scope: EdgeScope
) -> list[Chain]:
    steps = list(dict.fromkeys(step for way in ways for step in pairwise(way)))
    links = await links_of_steps(source, start, steps, scope)
    # A way with a step that was written away since then is none.
    found = [[links[step] for step in pairwise(way)] for way in ways if all(step in links for step in pairwise(way))]
    if len(found) == 1 and len(found[0]) == 1:
        return [(Hop(link.edge, (link,)),) for link in found[0][0]]
    return [tuple(Hop(of_step[0].edge, (of_step[0],)) for of_step in way) for way in found]


class _Side:
    """What was reached from one end: the outermost states, and the arcs of each level, read from start to end."""

    def __init__(self, node: int) -> None:
        self.origin: State = (node, AT_ENTITY)
        self.frontier: list[State] = [self.origin]
        self.levels: list[tuple[Arc, ...]] = []
        self.level_of: dict[State, int] = {self.origin: 0}
        self.truncated = False

    def absorb(self, level: Level, *, backward: bool) -> None:
        """Take over a level; of too many states the most popular stay."""
        popularity = {(arc.from_ if backward else arc.to): arc.popularity for arc in level.arcs}
        ordered = sorted(popularity, key=lambda state: (-popularity[state], state))
        self.truncated = self.truncated or level.truncated or len(ordered) > MAX_FRONTIER
        self.frontier = ordered[:MAX_FRONTIER]
        self.levels.append(level.arcs)
        self.level_of |= dict.fromkeys(self.frontier, len(self.levels))


async def _spread(walk: GraphWalk, left: _Side, right: _Side) -> bool:
    """Move the smaller side one level outward, or the other where that needs no cut; false when there is nowhere to go.

    What the smaller side's cut leaves out may be all that the other leads to.
    """
    near, far = (left, right) if len(left.frontier) <= len(right.frontier) else (right, left)
    level = await walk.expand(near.frontier, near.level_of, backward=near is right)
    if level.truncated:
        other = await walk.expand(far.frontier, far.level_of, backward=far is right)
        if not other.truncated:
            near, level = far, other
    near.absorb(level, backward=near is right)
    return bool(near.frontier)


def _overlap(left: _Side, right: _Side) -> list[Sequence[Arc]]:
    """The layers of the shortest way through a state that both sides have reached; empty when there is none.

    Only a cap lets that happen: one side left out an edge by which the other has come all the way.
    """
    common = left.level_of.keys() & right.level_of.keys()
    if not common:
        return []
    steps, taken = min((left.level_of[state] + right.level_of[state], left.level_of[state]) for state in common)
    return [*left.levels[:taken], *reversed(right.levels[: steps - taken])]


_Way = tuple[int, float, tuple[State, ...]]


def _best_ways(layers: Sequence[Sequence[Arc]], start: State, end: State, count: int) -> list[tuple[State, ...]]:
    """The `count` best ways through the layers: least sum of ranks, then the most popular stops."""
    best: dict[State, list[_Way]] = {start: [(0, 0.0, (start,))]}
    for arcs in _leading_to(end, layers):
        arriving: dict[State, list[Arc]] = {}
        for arc in arcs:
            arriving.setdefault(arc.to, []).append(arc)
        best = {state: heapq.nsmallest(count, _extended(best, into)) for state, into in arriving.items()}
    return [states for _, _, states in best.get(end, [])]


def _leading_to(end: State, layers: Sequence[Sequence[Arc]]) -> list[list[Arc]]:
    """The layers without arcs that lead nowhere."""
    needed = {end}
    useful: list[list[Arc]] = []
    for arcs in reversed(layers):
        useful.append([arc for arc in arcs if arc.to in needed])
        needed = {arc.from_ for arc in useful[-1]}
    return useful[::-1]


def _extended(best: dict[State, list[_Way]], arcs: Sequence[Arc]) -> Iterable[_Way]:
    for arc in arcs:
        for rank, unpopularity, states in best.get(arc.from_, ()):
            yield (rank + arc.rank, unpopularity - arc.popularity, (*states, arc.to))


async def _chains(source: GraphSource, ways: Sequence[tuple[State, ...]], scope: EdgeScope) -> list[Chain]:
    if len(ways) == 1 and len(ways[0]) == 2:
        pair = (ways[0][0][0], ways[0][1][0])
        links = await links_between(source, [pair], scope)
        stored = frozenset(scope.stored)
        return [(Hop(link.edge, (link,)),) for link in links[pair] if link.edge in stored]
    return await chains_of(source, ways, scope)
