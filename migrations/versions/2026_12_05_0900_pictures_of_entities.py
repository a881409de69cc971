"""Add the vectors of entities' pictures."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "9a4e2d71c0f8"
down_revision = "c7d40a19e6b3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Expand only: what the release before this one reads stays."""
    op.create_table(
        "entity_pictures",
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("vector", postgresql.ARRAY(sa.REAL), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_entity_pictures_entity_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("entity_id", name=op.f("pk_entity_pictures")),
    )


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("entity_pictures")
