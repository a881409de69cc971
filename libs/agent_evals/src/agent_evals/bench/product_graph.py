"""The product's graph reads, on its pool for hot statements.

Twice: by key, as the peers in memory are asked, small numbers in and small numbers out; and whole, as a user asks: ids
go in, chains with the rows behind them come out.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

from agent_core.schemas import GraphLimits
from datastore.postgres.graph_paths import PathsFound, WayFound, shortest_paths, way_at_once
from datastore.postgres.graph_reads import Neighbourhood, Reach, k_hop, locate, neighbours
from datastore.postgres.graph_spread import Spread, spread_from
from datastore.postgres.graph_values import EdgeScope
from datastore.postgres.hot import HotPool

from agent_evals.bench.bulk_rows import node_of, position_of
from agent_evals.bench.graph_oracle import UNREACHED, Reached
from agent_evals.bench.product_pool import open_product_pool

MAX_PATH_HOPS = 4
LIMITS = GraphLimits()
"""What a graph intent is bounded by unless it says otherwise."""

_ALL = EdgeScope()


class ProductGraph:
    """Made by `open_product_graph`. Entities are named by their position in the invented catalogue."""

    def __init__(self, pool: HotPool, ids: tuple[UUID, ...], backend_pid: int) -> None:
        self._pool = pool
        self._ids = ids
        self._positions: Mapping[UUID, int] = {each: place for place, each in enumerate(ids)}
        self.backend_pid = backend_pid

    async def neighbours(self, start: int) -> Neighbourhood:
        """The hops that leave one entity."""
        located = await locate(self._pool, [self._ids[start]])
        return await neighbours(
            self._pool, located[self._ids[start]], _ALL, limit=LIMITS.max_results, fanout=LIMITS.max_fanout_per_hop
        )

    async def reach_keys(self, start: int, hops: int) -> Spread:
        """The keys of what lies within some hops, each with the key that led to it."""
        return await spread_from(
            self._pool,
            node_of(start),
            mask=None,
            max_hops=hops,
            fanout=LIMITS.max_fanout_per_hop,
            budget=LIMITS.max_results,
        )

    async def way_keys(self, ends: tuple[int, int]) -> WayFound:
        """The keys along one shortest way of at most MAX_PATH_HOPS, any of them; every path begins by finding one."""
        start, end = (node_of(each) for each in ends)
        return await way_at_once(self._pool, start, end, _ALL, max_hops=MAX_PATH_HOPS)

    async def k_hop(self, start: int, hops: int) -> Reach:
        """What lies within some hops, with a chain to each."""
        located = await locate(self._pool, [self._ids[start]])
        return await k_hop(
            self._pool,
            located[self._ids[start]],
            _ALL,
            max_hops=hops,
            fanout=LIMITS.max_fanout_per_hop,
            limit=LIMITS.max_results,
        )

    async def path(self, ends: tuple[int, int]) -> PathsFound:
        """One shortest chain of at most MAX_PATH_HOPS, of the most specific edges that were looked at."""
        start, end = (self._ids[each] for each in ends)
        located = await locate(self._pool, [start, end])
        return await shortest_paths(
            self._pool,
            located[start],
            located[end],
            _ALL,
            max_hops=MAX_PATH_HOPS,
            fanout=LIMITS.max_fanout_per_hop,
            limit=1,
        )

    async def reached(self, start: int, hops: int) -> Reached:
        """The same as `k_hop`, by position. The chains say how far each is."""
        reach = await self.k_hop(start, hops)
        return Reached(
            tuple(self._positions[node.id] for node in reach.nodes),
            tuple(sum(hop.length for hop in chain) for chain in reach.chains),
        )

    async def reached_keys(self, start: int, hops: int) -> Reached:
        """The same as `reach_keys`, by position."""
        came_from = (await self.reach_keys(start, hops)).came_from
        levels = {node_of(start): 0}
        for node, source in came_from.items():
            levels[node] = levels[source] + 1
        return Reached(tuple(map(position_of, came_from)), tuple(levels[node] for node in came_from))

    async def chain(self, ends: tuple[int, int]) -> list[int]:
        """The positions along a shortest chain; empty when there is none."""
        found = await self.path(ends)
        if not found.chains:
            return []
        first = found.chains[0]
        return [self._positions[first[0].from_.id], *(self._positions[hop.to.id] for hop in first)]

    async def way(self, ends: tuple[int, int]) -> list[int]:
        """The positions along a shortest way; empty when there is none."""
        return [position_of(node) for node in (await self.way_keys(ends)).way]


def length_of(chain: list[int]) -> int:
    """Hops of a chain of positions; UNREACHED for none."""
    return len(chain) - 1 if chain else UNREACHED


@asynccontextmanager
async def open_product_graph(dsn: str, ids: tuple[UUID, ...]) -> AsyncGenerator[ProductGraph]:
    """Graph reads over one connection."""
    async with open_product_pool(dsn, "graph") as (pool, backend_pid):
        yield ProductGraph(pool, ids, backend_pid)
