"""Search reads shorter rows: prefixes of fewer entities than before have lists of their own.

The rows are a projection: `enishi migrate` and every start fill the table where it is empty. Until then nothing is found.
"""

from alembic import op

revision = "b7d31f58c04a"
down_revision = "3b9a61f7c04e"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Empty the projection, which is then made anew."""
    # Not row by row: as many dead rows would lie in the way until the next vacuum.
    op.execute("TRUNCATE name_pages")


def downgrade() -> None:
    """The release before this one reads these rows, too."""
