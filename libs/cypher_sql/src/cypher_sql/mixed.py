"""Values whose family only the row knows, as operands: JSON in, JSON out, and a failure for what doesn't suit.

A number is whole when it is written without a point; `float_json` sees to it that floats are written with one.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql.conversion import Held, as_json
from cypher_sql.entities import float_json, json_text
from cypher_sql.equality import only_of
from cypher_sql.errors import Fault
from cypher_sql.failing import failing
from cypher_sql.scope import Compilation, Value
from cypher_sql.values import ANY, DOUBLE, Kind, Sql, list_of

_JSON = pg.JSONB()


def is_family(value: Sql, *families: str) -> Sql:
    """Whether a JSON value is of one of some families, as JSON calls them."""
    return sa.func.jsonb_typeof(value).in_([sa.literal(each, sa.Text()) for each in families])


def is_whole(number: Sql) -> Sql:
    """Whether a JSON number is an integer."""
    return sa.func.strpos(json_text(number), sa.literal(".", sa.Text())) == 0


def whole_number(number: Sql) -> Sql:
    """A JSON integer as one of SQL's."""
    return sa.cast(json_text(number), sa.BigInteger())


def float_number(compilation: Compilation, value: Value) -> Sql:
    """A number as a float; null for null, a failure for anything else."""
    if value.type.kind is not Kind.ANY:
        return sa.cast(value.sql, DOUBLE)
    held = Held(compilation, value.sql)
    (number,) = held.parts
    suits = sa.or_(number.is_(None), is_family(number, "number"))
    complaint = failing(Fault.TYPE, "a number is needed, this is ", sa.func.jsonb_typeof(number), DOUBLE)
    return held.computing(sa.case((suits, sa.cast(json_text(number), DOUBLE)), else_=complaint))


def checked_number(compilation: Compilation, value: Value) -> Sql:
    """A JSON number as it is; null for null, a failure for anything else."""
    return _checked(compilation, value.sql, ("number",), "a number is needed, this is ")


def checked_scalar(compilation: Compilation, value: Value, *families: str) -> Sql:
    """A JSON value of one of some families as it is; null for null, a failure for anything else."""
    return _checked(compilation, value.sql, families, f"{' or '.join(families)} is needed, this is ")


def _checked(compilation: Compilation, value: Sql, families: tuple[str, ...], complaint: str) -> Sql:
    held = Held(compilation, value)
    (part,) = held.parts
    suits = sa.or_(part.is_(None), is_family(part, *families))
    return held.computing(
        sa.case((suits, part), else_=failing(Fault.TYPE, complaint, sa.func.jsonb_typeof(part), _JSON))
    )


def listed(compilation: Compilation, value: Value) -> Value:
    """A list with the members of a JSON array; null for null, a failure for anything else."""
    held = Held(compilation, value.sql)
    (whole,) = held.parts
    table = sa.func.jsonb_array_elements(only_of(whole, "array")).table_valued(
        sa.column("member", _JSON), with_ordinality="place"
    )
    rows = table.render_derived(compilation.name("members"))
    member = sa.func.nullif(rows.c.member, sa.cast(sa.literal("null", sa.Text()), _JSON), type_=_JSON)
    members = sa.select(member).select_from(rows).order_by(rows.c.place).correlate_except(rows).scalar_subquery()
    as_sql = pg.ARRAY(_JSON)
    complaint = failing(Fault.TYPE, "a list is needed, this is ", sa.func.jsonb_typeof(whole), as_sql)
    found = sa.case(
        (whole.is_(None), sa.cast(sa.null(), as_sql)),
        (is_family(whole, "array"), sa.func.array(members, type_=as_sql)),
        else_=complaint,
    )
    return Value(held.computing(found), list_of(ANY))


def mixed_arithmetic(compilation: Compilation, operator: str, left: Value, right: Value) -> Value:
    """`+ - * / %` where the row decides what the operands are."""
    held = Held(compilation, as_json(compilation, left), as_json(compilation, right))
    one, other = held.parts
    families = sa.func.concat(sa.func.jsonb_typeof(one), ", ", sa.func.jsonb_typeof(other))
    branches: list[tuple[Sql, Sql]] = [
        (sa.or_(one.is_(None), other.is_(None)), sa.cast(sa.null(), _JSON)),
        (sa.and_(is_family(one, "number"), is_family(other, "number")), _of_numbers(operator, one, other)),
    ]
    if operator == "+":
        branches += _sums_of_others(one, other)
    complaint = failing(Fault.TYPE, f"{operator} can't take these: ", families, _JSON)
    return Value(held.computing(sa.case(*branches, else_=complaint)), ANY)


def _of_numbers(operator: str, one: Sql, other: Sql) -> Sql:
    wholes = [whole_number(each) for each in (one, other)]
    floats = [sa.cast(json_text(each), DOUBLE) for each in (one, other)]
    return sa.case(
        (sa.and_(is_whole(one), is_whole(other)), sa.func.to_jsonb(of_integers(operator, *wholes), type_=_JSON)),
        else_=float_json(of_floats(operator, *floats)),
    )


def _sums_of_others(one: Sql, other: Sql) -> list[tuple[Sql, Sql]]:
    as_lists = [
        sa.case((is_family(each, "array"), each), else_=sa.func.jsonb_build_array(each, type_=_JSON))
        for each in (one, other)
    ]
    texts = json_text(one).op("||", return_type=sa.Text())(json_text(other))
    are_texts = [is_family(each, "string", "number") for each in (one, other)]
    return [
        (
            sa.or_(*(is_family(each, "array") for each in (one, other))),
            as_lists[0].op("||", return_type=_JSON)(as_lists[1]),
        ),
        (sa.and_(*are_texts), sa.func.to_jsonb(texts, type_=_JSON)),
    ]


def of_integers(operator: str, left: Sql, right: Sql) -> Sql:
    """`+ - * / %` of whole numbers of SQL."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left.op("/", return_type=sa.BigInteger())(right)
        case _:
            return left.op("%", return_type=sa.BigInteger())(right)


def of_floats(operator: str, left: Sql, right: Sql) -> Sql:
    """`+ - * / % ^` of floats of SQL."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left.op("/", return_type=DOUBLE)(right)
        case "^":
            return sa.func.power(left, right, type_=DOUBLE)
        case _:
            quotient = sa.func.trunc(left.op("/", return_type=DOUBLE)(right), type_=DOUBLE)
            return left - right * quotient
