"""Puts an invented catalogue into a migrated database: COPY for what is stored, the product's rebuilds for the rest.

Every stage is one transaction that leaves a mark, so that a load that was cut short goes on where it stopped. What the
product derives is derived anew when the product's code has changed since.
"""

import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import datastore
from datastore.postgres.engine import PostgresOptions, open_read_write
from datastore.postgres.name_index import reindex_names
from datastore.postgres.projection import rebuild_edges, refresh_popularity
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_evals.bench.bulk_rows import TableRows, entity_tables, link_tables, name_tables
from agent_evals.bench.invented_catalogue import InventedCatalogue

_STAGE_SECONDS = 3_600.0
_EDGES_BY = ("edges.py", "postgres/projection.py")
_SEARCH_ROWS_BY = (
    "folding.py",
    "name_keys.py",
    "top_lists.py",
    "first_page.py",
    # All but what reads them: name_search and name_statements.
    "postgres/name_[!s]*.py",
)
DERIVED_BY: Mapping[str, tuple[str, ...]] = {
    "popularity": ("postgres/projection.py",),
    "edges": _EDGES_BY,
    "search rows": _SEARCH_ROWS_BY,
    "statistics": (*_EDGES_BY, *_SEARCH_ROWS_BY),
}
"""By stage, the files of `datastore` whose change makes what it derived out of date. A stored row never is."""

_CREATE_MARKS = "CREATE TABLE IF NOT EXISTS bench_stages (stage text PRIMARY KEY, code text NOT NULL)"
_READ_MARKS = "SELECT stage, code FROM bench_stages"
_MARK = "INSERT INTO bench_stages VALUES ($1, $2) ON CONFLICT (stage) DO UPDATE SET code = excluded.code"
# Rows come with their keys; the sequences behind the columns then have to be moved on.
_SEQUENCES = {"entities": "node", "names": "id"}

type Stage = Callable[[], Awaitable[None]]
type Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LoadedStage:
    """How long a stage took that was done now."""

    name: str
    seconds: float


async def load_catalogue(
    dsn: str, catalogue: InventedCatalogue, ids: Sequence[UUID], *, progress: Progress, clock: Callable[[], float]
) -> tuple[LoadedStage, ...]:
    """Do what is not done yet; the stages that were done now. The database holds this catalogue or nothing.

    `ids` are its entities', as `entity_ids` gives them. `progress` is told each stage as it begins.
    """
    done: list[LoadedStage] = []
    async with _marked(dsn) as marks:
        for name, stage in _stages(dsn, catalogue, ids).items():
            code = code_digest(DERIVED_BY.get(name, ()))
            if (await _stage_marks(marks)).get(name) == code:
                continue
            progress(name)
            began = clock()
            await stage()
            await marks.execute(_MARK, name, code)
            done.append(LoadedStage(name, clock() - began))
    return tuple(done)


def _stages(dsn: str, catalogue: InventedCatalogue, ids: Sequence[UUID]) -> Mapping[str, Stage]:
    async def entities() -> None:
        await _copy(dsn, entity_tables(catalogue, ids))

    async def popularity() -> None:
        await _rebuild(dsn, refresh_popularity)

    async def names() -> None:
        await _copy(dsn, name_tables(catalogue, ids))

    async def search_rows() -> None:
        await _rebuild(dsn, reindex_names)

    async def links() -> None:
        await _copy(dsn, link_tables(catalogue, ids))

    async def edges() -> None:
        await _rebuild(dsn, rebuild_edges)

    async def statistics() -> None:
        async with _connection(dsn) as connection:
            await connection.execute("VACUUM (ANALYZE)")

    return {
        "entities": entities,
        "popularity": popularity,
        "names": names,
        "links": links,
        # The rebuilds join what was just copied.
        "statistics of the rows": statistics,
        "edges": edges,
        "search rows": search_rows,
        "statistics": statistics,
    }


async def _copy(dsn: str, tables: Sequence[TableRows]) -> None:
    async with _connection(dsn) as connection, connection.transaction():
        for each in tables:
            await connection.copy_records_to_table(
                each.table, records=each.rows(), columns=each.columns, timeout=_STAGE_SECONDS
            )
            key = _SEQUENCES.get(each.table)
            if key is not None:
                await connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('{each.table}', '{key}'), max({key})) FROM {each.table}"  # noqa: S608 constants
                )


async def _rebuild(dsn: str, rebuild: Callable[[AsyncConnection], Awaitable[int]]) -> None:
    engine = open_read_write(PostgresOptions(dsn=dsn, statement_timeout_ms=int(_STAGE_SECONDS * 1000)))
    try:
        async with engine.begin() as connection:
            await rebuild(connection)
    finally:
        await engine.close()


@asynccontextmanager
async def _connection(dsn: str) -> AsyncGenerator[asyncpg.Connection]:
    connection: asyncpg.Connection = await asyncpg.connect(dsn, command_timeout=_STAGE_SECONDS)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def _marked(dsn: str) -> AsyncGenerator[asyncpg.Connection]:
    async with _connection(dsn) as connection:
        await connection.execute(_CREATE_MARKS)
        yield connection


async def _stage_marks(connection: asyncpg.Connection) -> dict[str, str]:
    return {row["stage"]: row["code"] for row in await connection.fetch(_READ_MARKS)}


def code_digest(patterns: Sequence[str]) -> str:
    """Of the files that the patterns mean; nothing for no pattern."""
    if not patterns:
        return ""
    digest = hashlib.sha256()
    for path in code_files(patterns):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def code_files(patterns: Sequence[str]) -> list[Path]:
    """The files of `datastore`, in a fixed order."""
    folder = Path(datastore.__path__[0])
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})
