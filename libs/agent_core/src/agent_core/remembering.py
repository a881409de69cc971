"""Results of pure functions, kept while the same values are asked again."""

from collections.abc import Callable
from functools import wraps
from operator import is_

_KEPT = 8
"""Runs that take turns on one loop each find their own last results."""


def for_same[**Arguments, Result](function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A pure function that gives the same object again for the same arguments.

    The stages of a run ask the same of the same evidence, one after the other. Arguments are the same when they are
    one object: to compare or hash evidence costs as much as to read it. The last few calls are kept, whoever made
    them; none with a list among its arguments, which may change, or with named ones. Results are not to be changed.
    """
    kept: tuple[tuple[tuple[object, ...], Result], ...] = ()

    @wraps(function)
    def remembered(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        nonlocal kept
        if kwargs:
            return function(*args, **kwargs)
        for known, result in kept:
            if len(known) == len(args) and all(map(is_, known, args)):
                return result
        result = function(*args, **kwargs)
        if list not in map(type, args):
            kept = ((args, result), *kept[: _KEPT - 1])
        return result

    return remembered
