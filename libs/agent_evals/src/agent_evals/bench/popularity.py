"""Popularity as the product computed it, read back once, so that peers and oracles rank by the same numbers."""

import asyncpg
import numpy as np
from numpy.typing import NDArray

from agent_evals.bench.bulk_rows import position_of


async def popularity_millionths(dsn: str, size: int) -> NDArray[np.int64]:
    """By position in the invented catalogue."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        found = np.zeros(size, dtype=np.int64)
        for row in await connection.fetch("SELECT node, popularity FROM entities"):
            found[position_of(row["node"])] = round(row["popularity"] * 1_000_000)
        return found
    finally:
        await connection.close()
