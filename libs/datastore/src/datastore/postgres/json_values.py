"""Values as the JSON that PostgreSQL writes them in: fractions, dates known in part, members of closed sets."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.dates import MAX_YEAR, MIN_YEAR
from datastore.postgres.entity_shapes import Constant, DatePart, DateParts

type _Json = sa.ColumnElement[Any]

# From here on PostgreSQL writes an exponent, which needs no point.
_EXPONENT_FROM = 1e15


def constant(word: str) -> _Json:
    """A word that an EntityShape or this package's own vocabulary holds: it goes into the statement as it is."""
    return sa.literal_column(f"'{word}'::text", sa.Text)


def json_object(members: Iterable[tuple[str, _Json]]) -> _Json:
    """An object whose members keep their order; keys are words."""
    parts: list[_Json] = [part for key, value in members for part in (constant(key), value)]
    return sa.func.json_build_object(*parts, type_=pg.JSON)


def json_list(one: _Json, *order: sa.ColumnElement[Any]) -> _Json:
    """All rows' values in order; an empty list where there are none."""
    listed = sa.func.json_agg(pg.aggregate_order_by(one, *order), type_=pg.JSON)
    return sa.func.coalesce(listed, sa.literal_column("'[]'::json", pg.JSON))


def member_name(value: sa.ColumnElement[Any]) -> _Json:
    """The name of a member of a closed set, whose value is the same in lower case; NULL for an empty one."""
    return sa.func.upper(sa.func.nullif(value, sa.literal_column("''")))


def point_kept(number: sa.ColumnElement[Any]) -> _Json:
    """A number that reads as one with a fraction, whether it has one or not."""
    text = sa.cast(number, sa.Text)
    is_whole = sa.and_(
        number == sa.func.trunc(number), sa.func.abs(number) < sa.literal_column(f"{_EXPONENT_FROM:.0f}")
    )
    whole = sa.cast(text.concat(sa.literal_column("'.0'")), pg.JSON)
    return sa.case((is_whole, whole), else_=sa.func.to_json(number))


def timestamp(value: sa.ColumnElement[Any]) -> _Json:
    """A moment in UTC as Python writes it: a fraction only where there is one."""
    utc = sa.func.timezone(sa.literal_column("'UTC'"), value)
    seconds = sa.func.to_char(utc, sa.literal_column("""'YYYY-MM-DD"T"HH24:MI:SS'"""))
    fraction = sa.func.to_char(utc, sa.literal_column("'.US'"))
    return sa.func.concat(
        seconds, sa.func.nullif(fraction, sa.literal_column("'.000000'")), sa.literal_column("'+00:00'")
    )


def date_object(table: sa.FromClause, wanted: DateParts) -> _Json:
    """A date of the table as an object of its parts; an impossible part and what is finer are not known."""
    given = [table.c[f"{wanted.of}_{part}"] for part in ("year", "month", "day")]
    raw = table.c[f"{wanted.of}_raw"]
    year = sa.case((given[0].between(_whole(MIN_YEAR), _whole(MAX_YEAR)), given[0]))
    month = sa.case((sa.and_(year.is_not(None), given[1].between(_whole(1), _whole(12))), given[1]))
    day = sa.case((sa.and_(month.is_not(None), given[2].between(_whole(1), _days_in(year, month))), given[2]))
    parts: dict[DatePart, _Json] = {
        "text": sa.case((year.is_not(None), sa.func.concat_ws(sa.literal_column("'-'"), year, _two(month), _two(day)))),
        "year": year,
        "month": month,
        "day": day,
        "raw": raw,
    }
    members = (
        (key, constant(part.text) if isinstance(part, Constant) else parts[part])
        for key, part in wanted.members.items()
    )
    is_known = sa.or_(year.is_not(None), raw != sa.literal_column("''"))
    return sa.case((is_known, json_object(members)))


def _days_in(year: sa.ColumnElement[Any], month: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """NULL where one of them is."""
    begins = sa.func.make_date(year, month, _whole(1))
    ends = begins + sa.literal_column("interval '1 month - 1 day'")
    return sa.extract("day", ends)


def _two(number: sa.ColumnElement[Any]) -> _Json:
    return sa.func.lpad(sa.cast(number, sa.Text), _whole(2), sa.literal_column("'0'"))


def _whole(number: int) -> sa.ColumnElement[int]:
    return sa.literal_column(str(number), sa.Integer)
