"""Expressions to typed SQL."""

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql import operators, syntax
from cypher_sql.conversion import Held, coerce, stored
from cypher_sql.entities import edge_property, has_label, node_property, text
from cypher_sql.equality import equal
from cypher_sql.errors import Fault
from cypher_sql.functions import apply_function, properties_of
from cypher_sql.literals import bound, list_value, map_value
from cypher_sql.scope import EdgeRow, Place, Unsuitable, Value, pointing_at, refused
from cypher_sql.values import ANY, BOOLEAN, INTEGER, NULL, NUMBERS, Kind, Sql, common_type
from cypher_sql.walking import is_aggregate
from cypher_sql.weights import checked_weight


def compile_expression(place: Place, node: syntax.Expression) -> Value:
    """The value of an expression at a place. Raises QueryRefused when it has none."""
    if node in place.computed:
        return place.computed[node]
    if isinstance(node, syntax.ListComprehension | syntax.Quantified | syntax.PatternComprehension | syntax.Count):
        return place.compilation.over_rows(place, node)
    value = _COMPILERS[type(node)](place, node)
    if isinstance(node, syntax.Unary | syntax.Binary | syntax.IsNull | syntax.Logic):
        # NOT, IS and comparisons bind differently in SQL.
        return Value(Grouping(value.sql), value.type)
    return value


def compile_condition(place: Place, node: syntax.Expression) -> Sql:
    """An expression as a condition."""
    checked_weight(place, node)
    value = compile_expression(place, node)
    with pointing_at(node):
        return operators.boolean(value)


def _literal(place: Place, node: syntax.Literal) -> Value:
    with pointing_at(node):
        return bound(place.compilation, node.value)


def _parameter(place: Place, node: syntax.Parameter) -> Value:
    parameters = place.compilation.parameters
    if node.name not in parameters:
        raise refused(node, f"The parameter ${node.name} has no value.", "Give it with the query.", Fault.PARAMETER)
    with pointing_at(node):
        return bound(place.compilation, parameters[node.name])


def _variable(place: Place, node: syntax.Variable) -> Value:
    if node.name in place.names:
        return place.names[node.name]
    if place.is_grouped:
        raise refused(
            node,
            f"{node.name} is neither a group nor inside an aggregate.",
            "Make it an item of its own in this WITH or RETURN, or take it through an earlier WITH.",
        )
    known = ", ".join(sorted(place.names))
    raise refused(
        node,
        f"{node.name} is not defined here.",
        f"Defined: {known}." if known else "Bind it in a MATCH first; texts are written in quotes.",
    )


def _property(place: Place, node: syntax.Property) -> Value:
    subject = compile_expression(place, node.subject)
    with pointing_at(node):
        return property_of(place, subject, node.name)


def property_of(place: Place, subject: Value, name: str) -> Value:
    """A property of a node, relationship, map or date; null of null."""
    match subject.type.kind:
        case Kind.NODE:
            return node_property(place.compilation, subject, name)
        case Kind.RELATIONSHIP if isinstance(subject.row, EdgeRow):
            return edge_property(place.compilation, subject.row, name)
        case Kind.RELATIONSHIP:
            return _member(_member(subject, "properties"), name)
        case Kind.MAP:
            return _member(subject, name)
        case Kind.ANY:
            return _member_or_property(place, subject, name)
        case Kind.NULL:
            return subject
        case Kind.DATE if name in ("year", "month", "day"):
            return Value(sa.cast(sa.extract(name, subject.sql), sa.BigInteger()), INTEGER)
        case _:
            raise Unsuitable(f"A {subject.type} has no property {name}.", fault=Fault.TYPE)


def _member(subject: Value, name: str) -> Value:
    member = subject.sql.op("->", return_type=pg.JSONB())(text(name))
    return Value(sa.func.nullif(member, sa.cast(text("null"), pg.JSONB()), type_=pg.JSONB()), ANY)


