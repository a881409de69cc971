"""Classes of reasons for which a query is refused, told by what the refusal says."""

import re

from cypher_sql import QueryRefused

_TIMES = "(?:local)?(?:date|time|datetime)|duration"

# The first that is found counts.
_CLASSES: tuple[tuple[str, str], ...] = (
    (rf"set-up can't be made: Call\(function='(?:{_TIMES})'", "times and durations"),
    ("set-up can't be made", "set-up that isn't read"),
    (rf"no function (?:{_TIMES})\(|[Aa] date |type date|date/time", "times and durations"),
    (r"no function (?:percentile|stdev)", "percentile or standard deviation"),
    (r"no function rand\(", "random number"),
    ("no function", "unknown function"),
    ("Regular expressions", "regular expression"),
    ("Procedures", "procedure or namespaced function"),
    ("There is no", "unknown label, type or property"),
    ("UNWIND needs", "UNWIND of what isn't a list"),
    ("upper bound", "unbounded length"),
    (r"Sub-queries|'(?:RETURN|WITH)' can't stand here", "sub-query or map projection"),
    ("goes over a list", "path named in a comprehension"),
    ("inside a list", "aggregate inside a list"),
    ("bound already", "relationships matched again"),
    ("too large|too deeply|longer than|too many|too long", "too large"),
    (r"this is a (?:any|null)|is a (?:any|null)", "type that only the row knows"),
    (r"is needed, this is|has no|needs a whole number", "operand of an unsuitable type"),
    ("can't be computed", "failed when it ran"),
)
_PATTERNS = tuple((re.compile(pattern), name) for pattern, name in _CLASSES)


def reason_class(refusal: QueryRefused) -> str:
    """The class of a refusal's reason."""
    return class_of(str(refusal))


def class_of(said: str) -> str:
    """The same by the refusal's text."""
    return next((name for pattern, name in _PATTERNS if pattern.search(said)), "other")
