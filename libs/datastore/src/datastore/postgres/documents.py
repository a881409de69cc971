"""Documents with their chunks and the references between them."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, big_identity, json_object, now_column

documents = sa.Table(
    "documents",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("collection", sa.Text, nullable=False),
    sa.Column("source_uri", sa.Text),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("document_date", sa.Date),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_hash", sa.Text, nullable=False),
    json_object("properties"),
    now_column("created_at"),
    sa.Index("ix_documents_collection", "collection"),
)

chunks = sa.Table(
    "chunks",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("document_id", pg.UUID(as_uuid=True), sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    # Offsets into documents.text, in characters, end exclusive.
    sa.Column("start_offset", sa.Integer, nullable=False),
    sa.Column("end_offset", sa.Integer, nullable=False),
    sa.Column("heading", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_hash", sa.Text, nullable=False),
    sa.UniqueConstraint("document_id", "position"),
    sa.CheckConstraint("start_offset < end_offset", name="offsets_ordered"),
)

document_references = sa.Table(
    "document_references",
    METADATA,
    big_identity(),
    sa.Column("chunk_id", pg.UUID(as_uuid=True), sa.ForeignKey("chunks.id", ondelete="CASCADE"), nullable=False),
    sa.Column("reference_type", sa.Text, nullable=False),
    sa.Column("method", sa.Text, nullable=False),
    sa.Column("target_text", sa.Text, nullable=False),
    sa.Column("target_id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="SET NULL")),
    sa.UniqueConstraint("chunk_id", "reference_type", "target_text"),
    sa.Index("ix_document_references_target_id", "target_id"),
)
