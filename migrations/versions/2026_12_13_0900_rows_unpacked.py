"""Search rows stay as they are, up to the length of a page: packed ones, one in a hundred, took twice as long to read."""

from alembic import op

revision = "4c8e15d7b2a6"
down_revision = "b7d31f58c04a"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The setting, and the rows that are packed already: written again, they follow it."""
    op.execute("ALTER TABLE name_pages SET (toast_tuple_target = 8160)")
    op.execute("UPDATE name_pages SET entries = entries || '' WHERE pg_column_size(entries) < octet_length(entries)")


def downgrade() -> None:
    """What is written from now on is packed as before; rows that are not are read as well."""
    op.execute("ALTER TABLE name_pages SET (toast_tuple_target = 4080)")
