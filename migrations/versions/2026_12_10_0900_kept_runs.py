"""Ended runs that a caller may come back to, whichever process answered."""

import sqlalchemy as sa
from alembic import op

revision = "8f40c2d7e916"
down_revision = "5c1d9e37ab62"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A new table; nothing is moved."""
    op.create_table(
        "kept_runs",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_runs")),
    )
    op.create_index("ix_kept_runs_expires_at", "kept_runs", ["expires_at"], unique=False)
    op.create_index("ix_kept_runs_principal_expires_at", "kept_runs", ["principal", "expires_at"], unique=False)


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("kept_runs")
