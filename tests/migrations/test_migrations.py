"""Migrations: what they make equals the metadata, one migrator at a time, and a reader that only reads."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from datastore.errors import DatabaseUnavailable
from datastore.first_page import PAGE
from datastore.postgres.schema import METADATA
from enishi.migrating import MigrationFailed, find_root, upgrade
from fixtures.postgres import TestServer, run_apart
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

_READER = "enishi_reader"

type Shape = dict[str, dict[str, Any]]


async def _on(url: str, work: Any) -> Any:
    """Run a synchronous piece of work on one connection of the database, and keep what it did."""
    engine = create_async_engine(sa.make_url(url).set(drivername="postgresql+asyncpg"), poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _shape(connection: sa.Connection) -> Shape:
    """Everything that the catalogue of the server says about our tables, under stable names."""
    inspector = sa.inspect(connection)
    found: Shape = {}
    for table in sorted(set(inspector.get_table_names()) - {"alembic_version"}):
        found[table] = {
            "columns": {column["name"]: _column(column) for column in inspector.get_columns(table)},
            "primary key": inspector.get_pk_constraint(table),
            "foreign keys": sorted(inspector.get_foreign_keys(table), key=repr),
            "unique": sorted(inspector.get_unique_constraints(table), key=repr),
            "checks": sorted(inspector.get_check_constraints(table), key=repr),
            "indexes": dict(_index_definitions(connection, table)),
        }
    return found


def _column(column: Any) -> dict[str, str]:
    return {key: repr(value) for key, value in sorted(column.items())}


def _index_definitions(connection: sa.Connection, table: str) -> list[tuple[str, str]]:
    pg_indexes = sa.table("pg_indexes", sa.column("tablename"), sa.column("indexname"), sa.column("indexdef"))
    rows = connection.execute(
        sa.select(pg_indexes.c.indexname, pg_indexes.c.indexdef).where(pg_indexes.c.tablename == table)
    )
    return sorted((row.indexname, row.indexdef) for row in rows)


async def test_from_empty_to_head_equals_the_metadata(database_url: str, empty_database_url: str) -> None:
    await _on(empty_database_url, METADATA.create_all)
    made, migrated = await _on(empty_database_url, _shape), await _on(database_url, _shape)
    assert sorted(migrated) == sorted(METADATA.tables)
    assert migrated == made


async def test_alembic_finds_no_difference_either(database_url: str) -> None:
    def differences(connection: sa.Connection) -> object:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return compare_metadata(context, METADATA)

    assert await _on(database_url, differences) == []


def _tables(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names())


async def test_two_migrators_run_one_after_the_other(empty_database_url: str) -> None:
    migrate = f"import asyncio, enishi.migrating as m; asyncio.run(m.upgrade({empty_database_url!r}))"
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", migrate, stderr=asyncio.subprocess.PIPE)
        for _ in range(2)
    ]
    assert [(await process.communicate(), process.returncode) for process in processes] == [((None, b""), 0)] * 2
    assert await _on(empty_database_url, _tables) == {*METADATA.tables, "alembic_version"}


async def test_a_migrator_waits_for_the_one_that_holds_the_lock(empty_database_url: str) -> None:
    # The constant of migrations/env.py, which can be imported by Alembic only.
    key = 7_318_349_394_477_056
    other = await asyncpg.connect(empty_database_url)
    try:
        await other.execute("SELECT pg_advisory_lock($1)", key)
        migration = asyncio.create_task(upgrade(empty_database_url))
        await asyncio.sleep(2)
        assert not migration.done()
        assert await _on(empty_database_url, _tables) == set()
        await other.execute("SELECT pg_advisory_unlock($1)", key)
        await migration
    finally:
        await other.close()
    assert await _on(empty_database_url, _tables) == {*METADATA.tables, "alembic_version"}


async def test_migrations_in_one_process_take_turns(empty_database_url: str) -> None:
    await asyncio.gather(*(upgrade(empty_database_url) for _ in range(3)))
    assert await _on(empty_database_url, _tables) == {*METADATA.tables, "alembic_version"}


async def test_a_second_upgrade_changes_nothing(empty_database_url: str) -> None:
    await upgrade(empty_database_url)
    before = await _on(empty_database_url, _shape)
    await upgrade(empty_database_url)
    assert await _on(empty_database_url, _shape) == before


async def test_names_of_an_older_release_are_searchable_after_the_upgrade(empty_database_url: str) -> None:
    await upgrade(empty_database_url, "8c1f4e0b7a52")
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute(
        """
        INSERT INTO entities (id, entity_type, name, content_hash)
        SELECT gen_random_uuid(), 'anime', 'Sun Gate ' || n, '' FROM generate_series(1, 70) n;
        INSERT INTO names (entity_id, name, kind, folded) SELECT id, name, 'main', 'of another folding' FROM entities
        """
    )
    await upgrade(empty_database_url)
    counts = (
        "SELECT (SELECT count(*) FROM names WHERE folded LIKE 'sun gate%'), count(*) FROM name_starts WHERE shelf = 0"
    )
    assert tuple(await connection.fetchrow(counts) or ()) == (70, 210)
    assert await connection.fetchval("SELECT cardinality(nodes) FROM name_tops WHERE prefix = 'gate'") == 64
    pages = "SELECT cardinality(string_to_array(entries, E'\\n')) FROM name_pages WHERE prefix = $1"
    assert await connection.fetchval(pages, "gate") == PAGE
    assert await connection.fetchval(pages, "gate7") == 2
    await connection.execute("DELETE FROM name_pages")
    await upgrade(empty_database_url)
    assert await connection.fetchval(pages, "gate") == PAGE
    await connection.close()


async def test_long_search_rows_are_not_packed(empty_database_url: str) -> None:
    await upgrade(empty_database_url, "b7d31f58c04a")
    connection = await asyncpg.connect(empty_database_url)
    insert = "INSERT INTO name_pages (shelf, prefix, entries) VALUES (0, $1, repeat('a common name ', 550))"
    await connection.execute(insert, "of the release before")
    packed = "SELECT prefix FROM name_pages WHERE pg_column_size(entries) < octet_length(entries)"
    assert await connection.fetchval(packed) == "of the release before"
    before = await connection.fetchval("SELECT entries FROM name_pages")
    await upgrade(empty_database_url, "4c8e15d7b2a6")
    await connection.execute(insert, "of this one")
    assert await connection.fetch(packed) == []
    assert await connection.fetchval("SELECT count(*) FROM name_pages WHERE entries = $1", before) == 2
    await connection.close()


async def test_a_failed_migration_leaves_nothing(empty_database_url: str) -> None:
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute("CREATE TABLE voices (mine text)")
    with pytest.raises(ProgrammingError, match="voices"):
        await upgrade(empty_database_url)
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert [row["tablename"] for row in tables] == ["voices"]
    await connection.close()


async def test_a_database_of_a_newer_release_is_refused(empty_database_url: str) -> None:
    await upgrade(empty_database_url)
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute("UPDATE alembic_version SET version_num = 'from_the_future'")
    with pytest.raises(MigrationFailed, match="newer Enishi"):
        await upgrade(empty_database_url)
    await connection.close()


async def test_no_server_is_a_database_unavailable() -> None:
    with pytest.raises(DatabaseUnavailable):
        await upgrade("postgresql://enishi@/enishi?host=/nonexistent")


async def test_a_migration_waits_two_seconds_for_a_lock_at_most(empty_database_url: str) -> None:
    await upgrade(empty_database_url)
    holder = await asyncpg.connect(empty_database_url)
    await holder.execute("BEGIN; LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")
    async with asyncio.timeout(10):
        with pytest.raises(DatabaseUnavailable) as caught:
            await upgrade(empty_database_url)
    assert caught.value.timed_out
    await holder.close()


@pytest.fixture(scope="module")
def reader_url(postgres_server: TestServer) -> Generator[str]:
    """A migrated database of the module's own: database privileges don't come along when the template is cloned."""
    name = postgres_server.create()
    url = postgres_server.dsn(name)

    async def prepare() -> None:
        await upgrade(url)
        owner = await asyncpg.connect(url)
        # A login of its own: unlike SET ROLE, there is no way back to a stronger role.
        await owner.execute(f"CREATE ROLE reader_login LOGIN IN ROLE {_READER}")
        await owner.close()

    run_apart(prepare)
    yield url
    postgres_server.drop(name)


@pytest.fixture
async def reader(reader_url: str) -> AsyncGenerator[asyncpg.Connection]:
    """A connection of somebody who is a reader and nothing else."""
    login = await asyncpg.connect(reader_url.replace("enishi@", "reader_login@"))
    yield login
    await login.close()


async def test_the_reader_reads_every_table(reader: asyncpg.Connection) -> None:
    for table in METADATA.tables:
        assert await reader.fetchval(f'SELECT count(*) FROM "{table}"') == 0


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO start_gaps VALUES ('a', 'b')",
        "UPDATE entities SET name = 'x'",
        "DELETE FROM names",
        "TRUNCATE edges",
        "CREATE TABLE mine (a int)",
        "CREATE TEMP TABLE mine (a int)",
        "SELECT 1 INTO TEMP mine",
        "CREATE VIEW mine AS SELECT 1",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE SCHEMA mine",
        "DROP TABLE names",
        "ALTER TABLE names ADD COLUMN x int",
        "CREATE INDEX mine ON names (name)",
        "BEGIN; LOCK TABLE names IN ACCESS EXCLUSIVE MODE",
        "SELECT name FROM names FOR UPDATE",
        "CREATE ROLE mine",
        "ALTER ROLE enishi_reader SUPERUSER",
        "COPY names TO PROGRAM 'true'",
        "COPY names TO '/nonexistent/names'",
        "SELECT pg_read_file('PG_VERSION')",
        "ALTER SYSTEM SET fsync = off",
        "SELECT lo_import('/nonexistent')",
        "COMMENT ON TABLE names IS 'mine'",
        "CREATE EXTENSION file_fdw",
        "SET ROLE enishi",
        "SET SESSION AUTHORIZATION enishi",
    ],
)
async def test_the_reader_is_refused(reader: asyncpg.Connection, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await reader.execute(statement)


@pytest.mark.parametrize(
    ("statement", "warning"),
    [
        ("GRANT SELECT ON names TO PUBLIC", "no privileges were granted"),
        ("VACUUM FULL names", "permission denied to vacuum"),
        ("ANALYZE names", "permission denied to analyze"),
    ],
)
async def test_what_only_warns_does_nothing(reader: asyncpg.Connection, statement: str, warning: str) -> None:
    warnings: list[str] = []
    reader.add_log_listener(lambda _connection, message: warnings.append(str(message)))
    await reader.execute(statement)
    assert [warning in said for said in warnings] == [True]


async def test_tables_of_later_migrations_are_readable_too(reader_url: str, reader: asyncpg.Connection) -> None:
    owner = await asyncpg.connect(reader_url)
    await owner.execute("CREATE TABLE later (a int)")
    assert await reader.fetchval("SELECT count(*) FROM later") == 0
    await owner.close()


async def test_an_owner_without_the_right_to_create_roles_migrates_all_the_same(empty_database_url: str) -> None:
    owner = await asyncpg.connect(empty_database_url)
    await owner.execute("DROP ROLE IF EXISTS plain_owner; CREATE ROLE plain_owner LOGIN NOCREATEROLE")
    await owner.execute("ALTER SCHEMA public OWNER TO plain_owner")
    await upgrade(empty_database_url.replace("enishi@", "plain_owner@"))
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE tableowner = 'plain_owner'")
    assert {row["tablename"] for row in tables} == {*METADATA.tables, "alembic_version"}
    await owner.execute("DROP OWNED BY plain_owner CASCADE; DROP ROLE plain_owner")
    await owner.close()


def test_the_migrations_are_found_in_the_source_tree_or_where_the_command_runs(tmp_path: Path) -> None:
    source_tree = Path(__file__).parents[2]
    assert find_root(source_tree, tmp_path) == source_tree
    image = tmp_path / "app"
    (image / "migrations").mkdir(parents=True)
    (image / "migrations" / "env.py").touch()
    (image / "pyproject.toml").touch()
    assert find_root(tmp_path / "site-packages", image) == image
    with pytest.raises(MigrationFailed, match="run this where"):
        find_root(tmp_path / "site-packages", tmp_path)
