"""A database of the evaluation's own: tables made and filled, then read through the graph language only."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import sqlalchemy as sa
from cypher_sql import Column, Fault, GraphSchema, Limits, QueryRefused, compile_query, parse, refusal_of
from cypher_sql.syntax import Query
from datastore.postgres.engine import PostgresOptions, open_read_only, open_read_write
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

_STATEMENT_MS = 60_000
# Whole answer sets are compared, so that nothing may be cut.
_LIMITS = Limits(rows=100_000)

type Cells = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of one table, with values for all of its columns in their order."""

    table: sa.Table
    rows: Sequence[Cells]


async def fill(dsn: str, metadata: sa.MetaData, tables: Iterable[TableRows]) -> None:
    """Create the tables and copy their rows into them."""
    engine = open_read_write(PostgresOptions(dsn=dsn, statement_timeout_ms=_STATEMENT_MS))
    try:
        async with engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
    finally:
        await engine.close()
    async with raw_connection(dsn) as copying:
        for each in tables:
            await copying.copy_records_to_table(
                each.table.name, records=each.rows, columns=[column.name for column in each.table.columns]
            )
        await copying.execute("ANALYZE")


@asynccontextmanager
async def raw_connection(dsn: str) -> AsyncGenerator[asyncpg.Connection]:
    """A connection for SQL that was written by hand."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_STATEMENT_MS / 1000)
    try:
        yield connection
    finally:
        await connection.close()


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """All rows of a query's answer, and their columns."""

    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]


class Graph:
    """A graph that is asked in the language, in one read-only transaction."""

    def __init__(self, connection: AsyncConnection, schema: GraphSchema) -> None:
        self._connection = connection
        self._schema = schema

    def seen_as(self, schema: GraphSchema) -> "Graph":
        """Another graph of the same database, in the same transaction."""
        return Graph(self._connection, schema)

    async def rows(self, query: Query | str, parameters: Mapping[str, object] | None = None) -> list[Cells]:
        """All rows of a query's answer. Raises QueryRefused."""
        return list((await self.answer(query, parameters)).rows)

    async def answer(self, query: Query | str, parameters: Mapping[str, object] | None = None) -> GraphAnswer:
        """The same with the columns."""
        parsed = parse(query) if isinstance(query, str) else query
        compiled = compile_query(parsed, self._schema, parameters, _LIMITS)
        found = (await self._connection.execute(compiled.statement)).all()
        if len(found) > compiled.row_limit:
            raise QueryRefused(line=1, column=1, message="The answer is too long to be compared.", fault=Fault.BEYOND)
        return GraphAnswer(compiled.columns, tuple(_cells(row) for row in found))

    async def tried(self, query: str, parameters: Mapping[str, object] | None = None) -> GraphAnswer:
        """The same for a stranger's query: QueryRefused also where only its run shows that it can't be computed."""
        try:
            async with self._connection.begin_nested():
                return await self.answer(query, parameters)
        except DBAPIError as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise
            raise refusal from error


@asynccontextmanager
async def open_graph(dsn: str, schema: GraphSchema) -> AsyncGenerator[Graph]:
    """The graph of a filled database."""
    engine = open_read_only(PostgresOptions(dsn=dsn, pool_max_size=1, statement_timeout_ms=_STATEMENT_MS))
    try:
        async with engine.connect() as connection:
            yield Graph(connection, schema)
    finally:
        await engine.close()


def _cells(row: sa.Row[*tuple[Any, ...]]) -> Cells:
    return tuple(row)