def _member_or_property(place: Place, subject: Value, name: str) -> Value:
    """A member of a map, or a property of a node or relationship that became JSON in a list of mixed members."""
    held = Held(place.compilation, subject.sql)
    (whole,) = held.parts
    is_entity = sa.and_(*(whole.op("?", return_type=sa.Boolean())(text(each)) for each in ("id", "properties")))
    is_typed = whole.op("?|", return_type=sa.Boolean())(pg.array([text("labels"), text("type")]))
    plain = Value(whole, ANY)
    of_entity = _member(_member(plain, "properties"), name).sql
    chosen = sa.case((sa.and_(is_entity, is_typed), of_entity), else_=_member(plain, name).sql)
    return Value(held.computing(chosen), ANY)


def _has_labels(place: Place, node: syntax.HasLabels) -> Value:
    subject = compile_expression(place, node.subject)
    if subject.type.kind is Kind.NULL:
        return Value(sa.cast(sa.null(), sa.Boolean()), BOOLEAN)
    if subject.type.kind is not Kind.NODE:
        is_odd = subject.type.kind in (Kind.RELATIONSHIP, Kind.ANY)
        raise refused(
            node,
            f"A {subject.type} has no labels.",
            "The type of a relationship is type(r).",
            Fault.BEYOND if is_odd else Fault.SYNTAX,
        )
    with pointing_at(node):
        tests = [has_label(place.compilation, subject.sql, label) for label in node.labels]
    return Value(sa.case((subject.sql.is_not(None), sa.and_(*tests))), BOOLEAN)


def _list(place: Place, node: syntax.ListLiteral) -> Value:
    return list_value(place.compilation, [compile_expression(place, item) for item in node.items])


def _map(place: Place, node: syntax.MapLiteral) -> Value:
    members = {entry.key: compile_expression(place, entry.value) for entry in node.entries}
    with pointing_at(node):
        return map_value(place.compilation, members)


def _unary(place: Place, node: syntax.Unary) -> Value:
    if node.operator == "NOT":
        return Value(sa.not_(compile_condition(place, node.operand).self_group()), BOOLEAN)
    operand = compile_expression(place, node.operand)
    if operand.type.kind not in NUMBERS | {Kind.NULL, Kind.ANY}:
        raise refused(node, f"{node.operator} can't take a {operand.type}.", "It needs a number.")
    if node.operator == "+" or operand.type.kind is Kind.NULL:
        return operand
    zero = Value(sa.literal(0, sa.BigInteger()), INTEGER)
    return operators.arithmetic(place.compilation, "-", zero, operand)


def _binary(place: Place, node: syntax.Binary) -> Value:
    left, right = compile_expression(place, node.left), compile_expression(place, node.right)
    compilation = place.compilation
    with pointing_at(node):
        match node.operator:
            case "=":
                return Value(equal(compilation, left, right), BOOLEAN)
            case "<>":
                return Value(sa.not_(equal(compilation, left, right).self_group()), BOOLEAN)
            case "<" | "<=" | ">" | ">=":
                return Value(operators.ordered(compilation, node.operator, left, right), BOOLEAN)
            case "IN":
                return Value(operators.contained(compilation, left, right), BOOLEAN)
            case "STARTS WITH" | "ENDS WITH" | "CONTAINS":
                return Value(operators.text_test(node.operator, left, right), BOOLEAN)
            case _:
                return operators.arithmetic(compilation, node.operator, left, right)


def _logic(place: Place, node: syntax.Logic) -> Value:
    conditions = [compile_condition(place, operand) for operand in node.operands]
    if node.operator == "AND":
        return Value(sa.and_(*conditions), BOOLEAN)
    if node.operator == "OR":
        return Value(sa.or_(*conditions), BOOLEAN)
    result, *rest = conditions
    for condition in rest:
        result = sa.cast(result, sa.Boolean()) != sa.cast(condition, sa.Boolean())
    return Value(result, BOOLEAN)


def _is_null(place: Place, node: syntax.IsNull) -> Value:
    operand = compile_expression(place, node.operand)
    test = operand.sql.is_not(None) if node.negated else operand.sql.is_(None)
    return Value(test, BOOLEAN)


def _index(place: Place, node: syntax.Index) -> Value:
    subject, index = compile_expression(place, node.subject), compile_expression(place, node.index)
    with pointing_at(node):
        if isinstance(node.index, syntax.Literal) and isinstance(node.index.value, str):
            return property_of(place, subject, node.index.value)
        if Kind.NULL in (subject.type.kind, index.type.kind):
            return Value(sa.null(), NULL)
        if index.type.kind is Kind.STRING and subject.type.kind in _KEYED:
            return _member_by_key(place, subject, index.sql)
        return operators.member_at(place.compilation, subject, index)


