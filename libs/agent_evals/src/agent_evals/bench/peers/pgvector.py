"""pgvector on the embedded PostgreSQL, in half precision: HNSW with iterative scans, or the filter index and a sort."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement

from agent_evals.bench.invented_vectors import DIMENSIONS, FIRST_YEAR, NEIGHBOURS, WANTED_TYPE, InventedVectors
from agent_evals.bench.kept import digest_of, keep_schema, kept_schema, source
from agent_evals.bench.peers.packages import PeerMissing

NAME = "pgvector"
EXACT_NAME = "pgvector without HNSW"
EFFORTS = (40, 64, 100, 200, 400)
"""Values of `hnsw.ef_search` to choose from."""

_SCHEMA = "bench_vectors"
_BUILD_SECONDS = 1_800.0
_CREATE = f"""
DROP SCHEMA IF EXISTS bench_vectors CASCADE;
CREATE SCHEMA bench_vectors;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
CREATE TABLE bench_vectors.points (
    place int PRIMARY KEY, entity_type text NOT NULL, year int NOT NULL, vector halfvec({DIMENSIONS}) NOT NULL
);
CREATE TABLE bench_vectors.incoming (place int, entity_type text, year int, vector text);
"""
_FILL = """
INSERT INTO bench_vectors.points SELECT place, entity_type, year, vector::halfvec FROM bench_vectors.incoming;
DROP TABLE bench_vectors.incoming;
SET maintenance_work_mem = '1GB';
CREATE INDEX ON bench_vectors.points USING hnsw (vector halfvec_ip_ops) WITH (m = 16, ef_construction = 100);
CREATE INDEX ON bench_vectors.points (entity_type, year);
"""
_BY_HNSW = "SET hnsw.iterative_scan = relaxed_order; SET enable_bitmapscan = off; SET enable_sort = off"
_BY_FILTER = "SET enable_indexscan = off; SET enable_seqscan = off"
_NEAREST = "SELECT place FROM bench_vectors.points ORDER BY vector <#> $1::text::halfvec LIMIT $2"
_NEAREST_FILTERED = (
    "SELECT place FROM bench_vectors.points WHERE entity_type = $3 AND year >= $4 "
    "ORDER BY vector <#> $1::text::halfvec LIMIT $2"
)

type _Statement = "PreparedStatement[asyncpg.Record]"


@dataclass(frozen=True, slots=True)
class PgvectorPeer:
    """Made by `build_pgvector`. Vectors are texts, as pgvector reads them."""

    by_hnsw: asyncpg.Connection
    by_filter: asyncpg.Connection
    nearest: _Statement
    filtered: _Statement
    exact: _Statement

    @property
    def backend_pids(self) -> tuple[int, ...]:
        """The server processes that answer."""
        return self.by_hnsw.get_server_pid(), self.by_filter.get_server_pid()

    async def set_effort(self, effort: int) -> None:
        """How far searches by HNSW look from now on."""
        await self.by_hnsw.execute(f"SET hnsw.ef_search = {effort:d}")

    async def search(self, vector: str) -> list[int]:
        """The nearest vectors, by HNSW."""
        return _places(await self.nearest.fetch(vector, NEIGHBOURS))

    async def search_filtered(self, vector: str) -> list[int]:
        """The nearest of the wanted type and years, by HNSW."""
        return _places(await self.filtered.fetch(vector, NEIGHBOURS, WANTED_TYPE, FIRST_YEAR))

    async def search_exactly(self, vector: str) -> list[int]:
        """The same, by the filter's index and a sort."""
        return _places(await self.exact.fetch(vector, NEIGHBOURS, WANTED_TYPE, FIRST_YEAR))

    async def close(self) -> None:
        """Hang up. The table stays for the next run."""
        await self.by_filter.close()
        await self.by_hnsw.close()


def vector_text(vector: Sequence[float]) -> str:
    """The vector as pgvector reads it."""
    return f"[{','.join(f'{value:.6f}' for value in vector)}]"


async def build_pgvector(dsn: str, invented: InventedVectors) -> PgvectorPeer:
    """Fill the table and its indexes, unless an earlier run has done so.

    Raises:
        PeerMissing: the server lacks pgvector.
    """
    by_hnsw: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_BUILD_SECONDS)
    made_with = digest_of([source(__file__), invented.vectors.tobytes()])
    try:
        if await kept_schema(by_hnsw, _SCHEMA) != made_with:
            await _fill(by_hnsw, invented)
            await keep_schema(by_hnsw, _SCHEMA, made_with)
    except (asyncpg.UndefinedFileError, asyncpg.FeatureNotSupportedError) as exc:
        await by_hnsw.close()
        raise PeerMissing(f"this server has no pgvector: {exc}") from exc
    by_filter: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_BUILD_SECONDS)
    await by_hnsw.execute(_BY_HNSW)
    await by_filter.execute(_BY_FILTER)
    return PgvectorPeer(
        by_hnsw,
        by_filter,
        nearest=await by_hnsw.prepare(_NEAREST),
        filtered=await by_hnsw.prepare(_NEAREST_FILTERED),
        exact=await by_filter.prepare(_NEAREST_FILTERED),
    )


async def _fill(connection: asyncpg.Connection, invented: InventedVectors) -> None:
    await connection.execute(_CREATE)
    rows: list[list[float]] = invented.vectors.tolist()
    records = (
        (place, invented.types[place], invented.years[place], vector_text(vector)) for place, vector in enumerate(rows)
    )
    await connection.copy_records_to_table("incoming", schema_name=_SCHEMA, records=records)
    await connection.execute(_FILL)
    await connection.execute("VACUUM (ANALYZE) bench_vectors.points")


def _places(rows: Sequence[asyncpg.Record]) -> list[int]:
    return [int(row[0]) for row in rows]
