"""Equality, with null where it can't be known."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.conversion import Held, as_json, coerce
from cypher_sql.entities import text
from cypher_sql.scope import Compilation, EdgeRow, Value
from cypher_sql.values import ANY, NUMBERS, STRING, Kind, Sql, common_type, list_of

# Families whose values SQL compares as the language does.
PLAIN = frozenset({Kind.STRING, Kind.BOOLEAN, Kind.DATE})


def equal(compilation: Compilation, left: Value, right: Value) -> Sql:
    """Whether two values are the same; null when that can't be known."""
    kinds = {left.type.kind, right.type.kind}
    if Kind.NULL in kinds:
        return sa.cast(sa.null(), sa.Boolean())
    if kinds <= NUMBERS or (len(kinds) == 1 and kinds <= PLAIN | {Kind.NODE}):
        return left.sql == right.sql
    if kinds == {Kind.RELATIONSHIP}:
        return _relationship_id(left) == _relationship_id(right)
    if kinds == {Kind.LIST}:
        return _equal_lists(compilation, left, right)
    if len(kinds) == 1 or Kind.ANY in kinds:
        return _equal_json(compilation, left, right)
    return _unless_null(left, right, sa.false())


def _equal_json(compilation: Compilation, left: Value, right: Value) -> Sql:
    """Equality of values whose family only the row knows."""
    one, other = as_json(compilation, left), as_json(compilation, right)
    if {left.type.kind, right.type.kind} & (PLAIN | NUMBERS):
        return one == other
    held = Held(compilation, one, other)
    one, other = held.parts
    by_members = sa.case(
        (sa.func.jsonb_typeof(one) == sa.literal("array", sa.Text()), _equal_members(compilation, one, other)),
        else_=_equal_entries(compilation, one, other),
    )
    return held.computing(sa.case((_is_open(one, other), by_members), else_=one == other))


def _equal_entries(compilation: Compilation, one: Sql, other: Sql) -> Sql:
    """Equality of two JSON objects that have nulls inside: with other keys they differ, whatever the nulls are."""
    first, second = (_entries(compilation, value) for value in (one, other))
    pairs = first.join(second, first.c.key == second.c.key, full=True)
    mine, theirs = first.c.value, second.c.value
    is_unknown = _is_unknown(mine, theirs)
    differs = sa.or_(mine.is_(None), theirs.is_(None), sa.and_(sa.not_(is_unknown), mine != theirs))
    verdict = sa.case((sa.func.bool_or(differs), sa.false()), (sa.func.bool_or(is_unknown), sa.null()), else_=sa.true())
    return sa.select(verdict).select_from(pairs).correlate_except(first, second).scalar_subquery()


def _entries(compilation: Compilation, value: Sql) -> sa.TableValuedAlias:
    table = sa.func.jsonb_each(only_of(value, "object"))
    valued = table.table_valued(sa.column("key", sa.Text()), sa.column("value", pg.JSONB()))
    return valued.render_derived(compilation.name("entries"))


def _is_unknown(mine: Sql, theirs: Sql) -> Sql:
    null = sa.cast(text("null"), pg.JSONB())
    return sa.or_(mine == null, theirs == null, _is_open(mine, theirs))


def _equal_members(compilation: Compilation, one: Sql, other: Sql) -> Sql:
    """Equality of two JSON values that have nulls inside; of members deeper down it can be left open too often."""
    first, second = (_members(compilation, value) for value in (one, other))
    pairs = first.join(second, first.c.place == second.c.place)
    mine, theirs = first.c.member, second.c.member
    is_unknown = _is_unknown(mine, theirs)
    differs = sa.and_(sa.not_(is_unknown), mine != theirs)
    verdict = sa.case((sa.func.bool_or(differs), sa.false()), else_=sa.null())
    return sa.select(verdict).select_from(pairs).correlate_except(first, second).scalar_subquery()


def _members(compilation: Compilation, value: Sql) -> sa.TableValuedAlias:
    table = sa.func.jsonb_array_elements(only_of(value, "array"))
    valued = table.table_valued(sa.column("member", pg.JSONB()), with_ordinality="place")
    return valued.render_derived(compilation.name("members"))


def _is_open(one: Sql, other: Sql) -> Sql:
    """Whether nulls inside two values of one shape may decide whether they are equal."""
    sizes = [sa.func.jsonb_array_length(only_of(value, "array")) for value in (one, other)]
    same_shape = sa.and_(
        sa.func.jsonb_typeof(one) == sa.func.jsonb_typeof(other), sa.func.coalesce(sizes[0] == sizes[1], sa.true())
    )
    return sa.and_(sa.or_(_has_null(one), _has_null(other)), same_shape)


def only_of(value: Sql, family: str) -> Sql:
    """A JSON value if it is of a family, else null."""
    return sa.case((sa.func.jsonb_typeof(value) == sa.literal(family, sa.Text()), value))


def _has_null(value: Sql) -> Sql:
    return sa.func.jsonb_path_exists(value, sa.cast(text("$.** ? (@ == null)"), pg.JSONPATH()))


def _relationship_id(value: Value) -> Sql:
    if isinstance(value.row, EdgeRow):
        return sa.cast(value.row.element.c.id, sa.Text())
    return value.sql.op("->>", return_type=sa.Text())(sa.literal("id", sa.Text()))


def _unless_null(left: Value, right: Value, result: Sql) -> Sql:
    return sa.case((sa.and_(left.sql.is_not(None), right.sql.is_not(None)), result))


def _equal_lists(compilation: Compilation, left: Value, right: Value) -> Sql:
    wanted = list_of(common_type([left.type.element or STRING, right.type.element or STRING]))
    element = wanted.element or ANY
    held = Held(compilation, *(coerce(compilation, each, wanted).sql for each in (left, right)))
    one, other = held.parts
    pairs = sa.func.unnest(one, other).table_valued(
        sa.column("first", compilation.sql_type(element)), sa.column("second", compilation.sql_type(element))
    )
    rows = pairs.render_derived(compilation.name("pairs"))
    same = equal(compilation, Value(rows.c.first, element), Value(rows.c.second, element))
    verdict = sa.case(
        (sa.func.bool_and(same).is_(False), sa.false()), (sa.func.bool_or(same.is_(None)), sa.null()), else_=sa.true()
    )
    all_same = sa.select(verdict).select_from(rows).correlate_except(rows).scalar_subquery()
    sizes_differ = sa.func.cardinality(one) != sa.func.cardinality(other)
    known = sa.case((sizes_differ, sa.false()), else_=all_same)
    return held.computing(sa.case((sa.and_(one.is_not(None), other.is_not(None)), known)))
