"""Which returned values a query writes itself instead of reading them from the graph."""

from collections.abc import Iterable

from cypher_sql import syntax
from cypher_sql.scope import refused
from cypher_sql.syntax import Expression, Projection, Query

_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">=", "IN", "STARTS WITH", "ENDS WITH", "CONTAINS"})
_FIRST_ARGUMENT_ONLY = frozenset({"substring", "left", "right", "round", "split"})
"""Functions whose other arguments say where to cut, and never come back."""

_ROWS = "*"
"""Stands among the written names for the rows themselves, once a list of the query's own has multiplied them."""


def refuse_written_values(query: Query) -> None:
    """Raise QueryRefused if a column can hold a number or a text that stands in the query.

    What such a query returns says nothing about the graph. Conditions may hold values, and parameters are the caller's.
    `count` counts rows, whatever it is given.
    """
    for part in query.parts:
        written: frozenset[str] = frozenset()
        for clause in part.clauses:
            match clause:
                case syntax.Match():
                    continue
                case syntax.Unwind():
                    if _is_written(clause.source, written):
                        written |= {clause.variable, _ROWS}
                case syntax.With():
                    written = _names(clause.projection, written)
        _check_returned(part.returns, written)


def _names(projection: Projection, written: frozenset[str]) -> frozenset[str]:
    named = {item.name for item in projection.items if _is_written(item.expression, written)}
    return frozenset(named | written if projection.star else named | (written & {_ROWS}))


def _check_returned(returns: Projection, written: frozenset[str]) -> None:
    items = [item for item in returns.items if _is_written(item.expression, written)]
    if items or (returns.star and written - {_ROWS}):
        where = items[0] if items else returns
        raise refused(
            where,
            "A returned column holds a value that the query writes itself.",
            "Return only what is read from the graph; values belong into conditions.",
        )


def _is_written(node: Expression | None, written: frozenset[str]) -> bool:
    match node:
        case syntax.Literal():
            return node.value is not None and not isinstance(node.value, bool)
        case syntax.Variable():
            return node.name in written
        case syntax.Call(function="count"):
            return _ROWS in written
        case syntax.ListComprehension():
            inner = written | {node.variable} if _is_written(node.source, written) else written - {node.variable}
            return _is_written(node.result or syntax.Variable(node.variable), inner)
        case None:
            return False
        case _:
            return any(_is_written(each, written) for each in _sources(node))


def _sources(node: Expression) -> Iterable[Expression | None]:
    """The parts that an expression's value can be made of; what only decides or cuts is left out."""
    match node:
        case syntax.Property() | syntax.Index() | syntax.Slice():
            return (node.subject,)
        case syntax.ListLiteral():
            return node.items
        case syntax.MapLiteral():
            return tuple(entry.value for entry in node.entries)
        case syntax.Unary():
            return (node.operand,)
        case syntax.Binary():
            return () if node.operator in _COMPARISONS else (node.left, node.right)
        case syntax.Case():
            return (*(branch.result for branch in node.branches), node.default)
        case syntax.Call():
            return node.arguments[:1] if node.function in _FIRST_ARGUMENT_ONLY else node.arguments
        case syntax.PatternComprehension():
            return (node.result,)
        case _:
            return ()
