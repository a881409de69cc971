"""The one MetaData with its naming convention, and the column shapes that tables share."""

from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def one_of(column: str, values: type[StrEnum]) -> sa.CheckConstraint:
    """A check that holds `column` to the members of a StrEnum."""
    members = ", ".join(f"'{member}'" for member in values)
    return sa.CheckConstraint(f"{column} IN ({members})", name=f"{column}_known")


def text_array(name: str) -> sa.Column[list[str]]:
    """A non-null `text[]` that is empty by default."""
    return sa.Column(name, pg.ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'::text[]"))


def json_object(name: str) -> sa.Column[Any]:
    """A non-null JSONB object that is empty by default."""
    return sa.Column(name, pg.JSONB, nullable=False, server_default=sa.text("'{}'::jsonb"))


def now_column(name: str) -> sa.Column[object]:
    """A non-null timestamp with time zone, the transaction's time by default."""
    return sa.Column(name, sa.TIMESTAMP(timezone=True), nullable=False, server_default=sa.func.now())


def big_identity(name: str = "id") -> sa.Column[int]:
    """A 64-bit identity primary key."""
    return sa.Column(name, sa.BigInteger, sa.Identity(always=True), primary_key=True)
