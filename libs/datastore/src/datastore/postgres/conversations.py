"""Sessions and their turns. Each belongs to one principal; another's is not found."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, now_column

sessions = sa.Table(
    "sessions",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("principal", sa.Text, nullable=False),
    now_column("created_at"),
    now_column("updated_at"),
    sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
    sa.Index("ix_sessions_principal_updated_at", "principal", "updated_at"),
    sa.Index("ix_sessions_expires_at", "expires_at"),
)

turns = sa.Table(
    "turns",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("session_id", pg.UUID(as_uuid=True), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("response", pg.JSONB, nullable=False),
    sa.Column("trace_id", pg.UUID(as_uuid=True)),
    now_column("created_at"),
    sa.UniqueConstraint("session_id", "position"),
)
