"""One prepared statement, written by hand for one question, that gives the whole answer as JSON."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
from datastore.edges import EDGES, EdgeType

NESTED = 5
"""How many characters each work shows."""

_SQL = f"""
SELECT json_build_object('data', json_build_object('entities', json_agg(json_build_object(
    'id', e.id, 'name', e.name, 'year', a.year, 'score', a.score, 'characters', (
        SELECT coalesce(json_agg(json_build_object(
            'qualifier', x.qualifier,
            'entity', json_build_object('id', far.id, 'name', far.name, 'popularity', far.popularity)
        ) ORDER BY x.dst_popularity DESC, x.dst), '[]')
        FROM (
            SELECT dst, qualifier, dst_popularity FROM edges
            WHERE src = e.node AND rel = {EDGES[EdgeType.FEATURES].code:d}
            ORDER BY dst_popularity DESC, dst LIMIT {NESTED:d}
        ) x JOIN entities far ON far.node = x.dst
    )) ORDER BY asked.place)))
FROM unnest($1::uuid[]) WITH ORDINALITY asked(id, place)
JOIN entities e ON e.id = asked.id JOIN anime a ON a.id = e.id
"""  # noqa: S608 - two numbers of ours


@asynccontextmanager
async def open_one_sql(dsn: str) -> AsyncGenerator[Callable[[Sequence[UUID]], Awaitable[bytes]]]:
    """The works with these ids and their most popular characters, as the bytes of a GraphQL answer."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        statement = await connection.prepare(_SQL)

        async def ask(works: Sequence[UUID]) -> bytes:
            text: str = await statement.fetchval(works)
            return text.encode()

        yield ask
    finally:
        await connection.close()
