"""Edges by both of their ends, in place of the index by the far end alone."""

import sqlalchemy as sa
from alembic import op

revision = "e4b81f60c29d"
down_revision = "e2b7064fa91d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Building it reads the table once; writers of links wait meanwhile."""
    op.create_index("ix_edges_ends", "edges", ["dst", sa.text("(src + 0)")], postgresql_include=["src", "rel"])
    op.drop_index("ix_edges_dst", table_name="edges")


def downgrade() -> None:
    """Undo upgrade()."""
    op.create_index("ix_edges_dst", "edges", ["dst"], unique=False)
    op.drop_index("ix_edges_ends", table_name="edges")
