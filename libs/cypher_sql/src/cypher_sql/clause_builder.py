"""The parser's raw tree to the syntax tree: clauses."""

from cypher_sql import syntax
from cypher_sql.expression_builder import (
    Raw,
    build_expression,
    build_patterns,
    first,
    name_of,
    optional_name,
    position,
    refused,
    tokens,
    trees,
)
from cypher_sql.syntax import Clause, Expression, Query


def build_query(raw: Raw, text: str) -> Query:
    """The whole query; `text` gives items without an alias their names."""
    unions = trees(raw, "union")
    keeps = [bool(tokens(union)) for union in unions]
    if len(set(keeps)) > 1:
        raise refused(unions[keeps.index(not keeps[0])], "UNION and UNION ALL can't be mixed.", "Use one of them.")
    parts = tuple(_build_single(child, text) for child in trees(raw, "single_query"))
    return Query(parts, keeps_duplicates=bool(keeps and keeps[0]), at=position(raw))


def _build_single(raw: Raw, text: str) -> syntax.SingleQuery:
    *clauses, returns = trees(raw)
    return syntax.SingleQuery(
        tuple(_build_clause(child, text) for child in clauses),
        _build_projection(trees(returns)[0], text),
        at=position(raw),
    )


def _build_clause(raw: Raw, text: str) -> Clause:
    match raw.data:
        case "match_clause":
            patterns = first(raw, "patterns")
            return syntax.Match(
                () if patterns is None else build_patterns(patterns), _where(raw), bool(tokens(raw)), at=position(raw)
            )
        case "unwind_clause":
            source, name = trees(raw)
            return syntax.Unwind(build_expression(source), name_of(name), at=position(raw))
        case _:
            return syntax.With(_build_projection(trees(raw)[0], text), _where(raw), at=position(raw))


def _where(raw: Raw) -> Expression | None:
    return _inner(first(raw, "where"))


def _inner(raw: Raw | None) -> Expression | None:
    return None if raw is None else build_expression(trees(raw)[0])


def _build_projection(raw: Raw, text: str) -> syntax.Projection:
    kinds = {token.type for token in tokens(raw)}
    order_by = first(raw, "order_by")
    return syntax.Projection(
        items=tuple(_build_item(child, text) for child in trees(raw, "item")),
        star="STAR" in kinds,
        distinct="DISTINCT" in kinds,
        order_by=() if order_by is None else tuple(map(_build_sort_key, trees(order_by))),
        skip=_inner(first(raw, "skip")),
        limit=_inner(first(raw, "limit")),
        at=position(raw),
    )


def _build_item(raw: Raw, text: str) -> syntax.Item:
    expression = trees(raw)[0]
    alias = optional_name(raw)
    source = text[expression.meta.start_pos : expression.meta.end_pos]
    return syntax.Item(build_expression(expression), alias or source, alias is not None, at=position(raw))


def _build_sort_key(raw: Raw) -> syntax.SortKey:
    descending = any(token.type == "DESC" for token in tokens(raw))
    return syntax.SortKey(build_expression(trees(raw)[0]), descending, at=position(raw))
