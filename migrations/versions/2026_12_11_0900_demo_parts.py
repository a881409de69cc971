"""Which parts of the demo a catalogue was filled from."""

import sqlalchemy as sa
from alembic import op

revision = "3b9a61f7c04e"
down_revision = "8f40c2d7e916"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A new table, empty for catalogues from before: the next start looks at each part once more."""
    op.create_table(
        "demo_parts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("loaded_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_demo_parts")),
    )


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("demo_parts")
