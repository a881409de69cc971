"""A node's edges in the order of their far ends' popularity, whatever their type."""

import sqlalchemy as sa
from alembic import op

revision = "c7d40a19e6b3"
down_revision = "5b0d7c9e21f4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Building it reads the table once; writers of links wait meanwhile."""
    op.create_index(
        "ix_edges_src_dst_popularity",
        "edges",
        ["src", sa.text("dst_popularity DESC"), "dst"],
        postgresql_include=["rel", "origin", "origin_id", "qualifier"],
    )


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_index("ix_edges_src_dst_popularity", table_name="edges")
