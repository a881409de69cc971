"""Values as the JSON text that PostgreSQL writes them in, to the byte as `orjson` would: no white space, no other form.

A value is written as pieces, text of ours and columns by turns, and joined as late as possible: PostgreSQL joins
texts twice as fast as it builds JSON.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.dates import MAX_YEAR, MIN_YEAR
from datastore.postgres.entity_shapes import Constant, DatePart, DateParts

type Column = sa.ColumnElement[Any]
type Pieces = tuple[str | Column, ...]
"""What stands one behind the other: texts as they are, and columns that are never NULL."""

# Between these PostgreSQL writes a fraction with neither an exponent nor a lost digit.
_PLAIN_FROM, _PLAIN_BELOW = "0.0001", "1000000000000000"
_EXPONENT_BELOW, _EXPONENT_FROM = "0.00001", "10000000000000000"
_NULL = sa.literal_column("'null'", sa.Text)


def constant(word: str) -> Pieces:
    """A word that an EntityShape or this package's own vocabulary holds: it goes into the statement as it is."""
    return (f'"{word}"',)


def joined(pieces: Pieces) -> Column:
    """The pieces as one text. At most a hundred of them, neighbouring texts counted once."""
    parts: list[Column] = []
    texts = ""
    for piece in (*pieces, None):
        if isinstance(piece, str):
            texts += piece
            continue
        if texts:
            parts.append(_text(texts))
            texts = ""
        if piece is not None:
            parts.append(piece)
    if len(parts) == 1 and isinstance(parts[0].type, sa.Text):
        return parts[0]
    return sa.func.concat(*parts, type_=sa.Text)


def json_object(members: Iterable[tuple[str, Pieces]]) -> Pieces:
    """An object whose members keep their order; keys are words."""
    return (*_members(members), "}")


def _members(members: Iterable[tuple[str, Pieces]]) -> Iterator[str | Column]:
    opening = "{"
    for key, value in members:
        yield f'{opening}"{key}":'
        yield from value
        opening = ","
    if opening == "{":
        yield opening


def json_list(one: Pieces, *order: Column) -> Column:
    """All rows' values in order; an empty list where there are none."""
    listed = sa.func.string_agg(joined(one), pg.aggregate_order_by(_text(","), *order), type_=sa.Text)
    return sa.func.coalesce(_text("[").concat(listed).concat(_text("]")), _text("[]"))


def either(condition: sa.ColumnElement[bool], value: Pieces) -> Pieces:
    """The value where the condition holds, else null."""
    return (sa.case((condition, joined(value)), else_=_NULL),)


def first_of(cases: Iterable[tuple[sa.ColumnElement[bool], Pieces]]) -> Pieces:
    """The value of the first condition that holds, else null."""
    return (sa.case(*((condition, joined(value)) for condition, value in cases), else_=_NULL),)


def selected(statement: sa.Select[*tuple[Any, ...]], *outer: sa.FromClause) -> Pieces:
    """The one value of a statement about a row of `outer`, where the statement always has one."""
    return (statement.correlate(*outer).scalar_subquery(),)


def selected_if_any(statement: sa.Select[*tuple[Any, ...]], *outer: sa.FromClause) -> Pieces:
    """The one value of a statement about a row of `outer`; null where the statement has no row."""
    return (sa.func.coalesce(statement.correlate(*outer).scalar_subquery(), _NULL),)


def plain(column: Column) -> Pieces:
    """Any value in PostgreSQL's own JSON: texts, truth values, whole numbers, days, lists of such."""
    value = sa.func.to_json(column, type_=pg.JSON)
    return (sa.func.coalesce(sa.cast(value, sa.Text), _NULL) if _may_be_null(column) else value,)


def whole_number(column: Column) -> Pieces:
    """A number without a fraction."""
    return (sa.func.coalesce(sa.cast(column, sa.Text), _NULL) if _may_be_null(column) else column,)


def identifier(column: Column) -> Pieces:
    """A UUID that is never NULL."""
    return ('"', column, '"')


