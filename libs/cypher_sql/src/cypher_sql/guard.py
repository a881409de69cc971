"""Refusing work before it starts: how large a query may be."""

from cypher_sql import syntax
from cypher_sql.limits import Limits
from cypher_sql.scope import refused
from cypher_sql.syntax import Query
from cypher_sql.walking import descendants


def check_size(query: Query, limits: Limits) -> None:
    """Raise QueryRefused for more patterns, clauses or steps than the limits allow."""
    clauses = sum(len(part.clauses) + 1 for part in query.parts)
    if clauses > limits.clauses:
        raise refused(query, f"The query has more than {limits.clauses} clauses.", "Ask in several queries.")
    patterns = [each for each in descendants(query) if isinstance(each, syntax.RelationshipPattern)]
    if len(patterns) > limits.relationships:
        raise refused(
            patterns[limits.relationships],
            f"The query has more than {limits.relationships} relationship patterns.",
            "Ask in several queries.",
        )
    walks = [each for each in patterns if each.length is not None and each.length.longest is not None]
    steps = sum(each.length.longest for each in walks if each.length is not None and each.length.longest is not None)
    if walks and limits.fan_out**steps > limits.walk_steps:
        raise refused(
            walks[-1],
            f"Variable-length relationships of {steps} steps in all could reach too much.",
            "Write smaller upper bounds.",
        )
