"""What each run did, step by step."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, now_column

traces = sa.Table(
    "traces",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("principal", sa.Text, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("request", pg.JSONB, nullable=False),
    sa.Column("response", pg.JSONB, nullable=False),
    sa.Column("steps", pg.JSONB, nullable=False),
    now_column("created_at"),
    sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
    sa.Index("ix_traces_principal_created_at", "principal", "created_at"),
    sa.Index("ix_traces_expires_at", "expires_at"),
)
