"""Documents with their sections and chunks, and the references that stand in them.

Every offset counts Unicode code points of `documents.text`, and the end is exclusive.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, big_identity, json_object, now_column, text_array

documents = sa.Table(
    "documents",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("collection", sa.Text, nullable=False),
    sa.Column("source_uri", sa.Text),
    sa.Column("media_type", sa.Text, nullable=False),
    # BCP 47.
    sa.Column("language", sa.Text),
    # The first day of what the date names, in UTC; `date_precision` says how much of it is known.
    sa.Column("document_date", sa.Date),
    sa.Column("date_precision", sa.Text),
    # The instant, where the source gave a time of day.
    sa.Column("document_time", sa.TIMESTAMP(timezone=True)),
    # The date as the source wrote it, whether or not it could be read.
    sa.Column("date_raw", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_hash", sa.Text, nullable=False),
    # Of the bytes that were read and of how they were read: equal means that there is nothing to do.
    sa.Column("source_hash", sa.Text),
    # The version of the rules that found its references; none as long as they have not been looked for.
    sa.Column("reference_rules", sa.Text),
    json_object("properties"),
    now_column("created_at"),
    sa.CheckConstraint("date_precision IN ('year', 'month', 'day')", name="date_precision_known"),
    sa.Index("ix_documents_collection", "collection"),
    sa.Index("ix_documents_text_hash", "text_hash"),
)

document_sections = sa.Table(
    "document_sections",
    METADATA,
    sa.Column(
        "document_id", pg.UUID(as_uuid=True), sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    ),
    # In reading order, from 0.
    sa.Column("position", sa.Integer, primary_key=True),
    # 1 for the outermost.
    sa.Column("level", sa.SmallInteger, nullable=False),
    # What the heading begins with, e.g. `§ 5`, `4.2` or `Art 6`.
    sa.Column("number", sa.Text),
    sa.Column("heading", sa.Text, nullable=False),
    # The headings from the outermost to this one.
    text_array("path"),
    # From the heading to the end of the last section inside this one.
    sa.Column("start_offset", sa.Integer, nullable=False),
    sa.Column("end_offset", sa.Integer, nullable=False),
    sa.CheckConstraint("start_offset < end_offset", name="offsets_ordered"),
)

chunks = sa.Table(
    "chunks",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    sa.Column("document_id", pg.UUID(as_uuid=True), sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("start_offset", sa.Integer, nullable=False),
    sa.Column("end_offset", sa.Integer, nullable=False),
    # The innermost section that the chunk lies in: its heading, its path and its place in `document_sections`.
    sa.Column("heading", sa.Text),
    text_array("section_path"),
    sa.Column("section_position", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_hash", sa.Text, nullable=False),
    sa.UniqueConstraint("document_id", "position"),
    sa.CheckConstraint("start_offset < end_offset", name="offsets_ordered"),
)

document_references = sa.Table(
    "document_references",
    METADATA,
    big_identity(),
    sa.Column("document_id", pg.UUID(as_uuid=True), sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    # The chunk that the reference begins in; none for one in the front matter, which is not chunked.
    sa.Column("chunk_id", pg.UUID(as_uuid=True), sa.ForeignKey("chunks.id", ondelete="CASCADE")),
    sa.Column("start_offset", sa.Integer, nullable=False),
    sa.Column("end_offset", sa.Integer, nullable=False),
    sa.Column("reference_type", sa.Text, nullable=False),
    sa.Column("method", sa.Text, nullable=False),
    # An EdgeType, read from this document to the target; none for references that are no edge.
    sa.Column("edge", sa.Text),
    # The document that is named, and the part of it that is meant, in their usual forms; `target_until` ends a range.
    sa.Column("target_text", sa.Text, nullable=False),
    sa.Column("target_section", sa.Text, nullable=False, server_default=sa.text("''")),
    sa.Column("target_until", sa.Text, nullable=False, server_default=sa.text("''")),
    # None as long as the collections hold nothing of that name.
    sa.Column("target_id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="SET NULL")),
    sa.UniqueConstraint(
        "document_id",
        "start_offset",
        "end_offset",
        "reference_type",
        "target_text",
        "target_section",
        name="uq_document_references_place",
    ),
    sa.CheckConstraint("start_offset < end_offset", name="offsets_ordered"),
    sa.Index("ix_document_references_chunk_id", "chunk_id"),
    sa.Index("ix_document_references_target_id", "target_id"),
)
