"""Research runs and their checkpoints."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, now_column

research_runs = sa.Table(
    "research_runs",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("principal", sa.Text, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    now_column("created_at"),
    now_column("updated_at"),
    sa.Index("ix_research_runs_principal_created_at", "principal", "created_at"),
)

checkpoints = sa.Table(
    "checkpoints",
    METADATA,
    sa.Column("run_id", pg.UUID(as_uuid=True), sa.ForeignKey("research_runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("state", pg.JSONB, nullable=False),
    now_column("created_at"),
)
