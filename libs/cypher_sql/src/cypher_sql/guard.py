"""Refusing work before it starts: how large a query may be."""

from collections.abc import Sequence

from cypher_sql import syntax
from cypher_sql.errors import Fault
from cypher_sql.limits import Limits
from cypher_sql.scope import refused
from cypher_sql.syntax import Length, Query
from cypher_sql.walking import descendants


def check_size(query: Query, limits: Limits) -> None:
    """Raise QueryRefused for more patterns, clauses or steps than the limits allow."""
    clauses = sum(len(part.clauses) + 1 for part in query.parts)
    if clauses > limits.clauses:
        raise refused(
            query, f"The query has more than {limits.clauses} clauses.", "Ask in several queries.", Fault.BEYOND
        )
    patterns = [each for each in descendants(query) if isinstance(each, syntax.RelationshipPattern)]
    if len(patterns) > limits.relationships:
        raise refused(
            patterns[limits.relationships],
            f"The query has more than {limits.relationships} relationship patterns.",
            "Ask in several queries.",
            Fault.BEYOND,
        )
    _check_walks([each.length for each in patterns if each.length is not None], limits)


def _check_walks(lengths: Sequence[Length], limits: Limits) -> None:
    """All variable lengths together; each alone is checked where it is compiled."""
    longest = [length.longest for length in lengths if length.longest is not None]
    if not longest or len(longest) < len(lengths) or max(longest) > limits.path_length:
        return
    if limits.fan_out ** sum(longest) > limits.walk_steps:
        raise refused(
            lengths[-1],
            f"Variable-length relationships of {sum(longest)} steps in all could reach too much.",
            "Write smaller upper bounds.",
            Fault.BEYOND,
        )