# What has members under names.
_KEYED = frozenset({Kind.NODE, Kind.RELATIONSHIP, Kind.MAP})


def _member_by_key(place: Place, subject: Value, key: Sql) -> Value:
    """The member whose name is only known as the query runs."""
    members = properties_of(place.compilation, subject)
    found = members.sql.op("->", return_type=pg.JSONB())(key)
    return Value(sa.func.nullif(found, sa.cast(text("null"), pg.JSONB()), type_=pg.JSONB()), ANY)


def _slice(place: Place, node: syntax.Slice) -> Value:
    subject = compile_expression(place, node.subject)
    start, stop = (None if end is None else compile_expression(place, end) for end in (node.start, node.stop))
    with pointing_at(node):
        return (
            subject if subject.type.kind is Kind.NULL else operators.slice_of(place.compilation, subject, start, stop)
        )


def _case(place: Place, node: syntax.Case) -> Value:
    results = [compile_expression(place, branch.result) for branch in node.branches]
    default = Value(sa.null(), NULL) if node.default is None else compile_expression(place, node.default)
    wanted = common_type(value.type for value in (*results, default))
    tests = [_case_test(place, node.subject, branch) for branch in node.branches]
    *plain, otherwise = [coerce(place.compilation, stored(value), wanted).sql for value in (*results, default)]
    return Value(sa.case(*zip(tests, plain, strict=True), else_=otherwise), wanted)


def _case_test(place: Place, subject: syntax.Expression | None, branch: syntax.Branch) -> Sql:
    if subject is None:
        return compile_condition(place, branch.condition)
    left, right = compile_expression(place, subject), compile_expression(place, branch.condition)
    with pointing_at(branch):
        return equal(place.compilation, left, right)


def _call(place: Place, node: syntax.Call) -> Value:
    if is_aggregate(node):
        raise refused(
            node, f"{node.function}() can't stand here.", "Aggregate in WITH or RETURN and use the result's name after."
        )
    if node.star or node.distinct:
        raise refused(node, f"{node.function}() is not an aggregate.", "Only aggregates take * or DISTINCT.")
    if node.function == "exists" and len(node.arguments) == 1:
        if isinstance(node.arguments[0], syntax.PatternPredicate):
            return compile_expression(place, node.arguments[0])
        return _is_null(place, syntax.IsNull(node.arguments[0], True, at=node.at))
    arguments = [compile_expression(place, argument) for argument in node.arguments]
    with pointing_at(node):
        return apply_function(place.compilation, node.function, arguments)


def _pattern_predicate(place: Place, node: syntax.PatternPredicate) -> Value:
    path = node.path
    for each in (*path.nodes, *path.relationships):
        if each.variable is not None and each.variable not in place.names:
            raise refused(
                each,
                f"{each.variable} is not defined here, and a pattern as a condition defines nothing.",
                "Leave the name out, or use EXISTS { … }.",
            )
    return _exists_of(place, (path,), None)


def _exists(place: Place, node: syntax.Exists) -> Value:
    return _exists_of(place, node.patterns, node.where)


def _exists_of(place: Place, patterns: tuple[syntax.PathPattern, ...], where: syntax.Expression | None) -> Value:
    inner = place.inside()
    place.compilation.match(inner, patterns, where)
    return Value(inner.frame.select(sa.true()).exists(), BOOLEAN)


_COMPILERS: Mapping[type[syntax.Node], Callable[[Place, Any], Value]] = {
    syntax.Literal: _literal,
    syntax.Parameter: _parameter,
    syntax.Variable: _variable,
    syntax.Property: _property,
    syntax.HasLabels: _has_labels,
    syntax.ListLiteral: _list,
    syntax.MapLiteral: _map,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
    syntax.Logic: _logic,
    syntax.IsNull: _is_null,
    syntax.Index: _index,
    syntax.Slice: _slice,
    syntax.Case: _case,
    syntax.Call: _call,
    syntax.PatternPredicate: _pattern_predicate,
    syntax.Exists: _exists,
}
