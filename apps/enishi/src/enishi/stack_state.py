"""Who runs the embedded stack of a folder: a lock that the owner holds, a state file that says where to reach it."""

import fcntl
import os
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

DATA_FORMAT = 1
"""Raised whenever a newer Enishi writes data that an older one can't read."""


class StackError(Exception):
    """The embedded stack can't be used. The message says why, and what to do about it."""


class StackAlreadyRunning(StackError):
    """Another process runs the stack of this folder."""

    def __init__(self, home: Path, pid: int | None) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"{home} is in use by {who}: stop it, or set ENISHI_HOME to another folder")
        self.pid = pid


class DataIsNewer(StackError):
    """The folder was written by a newer Enishi."""

    def __init__(self, home: Path, found: int) -> None:
        super().__init__(
            f"{home} holds data of format {found}, this Enishi reads up to {DATA_FORMAT}: "
            "use the newer Enishi, or set ENISHI_HOME to another folder"
        )


class StackState(BaseModel):
    """Where a running stack can be reached."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    pid: int
    agent_target: str
    graphql_url: str | None
    postgres_dsn: str
    vector_socket: Path


class StackFolder:
    """The folder of one embedded stack."""

    def __init__(self, home: Path) -> None:
        self.home = home.absolute()
        self._lock_fd: int | None = None

    @property
    def postgres_dir(self) -> Path:
        """PostgreSQL's data."""
        return self.home / "postgres"

    @property
    def vectors_dir(self) -> Path:
        """The vector store's data."""
        return self.home / "vectors"

    @property
    def _state_file(self) -> Path:
        return self.home / "stack.json"

    def lock(self) -> Self:
        """Own the folder until `unlock`, creating it when it is missing.

        Raises:
            StackAlreadyRunning: Another process owns it.
            DataIsNewer: A newer Enishi wrote it.
            StackError: It can't be created.
        """
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            fd = os.open(self.home / "stack.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise StackError(f"{self.home} can't be used ({exc.strerror}): set ENISHI_HOME to another folder") from exc
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            state = self._read_state()
            raise StackAlreadyRunning(self.home, state.pid if state else None) from None
        self._lock_fd = fd
        try:
            self._check_format()
        except StackError:
            self.unlock()
            raise
        return self

    def publish(self, state: StackState) -> None:
        """Say where the stack can be reached; only its owner may, and others see it whole or not at all."""
        temporary = self._state_file.with_suffix(".new")
        temporary.write_text(state.model_dump_json(), encoding="utf-8")
        temporary.chmod(0o600)
        temporary.replace(self._state_file)

    def unlock(self) -> None:
        """Give the folder back. Safe to call at any time."""
        if self._lock_fd is None:
            return
        self._state_file.unlink(missing_ok=True)
        os.close(self._lock_fd)
        self._lock_fd = None

    def running_stack(self) -> StackState | None:
        """Where the running stack can be reached; None when none runs or it is still starting."""
        return self._read_state() if self.is_owned else None

    @property
    def is_owned(self) -> bool:
        """Whether a process owns the folder now."""
        try:
            fd = os.open(self.home / "stack.lock", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False

    def _read_state(self) -> StackState | None:
        try:
            return StackState.model_validate_json(self._state_file.read_bytes())
        except (OSError, ValidationError):
            return None

    def _check_format(self) -> None:
        marker = self.home / "FORMAT"
        if not marker.exists():
            marker.write_text(f"{DATA_FORMAT}\n", encoding="ascii")
            return
        text = marker.read_text(encoding="ascii", errors="replace").strip()
        found = int(text) if text.isdigit() else DATA_FORMAT + 1
        if found > DATA_FORMAT:
            raise DataIsNewer(self.home, found)
