"""Search reads the starts of names and the first entities of common ones.

The tables are projections: `enishi migrate` fills them anew after this revision.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "5b0d7c9e21f4"
down_revision = "8c1f4e0b7a52"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is kept of the tables that go: a name's rows in them are made from the name alone."""
    op.create_table(
        "name_starts",
        sa.Column("name_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("shelf", sa.SmallInteger(), nullable=False),
        sa.Column("start", sa.Text(collation="C"), nullable=False),
        sa.Column("node", sa.Integer(), nullable=False),
        sa.Column("preference", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["name_id"], ["names.id"], name=op.f("fk_name_starts_name_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name_id", "position", name=op.f("pk_name_starts")),
    )
    op.create_index(
        "ix_name_starts_shelf_start",
        "name_starts",
        ["shelf", "start"],
        postgresql_include=["node", "name_id", "preference"],
    )
    op.create_table(
        "name_tops",
        sa.Column("shelf", sa.SmallInteger(), nullable=False),
        sa.Column("prefix", sa.Text(collation="C"), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("nodes", pg.ARRAY(sa.Integer()), nullable=False),
        sa.Column("name_ids", pg.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("preferences", pg.ARRAY(sa.SmallInteger()), nullable=False),
        sa.PrimaryKeyConstraint("shelf", "prefix", "entity_type", name=op.f("pk_name_tops")),
    )
    op.create_table(
        "start_gaps",
        sa.Column("gapped", sa.Text(collation="C"), nullable=False),
        sa.Column("block", sa.Text(collation="C"), nullable=False),
        sa.PrimaryKeyConstraint("gapped", "block", name=op.f("pk_start_gaps")),
    )
    op.drop_table("name_words")
    op.drop_table("name_tokens")
    op.drop_table("word_deletions")


def downgrade() -> None:
    """Undo upgrade(); the tables come back empty."""
    op.create_table(
        "word_deletions",
        sa.Column("deletion", sa.Text(collation="C"), nullable=False),
        sa.Column("word", sa.Text(collation="C"), nullable=False),
        sa.PrimaryKeyConstraint("deletion", "word", name=op.f("pk_word_deletions")),
    )
    op.create_table(
        "name_tokens",
        sa.Column("word", sa.Text(collation="C"), nullable=False),
        sa.Column("name_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["name_id"], ["names.id"], name=op.f("fk_name_tokens_name_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("word", "name_id", name=op.f("pk_name_tokens")),
    )
    op.create_index("ix_name_tokens_name_id", "name_tokens", ["name_id"], unique=False)
    op.create_table(
        "name_words",
        sa.Column("name_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("suffix", sa.Text(collation="C"), nullable=False),
        sa.Column("is_whole", sa.Boolean(), nullable=False),
        sa.Column(
            "squeezed", sa.Text(collation="C"), sa.Computed("replace(suffix, ' ', '')", persisted=True), nullable=False
        ),
        sa.ForeignKeyConstraint(["name_id"], ["names.id"], name=op.f("fk_name_words_name_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name_id", "position", name=op.f("pk_name_words")),
    )
    op.create_index("ix_name_words_squeezed", "name_words", ["squeezed"], unique=False, postgresql_include=["is_whole"])
    for table in ("name_starts", "name_tops", "start_gaps"):
        op.drop_table(table)
