"""Which parts of the demo a catalogue was filled from, and in which edition."""

import sqlalchemy as sa

from datastore.postgres.metadata import METADATA, now_column

demo_parts = sa.Table(
    "demo_parts",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    # The digest of the part's files, written once all of the part is loaded.
    sa.Column("edition", sa.Text, nullable=False),
    now_column("loaded_at"),
)
