"""Add the values that sources contradict each other in."""

import sqlalchemy as sa
from alembic import op

revision = "8c1f4e0b7a52"
down_revision = "3edf13766370"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Expand only: what the release before this one reads stays."""
    op.create_table(
        "value_conflicts",
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("is_shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_value_conflicts_entity_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("entity_id", "field", "source", name=op.f("pk_value_conflicts")),
    )


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("value_conflicts")
