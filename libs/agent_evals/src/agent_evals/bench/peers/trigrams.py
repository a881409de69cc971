"""PostgreSQL's pg_trgm with a GIN index over all beginnings: what a team with PostgreSQL would try first."""

from collections.abc import Sequence

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement
from datastore.folding import spell, squeeze

from agent_evals.bench.kept import digest_of, keep_schema, kept_schema, source
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.starts import SearchWorld

NAME = "pg_trgm GIN"

_SCHEMA = "bench_peers"
_BUILD_SECONDS = 1_800.0
_SEARCH = """
SELECT owner FROM (SELECT DISTINCT owner, popularity FROM bench_peers.starts WHERE start LIKE $1) AS matching
ORDER BY popularity DESC, owner LIMIT $2
"""
_CREATE = """
DROP SCHEMA IF EXISTS bench_peers CASCADE;
CREATE SCHEMA bench_peers;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
CREATE TABLE bench_peers.starts (owner int NOT NULL, popularity int NOT NULL, start text NOT NULL);
"""
_INDEX = "CREATE INDEX starts_trigrams ON bench_peers.starts USING gin (start gin_trgm_ops)"


class TrigramPeer:
    """Made by `build_trigrams`."""

    def __init__(self, connection: asyncpg.Connection, statement: "PreparedStatement[asyncpg.Record]") -> None:
        self._connection = connection
        self._statement = statement

    async def search(self, query: str, limit: int) -> Sequence[int]:
        """The most popular entities with a beginning of this text."""
        text = squeeze(spell(query))
        for sign in "\\%_":
            text = text.replace(sign, f"\\{sign}")
        return [row[0] for row in await self._statement.fetch(f"{text}%", limit)]

    async def backend_pid(self) -> int:
        """The server process that answers."""
        return self._connection.get_server_pid()

    async def close(self) -> None:
        """Hang up. The table stays for the next run."""
        await self._connection.close()


async def build_trigrams(dsn: str, world: SearchWorld) -> TrigramPeer:
    """Fill the table and its index, unless an earlier run has done so.

    Raises:
        PeerMissing: the server lacks pg_trgm.
    """
    connection: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_BUILD_SECONDS)
    try:
        made_with = digest_of([source(__file__), world.digest])
        if await kept_schema(connection, _SCHEMA) != made_with:
            await _fill(connection, world)
            await keep_schema(connection, _SCHEMA, made_with)
        return TrigramPeer(connection, await connection.prepare(_SEARCH))
    except (asyncpg.UndefinedFileError, asyncpg.FeatureNotSupportedError) as exc:
        await connection.close()
        raise PeerMissing(f"this server has no pg_trgm: {exc}") from exc
    except BaseException:
        await connection.close()
        raise


async def _fill(connection: asyncpg.Connection, world: SearchWorld) -> None:
    await connection.execute(_CREATE)
    popularity = world.popularity.tolist()
    rows = ((owner, popularity[owner], text) for owner, texts in world.starts.by_owner() for text in texts)
    await connection.copy_records_to_table("starts", schema_name=_SCHEMA, records=rows)
    await connection.execute("SET maintenance_work_mem = '512MB'")
    await connection.execute(_INDEX)
    await connection.execute("VACUUM (ANALYZE) bench_peers.starts")
