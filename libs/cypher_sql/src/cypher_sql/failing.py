"""Giving up while a query runs: SQL has no way to say so but a conversion that fails, which `refusal_of` reads."""

import re

import sqlalchemy as sa

from cypher_sql.errors import Fault
from cypher_sql.values import Sql, SqlType

_SAID = re.compile(rf'"({"|".join(fault.name for fault in Fault)}): (.*)"', re.DOTALL)


def failing(fault: Fault, complaint: str, about: Sql, of: SqlType) -> Sql:
    """An expression of a type that fails whenever it is computed.

    `about` ends what is said. It has to be something that the row decides, so that nothing is computed ahead.
    """
    said = sa.func.concat(
        sa.literal(f"{fault.name}: {complaint}", sa.Text()), sa.cast(about, sa.Text()), type_=sa.Text()
    )
    # Text can become anything, a number can't.
    return sa.cast(sa.cast(sa.cast(said, sa.BigInteger()), sa.Text()), of)


def failure_in(message: str) -> tuple[Fault, str] | None:
    """What `failing` said, found in the database's message."""
    found = _SAID.search(message)
    return None if found is None else (Fault[found[1]], found[2])