def member_name(value: Column) -> Pieces:
    """The name of a member of a closed set, whose value is the same in lower case; null for an empty one."""
    if not _may_be_null(value):
        return ('"', sa.func.upper(value), '"')
    quote = _text('"')
    name = sa.func.upper(sa.func.nullif(value, _text("")))
    return (sa.func.coalesce(quote.concat(name).concat(quote), _NULL),)


def point_kept(number: Column) -> Pieces:
    """A number that reads as one with a fraction, whether it has one or not."""
    text, size = sa.cast(number, sa.Text), sa.func.abs(number)
    is_whole = number == sa.func.trunc(number)
    spelled_out = sa.cast(sa.cast(text, sa.Numeric), sa.Text)
    written = sa.case(
        (sa.and_(is_whole, size < _bound(_PLAIN_BELOW)), text.concat(_text(".0"))),
        (sa.and_(size >= _bound(_PLAIN_FROM), size < _bound(_PLAIN_BELOW)), text),
        (size < _bound(_EXPONENT_BELOW), sa.func.replace(text, _text("e-0"), _text("e-"))),
        (sa.and_(size < _bound(_EXPONENT_FROM), is_whole), spelled_out.concat(_text(".0"))),
        (size < _bound(_EXPONENT_FROM), spelled_out),
        else_=sa.cast(sa.func.to_json(number), sa.Text),
    )
    return (sa.func.coalesce(written, _NULL) if _may_be_null(number) else written,)


def timestamp(value: Column) -> Pieces:
    """A moment in UTC as Python writes it: a fraction only where there is one."""
    utc = sa.func.timezone(_text("UTC"), value)
    seconds = sa.func.to_char(utc, sa.literal_column("""'YYYY-MM-DD"T"HH24:MI:SS'"""))
    fraction = sa.func.nullif(sa.func.to_char(utc, _text(".US")), _text(".000000"))
    return ('"', seconds, fraction, '+00:00"')


def date_object(table: sa.FromClause, wanted: DateParts) -> Pieces:
    """A date of the table as an object of its parts; an impossible part and what is finer are not known."""
    given = [table.c[f"{wanted.of}_{part}"] for part in ("year", "month", "day")]
    raw = table.c[f"{wanted.of}_raw"]
    year = sa.case((given[0].between(_whole(MIN_YEAR), _whole(MAX_YEAR)), given[0]))
    month = sa.case((sa.and_(year.is_not(None), given[1].between(_whole(1), _whole(12))), given[1]))
    day = sa.case((sa.and_(month.is_not(None), given[2].between(_whole(1), _days_in(year, month))), given[2]))
    parts: dict[DatePart, Pieces] = {
        "text": either(year.is_not(None), ('"', sa.func.concat_ws(_text("-"), year, _two(month), _two(day)), '"')),
        "year": whole_number(year),
        "month": whole_number(month),
        "day": whole_number(day),
        "raw": plain(raw),
    }
    members = (
        (key, constant(part.text) if isinstance(part, Constant) else parts[part])
        for key, part in wanted.members.items()
    )
    is_known = sa.or_(year.is_not(None), raw != _text(""))
    return either(is_known, json_object(members))


def _may_be_null(column: Column) -> bool:
    """Whether a table lets the column be empty; what is no column of one may always be."""
    return bool(getattr(column, "nullable", True))


def _days_in(year: Column, month: Column) -> Column:
    """NULL where one of them is."""
    begins = sa.func.make_date(year, month, _whole(1))
    ends = begins + sa.literal_column("interval '1 month - 1 day'")
    return sa.extract("day", ends)


def _two(number: Column) -> Column:
    return sa.func.lpad(sa.cast(number, sa.Text), _whole(2), _text("0"))


def _text(text: str) -> sa.ColumnClause[str]:
    """A text of this package's own making, which holds no apostrophe."""
    return sa.literal_column(f"'{text}'", sa.Text)


def _bound(number: str) -> Column:
    return sa.literal_column(number)


def _whole(number: int) -> sa.ColumnElement[int]:
    return sa.literal_column(str(number), sa.Integer)
