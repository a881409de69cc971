"""Expressions with rows of their own: over the members of a list, or over the matches of a pattern."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql import syntax
from cypher_sql.conversion import coerce, stored, unnested
from cypher_sql.entities import count_value
from cypher_sql.expressions import compile_condition, compile_expression
from cypher_sql.mixed import listed
from cypher_sql.schema import Rows
from cypher_sql.scope import Place, Value, refused
from cypher_sql.syntax import OverRows, Quantifier
from cypher_sql.values import BOOLEAN, NULL, Kind, Sql, ValueType, list_of
from cypher_sql.walking import mentions


def compile_over_rows(place: Place, node: OverRows) -> Value:
    """The value of a comprehension, a quantifier or a COUNT block. Raises QueryRefused when it has none."""
    match node:
        case syntax.Count():
            return _counted(place, node)
        case syntax.PatternComprehension():
            return _pattern_comprehension(place, node)
        case syntax.ListComprehension():
            return _comprehension(place, node)
        case syntax.Quantified():
            return _quantified(place, node)


def _counted(place: Place, node: syntax.Count) -> Value:
    inner = place.inside()
    place.compilation.match(inner, node.patterns, node.where)
    return count_value(inner.frame.select(sa.func.count()).scalar_subquery())


def _pattern_comprehension(place: Place, node: syntax.PatternComprehension) -> Value:
    inner = place.inside()
    names = place.compilation.match(inner, (node.path,), node.condition)
    result = compile_expression(inner.seeing(names), node.result)
    member, wanted = _member(place, result)
    collected = inner.frame.select(sa.func.array_agg(member, type_=place.compilation.sql_type(wanted)))
    return Value(_or_empty(place, collected, wanted), wanted)


def _comprehension(place: Place, node: syntax.ListComprehension) -> Value:
    source = _list(place, node.source)
    if source.type.kind is Kind.NULL:
        return source
    rows, member = unnested(place.compilation, source)
    inner = _with_member(place, node.variable, member)
    result = member if node.result is None else compile_expression(inner, node.result)
    made, wanted = _member(place, result)
    as_sql = place.compilation.sql_type(wanted)
    statement = sa.select(sa.func.array_agg(pg.aggregate_order_by(made, rows.c.place.asc()), type_=as_sql))
    statement = statement.select_from(rows).correlate_except(rows)
    if node.condition is not None:
        statement = statement.where(compile_condition(inner, node.condition))
    return Value(sa.case((source.sql.is_not(None), _or_empty(place, statement, wanted))), wanted)


def _quantified(place: Place, node: syntax.Quantified) -> Value:
    source = _list(place, node.source)
    if source.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), sa.Boolean()), BOOLEAN)
    rows, member = unnested(place.compilation, source)
    holds = compile_condition(_with_member(place, node.variable, member), node.condition)
    statement = sa.select(_verdict(node.quantifier, holds)).select_from(rows).correlate_except(rows)
    return Value(sa.case((source.sql.is_not(None), statement.scalar_subquery())), BOOLEAN)


def _verdict(quantifier: Quantifier, holds: Sql) -> Sql:
    some, unknown = sa.func.bool_or(holds), sa.func.bool_or(holds.is_(None))
    match quantifier:
        case Quantifier.ANY:
            return sa.case((some, sa.true()), (unknown, sa.null()), else_=sa.false())
        case Quantifier.NONE:
            return sa.case((some, sa.false()), (unknown, sa.null()), else_=sa.true())
        case Quantifier.ALL:
            fails = sa.not_(sa.func.bool_and(holds))
            return sa.case((fails, sa.false()), (unknown, sa.null()), else_=sa.true())
        case Quantifier.SINGLE:
            number = sa.func.count().filter(holds)
            return sa.case((number > 1, sa.false()), (unknown, sa.null()), else_=number == 1)


def _list(place: Place, node: syntax.Expression) -> Value:
    source = compile_expression(place, node)
    if source.type.kind is Kind.ANY:
        return listed(place.compilation, source)
    if source.type.kind not in (Kind.LIST, Kind.NULL):
        raise refused(node, f"A {source.type} has no members to go over.", "Write [x IN list | …].")
    return source


def _with_member(place: Place, variable: str, member: Value) -> Place:
    computed = {each: value for each, value in place.computed.items() if not mentions(each, variable)}
    names = {**place.names, variable: member}
    return Place(place.compilation, place.frame, names, computed, place.is_grouped)


def _member(place: Place, result: Value) -> tuple[Sql, ValueType]:
    wanted = list_of(result.type)
    return coerce(place.compilation, stored(result), wanted.element or NULL).sql, wanted


def _or_empty(place: Place, statement: Rows, wanted: ValueType) -> Sql:
    as_sql = place.compilation.sql_type(wanted)
    empty = sa.cast(pg.array([], type_=place.compilation.sql_type(wanted.element or NULL)), as_sql)
    return sa.func.coalesce(statement.scalar_subquery(), empty, type_=as_sql)
