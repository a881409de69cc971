"""What each run did: who asked, how it ended, what it cost, and the record of its steps."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA

traces = sa.Table(
    "traces",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("request_id", pg.UUID(as_uuid=True), nullable=False),
    sa.Column("principal", sa.Text, nullable=False),
    sa.Column("started_at", sa.TIMESTAMP(timezone=True), nullable=False),
    sa.Column("ms", sa.Double, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("reason", sa.Text),
    sa.Column("has_text", sa.Boolean, nullable=False),
    sa.Column("query", sa.Text),
    sa.Column("usage", pg.JSONB, nullable=False),
    sa.Column("document", pg.JSONB, nullable=False),
    sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
    sa.Index("ix_traces_principal_started_at", "principal", "started_at", "id"),
    sa.Index("ix_traces_expires_at", "expires_at"),
)
