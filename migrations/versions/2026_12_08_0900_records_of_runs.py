"""Traces as records of runs: how they ended and what they cost beside what they did."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5c19e7a3b0d4"
down_revision = "e4b81f60c29d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing has written the table so far; it is made anew."""
    op.drop_table("traces")
    op.create_table(
        "traces",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("request_id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("started_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("ms", sa.Double[float](), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("has_text", sa.Boolean(), nullable=False),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("usage", postgresql.JSONB(), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_traces")),
    )
    op.create_index("ix_traces_expires_at", "traces", ["expires_at"], unique=False)
    op.create_index("ix_traces_principal_started_at", "traces", ["principal", "started_at", "id"], unique=False)


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("traces")
    op.create_table(
        "traces",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("request", postgresql.JSONB(), nullable=False),
        sa.Column("response", postgresql.JSONB(), nullable=False),
        sa.Column("steps", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_traces")),
    )
    op.create_index("ix_traces_expires_at", "traces", ["expires_at"], unique=False)
    op.create_index("ix_traces_principal_created_at", "traces", ["principal", "created_at"], unique=False)
