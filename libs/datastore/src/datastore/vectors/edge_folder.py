"""The folder of the embedded store: who owns it, which shards and aliases it holds. All calls here block."""

import fcntl
import os
import shutil
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO

import msgspec

from datastore.errors import VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors.protocol import CollectionSpec

FORMAT = 1
_STATE_FILE = "state.json"
_LOCK_FILE = "owner.lock"
_COPY_BLOCK_BYTES = 1 << 20


class ShardEntry(msgspec.Struct, frozen=True):
    """A collection and the generation of its shard; an optimised copy is the next generation."""

    spec: CollectionSpec
    generation: int = 1

    @property
    def folder_name(self) -> str:
        """Where the shard lies inside the store's folder."""
        return f"{self.spec.name}.{self.generation}"


class FolderState(msgspec.Struct, frozen=True):
    """What the folder holds. What is not named here is a leftover and is removed at the next start."""

    format: int = FORMAT
    shards: Mapping[str, ShardEntry] = {}
    aliases: Mapping[str, str] = {}


class StoreFolder:
    """The folder, locked for this process. Made by `claim`."""

    def __init__(self, root: Path, lock: IO[str]) -> None:
        self.root = root
        self._lock = lock

    @classmethod
    def claim(cls, root: Path) -> "StoreFolder":
        """Make the folder if need be, and take its lock.

        Raises:
            VectorStoreRefused: another process owns the folder.
        """
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (root / _LOCK_FILE).open("a+", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            owner = lock.read(20).strip() or "unknown"
            lock.close()
            raise VectorStoreRefused(
                f"the vector folder is owned by another process (process id {owner}); stop it, or go through its socket"
            ) from error
        lock.seek(0)
        lock.truncate()
        lock.write(str(os.getpid()))
        lock.flush()
        return cls(root, lock)

    def release(self) -> None:
        """Give the lock back."""
        self._lock.close()

    def shard_path(self, entry: ShardEntry) -> Path:
        """The folder of this generation of a shard."""
        return self.root / entry.folder_name

    def read_state(self) -> FolderState:
        """The stored state; an empty one in a new folder.

        Raises:
            VectorStoreRefused: the state is damaged or was written by a newer version.
        """
        path = self.root / _STATE_FILE
        if not path.exists():
            return FolderState()
        try:
            state = msgspec.json.decode(path.read_bytes(), type=FolderState)
        except msgspec.DecodeError as error:
            raise VectorStoreRefused(f"{_STATE_FILE} of the vector folder is damaged; rebuild the index") from error
        if state.format > FORMAT:
            raise VectorStoreRefused(
                f"the vector folder has format {state.format}, this version reads up to {FORMAT}; upgrade Enishi"
            )
        return state

    def write_state(self, state: FolderState) -> None:
        """Replace the stored state in one step that survives a crash."""
        path = self.root / _STATE_FILE
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(state), indent=1))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        directory = os.open(self.root, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def remove_leftovers(self, state: FolderState) -> None:
        """Remove shard folders that the state doesn't name: copies and drops that a crash cut short."""
        known = {entry.folder_name for entry in state.shards.values()}
        for path in self.root.iterdir():
            if path.is_dir() and path.name not in known:
                shutil.rmtree(path)


def copy_shard_folder(source: Path, target: Path, stop: threading.Event) -> None:
    """Copy a shard's files, holes as holes: its write-ahead log is mostly room for what is yet to come.

    Raises:
        VectorStoreUnavailable: `stop` was set; a part of the copy is left behind.
    """
    shutil.copytree(source, target, copy_function=partial(_copy_sparse, stop=stop))


def _copy_sparse(source: str, target: str, *, stop: threading.Event) -> None:
    with Path(source).open("rb") as read, Path(target).open("wb") as write:
        while block := read.read(_COPY_BLOCK_BYTES):
            if stop.is_set():
                raise VectorStoreUnavailable(timed_out=True)
            if block.count(0) == len(block):
                write.seek(len(block), os.SEEK_CUR)
            else:
                write.write(block)
        write.truncate()
