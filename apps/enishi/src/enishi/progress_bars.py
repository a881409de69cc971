"""Progress of long commands, on standard error; nothing is drawn where that is no terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

type Advance = Callable[[int, int | None], None]
"""Told how much is done, and how much there is in all, where that is known."""


@contextmanager
def counting_bar(console: Console, what: str) -> Generator[Callable[[int], None]]:
    """A bar without a total, told of each part as it is done."""
    done = 0
    with progress_bar(console, what) as advance:

        def more(count: int) -> None:
            nonlocal done
            done += count
            advance(done, None)

        yield more


@contextmanager
def progress_bar(console: Console, what: str) -> Generator[Advance]:
    """A bar for as long as the block runs; without a total it says how much is done, and moves."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)

        def advance(done: int, total: int | None) -> None:
            progress.update(task, completed=done, total=total)

        yield advance
