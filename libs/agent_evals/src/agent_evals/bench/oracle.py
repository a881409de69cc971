"""What all oracles share: answers are compared before anything is timed, and the first differences are told."""

from collections.abc import Callable, Iterable


def first_faults[Query](
    queries: Iterable[Query], faults: Callable[[Query], str | None], *, most: int = 3
) -> tuple[str, ...]:
    """The first few things that are wrong; the rest is not looked at."""
    found: list[str] = []
    for query in queries:
        fault = faults(query)
        if fault is not None:
            found.append(fault)
        if len(found) >= most:
            break
    return tuple(found)
