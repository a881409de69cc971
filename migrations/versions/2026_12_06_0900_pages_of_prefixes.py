"""Search reads the hits of a prefix from one row.

The table is a projection: `enishi migrate` and every start fill it.
"""

import sqlalchemy as sa
from alembic import op

revision = "e2b7064fa91d"
down_revision = "9a4e2d71c0f8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Expand only: what the release before this one reads stays."""
    op.create_table(
        "name_pages",
        sa.Column("shelf", sa.SmallInteger(), nullable=False),
        sa.Column("prefix", sa.Text(collation="C"), nullable=False),
        sa.Column("entries", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("shelf", "prefix", name=op.f("pk_name_pages")),
    )
    # The first hits of a prefix are more than the 2 kB from which a row is compressed; unpacking them takes longer.
    op.execute("ALTER TABLE name_pages SET (toast_tuple_target = 4080)")


def downgrade() -> None:
    """Undo upgrade()."""
    op.drop_table("name_pages")
