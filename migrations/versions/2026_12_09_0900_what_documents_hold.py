"""What documents hold: dates with precision, language, sections, and where each reference stands."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5c1d9e37ab62"
down_revision = "5c19e7a3b0d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing has written these tables before; rows that somebody put there get what can be derived."""
    _extend_documents()
    op.create_table(
        "document_sections",
        sa.Column("document_id", sa.UUID(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.Text(), nullable=True),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("path", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.CheckConstraint("start_offset < end_offset", name=op.f("ck_document_sections_offsets_ordered")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_sections_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "position", name=op.f("pk_document_sections")),
    )
    op.add_column(
        "chunks",
        sa.Column("section_path", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
    )
    op.add_column("chunks", sa.Column("section_position", sa.Integer(), nullable=True))
    _extend_references()


def _extend_documents() -> None:
    for name, kind in (
        ("language", sa.Text()),
        ("date_precision", sa.Text()),
        ("document_time", sa.TIMESTAMP(timezone=True)),
        ("date_raw", sa.Text()),
        ("source_hash", sa.Text()),
        ("reference_rules", sa.Text()),
    ):
        op.add_column("documents", sa.Column(name, kind, nullable=True))
    op.execute("UPDATE documents SET date_precision = 'day' WHERE document_date IS NOT NULL")
    op.create_check_constraint(
        op.f("ck_documents_date_precision_known"), "documents", "date_precision IN ('year', 'month', 'day')"
    )
    op.create_index("ix_documents_text_hash", "documents", ["text_hash"], unique=False)


def _extend_references() -> None:
    table = "document_references"
    op.add_column(table, sa.Column("document_id", sa.UUID(), nullable=True))
    op.add_column(table, sa.Column("start_offset", sa.Integer(), nullable=True))
    op.add_column(table, sa.Column("end_offset", sa.Integer(), nullable=True))
    op.add_column(table, sa.Column("edge", sa.Text(), nullable=True))
    for name in ("target_section", "target_until"):
        op.add_column(table, sa.Column(name, sa.Text(), server_default=sa.text("''"), nullable=False))
    op.execute(
        "UPDATE document_references SET document_id = chunks.document_id, start_offset = chunks.start_offset, "
        "end_offset = chunks.end_offset FROM chunks WHERE chunks.id = chunk_id"
    )
    for name in ("document_id", "start_offset", "end_offset"):
        op.alter_column(table, name, nullable=False)
    op.alter_column(table, "chunk_id", nullable=True)
    op.create_foreign_key(
        op.f("fk_document_references_document_id"), table, "documents", ["document_id"], ["id"], ondelete="CASCADE"
    )
    op.drop_constraint(op.f("uq_document_references_chunk_id_reference_type_target_text"), table, type_="unique")
    op.create_unique_constraint(
        op.f("uq_document_references_place"),
        table,
        ["document_id", "start_offset", "end_offset", "reference_type", "target_text", "target_section"],
    )
    op.create_check_constraint(op.f("ck_document_references_offsets_ordered"), table, "start_offset < end_offset")
    op.create_index("ix_document_references_chunk_id", table, ["chunk_id"], unique=False)


def downgrade() -> None:
    """Undo upgrade(); references outside of chunks are lost."""
    table = "document_references"
    op.drop_index("ix_document_references_chunk_id", table_name=table)
    op.drop_constraint(op.f("ck_document_references_offsets_ordered"), table, type_="check")
    op.execute("DELETE FROM document_references WHERE chunk_id IS NULL")
    op.alter_column(table, "chunk_id", nullable=False)
    for name in ("target_until", "target_section", "edge", "end_offset", "start_offset", "document_id"):
        op.drop_column(table, name)
    op.create_unique_constraint(
        op.f("uq_document_references_chunk_id_reference_type_target_text"),
        table,
        ["chunk_id", "reference_type", "target_text"],
    )
    op.drop_column("chunks", "section_position")
    op.drop_column("chunks", "section_path")
    op.drop_table("document_sections")
    op.drop_index("ix_documents_text_hash", table_name="documents")
    op.drop_constraint(op.f("ck_documents_date_precision_known"), "documents", type_="check")
    for name in ("reference_rules", "source_hash", "date_raw", "document_time", "date_precision", "language"):
        op.drop_column("documents", name)
