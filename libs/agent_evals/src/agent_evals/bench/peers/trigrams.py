"""PostgreSQL's pg_trgm with a GIN index over all beginnings: what a team with PostgreSQL would try first."""

from collections.abc import Iterator, Sequence

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement

from agent_evals.bench.kept import digest_of, keep_schema, kept_schema, source
from agent_evals.bench.peers import search_terms
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.peers.search_terms import owners_terms, typed_terms
from agent_evals.bench.starts import SearchWorld, Shown

NAME = "pg_trgm GIN"

_SCHEMA = "bench_peers"
_BUILD_SECONDS = 1_800.0
_SEARCH = """
SELECT owner, type, name FROM bench_peers.shown
WHERE terms LIKE $1 OR terms LIKE $2 OR terms LIKE $3 OR terms LIKE $4
ORDER BY CASE WHEN terms LIKE $5 THEN 0 WHEN terms LIKE $1 OR terms LIKE $2 THEN 1 ELSE 2 END, place LIMIT $6
"""
_CREATE = """
DROP SCHEMA IF EXISTS bench_peers CASCADE;
CREATE SCHEMA bench_peers;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
CREATE TABLE bench_peers.shown (
    owner int NOT NULL, type text NOT NULL, name text NOT NULL, place int NOT NULL, terms text NOT NULL
);
"""
_INDEX = "CREATE INDEX shown_trigrams ON bench_peers.shown USING gin (terms gin_trgm_ops)"
# In front of each term: whether it is of a whole name or of a later part.
_WHOLE, _PART = "w", "p"


class TrigramPeer:
    """Made by `build_trigrams`."""

    def __init__(self, connection: asyncpg.Connection, statement: "PreparedStatement[asyncpg.Record]") -> None:
        self._connection = connection
        self._statement = statement

    async def search(self, query: str, limit: int) -> Sequence[Shown]:
        """The first entities with a name that is this text, begins so, or has a later part that does."""
        typed = typed_terms(query)
        # One prefix, mostly: asked for twice, it is looked up twice, in an index that is in memory.
        first, last = _escaped(typed.prefixes[0]), _escaped(typed.prefixes[-1])
        begun = [f"% {kind}{prefix}%" for kind in (_WHOLE, _PART) for prefix in (first, last)]
        exact = f"% {_WHOLE}{_escaped(typed.exact)} %"
        return [Shown(*row) for row in await self._statement.fetch(*begun, exact, limit)]

    async def backend_pid(self) -> int:
        """The server process that answers."""
        return self._connection.get_server_pid()

    async def close(self) -> None:
        """Hang up. The table stays for the next run."""
        await self._connection.close()


def _escaped(text: str) -> str:
    return text.translate({ord(sign): f"\\{sign}" for sign in "\\%_"})


async def build_trigrams(dsn: str, world: SearchWorld) -> TrigramPeer:
    """Fill the table and its index, unless an earlier run has done so.

    Raises:
        PeerMissing: the server lacks pg_trgm.
    """
    connection: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_BUILD_SECONDS)
    try:
        made_with = digest_of([source(__file__, search_terms.__file__), world.digest])
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
    await connection.copy_records_to_table("shown", schema_name=_SCHEMA, records=_rows(world))
    await connection.execute("SET maintenance_work_mem = '512MB'")
    await connection.execute(_INDEX)
    await connection.execute("VACUUM (ANALYZE) bench_peers.shown")


def _rows(world: SearchWorld) -> Iterator[tuple[int, str, str, int, str]]:
    places = {owner: place for place, owner in enumerate(world.in_order)}
    for terms in owners_terms(world):
        words = [*(_WHOLE + term for term in terms.wholes), *(_PART + term for term in terms.parts)]
        # A space at both ends, so that every term has one before and behind it.
        owner, kind, name = world.shown(terms.owner)
        yield owner, kind, name, places[owner], f" {' '.join(words)} "
