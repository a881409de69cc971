"""How long a start takes: the embedded database on an empty folder and again, and the whole stack, a process each."""

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from agent_evals.bench.context import BenchContext
from agent_evals.bench.floor import open_floor
from agent_evals.bench.goals import START
from agent_evals.bench.harness import CONTENDED_SPREAD, distance, percentile
from agent_evals.bench.report import AreaReport, Measured, Series, Timing

from enishi.postgres_binaries import child_environment
from enishi.postgres_launcher import EmbeddedPostgres

COLD, AGAIN, STACK = "database, empty folder", "database, again", "whole stack, second start"

_MOST_STARTS = 3
_FLOOR_CALLS = 200
_START_SECONDS, _STOP_SECONDS = 120.0, 30.0
_MICROSECONDS = 1e6


async def measure_start(context: BenchContext) -> AreaReport:
    """A few starts of each kind; the floor between them tells whether the machine was quiet."""
    began = context.clock()
    floors = [await _floor_p50(context)]
    context.progress("cold start: the embedded database")
    cold, again = await _database_starts(context)
    floors.append(await _floor_p50(context))
    context.progress("cold start: the whole stack")
    stack = await _stack_starts(context)
    floors.append(await _floor_p50(context))
    moved = distance(floors)
    series = Series(
        name="starts",
        queries=_starts(context),
        timings=(_timing(COLD, cold), _timing(AGAIN, again), _timing(STACK, stack)),
        floor_p50_us=median(floors) * _MICROSECONDS,
        floor_spread=moved,
        contended=moved > CONTENDED_SPREAD,
    )
    return AreaReport(
        area=START,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured={
            "cold start of the embedded database, seconds": _seconds(cold, series),
            "second start of the whole stack, seconds": _seconds(stack, series),
        },
        notes=("the stack starts as a new process on a folder without a catalogue",),
    )


def _starts(context: BenchContext) -> int:
    """One for a quick run: a start takes seconds."""
    return max(1, min(_MOST_STARTS, context.plan.rounds - 1))


async def _database_starts(context: BenchContext) -> tuple[list[float], list[float]]:
    cold: list[float] = []
    again: list[float] = []
    for _ in range(_starts(context)):
        with _reachable_folder(context.folder) as folder:
            for seconds in (cold, again):
                began = time.perf_counter()
                postgres = await asyncio.to_thread(EmbeddedPostgres(folder / "postgres").start)
                seconds.append(time.perf_counter() - began)
                await asyncio.to_thread(postgres.stop)
    return cold, again


async def _stack_starts(context: BenchContext) -> list[float]:
    """The first start makes the folder and does not count."""
    seconds: list[float] = []
    with _reachable_folder(context.folder) as folder:
        for _ in range(_starts(context) + 1):
            began = time.perf_counter()
            async with _stack_process(folder / "home"):
                seconds.append(time.perf_counter() - began)
    return seconds[1:]


@asynccontextmanager
async def _stack_process(home: Path) -> AsyncGenerator[None]:
    """A stack that is up, ended when the block ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "enishi.commands.bench_stack",
        str(home),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=child_environment(),
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process without pipes")
    try:
        async with asyncio.timeout(_START_SECONDS):
            line = await process.stdout.readline()
        if line.strip() != b"up":
            raise RuntimeError("the stack did not start")
        yield
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


@contextmanager
def _reachable_folder(parent: Path) -> Generator[Path]:
    """A folder that the database server's account can enter, too."""
    with TemporaryDirectory(dir=parent, prefix="start-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


async def _floor_p50(context: BenchContext) -> float:
    async with open_floor(context.dsn) as floor:
        seconds: list[float] = []
        for _ in range(_FLOOR_CALLS):
            began = context.clock()
            await floor.contender.answer(None)
            seconds.append(context.clock() - began)
        return percentile(seconds, 0.5)


def _timing(name: str, seconds: Sequence[float]) -> Timing:
    return Timing(
        contender=name,
        blocks=1,
        calls=len(seconds),
        p50_us=median(seconds) * _MICROSECONDS,
        p99_us=max(seconds) * _MICROSECONDS,
    )


def _seconds(seconds: Sequence[float], series: Series) -> Measured:
    return Measured(value=median(seconds), contended=series.contended)
