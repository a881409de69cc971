"""Lists as parameters, written as PostgreSQL writes arrays: the driver is slow at lists of its own."""

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg


class ArrayText(sa.types.TypeDecorator[Sequence[object]]):
    """A list of texts, numbers or truths that travels as one text; see `listed`."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Sequence[object] | None, dialect: sa.Dialect) -> str | None:
        """The list as the literal of an array."""
        return None if value is None else array_literal(value)


def listed(name: str, item: sa.types.TypeEngine[Any]) -> sa.ColumnElement[Any]:
    """A parameter that is given a list, as an array of the server. It is read again wherever it stands."""
    return sa.cast(sa.bindparam(name, type_=ArrayText()), pg.ARRAY(item))


def listed_once(name: str, item: sa.types.TypeEngine[Any]) -> sa.ColumnElement[Any]:
    """The same for a condition on many rows: read once a statement."""
    # With a cast around it, or ANY takes the subquery for rows to compare with.
    return sa.cast(sa.select(listed(name, item)).scalar_subquery(), pg.ARRAY(item))


def array_literal(values: Sequence[object]) -> str:
    """`{"a","b"}`; truths and numbers are quoted, too, which the server doesn't mind."""
    return "{" + ",".join(map(_quoted, values)) + "}"


def writer_of(kind: sa.types.TypeEngine[Any]) -> Callable[[Any], object] | None:
    """What turns a parameter of this type into what the driver is given; None where it is given as it is."""
    return array_literal if isinstance(kind, ArrayText) else None


def _quoted(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
