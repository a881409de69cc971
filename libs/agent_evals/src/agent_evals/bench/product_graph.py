"""The product's graph reads as its executor runs them: one pooled read-only connection, ids in, chains out."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

import sqlalchemy as sa
from agent_core.schemas import GraphLimits
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only
from datastore.postgres.graph_paths import PathsFound, shortest_paths
from datastore.postgres.graph_reads import Neighbourhood, Reach, k_hop, locate, neighbours
from datastore.postgres.graph_values import EdgeScope
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_evals.bench.graph_oracle import UNREACHED, Reached

MAX_PATH_HOPS = 4
LIMITS = GraphLimits()
"""What a graph intent is bounded by unless it says otherwise."""

_STATEMENT_MS = 60_000
_ALL = EdgeScope()


class ProductGraph:
    """Made by `open_product_graph`. Entities are named by their position in the invented catalogue."""

    def __init__(self, engine: ReadOnlyEngine, ids: tuple[UUID, ...], backend_pid: int) -> None:
        self._engine = engine
        self._ids = ids
        self._positions: Mapping[UUID, int] = {each: place for place, each in enumerate(ids)}
        self.backend_pid = backend_pid

    async def neighbours(self, start: int) -> Neighbourhood:
        """The hops that leave one entity."""
        async with self._engine.connect() as conn:
            located = await locate(conn, [self._ids[start]])
            return await neighbours(
                conn, located[self._ids[start]], _ALL, limit=LIMITS.max_results, fanout=LIMITS.max_fanout_per_hop
            )

    async def k_hop(self, start: int, hops: int) -> Reach:
        """What lies within some hops, with a chain to each."""
        async with self._engine.connect() as conn:
            return await self._k_hop(conn, start, hops)

    async def path(self, ends: tuple[int, int]) -> PathsFound:
        """One shortest chain of at most MAX_PATH_HOPS."""
        async with self._engine.connect() as conn:
            return await self._path(conn, *ends)

    async def reached(self, start: int, hops: int) -> Reached:
        """The same as `k_hop`, by position. The chains say how far each is."""
        reach = await self.k_hop(start, hops)
        return Reached(
            tuple(self._positions[node.id] for node in reach.nodes),
            tuple(sum(hop.length for hop in chain) for chain in reach.chains),
        )

    async def chain(self, ends: tuple[int, int]) -> list[int]:
        """The positions along a shortest chain; empty when there is none."""
        found = await self.path(ends)
        if not found.chains:
            return []
        first = found.chains[0]
        return [self._positions[first[0].from_.id], *(self._positions[hop.to.id] for hop in first)]

    async def _k_hop(self, conn: AsyncConnection, start: int, hops: int) -> Reach:
        located = await locate(conn, [self._ids[start]])
        return await k_hop(
            conn,
            located[self._ids[start]],
            _ALL,
            max_hops=hops,
            fanout=LIMITS.max_fanout_per_hop,
            limit=LIMITS.max_results,
        )

    async def _path(self, conn: AsyncConnection, start: int, end: int) -> PathsFound:
        located = await locate(conn, [self._ids[start], self._ids[end]])
        return await shortest_paths(
            conn,
            located[self._ids[start]],
            located[self._ids[end]],
            _ALL,
            max_hops=MAX_PATH_HOPS,
            fanout=LIMITS.max_fanout_per_hop,
            limit=1,
        )


def length_of(chain: list[int]) -> int:
    """Hops of a chain of positions; UNREACHED for none."""
    return len(chain) - 1 if chain else UNREACHED


@asynccontextmanager
async def open_product_graph(dsn: str, ids: tuple[UUID, ...]) -> AsyncGenerator[ProductGraph]:
    """Graph reads over one connection."""
    engine = open_read_only(
        PostgresOptions(dsn=dsn, pool_min_size=1, pool_max_size=1, statement_timeout_ms=_STATEMENT_MS)
    )
    try:
        async with engine.connect() as connection:
            backend_pid = (await connection.execute(sa.select(sa.func.pg_backend_pid()))).scalar_one()
        yield ProductGraph(engine, ids, backend_pid)
    finally:
        await engine.close()
