"""Shortest paths are as long as those of networkx over the same stored edges."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import sqlalchemy as sa
from agent_evals.bench.peers.networkx_graph import NetworkxPeer
from datastore.postgres.catalogue import edges, entities
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine
from datastore.postgres.graph_paths import way_at_once
from datastore.postgres.graph_values import EdgeScope
from datastore.postgres.hot import HotPool
from fixtures.postgres import READER_ROLE
from graph_oracle import write_random_catalogue

PAIRS, MOST_HOPS = 300, 4


async def test_lengths_agree_with_networkx(read_write: ReadWriteEngine, database_url: str) -> None:
    rng = random.Random(17)
    async with read_write.begin() as conn:
        await write_random_catalogue(conn, rng, size=220, links=420)
        nodes = (await conn.execute(sa.select(entities.c.node).order_by(entities.c.node))).scalars().all()
        links = (await conn.execute(sa.select(edges.c.src, edges.c.dst))).all()
    stored = {(link.src, link.dst) for link in links}
    networkx = NetworkxPeer(np.array([*sorted(stored), *((node, node) for node in nodes)], dtype=np.int64))
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1, role=READER_ROLE))
    lengths: Counter[int] = Counter()
    try:
        for start, end in (rng.sample(nodes, 2) for _ in range(PAIRS)):
            found = await way_at_once(pool, start, end, EdgeScope(), max_hops=MOST_HOPS)
            expected = len(networkx.path((start, end))) - 1
            hops = list(pairwise(found.way))
            assert len(hops) == (expected if 0 < expected <= MOST_HOPS else 0)
            assert all(hop in stored for hop in hops)
            assert not hops or (found.way[0], found.way[-1]) == (start, end)
            lengths[expected] += 1
    finally:
        await pool.close()
    assert all(lengths[length] for length in (-1, 1, 2, 3, 4, 5))
